package dev.wishdir.sauerbraten.protocol;

import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.BotMessage;
import dev.wishdir.sauerbraten.message.CaptureMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeWire;
import dev.wishdir.sauerbraten.message.DemoMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.message.TokenMessage;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The codec of one protocol version: messages by direction and code (Cube 2: Sauerbraten,
 * messages). Immutable.
 *
 * <p>A packet on channel 0 or 1 is a sequence of messages, each with its code. A packet on channel
 * 2 is one file. This list assigns codes to messages: {@code c2s} is sent only by clients, {@code
 * s2c} only by servers, {@code both} by either, and {@code relayed} is sent by clients and relayed
 * by the server inside {@code N_CLIENT}.
 */
public final class SauerbratenCodec {
    /** Identifier of the game. */
    public static final String GAME = "sauerbraten";

    /** Form of native movements: a {@code N_POS} with its code. */
    public static final String MOVEMENT_FORM = GAME + "/260";

    /** The 2020 edition. */
    public static final SauerbratenCodec V260 = new SauerbratenCodec(260, false);

    /** The 2013 edition, "collect". */
    public static final SauerbratenCodec V259 = new SauerbratenCodec(259, false);

    private static final SauerbratenCodec V260_HOLD = new SauerbratenCodec(260, true);
    private static final SauerbratenCodec V259_HOLD = new SauerbratenCodec(259, true);

    private static final Set<Integer> HOLD_MODES = Set.of(15, 16, 19);

    /** Maximum packet size, bytes: the longest file and its code. */
    private static final int MAX_PACKET_BYTES = DemoMessage.MAX_FILE + 16;

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
        boolean is259 = protocol == 259;
        c2s(0, "N_CONNECT", SessionMessage.Connect.BLANK, SessionMessage.Connect::wire);
        s2c(1, "N_SERVINFO", SessionMessage.ServInfo.BLANK, SessionMessage.ServInfo::wire);
        s2c(2, "N_WELCOME", SessionMessage.Welcome.BLANK, SessionMessage.Welcome::wire);
        s2c(3, "N_INITCLIENT", RosterMessage.InitClient.BLANK, RosterMessage.InitClient::wire);
        both(4, "N_POS", Pos.BLANK, Pos::wire);
        relayed(5, "N_TEXT", ChatMessage.Text.BLANK, ChatMessage.Text::wire);
        relayed(6, "N_SOUND", ActionMessage.Sound.BLANK, ActionMessage.Sound::wire);
        s2c(7, "N_CDIS", RosterMessage.CDis.BLANK, RosterMessage.CDis::wire);
        c2s(8, "N_SHOOT", ActionMessage.Shoot.BLANK, ActionMessage.Shoot::wire);
        c2s(9, "N_EXPLODE", ActionMessage.Explode.BLANK, ActionMessage.Explode::wire);
        c2s(10, "N_SUICIDE", LifeMessage.Suicide.BLANK, LifeMessage.Suicide::wire);
        s2c(11, "N_DIED", LifeMessage.Died.BLANK, LifeMessage.Died::wire);
        s2c(12, "N_DAMAGE", LifeMessage.Damage.BLANK, LifeMessage.Damage::wire);
        s2c(13, "N_HITPUSH", LifeMessage.HitPush.BLANK, LifeMessage.HitPush::wire);
        s2c(14, "N_SHOTFX", ActionMessage.ShotFx.BLANK, ActionMessage.ShotFx::wire);
        s2c(15, "N_EXPLODEFX", ActionMessage.ExplodeFx.BLANK, ActionMessage.ExplodeFx::wire);
        c2s(16, "N_TRYSPAWN", LifeMessage.TrySpawn.BLANK, LifeMessage.TrySpawn::wire);
        s2c(17, "N_SPAWNSTATE", LifeMessage.SpawnState.BLANK, LifeMessage.SpawnState::wire);
        c2s(18, "N_SPAWN", LifeMessage.ClientSpawn.BLANK, LifeMessage.ClientSpawn::wire);
        s2c(18, "N_SPAWN", LifeMessage.Spawn.BLANK, LifeMessage.Spawn::wire);
        s2c(19, "N_FORCEDEATH", LifeMessage.ForceDeath.BLANK, LifeMessage.ForceDeath::wire);
        relayed(20, "N_GUNSELECT", ActionMessage.GunSelect.BLANK, ActionMessage.GunSelect::wire);
        relayed(21, "N_TAUNT", ActionMessage.Taunt.BLANK, ActionMessage.Taunt::wire);
        s2c(22, "N_MAPCHANGE", MatchMessage.MapChange.BLANK, MatchMessage.MapChange::wire);
        c2s(23, "N_MAPVOTE", MatchMessage.MapVote.BLANK, MatchMessage.MapVote::wire);
        s2c(24, "N_TEAMINFO", MatchMessage.TeamInfo.BLANK, MatchMessage.TeamInfo::wire);
        s2c(25, "N_ITEMSPAWN", ItemMessage.ItemSpawn.BLANK, ItemMessage.ItemSpawn::wire);
        c2s(26, "N_ITEMPICKUP", ItemMessage.ItemPickup.BLANK, ItemMessage.ItemPickup::wire);
        s2c(27, "N_ITEMACC", ItemMessage.ItemAcc.BLANK, ItemMessage.ItemAcc::wire);
        both(28, "N_TELEPORT", MovementMessage.Teleport.BLANK, MovementMessage.Teleport::wire);
        both(29, "N_JUMPPAD", MovementMessage.JumpPad.BLANK, MovementMessage.JumpPad::wire);
        c2s(30, "N_PING", SessionMessage.Ping.BLANK, SessionMessage.Ping::wire);
        s2c(31, "N_PONG", SessionMessage.Pong.BLANK, SessionMessage.Pong::wire);
        relayed(
                32,
                "N_CLIENTPING",
                SessionMessage.ClientPing.BLANK,
                SessionMessage.ClientPing::wire);
        s2c(33, "N_TIMEUP", MatchMessage.TimeUp.BLANK, MatchMessage.TimeUp::wire);
        c2s(
                34,
                "N_FORCEINTERMISSION",
                MatchMessage.ForceIntermission.BLANK,
                MatchMessage.ForceIntermission::wire);
        s2c(35, "N_SERVMSG", ChatMessage.ServMsg.BLANK, ChatMessage.ServMsg::wire);
        both(36, "N_ITEMLIST", ItemMessage.ItemList.BLANK, ItemMessage.ItemList::wire);
        s2c(
                37,
                "N_RESUME",
                LifeMessage.Resume.BLANK,
                is259 ? LifeMessage.Resume::wire259 : LifeMessage.Resume::wire);
        relayed(38, "N_EDITMODE", EditMessage.EditMode.BLANK, EditMessage.EditMode::wire);
        relayed(39, "N_EDITENT", EditMessage.EditEnt.BLANK, EditMessage.EditEnt::wire);
        relayed(40, "N_EDITF", EditMessage.EditF.BLANK, EditMessage.EditF::wire);
        relayed(
                41,
                "N_EDITT",
                EditMessage.EditT.BLANK,
                is259 ? EditMessage.EditT::wire259 : EditMessage.EditT::wire);
        relayed(42, "N_EDITM", EditMessage.EditM.BLANK, EditMessage.EditM::wire);
        relayed(43, "N_FLIP", EditMessage.Flip.BLANK, EditMessage.Flip::wire);
        relayed(44, "N_COPY", EditMessage.Copy.BLANK, EditMessage.Copy::wire);
        relayed(45, "N_PASTE", EditMessage.Paste.BLANK, EditMessage.Paste::wire);
        relayed(46, "N_ROTATE", EditMessage.Rotate.BLANK, EditMessage.Rotate::wire);
        relayed(
                47,
                "N_REPLACE",
                EditMessage.Replace.BLANK,
                is259 ? EditMessage.Replace::wire259 : EditMessage.Replace::wire);
        relayed(48, "N_DELCUBE", EditMessage.DelCube.BLANK, EditMessage.DelCube::wire);
        relayed(49, "N_REMIP", EditMessage.Remip.BLANK, EditMessage.Remip::wire);
        relayed(50, "N_EDITVSLOT", EditMessage.EditVSlot.BLANK, EditMessage.EditVSlot::wire);
        c2s(51, "N_UNDO", EditMessage.ClientUndo.BLANK, EditMessage.ClientUndo::wire);
        s2c(51, "N_UNDO", EditMessage.Undo.BLANK, EditMessage.Undo::wire);
        c2s(52, "N_REDO", EditMessage.ClientRedo.BLANK, EditMessage.ClientRedo::wire);
        s2c(52, "N_REDO", EditMessage.Redo.BLANK, EditMessage.Redo::wire);
        relayed(53, "N_NEWMAP", EditMessage.NewMap.BLANK, EditMessage.NewMap::wire);
        c2s(54, "N_GETMAP", EditMessage.GetMap.BLANK, EditMessage.GetMap::wire);
        s2c(55, "N_SENDMAP", EditMessage.SendMap.BLANK, EditMessage.SendMap::wire);
        c2s(
                56,
                "N_CLIPBOARD",
                EditMessage.ClientClipboard.BLANK,
                EditMessage.ClientClipboard::wire);
        s2c(56, "N_CLIPBOARD", EditMessage.Clipboard.BLANK, EditMessage.Clipboard::wire);
        relayed(57, "N_EDITVAR", EditMessage.EditVar.BLANK, EditMessage.EditVar::wire);
        both(58, "N_MASTERMODE", AdminMessage.MasterMode.BLANK, AdminMessage.MasterMode::wire);
        c2s(59, "N_KICK", AdminMessage.Kick.BLANK, AdminMessage.Kick::wire);
        c2s(60, "N_CLEARBANS", AdminMessage.ClearBans.BLANK, AdminMessage.ClearBans::wire);
        s2c(
                61,
                "N_CURRENTMASTER",
                AdminMessage.CurrentMaster.BLANK,
                AdminMessage.CurrentMaster::wire);
        both(62, "N_SPECTATOR", RosterMessage.Spectator.BLANK, RosterMessage.Spectator::wire);
        c2s(63, "N_SETMASTER", AdminMessage.SetMaster.BLANK, AdminMessage.SetMaster::wire);
        c2s(64, "N_SETTEAM", RosterMessage.ClientSetTeam.BLANK, RosterMessage.ClientSetTeam::wire);
        s2c(64, "N_SETTEAM", RosterMessage.SetTeam.BLANK, RosterMessage.SetTeam::wire);
        c2s(65, "N_BASES", CaptureMessage.ClientBases.BLANK, CaptureMessage.ClientBases::wire);
        s2c(65, "N_BASES", CaptureMessage.Bases.BLANK, CaptureMessage.Bases::wire);
        s2c(66, "N_BASEINFO", CaptureMessage.BaseInfo.BLANK, CaptureMessage.BaseInfo::wire);
        s2c(67, "N_BASESCORE", CaptureMessage.BaseScore.BLANK, CaptureMessage.BaseScore::wire);
        c2s(
                68,
                "N_REPAMMO",
                CaptureMessage.ClientRepAmmo.BLANK,
                CaptureMessage.ClientRepAmmo::wire);
        s2c(68, "N_REPAMMO", CaptureMessage.RepAmmo.BLANK, CaptureMessage.RepAmmo::wire);
        s2c(69, "N_BASEREGEN", CaptureMessage.BaseRegen.BLANK, CaptureMessage.BaseRegen::wire);
        s2c(70, "N_ANNOUNCE", ItemMessage.Announce.BLANK, ItemMessage.Announce::wire);
        c2s(71, "N_LISTDEMOS", DemoMessage.ListDemos.BLANK, DemoMessage.ListDemos::wire);
        s2c(72, "N_SENDDEMOLIST", DemoMessage.SendDemoList.BLANK, DemoMessage.SendDemoList::wire);
        c2s(
                73,
                "N_GETDEMO",
                DemoMessage.GetDemo.BLANK,
                is259 ? DemoMessage.GetDemo::wire259 : DemoMessage.GetDemo::wire);
        s2c(
                74,
                "N_SENDDEMO",
                DemoMessage.SendDemo.BLANK,
                is259 ? DemoMessage.SendDemo::wire259 : DemoMessage.SendDemo::wire);
        s2c(75, "N_DEMOPLAYBACK", DemoMessage.DemoPlayback.BLANK, DemoMessage.DemoPlayback::wire);
        c2s(76, "N_RECORDDEMO", DemoMessage.RecordDemo.BLANK, DemoMessage.RecordDemo::wire);
        c2s(77, "N_STOPDEMO", DemoMessage.StopDemo.BLANK, DemoMessage.StopDemo::wire);
        c2s(78, "N_CLEARDEMOS", DemoMessage.ClearDemos.BLANK, DemoMessage.ClearDemos::wire);
        c2s(79, "N_TAKEFLAG", FlagMessage.ClientTakeFlag.BLANK, FlagMessage.ClientTakeFlag::wire);
        s2c(79, "N_TAKEFLAG", FlagMessage.TakeFlag.BLANK, FlagMessage.TakeFlag::wire);
        s2c(80, "N_RETURNFLAG", FlagMessage.ReturnFlag.BLANK, FlagMessage.ReturnFlag::wire);
        s2c(81, "N_RESETFLAG", FlagMessage.ResetFlag.BLANK, FlagMessage.ResetFlag::wire);
        s2c(82, "N_INVISFLAG", FlagMessage.InvisFlag.BLANK, FlagMessage.InvisFlag::wire);
        c2s(83, "N_TRYDROPFLAG", FlagMessage.TryDropFlag.BLANK, FlagMessage.TryDropFlag::wire);
        s2c(84, "N_DROPFLAG", FlagMessage.DropFlag.BLANK, FlagMessage.DropFlag::wire);
        s2c(85, "N_SCOREFLAG", FlagMessage.ScoreFlag.BLANK, FlagMessage.ScoreFlag::wire);
        c2s(
                86,
                "N_INITFLAGS",
                FlagMessage.ClientInitFlags.BLANK,
                FlagMessage.ClientInitFlags::wire);
        s2c(
                86,
                "N_INITFLAGS",
                FlagMessage.InitFlags.BLANK,
                hold ? FlagMessage.InitFlags::wireHold : FlagMessage.InitFlags::wire);
        c2s(87, "N_SAYTEAM", ChatMessage.ClientSayTeam.BLANK, ChatMessage.ClientSayTeam::wire);
        s2c(87, "N_SAYTEAM", ChatMessage.SayTeam.BLANK, ChatMessage.SayTeam::wire);
        s2c(88, "N_CLIENT", RelayMessage.Client.BLANK, RelayMessage.Client::wire);
        c2s(89, "N_AUTHTRY", AuthMessage.AuthTry.BLANK, AuthMessage.AuthTry::wire);
        c2s(90, "N_AUTHKICK", AuthMessage.AuthKick.BLANK, AuthMessage.AuthKick::wire);
        s2c(91, "N_AUTHCHAL", AuthMessage.AuthChal.BLANK, AuthMessage.AuthChal::wire);
        c2s(92, "N_AUTHANS", AuthMessage.AuthAns.BLANK, AuthMessage.AuthAns::wire);
        s2c(93, "N_REQAUTH", AuthMessage.ReqAuth.BLANK, AuthMessage.ReqAuth::wire);
        c2s(
                94,
                "N_PAUSEGAME",
                AdminMessage.ClientPauseGame.BLANK,
                AdminMessage.ClientPauseGame::wire);
        s2c(94, "N_PAUSEGAME", AdminMessage.PauseGame.BLANK, AdminMessage.PauseGame::wire);
        c2s(
                95,
                "N_GAMESPEED",
                AdminMessage.ClientGameSpeed.BLANK,
                AdminMessage.ClientGameSpeed::wire);
        s2c(95, "N_GAMESPEED", AdminMessage.GameSpeed.BLANK, AdminMessage.GameSpeed::wire);
        c2s(96, "N_ADDBOT", BotMessage.AddBot.BLANK, BotMessage.AddBot::wire);
        c2s(97, "N_DELBOT", BotMessage.DelBot.BLANK, BotMessage.DelBot::wire);
        s2c(98, "N_INITAI", BotMessage.InitAi.BLANK, BotMessage.InitAi::wire);
        c2s(99, "N_FROMAI", RelayMessage.FromAi.BLANK, RelayMessage.FromAi::wire);
        c2s(100, "N_BOTLIMIT", BotMessage.BotLimit.BLANK, BotMessage.BotLimit::wire);
        c2s(101, "N_BOTBALANCE", BotMessage.BotBalance.BLANK, BotMessage.BotBalance::wire);
        c2s(102, "N_MAPCRC", MatchMessage.MapCrc.BLANK, MatchMessage.MapCrc::wire);
        c2s(103, "N_CHECKMAPS", MatchMessage.CheckMaps.BLANK, MatchMessage.CheckMaps::wire);
        relayed(
                104,
                "N_SWITCHNAME",
                RosterMessage.SwitchName.BLANK,
                RosterMessage.SwitchName::wire);
        relayed(
                105,
                "N_SWITCHMODEL",
                RosterMessage.SwitchModel.BLANK,
                RosterMessage.SwitchModel::wire);
        c2s(106, "N_SWITCHTEAM", RosterMessage.SwitchTeam.BLANK, RosterMessage.SwitchTeam::wire);
        c2s(
                107,
                "N_INITTOKENS",
                TokenMessage.ClientInitTokens.BLANK,
                TokenMessage.ClientInitTokens::wire);
        s2c(107, "N_INITTOKENS", TokenMessage.InitTokens.BLANK, TokenMessage.InitTokens::wire);
        c2s(
                108,
                "N_TAKETOKEN",
                TokenMessage.ClientTakeToken.BLANK,
                TokenMessage.ClientTakeToken::wire);
        s2c(108, "N_TAKETOKEN", TokenMessage.TakeToken.BLANK, TokenMessage.TakeToken::wire);
        s2c(
                109,
                "N_EXPIRETOKENS",
                TokenMessage.ExpireTokens.BLANK,
                TokenMessage.ExpireTokens::wire);
        s2c(110, "N_DROPTOKENS", TokenMessage.DropTokens.BLANK, TokenMessage.DropTokens::wire);
        c2s(
                111,
                "N_DEPOSITTOKENS",
                TokenMessage.ClientDepositTokens.BLANK,
                TokenMessage.ClientDepositTokens::wire);
        s2c(
                111,
                "N_DEPOSITTOKENS",
                TokenMessage.DepositTokens.BLANK,
                TokenMessage.DepositTokens::wire);
        s2c(112, "N_STEALTOKENS", TokenMessage.StealTokens.BLANK, TokenMessage.StealTokens::wire);
        both(113, "N_SERVCMD", SessionMessage.ServCmd.BLANK, SessionMessage.ServCmd::wire);
        s2c(114, "N_DEMOPACKET", DemoMessage.DemoPacket.BLANK, DemoMessage.DemoPacket::wire);
        byType.put(
                EditMessage.MapData.class,
                new Entry<>(
                        -1,
                        "MAPDATA",
                        EditMessage.MapData.BLANK,
                        EditMessage.MapData::wire,
                        false));
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
        boolean is259 = protocol == 259;
        if (is259 && code >= 50 && code <= 52) {
            return;
        }
        int number = is259 && code > 52 ? code - 3 : code;
        Entry<M> entry = new Entry<>(number, name, blank, walk, relayed);
        byType.put(blank.getClass(), entry);
        for (@Nullable Entry<?>[] table : tables) {
            table[number] = entry;
        }
    }

    /** The codec of a protocol version; empty if it is unknown. */
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

    /** The codec after a {@code N_MAPCHANGE}, as {@code N_INITFLAGS} differs in the hold modes. */
    public SauerbratenCodec inMode(int mode) {
        boolean hold = HOLD_MODES.contains(mode);
        return protocol == 259 ? hold ? V259_HOLD : V259 : hold ? V260_HOLD : V260;
    }

    /**
     * Reads one message.
     *
     * @throws MalformedPacketException if the code does not exist in this direction, or the message
     *     is malformed
     */
    public SauerbratenMessage read(Direction direction, Reader r) {
        Entry<?> entry = entry(direction, r);
        if (r instanceof Tracer && entry.blank instanceof RelayMessage.Client) {
            return traceClient(r);
        }
        try {
            return entry.read(r);
        } catch (MalformedPacketException e) {
            throw e.in(entry.name);
        }
    }

    private Entry<?> entry(Direction direction, Reader r) {
        int code = CubeWire.integer(r, "code", 0);
        @Nullable Entry<?>[] table = table(direction);
        Entry<?> entry = code >= 0 && code < table.length ? table[code] : null;
        if (entry == null) {
            throw r.malformed(
                    "code",
                    "protocol "
                            + protocol
                            + " has no "
                            + (direction == Direction.C2S ? "client" : "server")
                            + " message "
                            + code);
        }
        if (r.tracing()) {
            r.annotate(code + " (" + entry.name + ")");
        }
        return entry;
    }

    private @Nullable Entry<?>[] table(Direction direction) {
        return switch (direction) {
            case C2S -> fromClient;
            case S2C -> fromServer;
        };
    }

    /** Walks the inner messages instead of reading them as bytes. */
    private RelayMessage.Client traceClient(Reader r) {
        int cn = CubeWire.integer(r, "cn", 0);
        int length = RelayMessage.Client.length(r, 0);
        int start = r.position();
        int mark = r.pushLimit("messages", length);
        for (int i = 0; r.remaining() > 0; i++) {
            r.pushScope("msgs.", i);
            read(Direction.S2C, r);
            r.popScope();
        }
        r.popLimit(mark);
        return new RelayMessage.Client(cn, r.slice(start, start + length));
    }

    /**
     * Reads all messages of a packet, switching the mode with each {@code N_MAPCHANGE}. An empty
     * packet has none.
     *
     * @param channel 2 carries files, without a code from clients; all others carry messages
     * @throws MalformedPacketException if any message is malformed
     */
    public List<SauerbratenMessage> readPacket(Direction direction, int channel, Reader r) {
        if (channel == 2 && direction == Direction.C2S) {
            return List.of(EditMessage.MapData.wire(r, EditMessage.MapData.BLANK));
        }
        List<SauerbratenMessage> messages = new ArrayList<>();
        SauerbratenCodec codec = this;
        while (r.remaining() > 0) {
            SauerbratenMessage message = codec.read(direction, r);
            if (message instanceof MatchMessage.MapChange change) {
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
    public List<SauerbratenMessage> messages(RelayMessage.Client client) {
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
     * A packet of messages.
     *
     * @throws IllegalArgumentException if this version does not have one of them, or a value is out
     *     of bounds
     */
    public Bytes packet(SauerbratenMessage... messages) {
        Writer writer = new Writer(MAX_PACKET_BYTES);
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

    /** The protocol's name of a message, {@code N_POS}. */
    public String name(SauerbratenMessage message) {
        return entry(message).name;
    }

    /** The code of a message in this version; -1 for a map from a client, which has none. */
    public int code(SauerbratenMessage message) {
        return entry(message).code;
    }

    /** Whether a direction has the message. */
    public boolean has(Direction direction, SauerbratenMessage message) {
        Entry<?> entry = byType.get(message.getClass());
        if (entry == null || entry.code < 0) {
            return entry != null && direction == Direction.C2S;
        }
        return entry.equals(table(direction)[entry.code]);
    }

    /** Whether the server relays the message unchanged inside {@code N_CLIENT}. */
    public boolean relayed(SauerbratenMessage message) {
        return entry(message).relayed;
    }

    /** The channel of a message: 0 movement, 2 files, 1 all others. */
    public static int channel(SauerbratenMessage message) {
        return switch (message) {
            case MovementMessage _ -> 0;
            case EditMessage.SendMap _, EditMessage.MapData _, DemoMessage.SendDemo _ -> 2;
            default -> 1;
        };
    }

    /** Whether a message is reliable; a packet is reliable if any message in it is. */
    public static boolean reliable(SauerbratenMessage message) {
        return switch (message) {
            case Pos _,
                    SessionMessage.Ping _,
                    SessionMessage.Pong _,
                    SessionMessage.ClientPing _,
                    ActionMessage.Sound _ ->
                    false;
            default -> true;
        };
    }

    /** A blank message of each type of a direction, by code. */
    public Collection<SauerbratenMessage> blanks(Direction direction) {
        List<SauerbratenMessage> blanks = new ArrayList<>();
        for (Entry<?> entry : table(direction)) {
            if (entry != null) {
                blanks.add(entry.blank);
            }
        }
        return blanks;
    }
}
