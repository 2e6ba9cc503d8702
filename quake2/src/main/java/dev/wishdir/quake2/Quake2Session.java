package dev.wishdir.quake2;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.Viewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.Allowance;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.ServerMessage.Download;
import dev.wishdir.quake2.message.ServerMessage.Print;
import dev.wishdir.quake2.message.ServerMessage.StuffText;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntConsumer;

/** One client of the endpoint, from its accepted {@code connect} until it is gone. */
final class Quake2Session implements Viewer {
    private static final int MOST_COMMANDS = 7;
    private static final int MOST_CONFIGSTRINGS = 1300;

    /** Reliable bytes in a packet that has a frame, too. */
    private static final int MOST_BESIDE_FRAME = 600;

    /** What a frame may need beside its entities. */
    private static final int LEAST_FRAME_ROOM = 250;

    private static final int MOST_CHAT = 150;
    private static final int MOST_REPEATED = 20;
    private static final int MOST_VERSION = 60;

    /** A word that no player types: asks a client for a variable, and begins its answer. */
    private static final String VERSION_PROBE = "\u007fc";

    private static final int GRAVITY = 800;
    private static final int FOV = 90;
    private static final int HEALTH = 100;
    private static final double CHAT_BURST = 5;
    private static final double CHAT_A_SECOND = 1.25;
    private static final long KEEPALIVE = 1_000_000_000;

    /** How far a client has come. */
    enum Phase {
        /** It is being told of the map. */
        CONNECTED,
        /** It is in the game. */
        SPAWNED,
        /** It was sent away; the last reliable message may still be on its way. */
        ZOMBIE
    }

    final int slot;
    final int qport;
    final int challenge;
    final long connected;
    InetSocketAddress address;
    long lastHeard;
    boolean heard;
    Phase phase = Phase.CONNECTED;

    private final Quake2Endpoint endpoint;
    private final Netchan netchan = Netchan.server();
    private final FrameSender frames = new FrameSender();
    private final TimeBudget budget = new TimeBudget();
    private final Writer unreliable = new Writer(Netchan.MOST_PACKET);
    private final Outbox outbox = new Outbox();
    private final FileTransfer download = new FileTransfer();
    private final int every;
    private final int[] sizes;
    private final Ping ping = new Ping();
    private final Allowance chat = new Allowance(CHAT_BURST, CHAT_A_SECOND);
    private Optional<Player> player = Optional.empty();
    private InfoString userInfo;
    private PlayerState state = PlayerState.ZERO;
    private UserCmd last = UserCmd.ZERO;
    private int lastFrame = -1;
    private int suppressed;
    private long lastSent;
    private String version = "";
    private boolean begun;
    private boolean counted;
    private boolean placed;

    Quake2Session(
            Quake2Endpoint endpoint,
            InetSocketAddress address,
            int slot,
            int qport,
            int challenge,
            InfoString userInfo,
            long now) {
        this.endpoint = endpoint;
        this.address = address;
        this.slot = slot;
        this.qport = qport;
        this.challenge = challenge;
        this.userInfo = userInfo;
        connected = now;
        int wished = Math.clamp(userInfo.number("frames", 10), 10, endpoint.mostFrames());
        every = Math.ceilDiv(Quake2Endpoint.TICKS_A_SECOND, wished);
        sizes = new int[Quake2Endpoint.TICKS_A_SECOND / every];
        lastHeard = now;
        lastSent = now;
    }

    Optional<Player> player() {
        return player;
    }

    /** Where it is in the game. */
    PlayerState state() {
        return state;
    }

    /** Whether it has a body that stands in others' way. */
    boolean isInTheWay() {
        return phase == Phase.SPAWNED && state.pmType() == Quake2Motion.PM_NORMAL;
    }

    String name() {
        return player.map(Player::name).orElseGet(() -> userInfo.get("name"));
    }

    /** What program the client says to be; empty while it has not. */
    String version() {
        return version;
    }

    /** Mean milliseconds from a frame to its acknowledgement, of the last sixteen. */
    int ping() {
        return ping.mean();
    }

    /** Queues messages that must arrive, all in one packet. */
    void reliable(ServerMessage... messages) {
        Writer w = new Writer(Netchan.MOST_RELIABLE);
        for (ServerMessage message : messages) {
            Quake2Codec.write(w, message);
        }
        reliable(w);
    }

    private void reliable(Writer w) {
        if (phase != Phase.ZOMBIE && !outbox.add(w.toByteArray())) {
            endpoint.drop(this, "overflow", false);
        }
    }

    private void print(int level, String text) {
        reliable(new Print(level, text + "\n"));
    }

    /** The map's descriptions changed, which matters to those who have them. */
    void configure(ConfigString string) {
        if (begun) {
            reliable(string);
        }
    }

    /** Takes in a packet of this client; the address follows where it has another port now. */
    void receive(long now, InetSocketAddress from, byte[] data) {
        Reader r = new Reader(data);
        if (!netchan.receive(r)) {
            endpoint.count("stale");
            return;
        }
        address = from;
        lastHeard = now;
        heard = true;
        if (phase == Phase.ZOMBIE) {
            return;
        }
        if (netchan.isNotAcknowledging(now)) {
            endpoint.drop(this, "does not acknowledge what it is sent", true);
            return;
        }
        try {
            messages(now, r, data);
        } catch (MalformedPacketException e) {
            endpoint.count("malformed");
            endpoint.drop(this, "bad message: " + e.field(), true);
        }
    }

    private void messages(long now, Reader r, byte[] data) {
        int commands = 0;
        boolean moved = false;
        while (r.remaining() > 0 && phase != Phase.ZOMBIE) {
            int from = r.position();
            ClientMessage message;
            try {
                message = Quake2Codec.readClient(r);
            } catch (MalformedPacketException e) {
                if (data[from] != Quake2Codec.MOVE) {
                    throw e;
                }
                endpoint.count("cut-move");
                return;
            }
            switch (message) {
                case Move move -> {
                    int body = from + 2;
                    int right =
                            MoveChecksum.of(data, body, r.position() - body, netchan.incoming());
                    if (moved || !move(now, move, move.checksum() == right)) {
                        return;
                    }
                    moved = true;
                }
                case ClientMessage.StringCmd command -> {
                    if (++commands <= MOST_COMMANDS) {
                        command(now, command.text().value());
                    } else {
                        endpoint.count("command-limit");
                    }
                }
                case ClientMessage.UserInfo info -> userInfo(info.text().value());
                case ClientMessage.Nop _ -> {}
            }
        }
    }

    /** Runs a move; false if the rest of its packet must be ignored. */
    private boolean move(long now, Move move, boolean valid) {
        if (phase != Phase.SPAWNED) {
            lastFrame = -1;
            return true;
        }
        acknowledge(now, move.lastFrame());
        if (!valid) {
            endpoint.count("checksum");
            return false;
        }
        List<UserCmd> commands = commands(move, netchan.dropped());
        int time = 0;
        for (UserCmd cmd : commands) {
            time += cmd.msec();
        }
        endpoint.level().physics().among(state, endpoint.bodiesNear(this, Bodies.reach(time)));
        for (UserCmd cmd : commands) {
            run(now, cmd);
        }
        last = move.newest().cmd();
        player.ifPresent(
                body -> endpoint.arena().move(body, Quake2Motion.toCanonical(state), state));
        return true;
    }

    /** What a move makes run, oldest first: its own command, and what was lost before it. */
    private List<UserCmd> commands(Move move, int dropped) {
        List<UserCmd> commands = new ArrayList<>();
        if (dropped < MOST_REPEATED) {
            for (int i = dropped; i > 2; i--) {
                commands.add(last);
            }
            if (dropped > 1) {
                commands.add(move.oldest().cmd());
            }
            if (dropped > 0) {
                commands.add(move.previous().cmd());
            }
        }
        commands.add(move.newest().cmd());
        return commands;
    }

    private void acknowledge(long now, int frame) {
        if (frame > lastFrame && frame > 0) {
            ping.acknowledged(frame, now);
        }
        lastFrame = frame;
    }

    private void run(long now, UserCmd cmd) {
        if (!budget.spend(now, cmd.msec())) {
            endpoint.count("time-budget");
            return;
        }
        if (budget.isSpeeding() && !counted) {
            counted = true;
            endpoint.count("speeding");
        }
        state = endpoint.level().physics().run(state, cmd, placed);
        placed = false;
    }

    private void userInfo(String text) {
        Optional<InfoString> parsed = InfoString.parse(text);
        if (text.isEmpty() || parsed.isEmpty()) {
            endpoint.count("userinfo");
            return;
        }
        boolean wasSpectator = isSpectator();
        userInfo = parsed.get();
        player.ifPresent(present -> {
            endpoint.wear(present, userInfo.get("skin"), userInfo.get("name"));
            if (phase == Phase.SPAWNED && wasSpectator != isSpectator()) {
                spawn();
            }
        });
    }

    private boolean isSpectator() {
        String spectator = userInfo.get("spectator");
        return !spectator.isEmpty() && !spectator.equals("0");
    }

    private void command(long now, String line) {
        List<String> words = Words.of(line);
        if (words.isEmpty()) {
            return;
        }
        OptionalInt count = number(words, 1);
        boolean current = count.isPresent() && count.getAsInt() == endpoint.serverCount();
        switch (words.getFirst()) {
            case "new" -> begin();
            case "configstrings" -> inMap(current, number(words, 2), this::configStrings);
            case "baselines" -> inMap(current, number(words, 2), _ -> reliable(precache()));
            case "begin" -> inMap(current, OptionalInt.of(0), _ -> enter(now));
            case "disconnect" -> endpoint.remove(this);
            case "download" -> download(words);
            case "nextdl" -> nextBlock();
            case "say", "say_team" -> say(now, Words.afterFirst(line));
            case "kill" -> {
                if (phase == Phase.SPAWNED && !isSpectator()) {
                    spawn();
                }
            }
            case VERSION_PROBE -> {
                if (words.size() > 2 && words.get(1).equals("version")) {
                    version = Roster.text(Words.afterFirst(Words.afterFirst(line)), MOST_VERSION);
                }
            }
            case "info" -> print(Print.HIGH, endpoint.serverInfo().toString());
            case "players" -> print(Print.HIGH, endpoint.playerList());
            default -> endpoint.count("command");
        }
    }

    private static OptionalInt number(List<String> words, int index) {
        return index < words.size() ? Numbers.parse(words.get(index)) : OptionalInt.empty();
    }

    private void inMap(boolean current, OptionalInt start, IntConsumer command) {
        if (phase != Phase.CONNECTED) {
            return;
        }
        if (!current) {
            begin();
        } else if (start.isEmpty()
                || start.getAsInt() < 0
                || start.getAsInt() >= ConfigString.COUNT) {
            endpoint.count("command");
        } else {
            command.accept(start.getAsInt());
        }
    }

    private void begin() {
        if (phase != Phase.CONNECTED) {
            return;
        }
        // What still waits is about the time before: all of it is told again from here.
        outbox.clear();
        download.stop();
        begun = true;
        lastFrame = -1;
        last = UserCmd.ZERO;
        int count = endpoint.serverCount();
        reliable(
                new ServerMessage.ServerData(
                        Quake2Codec.PROTOCOL, count, 0, "", slot, endpoint.level().title()));
        if (isFast()) {
            reliable(new StuffText("frames " + sizes.length + "\n"));
        }
        reliable(
                new StuffText("cmd " + VERSION_PROBE + " version $version\n"),
                new StuffText("cmd configstrings " + count + " 0\n"));
    }

    private StuffText precache() {
        return new StuffText("precache " + endpoint.serverCount() + "\n");
    }

    private void configStrings(int start) {
        Writer w = new Writer(Netchan.MOST_RELIABLE);
        int index = start;
        while (index < ConfigString.COUNT) {
            String text = endpoint.configString(index);
            if (!text.isEmpty()) {
                if (w.position() + text.length() + 4 > MOST_CONFIGSTRINGS) {
                    break;
                }
                Quake2Codec.write(w, new ConfigString(index, text));
            }
            index++;
        }
        String next = index == ConfigString.COUNT ? "baselines" : "configstrings";
        int from = index == ConfigString.COUNT ? 0 : index;
        String command = "cmd " + next + " " + endpoint.serverCount() + " " + from + "\n";
        Quake2Codec.write(w, new StuffText(command));
        reliable(w);
    }

    private void enter(long now) {
        if (player.isEmpty()) {
            player = endpoint.join(now, this, userInfo.get("name"), userInfo.get("skin"));
            if (player.isEmpty()) {
                endpoint.drop(this, "Server is full.", true);
                return;
            }
        }
        phase = Phase.SPAWNED;
        frames.reset();
        spawn();
        endpoint.entered(this);
    }

    private void spawn() {
        Movement where = endpoint.spawnPoint(this);
        boolean spectates = isSpectator();
        PlayerState spawned = Quake2Motion.toNative(where);
        Triple view = spawned.viewAngles();
        state =
                new PlayerState(
                        spectates ? Quake2Motion.PM_SPECTATOR : Quake2Motion.PM_NORMAL,
                        spawned.origin(),
                        Triple.ZERO,
                        0,
                        0,
                        GRAVITY,
                        new Triple(
                                (short) (view.x() - last.angles().x()),
                                (short) (view.y() - last.angles().y()),
                                (short) (view.z() - last.angles().z())),
                        new Triple(0, 0, Quake2Motion.EYE * 4),
                        view,
                        Triple.ZERO,
                        0,
                        0,
                        Triple.ZERO,
                        Triple.ZERO,
                        spawned.blend(),
                        FOV,
                        0,
                        Stats.ZERO.with(Stats.HEALTH, HEALTH));
        placed = true;
        player.ifPresent(body -> {
            if (spectates) {
                endpoint.arena().despawn(body);
            } else {
                endpoint.arena().spawn(body, where);
                endpoint.arena().move(body, where, state);
            }
        });
    }

    private void say(long now, String line) {
        String text = line;
        if (text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")) {
            text = text.substring(1, text.length() - 1);
        }
        if (phase != Phase.SPAWNED || text.isBlank()) {
            return;
        }
        if (!chat.take(now)) {
            endpoint.count("chat-limit");
            return;
        }
        String said = text;
        player.ifPresent(speaker -> {
            endpoint.arena().say(speaker, said);
            said(speaker, said);
        });
    }

    private void download(List<String> words) {
        if (outbox.held() > Outbox.MOST_BYTES / 2) {
            endpoint.count("download");
            return;
        }
        Optional<Bytes> file =
                words.size() < 2 ? Optional.empty() : endpoint.download(words.get(1));
        int offset = words.size() < 3 ? 0 : Numbers.parse(words.get(2)).orElse(-1);
        if (file.isEmpty() || offset < 0 || offset > file.get().length()) {
            endpoint.count("download");
            download.stop();
            reliable(Download.REFUSED);
            return;
        }
        download.start(file.get(), offset);
        sendBlock();
    }

    private void nextBlock() {
        download.ask();
        sendBlock();
    }

    private void sendBlock() {
        if (!outbox.isBehind()) {
            download.next().ifPresent(this::reliable);
        }
    }

    /** The heap of all that waits to be sent or acknowledged. */
    long held() {
        return (long) outbox.held() + netchan.held();
    }

    /** Another map begins: the client has to be told of it. */
    void changeMap() {
        if (phase == Phase.SPAWNED) {
            phase = Phase.CONNECTED;
        }
        player.ifPresent(endpoint.arena()::despawn);
        frames.reset();
        lastFrame = -1;
        download.stop();
        begun = false;
        reliable(new StuffText("changing\n"));
        reliable(new StuffText("reconnect\n"));
    }

    /** Whether it is sent more than the ten frames a second of the game. */
    boolean isFast() {
        return every < Quake2Endpoint.TICKS_OF_FRAME;
    }

    /** Time has passed: sends a frame where it is the client's turn, or what else there is. */
    void tick(long now, int tick, Scene scene) {
        boolean frame = tick % Quake2Endpoint.TICKS_OF_FRAME == 0;
        sendBlock();
        if (frame) {
            budget.frame(tick / Quake2Endpoint.TICKS_OF_FRAME);
        }
        if (phase == Phase.SPAWNED && tick % every == 0) {
            frame(now, tick / every, scene);
        } else if (phase != Phase.SPAWNED && frame && mustSend(now)) {
            send(now, 0);
        }
    }

    private void frame(long now, int number, Scene scene) {
        outbox.fill(netchan, MOST_BESIDE_FRAME);
        int room = netchan.unreliableRoom();
        if (room < LEAST_FRAME_ROOM || isOverRate()) {
            suppressed = Math.min(suppressed + 1, 255);
            if (room < LEAST_FRAME_ROOM) {
                send(now, number);
            } else {
                sizes[number % sizes.length] = 0;
            }
            return;
        }
        unreliable.reset();
        if (frames.write(unreliable, number, scene, lastFrame, suppressed, state, room) > 0) {
            endpoint.count("entities-deferred");
        }
        suppressed = 0;
        ping.sent(number, now);
        transmit(now, number, netchan.send(unreliable.array(), unreliable.position()));
    }

    /** Answers at once while the client is not yet in the game. */
    void answer(long now) {
        if (phase == Phase.CONNECTED && (!outbox.isEmpty() || netchan.hasPending())) {
            send(now, 0);
        }
    }

    private boolean mustSend(long now) {
        return !outbox.isEmpty() || !netchan.isQuiet() || now - lastSent >= KEEPALIVE;
    }

    private void send(long now, int frame) {
        outbox.fill(netchan, Netchan.MOST_RELIABLE);
        transmit(now, frame, netchan.send());
    }

    private boolean isOverRate() {
        int rate = Math.clamp(userInfo.number("rate", 5000), 100, 15_000);
        int sum = 0;
        for (int size : sizes) {
            sum += size;
        }
        return sum > (long) rate * Quake2Endpoint.TICKS_OF_FRAME / every;
    }

    private void transmit(long now, int frame, Writer packet) {
        lastSent = now;
        sizes[frame % sizes.length] = packet.position();
        endpoint.send(address, packet.array(), packet.position());
    }

    /** Tells the client that the server ends, in two packets that may be lost. */
    void closing(String reason) {
        unreliable.reset();
        Quake2Codec.write(unreliable, new Print(Print.HIGH, reason + "\n"));
        Quake2Codec.write(unreliable, ServerMessage.Signal.DISCONNECT);
        for (int i = 0; i < 2; i++) {
            Writer packet = netchan.send(unreliable.array(), unreliable.position());
            endpoint.send(address, packet.array(), packet.position());
        }
    }

    @Override
    public void joined(Player other) {}

    @Override
    public void left(Player other) {
        if (phase == Phase.SPAWNED) {
            print(Print.HIGH, Roster.name(other.name()) + " left the game");
        }
    }

    @Override
    public void spawned(Player other) {}

    @Override
    public void despawned(Player other) {}

    @Override
    public void moved(List<Player> movers) {}

    @Override
    public void said(Player speaker, String text) {
        if (phase == Phase.SPAWNED) {
            print(Print.CHAT, Roster.name(speaker.name()) + ": " + Roster.text(text, MOST_CHAT));
        }
    }

    @Override
    public void renamed(Player other, String oldName) {
        if (phase == Phase.SPAWNED) {
            String text = Roster.name(oldName) + " is now " + Roster.name(other.name());
            print(Print.HIGH, text);
        }
    }

    @Override
    public void announced(String text) {
        print(Print.HIGH, Roster.text(text, MOST_CHAT));
    }
}
