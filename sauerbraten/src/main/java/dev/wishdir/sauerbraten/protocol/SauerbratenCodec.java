package dev.wishdir.sauerbraten.protocol;

import dev.wishdir.sauerbraten.message.Action;
import dev.wishdir.sauerbraten.message.Admin;
import dev.wishdir.sauerbraten.message.Auth;
import dev.wishdir.sauerbraten.message.Bot;
import dev.wishdir.sauerbraten.message.Capture;
import dev.wishdir.sauerbraten.message.Chat;
import dev.wishdir.sauerbraten.message.CubeWire;
import dev.wishdir.sauerbraten.message.Demo;
import dev.wishdir.sauerbraten.message.Edit;
import dev.wishdir.sauerbraten.message.Flag;
import dev.wishdir.sauerbraten.message.Item;
import dev.wishdir.sauerbraten.message.Life;
import dev.wishdir.sauerbraten.message.Match;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.Relay;
import dev.wishdir.sauerbraten.message.Roster;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.Session;
import dev.wishdir.sauerbraten.message.Token;
import dev.wishdir.sauerbraten.message.Travel;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Dissector.Direction;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The messages of one protocol version, by direction and code: Cube 2: Sauerbraten, messages.
 * Immutable.
 *
 * <p>A packet on channel 0 or 1 is any number of messages one after the other; each begins with its
 * code. On channel 2 travels one file. What code means which message is listed here: {@code c2s}
 * only a client sends, {@code s2c} only a server, {@code both} either, and {@code relayed} is what
 * a client sends and the server passes on inside {@code N_CLIENT}. The class is as long as that
 * list is, which is one.
 */
public final class SauerbratenCodec {
    /** What players, options and lines of the inspector call the game. */
    public static final String GAME = "sauerbraten";

    /** The 2020 edition. */
    public static final SauerbratenCodec V260 = new SauerbratenCodec(260, false);

    /** The 2013 edition, "collect". */
    public static final SauerbratenCodec V259 = new SauerbratenCodec(259, false);

    private static final SauerbratenCodec V260_HOLD = new SauerbratenCodec(260, true);
    private static final SauerbratenCodec V259_HOLD = new SauerbratenCodec(259, true);

    private static final Set<Integer> HOLD_MODES = Set.of(15, 16, 19);

    /** The most bytes of a packet: the longest file and its code. */
    private static final int MAX_PACKET = Demo.MAX_FILE + 16;

    private record Entry<M extends SauerbratenMessage>(
            int code, String name, M blank, Walk<M> walk, boolean relayed) {
        SauerbratenMessage read(Reader r) {
            return walk.walk(r, blank);
        }

        void write(Wire w, SauerbratenMessage message) {
            if (code >= 0) {
                CubeWire.integer(w, "code", code);
            }
            @SuppressWarnings("unchecked") // entries are found by the class of their blank
            M m = (M) message;
            walk.walk(w, m);
        }
    }

    private interface Walk<M> {
        M walk(Wire w, M m);
    }

    private final int protocol;
    private final @Nullable Entry<?>[] fromClient = new Entry<?>[128];
    private final @Nullable Entry<?>[] fromServer = new Entry<?>[128];
    private final Map<Class<?>, Entry<?>> byType = new HashMap<>();

    private SauerbratenCodec(int protocol, boolean hold) {
        this.protocol = protocol;
        boolean old = protocol == 259;
        c2s(0, "N_CONNECT", Session.Connect.BLANK, Session.Connect::wire);
        s2c(1, "N_SERVINFO", Session.ServInfo.BLANK, Session.ServInfo::wire);
        s2c(2, "N_WELCOME", Session.Welcome.BLANK, Session.Welcome::wire);
        s2c(3, "N_INITCLIENT", Roster.InitClient.BLANK, Roster.InitClient::wire);
        both(4, "N_POS", Pos.BLANK, Pos::wire);
        relayed(5, "N_TEXT", Chat.Text.BLANK, Chat.Text::wire);
        relayed(6, "N_SOUND", Action.Sound.BLANK, Action.Sound::wire);
        s2c(7, "N_CDIS", Roster.CDis.BLANK, Roster.CDis::wire);
        c2s(8, "N_SHOOT", Action.Shoot.BLANK, Action.Shoot::wire);
        c2s(9, "N_EXPLODE", Action.Explode.BLANK, Action.Explode::wire);
        c2s(10, "N_SUICIDE", Life.Suicide.BLANK, Life.Suicide::wire);
        s2c(11, "N_DIED", Life.Died.BLANK, Life.Died::wire);
        s2c(12, "N_DAMAGE", Life.Damage.BLANK, Life.Damage::wire);
        s2c(13, "N_HITPUSH", Life.HitPush.BLANK, Life.HitPush::wire);
        s2c(14, "N_SHOTFX", Action.ShotFx.BLANK, Action.ShotFx::wire);
        s2c(15, "N_EXPLODEFX", Action.ExplodeFx.BLANK, Action.ExplodeFx::wire);
        c2s(16, "N_TRYSPAWN", Life.TrySpawn.BLANK, Life.TrySpawn::wire);
        s2c(17, "N_SPAWNSTATE", Life.SpawnState.BLANK, Life.SpawnState::wire);
        c2s(18, "N_SPAWN", Life.ClientSpawn.BLANK, Life.ClientSpawn::wire);
        s2c(18, "N_SPAWN", Life.Spawn.BLANK, Life.Spawn::wire);
        s2c(19, "N_FORCEDEATH", Life.ForceDeath.BLANK, Life.ForceDeath::wire);
        relayed(20, "N_GUNSELECT", Action.GunSelect.BLANK, Action.GunSelect::wire);
        relayed(21, "N_TAUNT", Action.Taunt.BLANK, Action.Taunt::wire);
        s2c(22, "N_MAPCHANGE", Match.MapChange.BLANK, Match.MapChange::wire);
        c2s(23, "N_MAPVOTE", Match.MapVote.BLANK, Match.MapVote::wire);
        s2c(24, "N_TEAMINFO", Match.TeamInfo.BLANK, Match.TeamInfo::wire);
        s2c(25, "N_ITEMSPAWN", Item.ItemSpawn.BLANK, Item.ItemSpawn::wire);
        c2s(26, "N_ITEMPICKUP", Item.ItemPickup.BLANK, Item.ItemPickup::wire);
        s2c(27, "N_ITEMACC", Item.ItemAcc.BLANK, Item.ItemAcc::wire);
        both(28, "N_TELEPORT", Travel.Teleport.BLANK, Travel.Teleport::wire);
        both(29, "N_JUMPPAD", Travel.JumpPad.BLANK, Travel.JumpPad::wire);
        c2s(30, "N_PING", Session.Ping.BLANK, Session.Ping::wire);
        s2c(31, "N_PONG", Session.Pong.BLANK, Session.Pong::wire);
        relayed(32, "N_CLIENTPING", Session.ClientPing.BLANK, Session.ClientPing::wire);
        s2c(33, "N_TIMEUP", Match.TimeUp.BLANK, Match.TimeUp::wire);
        c2s(
                34,
                "N_FORCEINTERMISSION",
                Match.ForceIntermission.BLANK,
                Match.ForceIntermission::wire);
        s2c(35, "N_SERVMSG", Chat.ServMsg.BLANK, Chat.ServMsg::wire);
        both(36, "N_ITEMLIST", Item.ItemList.BLANK, Item.ItemList::wire);
        s2c(37, "N_RESUME", Life.Resume.BLANK, old ? Life.Resume::wire259 : Life.Resume::wire);
        relayed(38, "N_EDITMODE", Edit.EditMode.BLANK, Edit.EditMode::wire);
        relayed(39, "N_EDITENT", Edit.EditEnt.BLANK, Edit.EditEnt::wire);
        relayed(40, "N_EDITF", Edit.EditF.BLANK, Edit.EditF::wire);
        relayed(41, "N_EDITT", Edit.EditT.BLANK, old ? Edit.EditT::wire259 : Edit.EditT::wire);
        relayed(42, "N_EDITM", Edit.EditM.BLANK, Edit.EditM::wire);
        relayed(43, "N_FLIP", Edit.Flip.BLANK, Edit.Flip::wire);
        relayed(44, "N_COPY", Edit.Copy.BLANK, Edit.Copy::wire);
        relayed(45, "N_PASTE", Edit.Paste.BLANK, Edit.Paste::wire);
        relayed(46, "N_ROTATE", Edit.Rotate.BLANK, Edit.Rotate::wire);
        relayed(
                47,
                "N_REPLACE",
                Edit.Replace.BLANK,
                old ? Edit.Replace::wire259 : Edit.Replace::wire);
        relayed(48, "N_DELCUBE", Edit.DelCube.BLANK, Edit.DelCube::wire);
        relayed(49, "N_REMIP", Edit.Remip.BLANK, Edit.Remip::wire);
        relayed(50, "N_EDITVSLOT", Edit.EditVSlot.BLANK, Edit.EditVSlot::wire);
        c2s(51, "N_UNDO", Edit.ClientUndo.BLANK, Edit.ClientUndo::wire);
        s2c(51, "N_UNDO", Edit.Undo.BLANK, Edit.Undo::wire);
        c2s(52, "N_REDO", Edit.ClientRedo.BLANK, Edit.ClientRedo::wire);
        s2c(52, "N_REDO", Edit.Redo.BLANK, Edit.Redo::wire);
        relayed(53, "N_NEWMAP", Edit.NewMap.BLANK, Edit.NewMap::wire);
        c2s(54, "N_GETMAP", Edit.GetMap.BLANK, Edit.GetMap::wire);
        s2c(55, "N_SENDMAP", Edit.SendMap.BLANK, Edit.SendMap::wire);
        c2s(56, "N_CLIPBOARD", Edit.ClientClipboard.BLANK, Edit.ClientClipboard::wire);
        s2c(56, "N_CLIPBOARD", Edit.Clipboard.BLANK, Edit.Clipboard::wire);
        relayed(57, "N_EDITVAR", Edit.EditVar.BLANK, Edit.EditVar::wire);
        both(58, "N_MASTERMODE", Admin.MasterMode.BLANK, Admin.MasterMode::wire);
        c2s(59, "N_KICK", Admin.Kick.BLANK, Admin.Kick::wire);
        c2s(60, "N_CLEARBANS", Admin.ClearBans.BLANK, Admin.ClearBans::wire);
        s2c(61, "N_CURRENTMASTER", Admin.CurrentMaster.BLANK, Admin.CurrentMaster::wire);
        both(62, "N_SPECTATOR", Roster.Spectator.BLANK, Roster.Spectator::wire);
        c2s(63, "N_SETMASTER", Admin.SetMaster.BLANK, Admin.SetMaster::wire);
        c2s(64, "N_SETTEAM", Roster.ClientSetTeam.BLANK, Roster.ClientSetTeam::wire);
        s2c(64, "N_SETTEAM", Roster.SetTeam.BLANK, Roster.SetTeam::wire);
        c2s(65, "N_BASES", Capture.ClientBases.BLANK, Capture.ClientBases::wire);
        s2c(65, "N_BASES", Capture.Bases.BLANK, Capture.Bases::wire);
        s2c(66, "N_BASEINFO", Capture.BaseInfo.BLANK, Capture.BaseInfo::wire);
        s2c(67, "N_BASESCORE", Capture.BaseScore.BLANK, Capture.BaseScore::wire);
        c2s(68, "N_REPAMMO", Capture.ClientRepAmmo.BLANK, Capture.ClientRepAmmo::wire);
        s2c(68, "N_REPAMMO", Capture.RepAmmo.BLANK, Capture.RepAmmo::wire);
        s2c(69, "N_BASEREGEN", Capture.BaseRegen.BLANK, Capture.BaseRegen::wire);
        s2c(70, "N_ANNOUNCE", Item.Announce.BLANK, Item.Announce::wire);
        c2s(71, "N_LISTDEMOS", Demo.ListDemos.BLANK, Demo.ListDemos::wire);
        s2c(72, "N_SENDDEMOLIST", Demo.SendDemoList.BLANK, Demo.SendDemoList::wire);
        c2s(73, "N_GETDEMO", Demo.GetDemo.BLANK, old ? Demo.GetDemo::wire259 : Demo.GetDemo::wire);
        s2c(
                74,
                "N_SENDDEMO",
                Demo.SendDemo.BLANK,
                old ? Demo.SendDemo::wire259 : Demo.SendDemo::wire);
        s2c(75, "N_DEMOPLAYBACK", Demo.DemoPlayback.BLANK, Demo.DemoPlayback::wire);
        c2s(76, "N_RECORDDEMO", Demo.RecordDemo.BLANK, Demo.RecordDemo::wire);
        c2s(77, "N_STOPDEMO", Demo.StopDemo.BLANK, Demo.StopDemo::wire);
        c2s(78, "N_CLEARDEMOS", Demo.ClearDemos.BLANK, Demo.ClearDemos::wire);
        c2s(79, "N_TAKEFLAG", Flag.ClientTakeFlag.BLANK, Flag.ClientTakeFlag::wire);
        s2c(79, "N_TAKEFLAG", Flag.TakeFlag.BLANK, Flag.TakeFlag::wire);
        s2c(80, "N_RETURNFLAG", Flag.ReturnFlag.BLANK, Flag.ReturnFlag::wire);
        s2c(81, "N_RESETFLAG", Flag.ResetFlag.BLANK, Flag.ResetFlag::wire);
        s2c(82, "N_INVISFLAG", Flag.InvisFlag.BLANK, Flag.InvisFlag::wire);
        c2s(83, "N_TRYDROPFLAG", Flag.TryDropFlag.BLANK, Flag.TryDropFlag::wire);
        s2c(84, "N_DROPFLAG", Flag.DropFlag.BLANK, Flag.DropFlag::wire);
        s2c(85, "N_SCOREFLAG", Flag.ScoreFlag.BLANK, Flag.ScoreFlag::wire);
        c2s(86, "N_INITFLAGS", Flag.ClientInitFlags.BLANK, Flag.ClientInitFlags::wire);
        s2c(
                86,
                "N_INITFLAGS",
                Flag.InitFlags.BLANK,
                hold ? Flag.InitFlags::wireHold : Flag.InitFlags::wire);
        c2s(87, "N_SAYTEAM", Chat.ClientSayTeam.BLANK, Chat.ClientSayTeam::wire);
        s2c(87, "N_SAYTEAM", Chat.SayTeam.BLANK, Chat.SayTeam::wire);
        s2c(88, "N_CLIENT", Relay.Client.BLANK, Relay.Client::wire);
        c2s(89, "N_AUTHTRY", Auth.AuthTry.BLANK, Auth.AuthTry::wire);
        c2s(90, "N_AUTHKICK", Auth.AuthKick.BLANK, Auth.AuthKick::wire);
        s2c(91, "N_AUTHCHAL", Auth.AuthChal.BLANK, Auth.AuthChal::wire);
        c2s(92, "N_AUTHANS", Auth.AuthAns.BLANK, Auth.AuthAns::wire);
        s2c(93, "N_REQAUTH", Auth.ReqAuth.BLANK, Auth.ReqAuth::wire);
        c2s(94, "N_PAUSEGAME", Admin.ClientPauseGame.BLANK, Admin.ClientPauseGame::wire);
        s2c(94, "N_PAUSEGAME", Admin.PauseGame.BLANK, Admin.PauseGame::wire);
        c2s(95, "N_GAMESPEED", Admin.ClientGameSpeed.BLANK, Admin.ClientGameSpeed::wire);
        s2c(95, "N_GAMESPEED", Admin.GameSpeed.BLANK, Admin.GameSpeed::wire);
        c2s(96, "N_ADDBOT", Bot.AddBot.BLANK, Bot.AddBot::wire);
        c2s(97, "N_DELBOT", Bot.DelBot.BLANK, Bot.DelBot::wire);
        s2c(98, "N_INITAI", Bot.InitAi.BLANK, Bot.InitAi::wire);
        c2s(99, "N_FROMAI", Relay.FromAi.BLANK, Relay.FromAi::wire);
        c2s(100, "N_BOTLIMIT", Bot.BotLimit.BLANK, Bot.BotLimit::wire);
        c2s(101, "N_BOTBALANCE", Bot.BotBalance.BLANK, Bot.BotBalance::wire);
        c2s(102, "N_MAPCRC", Match.MapCrc.BLANK, Match.MapCrc::wire);
        c2s(103, "N_CHECKMAPS", Match.CheckMaps.BLANK, Match.CheckMaps::wire);
        relayed(104, "N_SWITCHNAME", Roster.SwitchName.BLANK, Roster.SwitchName::wire);
        relayed(105, "N_SWITCHMODEL", Roster.SwitchModel.BLANK, Roster.SwitchModel::wire);
        c2s(106, "N_SWITCHTEAM", Roster.SwitchTeam.BLANK, Roster.SwitchTeam::wire);
        c2s(107, "N_INITTOKENS", Token.ClientInitTokens.BLANK, Token.ClientInitTokens::wire);
        s2c(107, "N_INITTOKENS", Token.InitTokens.BLANK, Token.InitTokens::wire);
        c2s(108, "N_TAKETOKEN", Token.ClientTakeToken.BLANK, Token.ClientTakeToken::wire);
        s2c(108, "N_TAKETOKEN", Token.TakeToken.BLANK, Token.TakeToken::wire);
        s2c(109, "N_EXPIRETOKENS", Token.ExpireTokens.BLANK, Token.ExpireTokens::wire);
        s2c(110, "N_DROPTOKENS", Token.DropTokens.BLANK, Token.DropTokens::wire);
        c2s(
                111,
                "N_DEPOSITTOKENS",
                Token.ClientDepositTokens.BLANK,
                Token.ClientDepositTokens::wire);
        s2c(111, "N_DEPOSITTOKENS", Token.DepositTokens.BLANK, Token.DepositTokens::wire);
        s2c(112, "N_STEALTOKENS", Token.StealTokens.BLANK, Token.StealTokens::wire);
        both(113, "N_SERVCMD", Session.ServCmd.BLANK, Session.ServCmd::wire);
        s2c(114, "N_DEMOPACKET", Demo.DemoPacket.BLANK, Demo.DemoPacket::wire);
        byType.put(
                Edit.MapData.class,
                new Entry<>(-1, "MAPDATA", Edit.MapData.BLANK, Edit.MapData::wire, false));
    }

    private <M extends SauerbratenMessage> void c2s(int code, String name, M blank, Walk<M> walk) {
        add(code, name, blank, walk, false, fromClient);
    }

    private <M extends SauerbratenMessage> void s2c(int code, String name, M blank, Walk<M> walk) {
        add(code, name, blank, walk, false, fromServer);
    }

    private <M extends SauerbratenMessage> void both(int code, String name, M blank, Walk<M> walk) {
        add(code, name, blank, walk, false, fromClient, fromServer);
    }

    private <M extends SauerbratenMessage> void relayed(
            int code, String name, M blank, Walk<M> walk) {
        add(code, name, blank, walk, true, fromClient, fromServer);
    }

    /** Adds a message by its code in protocol 260; 259 lacks 50 to 52 and closes the gap. */
    private <M extends SauerbratenMessage> void add(
            int code,
            String name,
            M blank,
            Walk<M> walk,
            boolean relayed,
            @Nullable Entry<?>[]... tables) {
        boolean old = protocol == 259;
        if (old && code >= 50 && code <= 52) {
            return;
        }
        int number = old && code > 52 ? code - 3 : code;
        Entry<M> entry = new Entry<>(number, name, blank, walk, relayed);
        byType.put(blank.getClass(), entry);
        for (@Nullable Entry<?>[] table : tables) {
            table[number] = entry;
        }
    }

    /** The codec of a protocol version; empty if it is not known. */
    public static Optional<SauerbratenCodec> of(int protocol) {
        return switch (protocol) {
            case 260 -> Optional.of(V260);
            case 259 -> Optional.of(V259);
            default -> Optional.empty();
        };
    }

    /** The protocol version. */
    public int protocol() {
        return protocol;
    }

    /**
     * The codec to go on with after {@code N_MAPCHANGE}: {@code N_INITFLAGS} differs in the hold
     * modes.
     */
    public SauerbratenCodec inMode(int mode) {
        boolean hold = HOLD_MODES.contains(mode);
        return protocol == 259 ? hold ? V259_HOLD : V259 : hold ? V260_HOLD : V260;
    }

    /**
     * Reads one message.
     *
     * @throws MalformedPacketException if the code is not one of this direction, or the message
     *     does not follow its form
     */
    public SauerbratenMessage read(Direction direction, Reader r) {
        Entry<?> entry = entry(direction, r);
        if (r instanceof Tracer && entry.blank instanceof Relay.Client) {
            return traceClient(r);
        }
        return entry.read(r);
    }

    private Entry<?> entry(Direction direction, Reader r) {
        int code = CubeWire.integer(r, "code", 0);
        @Nullable Entry<?>[] table = table(direction);
        Entry<?> entry = code >= 0 && code < table.length ? table[code] : null;
        if (entry == null) {
            throw r.malformed(
                    "code",
                    "a "
                            + (direction == Direction.C2S ? "client" : "server")
                            + " of protocol "
                            + protocol
                            + " sends no message "
                            + code);
        }
        if (r.tracing()) {
            r.meaning(code + " (" + entry.name + ")");
        }
        return entry;
    }

    private @Nullable Entry<?>[] table(Direction direction) {
        return switch (direction) {
            case C2S -> fromClient;
            case S2C -> fromServer;
        };
    }

    /** Walks the messages inside instead of taking them as bytes. */
    private Relay.Client traceClient(Reader r) {
        int cn = CubeWire.integer(r, "cn", 0);
        int length = Relay.Client.length(r, 0);
        int start = r.position();
        int mark = r.narrow("messages", length);
        for (int i = 0; r.remaining() > 0; i++) {
            r.enter("msgs.", i);
            read(Direction.S2C, r);
            r.leave();
        }
        r.widen(mark);
        return new Relay.Client(cn, r.between(start, start + length));
    }

    /**
     * Reads all messages of a packet, following a {@code N_MAPCHANGE} among them. An empty packet
     * has none.
     *
     * @param channel 2 carries files, of which a client's has no code; all others carry messages
     * @throws MalformedPacketException if any message is malformed
     */
    public List<SauerbratenMessage> readPacket(Direction direction, int channel, Reader r) {
        if (channel == 2 && direction == Direction.C2S) {
            return List.of(Edit.MapData.wire(r, Edit.MapData.BLANK));
        }
        List<SauerbratenMessage> messages = new ArrayList<>();
        SauerbratenCodec codec = this;
        while (r.remaining() > 0) {
            SauerbratenMessage message = codec.read(direction, r);
            if (message instanceof Match.MapChange change) {
                codec = inMode(change.mode());
            }
            messages.add(message);
        }
        return messages;
    }

    /**
     * Reads all messages inside {@code N_CLIENT}.
     *
     * @throws MalformedPacketException if any message is malformed
     */
    public List<SauerbratenMessage> messages(Relay.Client client) {
        return readPacket(Direction.S2C, 1, new Reader(client.messages()));
    }

    /**
     * Writes a message with its code.
     *
     * @throws IllegalArgumentException if this version does not have it, or a value is out of
     *     bounds
     */
    public void write(Wire w, SauerbratenMessage message) {
        entry(message).write(w, message);
    }

    /**
     * A packet of these messages.
     *
     * @throws IllegalArgumentException if this version does not have one of them, or a value is out
     *     of bounds
     */
    public Bytes packet(SauerbratenMessage... messages) {
        Writer writer = new Writer(MAX_PACKET);
        for (SauerbratenMessage message : messages) {
            write(writer, message);
        }
        return writer.toBytes();
    }

    private Entry<?> entry(SauerbratenMessage message) {
        Entry<?> entry = byType.get(message.getClass());
        if (entry == null) {
            throw new IllegalArgumentException(
                    "protocol " + protocol + " has no " + message.getClass().getSimpleName());
        }
        return entry;
    }

    /** The message's name in the protocol, {@code N_POS}. */
    public String name(SauerbratenMessage message) {
        return entry(message).name;
    }

    /** The message's code in this version; -1 for a map from a client, which has none. */
    public int code(SauerbratenMessage message) {
        return entry(message).code;
    }

    /** Whether the server passes the message on, as it is, inside {@code N_CLIENT}. */
    public boolean relayed(SauerbratenMessage message) {
        return entry(message).relayed;
    }

    /** The channel that a message travels on: 0 positions, 2 files, 1 all others. */
    public static int channel(SauerbratenMessage message) {
        return switch (message) {
            case Travel _ -> 0;
            case Edit.SendMap _, Edit.MapData _, Demo.SendDemo _ -> 2;
            default -> 1;
        };
    }

    /** Whether a message has to arrive; a packet is reliable if any message in it is. */
    public static boolean reliable(SauerbratenMessage message) {
        return switch (message) {
            case Pos _, Session.Ping _, Session.Pong _, Session.ClientPing _, Action.Sound _ ->
                    false;
            default -> true;
        };
    }

    /** A blank message of every kind that one direction has, by code. */
    Collection<SauerbratenMessage> blanks(Direction direction) {
        List<SauerbratenMessage> blanks = new ArrayList<>();
        for (Entry<?> entry : table(direction)) {
            if (entry != null) {
                blanks.add(entry.blank);
            }
        }
        return blanks;
    }
}
