package dev.wishdir.quake3.client;

import dev.wishdir.arena.PlayerAction;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.ClientListener.Ending;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.PortException;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.map.PakSearchPath;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.ClientConnection;
import dev.wishdir.quake3.protocol.ClientConnection.Received;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * A headless player: joins any server of the family, pure ones included where the game's data is
 * installed, walks where its pilot steers and decodes every snapshot. It is driven by the cycle of
 * its {@link ClientConfig}, and used on that cycle's thread alone.
 */
public final class Quake3Client implements Client, DatagramHandler {
    /** How many messages a second it sends. */
    public static final int MESSAGES_PER_SECOND = 50;

    private static final Logger LOG = LoggerFactory.getLogger(Quake3Client.class);
    private static final long MILLI = 1_000_000;
    private static final long SEND_INTERVAL_NANOS = 1_000 * MILLI / MESSAGES_PER_SECOND;
    private static final long KEEP_ALIVE_INTERVAL_NANOS = 500 * MILLI;
    private static final long RETRY_NANOS = 3_000 * MILLI;

    /** Servers answer an address ten times at once, then once a second; the rest they drop. */
    private static final long CONNECT_TIMEOUT_NANOS = 60_000 * MILLI;

    private static final long IDLE_TIMEOUT_NANOS = 60_000 * MILLI;
    private static final int FAREWELLS = 3;
    private static final int TEAM = 3;
    private static final int SPECTATORS = 3;

    private enum State {
        SIGNING_ON,
        /** Waits for the level. */
        CONNECTED,
        /** Knows the level. */
        PRIMED,
        ENDED
    }

    private final ClientConfig config;
    private final ClientListener listener;
    private final UdpSocket socket;
    private final ConnectHandshake handshake;
    private final CommandThrottle throttle = new CommandThrottle();
    private final Configstrings configstrings = new Configstrings();
    private final RemotePlayers remotePlayers;
    private final UsercmdBuilder usercmdBuilder;
    private final long started;
    private State state = State.SIGNING_ON;
    private @Nullable ClientConnection connection;
    private int clientNum = -1;
    private boolean joined;
    private Movement movement = Movement.ORIGIN;
    private PlayerState player = PlayerState.ZERO;
    private long nextSend;
    private long heard;

    /**
     * Opens a socket and begins to connect.
     *
     * @throws IOException if no socket can be opened
     */
    public static Quake3Client connect(ClientConfig config) throws IOException {
        return connect(config, Protocol.OPENARENA_71);
    }

    /**
     * As {@link #connect(ClientConfig)}.
     *
     * @param first which of the protocols 71 to begin with on a server that may speak both
     */
    public static Quake3Client connect(ClientConfig config, Protocol first) throws IOException {
        boolean six = config.server().getAddress() instanceof Inet6Address;
        InetAddress any = InetAddress.getByAddress(new byte[six ? 16 : 4]);
        return config.cycle()
                .open(
                        new InetSocketAddress(any, 0),
                        socket -> new Quake3Client(config, first, socket));
    }

    private Quake3Client(ClientConfig config, Protocol first, UdpSocket socket) {
        this.config = config;
        this.socket = socket;
        listener = config.listener();
        // Who is behind the same address has another port: no two are taken for one.
        handshake = new ConnectHandshake(config, first, socket.local().getPort());
        remotePlayers = new RemotePlayers(this, listener, configstrings);
        usercmdBuilder = new UsercmdBuilder(config.controller());
        started = config.cycle().now();
        heard = started;
        nextSend = started;
    }

    @Override
    public boolean joined() {
        return joined;
    }

    @Override
    public int id() {
        return clientNum;
    }

    @Override
    public Movement movement() {
        return movement;
    }

    @Override
    public Collection<RemotePlayer> others() {
        return remotePlayers.seen();
    }

    @Override
    public void say(String text) {
        throttle.add("say " + Quake3Text.line(text, 150, Quake3Text.SAID));
    }

    @Override
    public boolean rename(String name) {
        throttle.add(userinfo(name));
        return true;
    }

    @Override
    public boolean act(PlayerAction action) {
        usercmdBuilder.press(action == PlayerAction.ATTACK ? Usercmd.ATTACK : Usercmd.GESTURE);
        return true;
    }

    /** The own body as the newest snapshot gave it; all zero before. */
    public PlayerState player() {
        return player;
    }

    private String userinfo(String name) {
        return "userinfo \"" + handshake.userinfo(name) + "\"";
    }

    private void command(String text) {
        if (connection != null && !connection.command(text)) {
            LOG.debug("the server acknowledges no commands: {} is dropped", text);
        }
    }

    private int millis(long now) {
        return (int) ((now - started) / MILLI);
    }

    @Override
    public long advance(long now) {
        if (state == State.ENDED) {
            return Duty.NEVER;
        }
        long limit = state == State.PRIMED ? IDLE_TIMEOUT_NANOS : CONNECT_TIMEOUT_NANOS;
        if (now - heard > limit) {
            end(Ending.TIMED_OUT, PortException.text(config.server()) + " does not answer");
            return Duty.NEVER;
        }
        if (now >= nextSend) {
            nextSend = send(now);
        }
        return nextSend;
    }

    /** Sends what the state wants. Returns when to send again. */
    private long send(long now) {
        switch (state) {
            case SIGNING_ON -> {
                byte[] bytes = new OutOfBand(handshake.request()).datagram().toArray();
                socket.send(config.server(), bytes, 0, bytes.length);
                return now + RETRY_NANOS;
            }
            case CONNECTED -> transmit(List.of());
            case PRIMED -> {
                move(now);
                return Duty.nextDeadline(nextSend, SEND_INTERVAL_NANOS, now);
            }
            case ENDED -> {}
        }
        return now + KEEP_ALIVE_INTERVAL_NANOS;
    }

    private void transmit(List<ClientMessage.Op> ops) {
        if (connection != null) {
            connection.send(
                    ops,
                    (data, offset, length) -> socket.send(config.server(), data, offset, length));
        }
    }

    private void move(long now) {
        if (connection == null) {
            return;
        }
        String asked = throttle.poll(now);
        if (asked != null) {
            command(asked);
        }
        transmit(
                List.of(
                        new ClientMessage.Move(
                                connection.delta(),
                                usercmdBuilder.next(now, millis(now), player, movement, joined))));
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (state == State.ENDED || !from.equals(config.server())) {
            return;
        }
        try {
            Bytes bytes = Bytes.wrap(data);
            if (OutOfBand.is(bytes)) {
                outOfBand(now, OutOfBand.read(bytes));
            } else if (connection != null) {
                inBand(now, data);
            }
        } catch (MalformedPacketException e) {
            if (state == State.PRIMED) {
                end(Ending.PROTOCOL_ERROR, "the server sent " + e.getMessage());
            }
        }
    }

    private void outOfBand(long now, OutOfBand packet) {
        switch (handshake.receive(packet)) {
            case ConnectHandshake.Step.None _ -> {}
            case ConnectHandshake.Step.Next _ -> {
                heard = now;
                nextSend = now;
            }
            case ConnectHandshake.Step.Connected(ClientConnection begun) -> {
                heard = now;
                nextSend = now;
                connection = begun;
                state = State.CONNECTED;
            }
            case ConnectHandshake.Step.Refused(String reason) -> end(Ending.REFUSED, reason);
        }
    }

    private void inBand(long now, byte[] data) {
        ClientConnection right = handshake.correct(data);
        if (right != null) {
            connection = right;
            nextSend = now;
        }
        ClientConnection c = connection;
        Received received = c == null ? null : c.receive(data);
        if (received == null) {
            return;
        }
        heard = now;
        for (ServerMessage.Op op : received.message().ops()) {
            if (op instanceof ServerMessage.Gamestate g) {
                gamestate(now, g);
            }
        }
        for (String command : received.commands()) {
            if (state != State.ENDED) {
                serverCommand(command);
            }
        }
        Frame frame = received.frame();
        if (frame != null && state == State.PRIMED) {
            boolean active =
                    received.message().ops().stream()
                            .anyMatch(op ->
                                    op instanceof ServerMessage.Snapshot s
                                            && (s.flags() & ServerMessage.Snapshot.NOT_ACTIVE)
                                                    == 0);
            frame(now, frame, active);
        }
    }

    private void gamestate(long now, ServerMessage.Gamestate g) {
        ClientConnection c = connection;
        if (c == null) {
            return;
        }
        configstrings.replace(g.configstrings());
        clientNum = g.clientNum();
        usercmdBuilder.begin();
        remotePlayers.forget();
        level();
        state = State.PRIMED;
        nextSend = now;
        command(pure());
        command(userinfo(config.name()));
        throttle.sent(now);
    }

    private void level() {
        if (connection != null) {
            connection.serverId(configstrings.system().number("sv_serverid", 0));
        }
    }

    /** The command that answers whether our paks are the server's. */
    private String pure() {
        ClientConnection c = connection;
        int feed = c == null ? 0 : c.checksumFeed();
        int id = c == null ? 0 : c.serverId();
        InfoString system = configstrings.system();
        if (system.number("sv_pure", 0) != 0 && PakSearchPath.usual().isPresent()) {
            try {
                List<Integer> known =
                        Arrays.stream(system.get("sv_paks").split(" "))
                                .filter(word -> word.matches("-?\\d{1,10}"))
                                .map(word -> (int) Long.parseLong(word))
                                .toList();
                return PakSearchPath.read(PakSearchPath.usual().get()).pureCommand(id, feed, known);
            } catch (IOException e) {
                LOG.warn("the server is pure, and the paks can't be read: {}", e.getMessage());
            }
        }
        return "cp " + id + " @ " + feed;
    }

    private void serverCommand(String text) {
        List<String> words = OutOfBand.words(text);
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "disconnect" -> {
                String reason = words.size() > 1 ? words.get(1) : "disconnected";
                end(joined ? Ending.KICKED : Ending.REFUSED, reason);
            }
            case "cs", "bcs0", "bcs1", "bcs2" -> {
                int changed = configstrings.command(words);
                remotePlayers.renamed(changed);
                if (changed == Configstrings.SYSTEMINFO) {
                    level();
                }
            }
            case "map_restart" -> usercmdBuilder.restart();
            case "chat", "tchat" -> {
                if (words.size() > 1) {
                    chat(words.get(1));
                }
            }
            case "print", "cp" -> {
                String line = words.size() > 1 ? Quake3Text.shown(words.get(1)).strip() : "";
                if (!line.isEmpty()) {
                    listener.onChat(this, "", line);
                }
            }
            default -> {}
        }
    }

    /** {@code name^7<25>: ^2text}. */
    private void chat(String line) {
        int end = line.indexOf("\u0019: ");
        String name = end < 0 ? "" : Quake3Text.shown(line.substring(0, end));
        listener.onChat(this, name, Quake3Text.shown(end < 0 ? line : line.substring(end + 3)));
    }

    private void frame(long now, Frame frame, boolean active) {
        usercmdBuilder.snapshot(millis(now), frame.serverTime());
        player = frame.player();
        if (!active) {
            return;
        }
        if (player.get(PlayerField.CLIENT_NUM) == clientNum) {
            movement = Quake3Motion.movement(player);
        }
        boolean body = player.get(PlayerField.PM_TYPE) != Quake3Motion.PM_SPECTATOR;
        if (body && !joined) {
            joined = true;
            listener.onJoined(this);
        } else if (!body
                && player.get(PlayerState.Slots.PERSISTANT, TEAM) == SPECTATORS
                && !joined) {
            if (throttle.areFree(now)) {
                throttle.add("team free");
            }
        }
        remotePlayers.frame(now, frame);
    }

    @Override
    public void close() {
        if (state == State.ENDED) {
            return;
        }
        if (connection != null && (state == State.PRIMED || state == State.CONNECTED)) {
            command("disconnect");
            for (int i = 0; i < FAREWELLS; i++) {
                transmit(List.of());
            }
        }
        end(Ending.LEFT, "left");
    }

    private void end(Ending ending, String reason) {
        state = State.ENDED;
        joined = false;
        socket.close();
        listener.onEnded(this, ending, reason);
    }
}
