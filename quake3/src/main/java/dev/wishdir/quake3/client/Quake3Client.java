package dev.wishdir.quake3.client;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.game.BotWeapon;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.ClientListener.EndReason;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.PortException;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake3.map.PakSearchPath;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.PlayerArray;
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
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * A headless client for any server of the family; pure servers need installed game data. It moves
 * by its bot controller and decodes every snapshot. Runs on the cycle of its {@link ClientConfig};
 * only that thread may use it.
 *
 * <p>It has many fields, because the state of one client is here, from the first datagram until it
 * has ended; handshake, connection, players and commands have classes of their own.
 */
public final class Quake3Client implements Client, DatagramHandler {
    /** Messages sent a second while in the game. */
    public static final int MESSAGES_PER_SECOND = 50;

    private static final Logger LOG = LoggerFactory.getLogger(Quake3Client.class);
    private static final long MILLI = 1_000_000;
    private static final long SEND_INTERVAL_NANOS = 1_000 * MILLI / MESSAGES_PER_SECOND;
    private static final long KEEP_ALIVE_INTERVAL_NANOS = 500 * MILLI;
    private static final long RETRY_NANOS = 3_000 * MILLI;

    /**
     * Time for which a refusal is not believed: anyone can forge it, but not keep the server's
     * answer to the same request away.
     */
    private static final long REFUSAL_DELAY_NANOS = 900 * MILLI;

    /**
     * Time after an acceptance without a packet of the connection at which the client connects
     * again, as the acceptance may be forged. Servers ignore those that return within 3 s.
     */
    private static final long ACCEPTANCE_TIMEOUT_NANOS = 3_500 * MILLI;

    private static final long IDLE_TIMEOUT_NANOS = 60_000 * MILLI;
    private static final int DISCONNECT_REPEATS = 3;
    private static final int TEAM = 3;
    private static final int SPECTATORS = 3;

    private enum State {
        SIGNING_ON,
        /** Waits for the gamestate. */
        CONNECTED,
        /** Has the gamestate. */
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
    private final FightTracker fight;
    private final FlagTracker flags;
    private final UsercmdBuilder usercmdBuilder;
    private final long started;
    private State state = State.SIGNING_ON;
    private @Nullable ClientConnection connection;
    private int clientNum = -1;
    private String lastPrint = "";
    private boolean joined;
    private Movement movement = Movement.ORIGIN;
    private PlayerState player = PlayerState.ZERO;
    private long nextSend;
    private long lastReceived;
    private final long joinBy;

    /** The time at which a refusal is believed unless the server accepts the client until then. */
    private long refusedAt = Long.MAX_VALUE;

    private String refusal = "";

    /** Whether a packet of the present connection was received. */
    private boolean answered;

    /**
     * Opens a UDP socket and starts to connect.
     *
     * @throws IOException if no socket can be opened
     */
    public static Quake3Client connect(ClientConfig config) throws IOException {
        return connect(config, Protocol.OPENARENA_71);
    }

    /**
     * As {@link #connect(ClientConfig)}.
     *
     * @param first the protocol 71 to try first, if the server offers 71
     */
    public static Quake3Client connect(ClientConfig config, Protocol first) throws IOException {
        boolean ipv6 = config.server().getAddress() instanceof Inet6Address;
        InetAddress any = InetAddress.getByAddress(new byte[ipv6 ? 16 : 4]);
        return config.cycle()
                .open(
                        new InetSocketAddress(any, 0),
                        socket -> new Quake3Client(config, first, socket));
    }

    private Quake3Client(ClientConfig config, Protocol first, UdpSocket socket) {
        this.config = config;
        this.socket = socket;
        listener = config.listener();
        // Clients behind one address have different ports, so their qports differ.
        handshake = new ConnectHandshake(config, first, socket.local().getPort());
        remotePlayers = new RemotePlayers(this, listener, configstrings);
        fight = new FightTracker(this, listener);
        flags = new FlagTracker(configstrings);
        usercmdBuilder = new UsercmdBuilder(config.controller());
        started = config.cycle().now();
        lastReceived = started;
        joinBy = started + config.joinTimeout().toNanos();
        nextSend = started;
    }

    @Override
    public boolean joined() {
        config.cycle().checkThread("uses a client");
        return joined;
    }

    @Override
    public long id() {
        config.cycle().checkThread("uses a client");
        return clientNum;
    }

    @Override
    public String level() {
        config.cycle().checkThread("uses a client");
        return configstrings.server().get("mapname");
    }

    @Override
    public Movement movement() {
        config.cycle().checkThread("uses a client");
        return movement;
    }

    @Override
    public Collection<RemotePlayer> others() {
        config.cycle().checkThread("uses a client");
        return remotePlayers.seen();
    }

    @Override
    public void say(String text) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(text, "text");
        throttle.add("say " + Quake3Text.line(text, 150, Quake3Text.CHAT_COLOUR));
    }

    @Override
    public boolean rename(String name) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(name, "name");
        throttle.add(userinfo(name));
        return true;
    }

    @Override
    public boolean act(PlayerAction action) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(action, "action");
        usercmdBuilder.press(action == PlayerAction.ATTACK ? Usercmd.ATTACK : Usercmd.GESTURE);
        return true;
    }

    @Override
    public boolean shoot(Vec3 at) {
        config.cycle().checkThread("uses a client");
        Vec3.requireFinite("at", at);
        if (!joined || fight.health(Quake3Motion.hasBody(player)).isEmpty()) {
            return false;
        }
        Vec3 eye =
                movement.position()
                        .plus(
                                new Vec3(
                                        0,
                                        0,
                                        (Quake3Motion.FEET + player.get(PlayerField.VIEWHEIGHT))
                                                / Quake3Motion.SCALE));
        Vec3 way = at.minus(eye);
        if (!(way.length() > 0)) {
            return false;
        }
        usercmdBuilder.shoot(
                Angles.yaw(way.x(), way.y()),
                Math.toDegrees(Math.atan2(way.z(), way.horizontal())),
                WeaponTable.inHand(player));
        return true;
    }

    @Override
    public List<BotWeapon> weapons() {
        config.cycle().checkThread("uses a client");
        ClientConnection c = connection;
        return c == null || health().isEmpty()
                ? List.of()
                : WeaponTable.owned(player, c.protocol() == Protocol.OPENARENA_71);
    }

    @Override
    public void select(BotWeapon weapon) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(weapon, "weapon");
        WeaponTable.weapon(weapon).ifPresent(usercmdBuilder::select);
    }

    @Override
    public OptionalDouble health() {
        config.cycle().checkThread("uses a client");
        return fight.health(joined && Quake3Motion.hasBody(player));
    }

    @Override
    public List<Vec3> items() {
        config.cycle().checkThread("uses a client");
        return fight.items();
    }

    @Override
    public Map<Long, Integer> frags() {
        config.cycle().checkThread("uses a client");
        return fight.frags();
    }

    /** Sends a command to the game, as its console does: {@code team red}. */
    public void command(String text) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(text, "text");
        throttle.add(text);
    }

    @Override
    public Map<Long, String> teams() {
        config.cycle().checkThread("uses a client");
        return TeamInfo.teams(configstrings);
    }

    @Override
    public Map<String, Integer> teamFrags() {
        config.cycle().checkThread("uses a client");
        return TeamInfo.frags(configstrings);
    }

    @Override
    public List<RemoteFlag> flags() {
        config.cycle().checkThread("uses a client");
        return flags.flags();
    }

    /** By the button that uses what the player holds, which other servers ignore. */
    @Override
    public boolean dropFlag() {
        config.cycle().checkThread("uses a client");
        usercmdBuilder.press(Usercmd.USE_HOLDABLE);
        return true;
    }

    /** The client's player state of the newest snapshot; all zero before the first. */
    public PlayerState player() {
        return player;
    }

    private String userinfo(String name) {
        return "userinfo \"" + handshake.userinfo(name) + "\"";
    }

    private void addCommand(String text) {
        if (connection != null && !connection.command(text)) {
            LOG.debug("reliable commands not acknowledged: dropped {}", text);
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
        if (!joined && now >= joinBy) {
            close(EndReason.TIMED_OUT, config.joinTimedOut());
            return Duty.NEVER;
        }
        if (state == State.SIGNING_ON && now >= refusedAt) {
            close(EndReason.REFUSED, refusal);
            return Duty.NEVER;
        }
        if (state == State.CONNECTED
                && !answered
                && now - lastReceived >= ACCEPTANCE_TIMEOUT_NANOS) {
            handshake.restart();
            connection = null;
            state = State.SIGNING_ON;
            nextSend = now;
        }
        if (joined && now - lastReceived > IDLE_TIMEOUT_NANOS) {
            close(EndReason.TIMED_OUT, PortException.text(config.server()) + " fell silent");
            return Duty.NEVER;
        }
        if (now >= nextSend) {
            nextSend = send(now);
        }
        return joined ? nextSend : Math.min(Math.min(nextSend, joinBy), refusedAt);
    }

    /** Sends the request or message of the present state. Returns the time of the next one. */
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
        String command = throttle.poll(now);
        if (command != null) {
            addCommand(command);
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
                receiveOutOfBand(now, OutOfBand.read(bytes));
            } else if (connection != null) {
                receiveInBand(now, data);
            }
        } catch (MalformedPacketException e) {
            if (state == State.PRIMED) {
                close(EndReason.PROTOCOL_ERROR, "the server sent " + e.getMessage());
            }
        }
    }

    private void receiveOutOfBand(long now, OutOfBand packet) {
        switch (handshake.receive(packet)) {
            case ConnectHandshake.Step.None _ -> {}
            case ConnectHandshake.Step.Next _ -> {
                refusedAt = Long.MAX_VALUE;
                lastReceived = now;
                nextSend = now;
            }
            case ConnectHandshake.Step.Retry _ -> {
                refusedAt = Long.MAX_VALUE;
                nextSend = now + config.random().nextLong(RETRY_NANOS);
            }
            case ConnectHandshake.Step.Connected(ClientConnection accepted) -> {
                lastReceived = now;
                nextSend = now;
                refusedAt = Long.MAX_VALUE;
                answered = false;
                connection = accepted;
                state = State.CONNECTED;
            }
            case ConnectHandshake.Step.Refused(String reason) -> {
                refusal = reason;
                refusedAt = Math.min(refusedAt, now + REFUSAL_DELAY_NANOS);
                nextSend = Math.max(nextSend, refusedAt);
            }
        }
    }

    private void receiveInBand(long now, byte[] data) {
        ClientConnection corrected = handshake.correct(data);
        if (corrected != null) {
            connection = corrected;
            nextSend = now;
        }
        ClientConnection c = connection;
        Received received = c == null ? null : c.receive(data);
        if (received == null) {
            return;
        }
        lastReceived = now;
        answered = true;
        for (ServerMessage.Op op : received.message().ops()) {
            if (op instanceof ServerMessage.Gamestate g) {
                onGamestate(now, g);
            }
        }
        for (String command : received.commands()) {
            if (state != State.ENDED) {
                onServerCommand(command);
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
            onFrame(now, frame, active);
        }
    }

    private void onGamestate(long now, ServerMessage.Gamestate g) {
        ClientConnection c = connection;
        if (c == null) {
            return;
        }
        configstrings.replace(g.configstrings());
        clientNum = g.clientNum();
        usercmdBuilder.begin();
        remotePlayers.forget();
        fight.forget();
        flags.forget();
        updateServerId();
        state = State.PRIMED;
        nextSend = now;
        addCommand(pureCommand());
        addCommand(userinfo(config.name()));
        throttle.sent(now);
    }

    private void updateServerId() {
        if (connection != null) {
            connection.serverId(configstrings.system().number("sv_serverid", 0));
        }
    }

    /** The {@code cp} command, which proves to a pure server that the client has its paks. */
    private String pureCommand() {
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
                LOG.warn("pure server, but the installed paks can't be read: {}", e.getMessage());
            }
        }
        return "cp " + id + " @ " + feed;
    }

    private void onServerCommand(String text) {
        List<String> words = OutOfBand.words(text);
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "disconnect" -> {
                String reason = words.size() > 1 ? Quake3Text.shown(words.get(1)) : "disconnected";
                EndReason welcomed =
                        lastPrint.equals(reason) ? EndReason.SERVER_CLOSED : EndReason.KICKED;
                close(joined ? welcomed : EndReason.REFUSED, reason);
            }
            case "cs", "bcs0", "bcs1", "bcs2" -> {
                int changed = configstrings.command(words);
                remotePlayers.renamed(changed);
                if (changed == Configstrings.SYSTEMINFO) {
                    updateServerId();
                }
            }
            case "scores" -> fight.scores(words);
            case "map_restart" -> usercmdBuilder.restart();
            case "chat", "tchat" -> {
                if (words.size() > 1) {
                    onChat(words.get(1));
                }
            }
            case "print", "cp" -> {
                String line = words.size() > 1 ? Quake3Text.shown(words.get(1)) : "";
                if (!line.isEmpty()) {
                    lastPrint = line;
                    listener.onChat(this, "", line);
                }
            }
            default -> {}
        }
    }

    /** {@code name^7<25>: ^2text}. */
    private void onChat(String line) {
        int end = line.indexOf("\u0019: ");
        String name = end < 0 ? "" : Quake3Text.shown(line.substring(0, end));
        listener.onChat(this, name, Quake3Text.shown(end < 0 ? line : line.substring(end + 3)));
    }

    private void onFrame(long now, Frame frame, boolean active) {
        player = frame.player();
        if (!active) {
            // Its time may still be that of the previous level.
            return;
        }
        usercmdBuilder.snapshot(millis(now), frame.serverTime());
        flags.frame(frame);
        if (player.get(PlayerField.CLIENT_NUM) == clientNum) {
            movement = Quake3Motion.movement(player);
            if (fight.frame(frame)) {
                throttle.add("score");
            }
        }
        if (!joined) {
            enter(now);
        }
        remotePlayers.frame(now, frame);
    }

    /** Joins the team that the configuration asks for. */
    private void enter(long now) {
        boolean spectates = player.get(PlayerArray.PERSISTANT, TEAM) == SPECTATORS;
        // In a game of teams, the first snapshot of a spectator has a body's type.
        boolean body = player.get(PlayerField.PM_TYPE) != Quake3Motion.PM_SPECTATOR;
        if (config.spectates() ? spectates : body && !spectates) {
            joined = true;
            listener.onJoined(this);
        } else if ((config.spectates() || spectates) && throttle.areFree(now)) {
            throttle.add(config.spectates() ? "team spectator" : "team free");
        }
    }

    @Override
    public void close() {
        config.cycle().checkThread("uses a client");
        if (state == State.ENDED) {
            return;
        }
        if (connection != null && (state == State.PRIMED || state == State.CONNECTED)) {
            addCommand("disconnect");
            for (int i = 0; i < DISCONNECT_REPEATS; i++) {
                transmit(List.of());
            }
        }
        close(EndReason.LEFT, "left");
    }

    private void close(EndReason ending, String reason) {
        state = State.ENDED;
        joined = false;
        socket.close();
        listener.onEnded(this, ending, reason);
    }
}
