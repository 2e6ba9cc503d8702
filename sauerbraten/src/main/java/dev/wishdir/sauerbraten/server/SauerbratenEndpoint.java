package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Dissector.Direction;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The server side of Sauerbraten: unmodified clients of protocol 260 join the arena through it. The
 * client owns its position; the server checks whose it is and in which life, and passes it on to
 * the others bit for bit.
 */
public final class SauerbratenEndpoint implements Endpoint, DatagramHandler, EnetListener {
    /** The option of how many times a second a player is sent movement at most. */
    public static final String RELAYS = "relays";

    /** How often that is where the operator sets nothing else. */
    public static final String USUAL_RELAYS = "114";

    /** The option of who may change the map in coop edit. */
    public static final String EDIT = SauerbratenEdits.OPTION;

    /** The option of the first mode's number. */
    public static final String MODE = ServedMap.MODE;

    private static final long JOIN_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** Relays a second to a client: not fewer than its game's own. */
    private static final int MIN_RELAYS_PER_SECOND = 30;

    private static final int MAX_RELAYS_PER_SECOND = 1000;
    private static final int FREE_PORT_TRIES = 20;
    private static final int LAST_PORT = 65_535;

    private final EndpointContext serving;
    private final EnetHost host;
    private final ClientRegistry room;
    private final SauerbratenMatch match;
    private final Privileges masters;
    private final SauerbratenPings pings;
    private final TeleportRelay travels;
    private final PositionHandler steps;
    private final SauerbratenSignOn signOn;
    private final MessageHandler play;
    private final Reader reader = new Reader(new byte[0]);
    private final ConnectionAdmission door;
    private final ArenaListener foreigners;
    private final UdpSocket socket;
    private final UdpSocket browser;
    private long now;

    private SauerbratenEndpoint(EndpointContext serving, UdpSocket socket) throws IOException {
        this.serving = serving;
        this.socket = socket;
        now = serving.cycle().now();
        int players = Math.min(serving.maxPlayers(), ClientRegistry.NUMBERS);
        host =
                new EnetHost(
                        SauerbratenTransport.server(
                                players + ConnectionAdmission.SPARE,
                                players + ConnectionAdmission.SPARE),
                        this,
                        socket::send,
                        serving.addressLimits(),
                        serving.counters(),
                        serving.random());
        ServedMap first = ServedMap.of(serving);
        room =
                new ClientRegistry(
                        serving.arena(),
                        serving.memoryBudget(),
                        first.motion(),
                        relayInterval(serving.options()),
                        serving.cycle()::sleptNanos);
        foreigners = room::observed;
        door = new ConnectionAdmission(serving, room, this::gone);
        match = new SauerbratenMatch(room, now, first, serving.sharedArena());
        masters = new Privileges(room, match, serving);
        pings = new SauerbratenPings(room);
        travels = new TeleportRelay(room);
        steps = new PositionHandler(room, travels, serving.counters(), match::sendSpawn);
        signOn = new SauerbratenSignOn(serving, room, match, masters, pings, door);
        play =
                new MessageHandler(
                        room,
                        match,
                        masters,
                        new AdminChatCommands(masters, room, serving.operatorConsole()),
                        pings,
                        new SauerbratenEdits(room, match, masters, serving));
        SauerbratenInfo.About about =
                new SauerbratenInfo.About(
                        CubeText.chat(serving.name()), () -> !serving.password().isEmpty(), now);
        InetSocketAddress above =
                new InetSocketAddress(socket.local().getAddress(), socket.local().getPort() + 1);
        browser =
                serving.cycle()
                        .open(
                                above,
                                opened ->
                                        new SauerbratenInfo(
                                                about,
                                                room,
                                                match,
                                                masters,
                                                serving.addressLimits().budget(),
                                                serving.counters(),
                                                opened))
                        .socket();
        match.play(now);
        serving.arena().addListener(foreigners);
    }

    /**
     * Checks the settings of the game.
     *
     * @throws IllegalArgumentException if a value is wrong; the message names the option
     */
    public static void check(Map<String, String> options) {
        relayInterval(options);
        ServedMap.checkMode(options.getOrDefault(MODE, ""));
        SauerbratenEdits.check(options.getOrDefault(EDIT, ""));
    }

    private static long relayInterval(Map<String, String> options) {
        String relays = options.getOrDefault(RELAYS, USUAL_RELAYS);
        if (!relays.matches("[0-9]{2,4}")
                || Integer.parseInt(relays) < MIN_RELAYS_PER_SECOND
                || Integer.parseInt(relays) > MAX_RELAYS_PER_SECOND) {
            throw new IllegalArgumentException(
                    "--sauerbraten-relays must be a number from 30 to 1000, is " + relays);
        }
        return TimeUnit.SECONDS.toNanos(1) / Integer.parseInt(relays);
    }

    /**
     * Opens the game's port and, above it, that of the server browser.
     *
     * @throws IOException if either can't be bound
     */
    public static SauerbratenEndpoint open(EndpointContext serving) throws IOException {
        if (serving.address().getPort() >= LAST_PORT) {
            throw new IOException(
                    "port 65535 leaves none above it for the server browser: choose a lower one");
        }
        boolean anyPort = serving.address().getPort() == 0;
        for (int i = 1; ; i++) {
            try {
                return serving.cycle()
                        .open(
                                serving.address(),
                                socket -> new SauerbratenEndpoint(serving, socket));
            } catch (IOException e) {
                // With any port free to choose, the one above a free one may be taken.
                if (!anyPort || i == FREE_PORT_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** How many connections there are, joined or not. */
    int sessions() {
        return room.sessions().size();
    }

    /** The bytes that are kept for the connection of an address. */
    long retainedBytes(InetSocketAddress of) {
        return door.all().stream()
                .filter(session -> session.peer.address().equals(of))
                .mapToLong(SauerbratenSession::retainedBytes)
                .sum();
    }

    @Override
    public InetSocketAddress address() {
        return socket.local();
    }

    @Override
    public void close(String reason) {
        serving.arena().removeListener(foreigners);
        match.close();
        String farewell = CubeText.chat(reason).strip();
        for (SauerbratenSession session : room.sessions()) {
            if (session.joined() && !farewell.isEmpty()) {
                session.line.tell(farewell);
            }
            gone(session, LeaveReason.CLOSED);
        }
        // What was said must still leave before the farewell, which nobody waits for any more.
        host.advance(now);
        for (EnetPeer peer : host.peers()) {
            peer.disconnectNow(DisconnectReason.NONE.code());
            door.ended(peer);
        }
        socket.close();
        browser.close();
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        this.now = now;
        host.receive(now, from, data);
    }

    @Override
    public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
        return host.sender(from, data).map(door::session);
    }

    @Override
    public long advance(long now) {
        this.now = now;
        long next = pings.advance(now);
        next = Math.min(next, room.advance(now));
        next = Math.min(next, travels.advance(now));
        next = Math.min(next, pings.advanceAvatars(now));
        room.flush();
        next = Math.min(next, match.advance(now));
        for (SauerbratenSession session : room.sessions()) {
            long limit = session.connected + JOIN_TIMEOUT_NANOS;
            LeaveReason ending = session.ending();
            if (ending != null) {
                gone(session, ending);
            } else if (!session.peer.connected()) {
                gone(session, departure(session.peer.cause()));
            } else if (!session.joined() && now >= limit) {
                door.told(now, session.peer, ClientRegistry.departure(DisconnectReason.TIMEOUT));
                room.dismiss(session, DisconnectReason.TIMEOUT);
                gone(session, ClientRegistry.departure(DisconnectReason.TIMEOUT));
            } else if (!session.joined()) {
                next = Math.min(next, limit);
            }
        }
        return Math.min(next, host.advance(now));
    }

    @Override
    public void connected(EnetPeer peer) {
        SauerbratenSession session = door.enter(now, peer);
        if (session != null) {
            room.send(
                    session,
                    new SessionMessage.ServInfo(
                            session.cn,
                            SauerbratenCodec.V260.protocol(),
                            session.sessionid,
                            !serving.password().isEmpty(),
                            CubeText.chat(serving.name()),
                            ""));
        }
    }

    @Override
    public void disconnected(EnetPeer peer, long data, EnetDisconnectReason cause) {
        SauerbratenSession session = door.session(peer);
        if (session != null) {
            LeaveReason ending = session.ending();
            gone(session, ending == null ? departure(cause) : ending);
        }
        door.ended(peer);
    }

    private static LeaveReason departure(EnetDisconnectReason cause) {
        return switch (cause) {
            case REMOTE, LOCAL -> LeaveReason.LEFT;
            case REPLACED -> new LeaveReason(LeaveReason.Code.LEFT, "connected anew");
            case TIMEOUT -> LeaveReason.TIMED_OUT;
            case NOT_ACKNOWLEDGING -> LeaveReason.NOT_ACKNOWLEDGING;
            case INCOMPLETE ->
                    new LeaveReason(LeaveReason.Code.TIMED_OUT, "did not go on with a message");
            case OVERFLOW -> LeaveReason.of(LeaveReason.Code.SEND_QUEUE_FULL);
            case PROTOCOL ->
                    new LeaveReason(LeaveReason.Code.PROTOCOL_ERROR, "does not speak ENet");
        };
    }

    private void gone(SauerbratenSession session, LeaveReason why) {
        if (!session.leave(why)) {
            return;
        }
        room.remove(session);
        door.leaving(session.peer);
        PlayerId player = session.player();
        if (player != null) {
            serving.counters()
                    .count(
                            switch (why.code()) {
                                case LEFT -> "sauerbraten.left";
                                case TIMED_OUT -> "sauerbraten.timed-out";
                                case SERVER_CLOSED -> "sauerbraten.closed";
                                default -> "sauerbraten.sent-away";
                            });
            masters.left(now, session);
            serving.arena().leave(now, player, why);
        }
    }

    @Override
    public void received(EnetPeer peer, int channel, Bytes payload, boolean reliable) {
        SauerbratenSession session = door.session(peer);
        if (session == null || session.ending() != null) {
            return;
        }
        PlayerId player = session.player();
        if (player != null) {
            serving.arena().recordActivity(now, player);
        }
        reader.reset(payload.toArray(), 0, payload.length());
        try {
            switch (channel) {
                case SauerbratenTransport.POSITIONS -> steps.received(now, session, reader);
                case SauerbratenTransport.MESSAGES -> messages(session);
                default -> file(session);
            }
        } catch (MalformedPacketException e) {
            serving.counters().count("sauerbraten.drop.message");
            room.dismiss(
                    session,
                    e.field().equals("code")
                            ? DisconnectReason.MESSAGE_ERROR
                            : DisconnectReason.END_OF_PACKET);
        }
    }

    private void messages(SauerbratenSession session) {
        int speaker = session.cn;
        while (reader.remaining() > 0 && session.ending() == null) {
            int start = reader.position();
            SauerbratenMessage message = SauerbratenCodec.V260.read(Direction.C2S, reader);
            if (!session.messages.tryAcquire(now)) {
                room.dismiss(session, DisconnectReason.OVERFLOW);
            } else if (!session.joined()) {
                signOn.received(now, session, message);
            } else if (message instanceof MovementMessage) {
                throw new MalformedPacketException(start, "code", "not of the channel of messages");
            } else if (message instanceof RelayMessage.FromAi from) {
                speaker = from.cn() < 0 ? session.cn : from.cn();
            } else if (speaker == session.cn) {
                play.received(now, session, message, reader.position() - start);
            }
        }
    }

    /** Files are maps that clients send, and only in coop edit. */
    private void file(SauerbratenSession session) {
        if (!session.joined()) {
            room.dismiss(session, DisconnectReason.MESSAGE_ERROR);
            return;
        }
        int length = reader.remaining();
        for (SauerbratenMessage message :
                SauerbratenCodec.V260.readPacket(
                        Direction.C2S, SauerbratenTransport.FILES, reader)) {
            play.received(now, session, message, length);
        }
    }
}
