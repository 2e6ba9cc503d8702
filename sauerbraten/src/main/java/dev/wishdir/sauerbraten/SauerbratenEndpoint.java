package dev.wishdir.sauerbraten;

import dev.wishdir.arena.Observer;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.Viewer;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.Serving;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Plausibility;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.sauerbraten.SauerbratenSession.Presence;
import dev.wishdir.sauerbraten.message.Admin;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.Edit;
import dev.wishdir.sauerbraten.message.Match;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.Relay;
import dev.wishdir.sauerbraten.message.Roster;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.Session;
import dev.wishdir.sauerbraten.message.Travel;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Dissector.Direction;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The server side of Sauerbraten: unmodified clients of protocol 260 join the arena through it. The
 * client owns its position; the server checks whose it is and in which life, and passes it on to
 * the others bit for bit.
 */
final class SauerbratenEndpoint implements Endpoint, DatagramHandler, EnetListener {
    private static final long JOIN_LIMIT = TimeUnit.SECONDS.toNanos(15);

    /** More than a real player sends; so many connections from one address are allowed. */
    private static final int PER_ADDRESS = SauerbratenRoom.NUMBERS;

    /** Connections that may be up beside those of players: they are told why they can't play. */
    private static final int SPARE = 3;

    private static final int MOST_SESSION_ID = 1 << 24;
    private static final int FREE_PORT_TRIES = 20;
    private static final int LAST_PORT = 65_535;

    private final Serving serving;
    private final EnetHost host;
    private final SauerbratenRoom room;
    private final SauerbratenMatch match;
    private final SauerbratenMasters masters;
    private final SauerbratenPlay play;
    private final SauerbratenInfo info;
    private final Reader reader = new Reader(new byte[0]);
    private final Map<EnetPeer, SauerbratenSession> sessions = new HashMap<>();
    private final Observer foreigners = new Foreigners();
    private @Nullable UdpSocket socket;
    private @Nullable UdpSocket infoSocket;
    private long now;

    private SauerbratenEndpoint(Serving serving) throws IOException {
        this.serving = serving;
        now = serving.cycle().now();
        int players = Math.min(serving.maxPlayers(), SauerbratenRoom.NUMBERS);
        host =
                new EnetHost(
                        EnetSettings.server(
                                Math.min(players + SPARE, SauerbratenRoom.NUMBERS), PER_ADDRESS),
                        this,
                        this::send,
                        serving.budget(),
                        serving.counters(),
                        serving.random());
        room = new SauerbratenRoom(serving.arena(), SauerbratenMotion.CENTERED);
        match = new SauerbratenMatch(room, now, FirstMap.of(serving));
        masters = new SauerbratenMasters(room, match, serving.adminPassword());
        play = new SauerbratenPlay(room, match, masters);
        SauerbratenInfo.About about =
                new SauerbratenInfo.About(
                        CubeText.chat(serving.name()), players, !serving.password().isEmpty(), now);
        info =
                new SauerbratenInfo(
                        about, room, match, masters, serving.budget(), serving.counters());
    }

    private void watchArena() {
        serving.arena().observe(foreigners);
        for (Player player : serving.arena().players()) {
            foreigners.joined(player);
            if (player.spawned()) {
                foreigners.spawned(player);
            }
        }
    }

    /**
     * Opens the game's port and, above it, that of the server browser.
     *
     * @throws IOException if either can't be bound
     */
    static SauerbratenEndpoint open(Serving serving) throws IOException {
        SauerbratenEndpoint endpoint = new SauerbratenEndpoint(serving);
        if (serving.address().getPort() >= LAST_PORT) {
            throw new IOException(
                    "port 65535 leaves none above it for the server browser: choose a lower one");
        }
        boolean anyPort = serving.address().getPort() == 0;
        for (int i = 1; ; i++) {
            try {
                endpoint.bind();
                endpoint.watchArena();
                return endpoint;
            } catch (IOException e) {
                // With any port free to choose, the one above a free one may be taken.
                if (!anyPort || i == FREE_PORT_TRIES) {
                    throw e;
                }
            }
        }
    }

    private void bind() throws IOException {
        UdpSocket game = serving.cycle().open(serving.address(), this);
        try {
            InetSocketAddress above =
                    new InetSocketAddress(game.local().getAddress(), game.local().getPort() + 1);
            UdpSocket browser = serving.cycle().open(above, info);
            info.answerThrough(browser);
            infoSocket = browser;
            socket = game;
        } catch (IOException e) {
            game.close();
            throw e;
        }
    }

    private void send(InetSocketAddress to, byte[] data, int offset, int length) {
        if (socket != null) {
            socket.send(to, data, offset, length);
        }
    }

    /** How many connections there are, joined or not. */
    int sessions() {
        return sessions.size();
    }

    @Override
    public InetSocketAddress address() {
        return socket == null ? serving.address() : socket.local();
    }

    @Override
    public void close(String reason) {
        serving.arena().ignore(foreigners);
        room.tellAll(CubeText.chat(reason));
        for (SauerbratenSession session : List.copyOf(room.sessions())) {
            gone(session);
        }
        // What was said must still leave before the farewell, which nobody waits for any more.
        host.advance(now);
        for (EnetPeer peer : host.peers()) {
            peer.disconnectNow(DisconnectReason.NONE.code());
        }
        if (socket != null) {
            socket.close();
            socket = null;
        }
        if (infoSocket != null) {
            infoSocket.close();
            infoSocket = null;
        }
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        this.now = now;
        host.receive(now, from, data);
    }

    @Override
    public long advance(long now) {
        this.now = now;
        long next = Math.min(room.advance(now), match.advance(now));
        for (int i = room.sessions().size() - 1; i >= 0; i--) {
            SauerbratenSession session = room.sessions().get(i);
            long limit = session.connected + JOIN_LIMIT;
            if (!session.peer.connected()) {
                gone(session);
            } else if (!session.joined() && now >= limit) {
                dismiss(session, DisconnectReason.TIMEOUT);
            } else if (!session.joined()) {
                next = Math.min(next, limit);
            }
        }
        return Math.min(next, host.advance(now));
    }

    @Override
    public void connected(EnetPeer peer) {
        int cn = room.freeNumber();
        if (cn < 0) {
            peer.disconnect(DisconnectReason.FULL.code());
            return;
        }
        SauerbratenSession session =
                new SauerbratenSession(peer, cn, serving.random().nextInt(MOST_SESSION_ID), now);
        sessions.put(peer, session);
        room.add(session);
        room.send(
                session,
                new Session.ServInfo(
                        cn,
                        SauerbratenCodec.V260.protocol(),
                        session.sessionid,
                        !serving.password().isEmpty(),
                        CubeText.chat(serving.name()),
                        ""));
    }

    @Override
    public void disconnected(EnetPeer peer, long data, Cause cause) {
        SauerbratenSession session = sessions.get(peer);
        if (session != null) {
            gone(session);
        }
    }

    private void gone(SauerbratenSession session) {
        if (sessions.remove(session.peer) == null) {
            return;
        }
        Player player = session.player;
        room.remove(session);
        if (player != null) {
            room.sendAll(new Roster.CDis(session.cn));
            masters.left(session);
            serving.arena().leave(player);
        }
    }

    @Override
    public void received(EnetPeer peer, int channel, Bytes payload, boolean reliable) {
        SauerbratenSession session = sessions.get(peer);
        if (session == null) {
            return;
        }
        reader.reset(payload.toArray(), 0, payload.length());
        try {
            switch (channel) {
                case SauerbratenRoom.CHANNEL_POSITIONS -> positions(session);
                case SauerbratenRoom.CHANNEL_MESSAGES -> messages(session);
                default -> file(session);
            }
        } catch (MalformedPacketException e) {
            serving.counters().count("sauerbraten.drop.message");
            dismiss(
                    session,
                    e.field().equals("code")
                            ? DisconnectReason.MESSAGE_ERROR
                            : DisconnectReason.END_OF_PACKET);
        }
    }

    /** Sends a client away; nothing that it sends after this has an effect. */
    private void dismiss(SauerbratenSession session, DisconnectReason reason) {
        SauerbratenPlay.dismiss(session, reason);
        gone(session);
    }

    private void positions(SauerbratenSession session) {
        while (reader.remaining() > 0) {
            int start = reader.position();
            SauerbratenMessage message = SauerbratenCodec.V260.read(Direction.C2S, reader);
            if (!session.joined()) {
                continue;
            }
            switch (message) {
                case Pos pos -> moved(session, pos, start);
                case Travel.Teleport teleport -> travelled(session, teleport);
                case Travel.JumpPad jump -> travelled(session, jump);
                default ->
                        throw new MalformedPacketException(
                                start, "code", "not of the channel of positions");
            }
        }
    }

    private void moved(SauerbratenSession session, Pos pos, int start) {
        Player player = session.player;
        if (player == null || pos.cn() != session.cn || !session.embodied()) {
            serving.counters().count("sauerbraten.drop.foreign-position");
            return;
        }
        if (pos.lifeseq() != (session.lifeseq & 1)) {
            serving.counters().count("sauerbraten.drop.past-life");
            return;
        }
        Movement movement = room.motion().toCanonical(pos);
        if (session.plausibility.judge(now, movement.position()) == Plausibility.Verdict.TOO_FAR) {
            serving.counters().count("sauerbraten.implausible");
        }
        if (!player.spawned()) {
            session.plausibility.reset();
            serving.arena().spawn(player, movement);
        }
        session.position = reader.between(start, reader.position());
        serving.arena().move(player, movement, session.position);
    }

    /** Teleports and jump pads: what came before them is shown first. */
    private void travelled(SauerbratenSession session, Travel travel) {
        if (travel.cn() == session.cn && session.embodied()) {
            session.plausibility.reset();
            serving.arena().relay(now);
            room.sendOthers(session.cn, travel);
        }
    }

    private void messages(SauerbratenSession session) {
        int speaker = session.cn;
        while (reader.remaining() > 0 && session.peer.connected()) {
            int start = reader.position();
            SauerbratenMessage message = SauerbratenCodec.V260.read(Direction.C2S, reader);
            boolean allowed =
                    message instanceof Edit
                            ? session.edits.take(now, reader.position() - start)
                            : session.messages.take(now);
            if (!allowed) {
                dismiss(session, DisconnectReason.OVERFLOW);
                return;
            }
            if (!session.joined()) {
                greet(session, message);
            } else if (message instanceof Travel) {
                throw new MalformedPacketException(start, "code", "not of the channel of messages");
            } else if (message instanceof Relay.FromAi from) {
                speaker = from.cn() < 0 ? session.cn : from.cn();
            } else if (speaker == session.cn) {
                play.received(now, session, message);
            }
        }
    }

    /** Files are maps that clients send, and only in coop edit. */
    private void file(SauerbratenSession session) {
        if (!session.joined()) {
            dismiss(session, DisconnectReason.MESSAGE_ERROR);
            return;
        }
        for (SauerbratenMessage message :
                SauerbratenCodec.V260.readPacket(
                        Direction.C2S, SauerbratenRoom.CHANNEL_FILES, reader)) {
            play.received(now, session, message);
        }
    }

    private void greet(SauerbratenSession session, SauerbratenMessage message) {
        switch (message) {
            case Session.Connect connect -> join(session, connect);
            case Session.Ping ping -> room.send(session, new Session.Pong(ping.millis()));
            default -> dismiss(session, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private void join(SauerbratenSession session, Session.Connect connect) {
        DisconnectReason refusal = refusal(session, connect.pwdhash());
        if (refusal != DisconnectReason.NONE) {
            dismiss(session, refusal);
            return;
        }
        session.name = CubeText.playerName(connect.name());
        session.model = Math.max(0, connect.model());
        session.team = match.teamOfNewcomer();
        Player player =
                serving.arena().join(now, SauerbratenGame.NAME, session.name, new View(session));
        room.joined(session, player);
        if (masters.isAdminPassword(session, connect.pwdhash())) {
            session.privilege = SauerbratenMasters.ADMIN;
        } else if (masters.locked()) {
            session.presence = Presence.SPECTATOR;
        }
        room.sendPacket(session, welcome(session));
        room.sendOthers(session.cn, SauerbratenRoom.introduction(session));
        if (session.presence == Presence.SPECTATOR) {
            room.sendOthers(session.cn, new Roster.Spectator(session.cn, true));
        }
    }

    /** In the order of the original: a right password lets in even where all is full. */
    private DisconnectReason refusal(SauerbratenSession session, String hash) {
        String password = serving.password();
        boolean full = serving.arena().isFull();
        if (masters.isAdminPassword(session, hash)) {
            return full ? DisconnectReason.FULL : DisconnectReason.NONE;
        }
        if (!password.isEmpty()
                && !hash.equals(PasswordHash.of(session.cn, session.sessionid, password))) {
            return DisconnectReason.PASSWORD;
        }
        if (full
                || room.joined().size()
                        >= Math.min(serving.maxPlayers(), SauerbratenRoom.NUMBERS)) {
            return DisconnectReason.FULL;
        }
        if (masters.banned(now, session.peer.address().getAddress())) {
            return DisconnectReason.IP_BANNED;
        }
        return masters.isPrivate() && password.isEmpty()
                ? DisconnectReason.PRIVATE
                : DisconnectReason.NONE;
    }

    /** The welcome, in the order of the original. */
    private List<SauerbratenMessage> welcome(SauerbratenSession session) {
        List<SauerbratenMessage> welcome = new ArrayList<>();
        welcome.add(new Session.Welcome());
        match.describe(now, welcome);
        welcome.addAll(masters.current());
        if (match.paused()) {
            welcome.add(new Admin.PauseGame(true, -1));
        }
        if (masters.speed() != 100) {
            welcome.add(new Admin.GameSpeed(masters.speed(), -1));
        }
        if (match.mode().teams()) {
            // No scores are kept.
            welcome.add(new Match.TeamInfo(List.of()));
        }
        welcome.add(new Roster.SetTeam(session.cn, session.team, -1));
        if (session.presence == Presence.SPECTATOR) {
            welcome.add(new Roster.Spectator(session.cn, true));
        } else {
            welcome.add(session.nextLife(match.mode()));
        }
        room.introduceOthers(session, welcome);
        return welcome;
    }

    private static boolean isForeign(Player player) {
        return !player.game().equals(SauerbratenGame.NAME);
    }

    /** Keeps a body for each player of another game. */
    private final class Foreigners implements Observer {
        @Override
        public void joined(Player player) {
            if (isForeign(player)) {
                room.addAvatar(player);
            }
        }

        @Override
        public void left(Player player) {
            room.removeAvatar(player);
        }

        @Override
        public void spawned(Player player) {
            room.spawnAvatar(player);
        }

        @Override
        public void despawned(Player player) {
            room.despawnAvatar(player);
        }

        @Override
        public void renamed(Player player, String oldName) {
            room.renameAvatar(player);
        }
    }

    /** What one client is shown of the arena. */
    private final class View implements Viewer {
        private final SauerbratenSession session;

        View(SauerbratenSession session) {
            this.session = session;
        }

        // The others come and go as the endpoint's own messages and avatars tell.

        @Override
        public void joined(Player player) {}

        @Override
        public void left(Player player) {}

        @Override
        public void spawned(Player player) {}

        @Override
        public void despawned(Player player) {}

        @Override
        public void renamed(Player player, String oldName) {}

        @Override
        public void moved(List<Player> movers) {
            room.showMoved(session, movers);
        }

        @Override
        public void said(Player player, String text) {
            if (isForeign(player)) {
                room.said(session, player, text);
            }
        }

        @Override
        public void announced(String text) {
            room.tell(session, CubeText.chat(text));
        }
    }
}
