package dev.wishdir.quake3.client;

import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.ClientListener.Ending;
import dev.wishdir.game.Joining;
import dev.wishdir.game.Pilot.Steering;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.map.PakFolder;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.netchan.Side;
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
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A headless player: joins any server of the family, pure ones included where the game's data is
 * installed, walks where its pilot steers and decodes every snapshot.
 */
public final class Quake3Client implements Client, DatagramHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Quake3Client.class);

    /** How many messages a second it sends. */
    public static final int RATE = 50;

    /** The most snapshots a second that any server of the family sends. */
    private static final int SNAPS = 125;

    private static final long MILLI = 1_000_000;
    private static final long SEND_EVERY = 1_000 * MILLI / RATE;
    private static final long KEEP_ALIVE = 500 * MILLI;
    private static final long RETRY = 3_000 * MILLI;

    /** Servers answer an address ten times at once, then once a second; the rest they drop. */
    private static final long CONNECT_TIMEOUT = 60_000 * MILLI;

    private static final long SILENCE_TIMEOUT = 60_000 * MILLI;
    private static final int FAREWELLS = 3;
    private static final int REPEATED_COMMANDS = 3;

    /** Servers throw away what a player says or asks for sooner than a second after the last. */
    private static final long BETWEEN_ASKINGS = 1_100 * MILLI;

    private static final int ASKINGS = 16;
    private static final int ATTACK = 1;
    private static final int TEAM = 3;
    private static final int HEALTH = 0;
    private static final int PLAYER = 1;

    private enum State {
        CHALLENGING,
        CONNECTING,
        /** Waits for the level. */
        CONNECTED,
        /** Knows the level. */
        PRIMED,
        ENDED
    }

    private final Joining joining;
    private final Protocol first71;
    private final ClientListener listener;
    private final UdpSocket socket;
    private final int qport;
    private final int clientChallenge;
    private final long started;
    private final ServerClock clock = new ServerClock();
    private final Configstrings configstrings = new Configstrings();

    /** The names of players by number, as far as the configstrings have been asked for them. */
    private final Map<Integer, String> names = new HashMap<>();

    private final Map<Integer, Seen> others = new LinkedHashMap<>();
    private final Deque<Usercmd> recent = new ArrayDeque<>();
    private final Deque<String> asking = new ArrayDeque<>();
    private long nextAsking;
    private State state = State.CHALLENGING;
    private int challenge;
    private int number;
    private @Nullable ClientConnection connection;
    private boolean formatKnown;
    private int clientNum = -1;
    private boolean joined;
    private Movement movement = Movement.ORIGIN;
    private PlayerState player = PlayerState.ZERO;
    private int lastCommandTime;
    private boolean fire;
    private long nextSend;
    private long heard;

    /**
     * Opens a socket and begins to connect.
     *
     * @throws IOException if no socket can be opened
     */
    public Quake3Client(Joining joining) throws IOException {
        this(joining, Protocol.OPENARENA_71);
    }

    /**
     * As {@link #Quake3Client(Joining)}.
     *
     * @param first which of the protocols 71 to begin with on a server that may speak both
     */
    public Quake3Client(Joining joining, Protocol first) throws IOException {
        this.joining = joining;
        first71 = first;
        listener = joining.listener();
        qport = joining.random().nextInt(1 << 16);
        clientChallenge = joining.random().nextInt();
        started = joining.cycle().now();
        heard = started;
        nextSend = started;
        boolean six = joining.server().getAddress() instanceof java.net.Inet6Address;
        socket =
                joining.cycle()
                        .open(
                                new InetSocketAddress(
                                        java.net.InetAddress.getByAddress(new byte[six ? 16 : 4]),
                                        0),
                                this);
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
    public Collection<Seen> others() {
        return Collections.unmodifiableCollection(others.values());
    }

    @Override
    public void say(String text) {
        ask("say " + Quake3Text.line(text, 150, Quake3Text.SAID));
    }

    @Override
    public boolean rename(String name) {
        ask("userinfo \"" + userinfo(name) + "\"");
        return true;
    }

    /** Lets the game be asked for something, as soon as the server listens. */
    private void ask(String text) {
        if (asking.size() < ASKINGS) {
            asking.addLast(text);
        } else {
            LOG.debug("too much to say or ask for at once: {} is dropped", text);
        }
    }

    /** The state that the newest snapshot gave. */
    public PlayerState player() {
        return player;
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
        long limit = state == State.PRIMED ? SILENCE_TIMEOUT : CONNECT_TIMEOUT;
        if (now - heard > limit) {
            end(Ending.TIMED_OUT, "no answer from " + joining.server());
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
            case CHALLENGING -> {
                outOfBand("getchallenge " + clientChallenge + " " + Protocol.GAME_NAME);
                return now + RETRY;
            }
            case CONNECTING -> {
                outOfBand("connect \"" + userinfo(joining.name()) + "\"");
                return now + RETRY;
            }
            case CONNECTED -> {
                transmit(List.of());
                return now + KEEP_ALIVE;
            }
            case PRIMED -> {
                move(now);
                return Duty.nextBeat(nextSend, SEND_EVERY, now);
            }
            case ENDED -> {}
        }
        return now + KEEP_ALIVE;
    }

    private InfoString userinfo(String name) {
        InfoString info =
                new InfoString()
                        .put("challenge", challenge)
                        .put("qport", qport)
                        .put("protocol", number)
                        .put("name", Quake3Text.name(name))
                        .put("rate", 90_000)
                        .put("snaps", SNAPS)
                        .put("model", "sarge")
                        .put("headmodel", "sarge")
                        .put("color1", 4)
                        .put("color2", 5)
                        .put("handicap", 100)
                        .put("sex", "male")
                        .put("cl_guid", "%032X".formatted(clientChallenge));
        return joining.password().isEmpty() ? info : info.put("password", joining.password());
    }

    private void outOfBand(String text) {
        byte[] bytes = new OutOfBand(text).datagram().toArray();
        socket.send(joining.server(), bytes, 0, bytes.length);
    }

    private void transmit(List<ClientMessage.Op> ops) {
        if (connection != null) {
            connection.send(
                    ops,
                    (data, offset, length) -> socket.send(joining.server(), data, offset, length));
        }
    }

    private void move(long now) {
        if (connection == null) {
            return;
        }
        String asked = now < nextAsking ? null : asking.pollFirst();
        if (asked != null) {
            command(asked);
            nextAsking = now + BETWEEN_ASKINGS;
        }
        int time = Math.max(lastCommandTime + 1, clock.at(millis(now)));
        lastCommandTime = time;
        recent.addLast(steered(now, time));
        while (recent.size() > REPEATED_COMMANDS) {
            recent.removeFirst();
        }
        transmit(List.of(new ClientMessage.Move(connection.delta(), List.copyOf(recent))));
    }

    private Usercmd steered(long now, int time) {
        Steering steering = joining.pilot().steer(now, movement);
        int buttons = 0;
        if (player.get(PlayerState.Slots.STATS, HEALTH) <= 0 && joined) {
            // A dead player comes back when it presses anew.
            fire = !fire;
            buttons = fire ? ATTACK : 0;
        }
        return new Usercmd(
                time,
                commandAngle(-steering.pitch(), PlayerField.DELTA_ANGLES_0),
                commandAngle(steering.yaw(), PlayerField.DELTA_ANGLES_1),
                0,
                axis(steering.forward()),
                axis(-steering.left()),
                steering.jump() ? 127 : steering.crouch() ? -127 : 0,
                buttons,
                player.get(PlayerField.WEAPON));
    }

    private int commandAngle(double degrees, PlayerField delta) {
        return Quake3Motion.commandAngle(degrees) - player.get(delta) & 0xFFFF;
    }

    private static int axis(double share) {
        return (int) Math.round(Math.clamp(share, -1, 1) * 127);
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (state == State.ENDED || !from.equals(joining.server())) {
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
        List<String> words = packet.words();
        switch (words.getFirst()) {
            case "challengeresponse" -> {
                if (state == State.CHALLENGING && words.size() > 1) {
                    challengeResponse(now, words);
                }
            }
            case "connectresponse" -> {
                if (state == State.CONNECTING) {
                    heard = now;
                    state = State.CONNECTED;
                    // Which protocol 71 the server speaks, its first packet shows; one that
                    // speaks the modern one drops what is not.
                    Protocol first =
                            number == Protocol.QUAKE3_68.number() ? Protocol.QUAKE3_68 : first71;
                    formatKnown = first != Protocol.OPENARENA_71;
                    connection = new ClientConnection(first, challenge, qport);
                    nextSend = now;
                }
            }
            case "print" -> {
                if (state == State.CHALLENGING || state == State.CONNECTING) {
                    end(Ending.REFUSED, packet.body().strip());
                }
            }
            default -> {}
        }
    }

    private void challengeResponse(long now, List<String> words) {
        try {
            if (words.size() > 2 && Integer.parseInt(words.get(2)) != clientChallenge) {
                return;
            }
            challenge = Integer.parseInt(words.get(1));
            number =
                    words.size() > 3 ? Integer.parseInt(words.get(3)) : Protocol.QUAKE3_68.number();
        } catch (NumberFormatException _) {
            return;
        }
        heard = now;
        if (number != 68 && number != 71) {
            end(Ending.REFUSED, "the server speaks protocol " + number + ", not 68 or 71");
            return;
        }
        state = State.CONNECTING;
        nextSend = now;
    }

    private void inBand(long now, byte[] data) {
        if (!formatKnown) {
            formatKnown = true;
            if (NetchanHeader.isModern(data, Side.SERVER, challenge)) {
                connection = new ClientConnection(Protocol.IOQUAKE3_71, challenge, qport);
                nextSend = now;
            }
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
        names.clear();
        clientNum = g.clientNum();
        clock.reset();
        recent.clear();
        lastCommandTime = 0;
        forget();
        level();
        state = State.PRIMED;
        nextSend = now;
        command(pure());
        command("userinfo \"" + userinfo(joining.name()) + "\"");
        nextAsking = now + BETWEEN_ASKINGS;
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
        if (system.number("sv_pure", 0) != 0 && PakFolder.usual().isPresent()) {
            try {
                List<Integer> known =
                        Arrays.stream(system.get("sv_paks").split(" "))
                                .filter(word -> word.matches("-?\\d{1,10}"))
                                .map(word -> (int) Long.parseLong(word))
                                .toList();
                return PakFolder.read(PakFolder.usual().get()).pureCommand(id, feed, known);
            } catch (IOException e) {
                LOG.warn("the server is pure, and the paks can't be read: {}", e.getMessage());
            }
        }
        return "cp " + id + " @ " + feed;
    }

    private void forget() {
        List<Seen> gone = new ArrayList<>(others.values());
        others.clear();
        gone.forEach(seen -> listener.vanished(this, seen));
    }

    private void serverCommand(String text) {
        List<String> words = OutOfBand.words(text);
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "disconnect" -> {
                String reason = words.size() > 1 ? words.get(1) : "disconnected";
                end(joined ? Ending.KICKED : Ending.REFUSED, reason);
            }
            case "cs", "bcs0", "bcs1", "bcs2" -> {
                configstrings.command(words);
                names.clear();
                level();
            }
            case "map_restart" -> {
                recent.clear();
                clock.reset();
            }
            case "chat", "tchat" -> {
                if (words.size() > 1) {
                    chat(words.get(1));
                }
            }
            default -> {}
        }
    }

    /** {@code name^7<25>: ^2text}. */
    private void chat(String line) {
        int end = line.indexOf("\u0019: ");
        String name = end < 0 ? "" : uncoloured(line.substring(0, end));
        listener.said(this, name, uncoloured(end < 0 ? line : line.substring(end + 3)));
    }

    private static String uncoloured(String text) {
        return Quake3Text.plain(text).replaceAll("[^ -~]", "").strip();
    }

    private void frame(long now, Frame frame, boolean active) {
        clock.snapshot(millis(now), frame.serverTime());
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
            listener.joined(this);
        } else if (!body && player.get(PlayerState.Slots.PERSISTANT, TEAM) == 3 && !joined) {
            if (asking.isEmpty() && now >= nextAsking) {
                ask("team free");
            }
        }
        others(now, frame);
    }

    private String name(int player) {
        return names.computeIfAbsent(player, id -> uncoloured(configstrings.player(id).get("n")));
    }

    private void others(long now, Frame frame) {
        BitSet present = new BitSet(EntityState.MAX_CLIENTS);
        for (int i = 0; i < frame.size(); i++) {
            EntityState entity = frame.state(i);
            int id = entity.get(EntityField.CLIENT_NUM);
            if (entity.get(EntityField.E_TYPE) != PLAYER || id == clientNum) {
                continue;
            }
            present.set(id);
            Movement moved = Quake3Motion.movement(entity);
            Seen before = others.get(id);
            Seen seen = new Seen(id, name(id), moved);
            others.put(id, seen);
            if (before == null) {
                listener.appeared(this, seen);
            } else if (!before.movement().equals(moved)) {
                listener.moved(this, now, seen);
            }
        }
        if (others.size() > present.cardinality()) {
            for (Seen seen : List.copyOf(others.values())) {
                if (!present.get(seen.id())) {
                    others.remove(seen.id());
                    listener.vanished(this, seen);
                }
            }
        }
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
        listener.ended(this, ending, reason);
    }
}
