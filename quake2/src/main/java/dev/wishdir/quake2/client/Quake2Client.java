package dev.wishdir.quake2.client;

import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener.Ending;
import dev.wishdir.game.Joining;
import dev.wishdir.game.Pilot;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.ClientText;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.Md4;
import dev.wishdir.quake2.netchan.MoveChecksum;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.netchan.Words;
import dev.wishdir.quake2.protocol.Glyphs;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Snapshots;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.Set;

/**
 * A headless client of Quake II, protocol 34. It follows what the server tells it to run ({@code
 * cmd}, {@code precache}, {@code reconnect}, {@code changing}), answers the version probe, and
 * sends a command every 25 ms. It asks for 60 frames a second, which only servers of this project
 * heed. It predicts nothing: it knows itself to be where the newest frame says.
 */
public final class Quake2Client implements Client {
    /** How many commands a second it sends. */
    public static final int COMMANDS_A_SECOND = 40;

    /** Milliseconds of a command. */
    private static final int MSEC = 1000 / COMMANDS_A_SECOND;

    /** Frames a second that it asks for. */
    private static final int FRAMES = 60;

    private static final long INTERVAL = MSEC * 1_000_000L;
    private static final int ATTACK = 1;
    private static final long RETRY = 1_500_000_000L;
    private static final long GIVE_UP = 30_000_000_000L;
    private static final long KEEPALIVE = 1_000_000_000L;

    /**
     * After so long the server is given another packet to answer, or to hear again what it lost.
     */
    private static final long UNCONFIRMED = 200_000_000L;

    private static final int RUN = 400;
    private static final int LIGHT = 128;
    private static final int MOST_MAP = 64 << 20;
    private static final int MOST_QUEUED = 256;
    private static final int PLAYER_MODEL = 255;
    private static final int CS_CHECKSUM = 31;
    private static final int CS_MAP = 33;
    private static final int CS_SKINS = 1312;

    /** How far the client has come. */
    private enum Phase {
        CHALLENGING,
        CONNECTING,
        CONNECTED,
        ENTERED,
        ENDED
    }

    private final Joining joining;
    private final boolean fetching;
    private final UdpSocket socket;
    private final Snapshots snapshots = new Snapshots();
    private final Map<Integer, String> configStrings = new HashMap<>();
    private final Map<Integer, Seen> others = new LinkedHashMap<>();
    private final Map<Integer, Track> tracks = new HashMap<>();
    private final Queue<ClientMessage> queued = new ArrayDeque<>();
    private final Writer unreliable = new Writer(256);
    private final ByteArrayOutputStream fetched = new ByteArrayOutputStream();
    private Phase phase = Phase.CHALLENGING;
    private int qport;
    private Netchan netchan = Netchan.client(0);
    private Snapshots.Snapshot snapshot = Snapshots.Snapshot.EMPTY;
    private Movement movement = Movement.ORIGIN;
    private UserCmd previous = UserCmd.ZERO;
    private UserCmd oldest = UserCmd.ZERO;
    private Optional<Bytes> map = Optional.empty();
    private String lastPrint = "";

    /** Why the server has not let it in so far. */
    private String refusal = "";

    private String beginning = "";
    private int challenge;
    private int slot = -1;
    private int lastFrame = -1;
    private int framesASecond = 10;
    private boolean joined;
    private long started;
    private long lastHeard;
    private long nextSend;
    private long lastSent;

    /** Starts to connect. */
    public Quake2Client(Joining joining) throws IOException {
        this(joining, false);
    }

    /**
     * @param fetching whether the server's map is downloaded before entering
     */
    public Quake2Client(Joining joining, boolean fetching) throws IOException {
        this.joining = joining;
        this.fetching = fetching;
        qport = joining.random().nextInt(1 << 16);
        started = joining.cycle().now();
        lastHeard = started;
        nextSend = started;
        socket = joining.cycle().open(new InetSocketAddress(0), new Handler());
    }

    private final class Handler implements DatagramHandler {
        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            if (from.equals(joining.server()) && phase != Phase.ENDED) {
                Quake2Client.this.receive(now, data);
            }
        }

        @Override
        public long advance(long now) {
            return Quake2Client.this.advance(now);
        }
    }

    @Override
    public boolean joined() {
        return joined && phase == Phase.ENTERED;
    }

    @Override
    public int id() {
        return joined ? slot : -1;
    }

    @Override
    public Movement movement() {
        return movement;
    }

    @Override
    public Collection<Seen> others() {
        return List.copyOf(others.values());
    }

    /** The newest state of its own that the server sent. */
    public PlayerState state() {
        return snapshot.player();
    }

    /** The server's map, once it was downloaded whole and its checksum is right. */
    public Optional<Bytes> map() {
        return map;
    }

    @Override
    public void say(String text) {
        command("say \"" + Glyphs.line(text, 150).replace('"', '\'') + "\"");
    }

    @Override
    public boolean rename(String name) {
        userInfo(info(name).toString());
        return true;
    }

    /** Has the server run a command line; it arrives. */
    public void command(String line) {
        queue(new ClientMessage.StringCmd(line));
    }

    /** Tells the server other settings of the player; they arrive. */
    public void userInfo(String info) {
        queue(new ClientMessage.UserInfo(ClientText.of(info)));
    }

    private void queue(ClientMessage message) {
        if (queued.size() < MOST_QUEUED) {
            queued.add(message);
        }
    }

    @Override
    public void close() {
        if (phase == Phase.ENDED) {
            return;
        }
        leave();
        end(Ending.LEFT, "left the server");
    }

    private void leave() {
        if (phase == Phase.CONNECTED || phase == Phase.ENTERED) {
            unreliable.reset();
            Quake2Codec.write(unreliable, new ClientMessage.StringCmd("disconnect"));
            for (int i = 0; i < 3; i++) {
                transmit(netchan.send(unreliable.array(), unreliable.position()));
            }
        }
    }

    private void end(Ending ending, String reason) {
        if (phase != Phase.ENDED) {
            phase = Phase.ENDED;
            socket.close();
            joining.listener().ended(this, ending, reason);
        }
    }

    private void transmit(Writer packet) {
        socket.send(joining.server(), packet.array(), 0, packet.position());
    }

    private void transmit(String text) {
        byte[] packet = new OutOfBand(text).packet();
        socket.send(joining.server(), packet, 0, packet.length);
    }

    private long advance(long now) {
        if (phase == Phase.ENDED) {
            return Duty.NEVER;
        }
        if (now - lastHeard > GIVE_UP) {
            end(
                    Ending.TIMED_OUT,
                    refusal.isEmpty() ? joining.server() + " does not answer" : refusal);
            return Duty.NEVER;
        }
        if (now >= nextSend) {
            switch (phase) {
                case CHALLENGING -> {
                    transmit("getchallenge\n");
                    nextSend = now + RETRY;
                }
                case CONNECTING -> {
                    transmit(connectLine());
                    nextSend = now + RETRY;
                }
                default -> {
                    send(now);
                    nextSend = Duty.nextBeat(nextSend, INTERVAL, now);
                }
            }
        }
        return nextSend;
    }

    private String connectLine() {
        return "connect 34 " + qport + " " + challenge + " \"" + info(joining.name()) + "\"\n";
    }

    private InfoString info(String name) {
        SequencedMap<String, String> info = new LinkedHashMap<>();
        info.put("name", Glyphs.name(name));
        info.put("skin", "male/grunt");
        info.put("rate", "15000");
        info.put("msg", "1");
        info.put("hand", "2");
        info.put("fov", "90");
        info.put("password", joining.password());
        info.put("frames", Integer.toString(FRAMES));
        return InfoString.of(info);
    }

    private void send(long now) {
        while (!queued.isEmpty()) {
            Writer w = new Writer(Netchan.MOST_RELIABLE);
            Quake2Codec.write(w, queued.element());
            if (w.position() > netchan.room()) {
                break;
            }
            netchan.queue(w.array(), w.position());
            queued.remove();
        }
        if (phase == Phase.ENTERED && snapshot.number() > 0) {
            unreliable.reset();
            move(now);
            transmit(netchan.send(unreliable.array(), unreliable.position()));
            lastSent = now;
        } else if (netchan.hasPending()
                // A server drops those whose reliable messages pile up unacknowledged.
                || netchan.owesAcknowledgement()
                || now - lastSent >= (netchan.isQuiet() ? KEEPALIVE : UNCONFIRMED)) {
            transmit(netchan.send());
            lastSent = now;
        }
    }

    private void move(long now) {
        Pilot.Steering steering = joining.pilot().steer(now, movement);
        Triple delta = snapshot.player().deltaAngles();
        UserCmd cmd =
                new UserCmd(
                        new Triple(
                                (short) (Quake2Motion.angle16(-steering.pitch()) - delta.x()),
                                (short) (Quake2Motion.angle16(steering.yaw()) - delta.y()),
                                (short) -delta.z()),
                        (int) Math.round(steering.forward() * RUN),
                        (int) Math.round(-steering.left() * RUN),
                        steering.jump() ? RUN : steering.crouch() ? -RUN : 0,
                        respawning() ? previous.buttons() ^ ATTACK : 0,
                        0,
                        MSEC,
                        LIGHT);
        Quake2Codec.write(unreliable, Move.of(lastFrame, oldest, previous, cmd));
        byte[] packet = unreliable.array();
        packet[1] =
                (byte)
                        MoveChecksum.of(
                                packet, 2, unreliable.position() - 2, netchan.nextSequence());
        oldest = previous;
        previous = cmd;
    }

    /** A dead player comes back when it presses anew. */
    private boolean respawning() {
        int type = snapshot.player().pmType();
        return type == PlayerState.DEAD || type == PlayerState.GIB;
    }

    private void receive(long now, byte[] data) {
        Optional<OutOfBand> outOfBand = OutOfBand.of(data);
        if (outOfBand.isPresent()) {
            outOfBand(now, outOfBand.get());
            return;
        }
        if (phase != Phase.CONNECTED && phase != Phase.ENTERED) {
            return;
        }
        Reader r = new Reader(data);
        if (!netchan.receive(r)) {
            return;
        }
        lastHeard = now;
        try {
            while (r.remaining() > 0 && phase != Phase.ENDED) {
                message(now, Quake2Codec.readServer(r));
            }
            if (phase == Phase.CONNECTED) {
                // What a server tells everybody meanwhile has to find room beside its next answer.
                nextSend = now;
            }
        } catch (MalformedPacketException e) {
            leave();
            end(Ending.PROTOCOL_ERROR, "the server sent a bad message: " + e.getMessage());
        }
    }

    private void outOfBand(long now, OutOfBand packet) {
        List<String> words = packet.words();
        switch (packet.name()) {
            case "challenge" -> {
                OptionalInt given =
                        words.size() < 2 ? OptionalInt.empty() : Numbers.parse(words.get(1));
                if (phase == Phase.CHALLENGING && given.isPresent()) {
                    challenge = given.getAsInt();
                    phase = Phase.CONNECTING;
                    nextSend = now;
                }
            }
            case "client_connect" -> {
                if (phase == Phase.CONNECTING) {
                    lastHeard = now;
                    refusal = "";
                    netchan = Netchan.client(qport);
                    phase = Phase.CONNECTED;
                    nextSend = now;
                    command("new");
                }
            }
            case "print" -> {
                if (phase == Phase.CONNECTING) {
                    refused(now, packet.body().strip());
                }
            }
            case "ping" -> transmit("ack");
            default -> {}
        }
    }

    /**
     * A server keeps one challenge for an address, and some of them only until its first use: where
     * several players of one address connect at once, the others ask again, at times of their own.
     */
    private void refused(long now, String text) {
        if (text.startsWith("Bad challenge") || text.startsWith("No challenge")) {
            refusal = text;
            phase = Phase.CHALLENGING;
            nextSend = now + joining.random().nextLong(RETRY);
        } else {
            end(Ending.REFUSED, text);
        }
    }

    private void message(long now, ServerMessage message) {
        switch (message) {
            case Frame frame -> frame(now, frame);
            case ServerMessage.ServerData data -> serverData(data);
            case ServerMessage.ConfigString string ->
                    configStrings.put(string.index(), string.text());
            case ServerMessage.SpawnBaseline baseline -> snapshots.baseline(baseline.entity());
            case ServerMessage.StuffText text -> text.text().lines().forEach(this::run);
            case ServerMessage.Print print -> print(print);
            case ServerMessage.Download download -> download(download);
            case ServerMessage.Signal signal -> signal(now, signal);
            default -> {}
        }
    }

    private void signal(long now, ServerMessage.Signal signal) {
        switch (signal) {
            case DISCONNECT -> {
                String reason = lastPrint.isEmpty() ? "the server disconnected" : lastPrint;
                end(joined ? Ending.KICKED : Ending.REFUSED, reason);
            }
            case RECONNECT -> {
                phase = Phase.CHALLENGING;
                queued.clear();
                forget();
                nextSend = now;
            }
            case NOP -> {}
        }
    }

    private void serverData(ServerMessage.ServerData data) {
        if (data.protocol() != Quake2Codec.PROTOCOL) {
            leave();
            end(Ending.REFUSED, "the server speaks protocol " + data.protocol());
            return;
        }
        slot = data.playerNum();
        framesASecond = 10;
        forget();
        phase = Phase.CONNECTED;
    }

    private void forget() {
        configStrings.clear();
        snapshots.reset();
        snapshot = Snapshots.Snapshot.EMPTY;
        lastFrame = -1;
        previous = UserCmd.ZERO;
        oldest = UserCmd.ZERO;
        tracks.clear();
        for (Seen other : others()) {
            others.remove(other.id());
            joining.listener().vanished(this, other);
        }
    }

    /** Runs a line that the server wants run: the few that a client needs to join. */
    private void run(String line) {
        String rest = Words.afterFirst(line);
        List<String> words = Words.of(line);
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "cmd" -> command(rest.replace("$version", "wishdir"));
            case "precache" -> {
                beginning = "begin " + (words.size() < 2 ? "" : words.get(1));
                if (fetching && map.isEmpty()) {
                    fetched.reset();
                    command("download " + configStrings.getOrDefault(CS_MAP, "") + " 0");
                } else {
                    enter();
                }
            }
            case "frames" ->
                    framesASecond =
                            words.size() < 2
                                    ? 10
                                    : Math.clamp(Numbers.parse(words.get(1)).orElse(10), 10, 1000);
            case "changing" -> phase = Phase.CONNECTED;
            case "reconnect" -> {
                phase = Phase.CONNECTED;
                command("new");
            }
            default -> {}
        }
    }

    private void enter() {
        command(beginning);
        phase = Phase.ENTERED;
    }

    private void download(ServerMessage.Download part) {
        if (beginning.isEmpty() || phase != Phase.CONNECTED) {
            return;
        }
        if (part.size() < 0 || fetched.size() + part.size() > MOST_MAP) {
            leave();
            end(Ending.REFUSED, "the server does not give its map");
            return;
        }
        byte[] data = part.data().toArray();
        fetched.write(data, 0, data.length);
        if (part.percent() < 100) {
            command("nextdl");
            return;
        }
        byte[] file = fetched.toByteArray();
        String checksum = Integer.toString(Md4.fold(file, file.length));
        if (!checksum.equals(configStrings.get(CS_CHECKSUM))) {
            leave();
            end(Ending.PROTOCOL_ERROR, "the server's map has another checksum than it says");
            return;
        }
        map = Optional.of(Bytes.wrap(file));
        enter();
    }

    private void print(ServerMessage.Print print) {
        String text = Glyphs.plain(print.text()).strip();
        if (print.level() != ServerMessage.Print.CHAT) {
            lastPrint = text;
            joining.listener().said(this, "", text);
            return;
        }
        int colon = text.indexOf(": ");
        joining.listener()
                .said(
                        this,
                        colon < 0 ? "" : text.substring(0, colon),
                        colon < 0 ? text : text.substring(colon + 2));
    }

    private void frame(long now, Frame frame) {
        Snapshots.Snapshot next = snapshots.apply(frame);
        if (!next.usable()) {
            lastFrame = -1;
            return;
        }
        snapshot = next;
        lastFrame = next.number();
        movement = Quake2Motion.toCanonical(next.player());
        if (phase != Phase.ENTERED) {
            return;
        }
        if (!joined) {
            joined = true;
            joining.listener().joined(this);
        }
        see(now);
    }

    private void see(long now) {
        Set<Integer> gone = new HashSet<>(others.keySet());
        for (Snapshots.Numbered entity : snapshot.entities()) {
            int id = entity.number() - 1;
            if (entity.state().model() != PLAYER_MODEL || id == slot) {
                continue;
            }
            gone.remove(id);
            Seen before = others.get(id);
            Seen seen = seen(id, entity.state());
            others.put(id, seen);
            if (before == null) {
                joining.listener().appeared(this, seen);
            } else if (!before.movement().equals(seen.movement())) {
                joining.listener().moved(this, now, seen);
            }
        }
        for (int id : gone) {
            Seen seen = others.remove(id);
            tracks.remove(id);
            if (seen != null) {
                joining.listener().vanished(this, seen);
            }
        }
    }

    private Seen seen(int id, EntityState state) {
        String skin = configStrings.getOrDefault(CS_SKINS + (state.skin() & 0xFF), "");
        int end = skin.indexOf('\\');
        Vec3 position = Quake2Motion.toCanonical(state.origin());
        Vec3 velocity =
                tracks.computeIfAbsent(id, _ -> new Track())
                        .shown(snapshot.number(), framesASecond, position);
        boolean crouched = state.frame() >= 135 && state.frame() <= 159;
        boolean jumping = state.frame() >= 66 && state.frame() <= 71;
        Stance stance =
                Stance.NONE
                        .with(Flag.ON_GROUND, !jumping)
                        .with(Flag.CROUCHED, crouched)
                        .with(Flag.JUMPING, jumping && velocity.z() > 0);
        return new Seen(
                id,
                Glyphs.plain(end < 0 ? skin : skin.substring(0, end)),
                new Movement(
                        position,
                        Angles.turn(Quake2Motion.degrees8(state.angles().y())),
                        Math.clamp(-3 * Quake2Motion.degrees8(state.angles().x()), -90, 90),
                        velocity,
                        stance));
    }
}
