package dev.wishdir.quake2.server;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Deed;
import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.Viewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.Addresses;
import dev.wishdir.net.Allowance;
import dev.wishdir.net.Debtor;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.ServerMessage.Download;
import dev.wishdir.quake2.message.ServerMessage.Inventory;
import dev.wishdir.quake2.message.ServerMessage.Layout;
import dev.wishdir.quake2.message.ServerMessage.Print;
import dev.wishdir.quake2.message.ServerMessage.StuffText;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.Quake2Movement;
import dev.wishdir.quake2.movement.Walker;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.MoveChecksum;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.netchan.Words;
import dev.wishdir.quake2.protocol.Glyphs;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** One client of the endpoint, from its accepted {@code connect} until it is gone. */
final class Quake2Session implements Viewer, Debtor {
    private static final int MOST_COMMANDS = 7;

    /** Reliable bytes in a packet that has a frame, too. */
    private static final int MOST_BESIDE_FRAME = 600;

    /** What a frame may need beside its entities. */
    private static final int LEAST_FRAME_ROOM = 250;

    /** Characters of a list of players. */
    private static final int MOST_LIST = 900;

    private static final int MOST_VERSION = 60;

    private static final long KEEPALIVE = 1_000_000_000;
    private static final long HOUR = 3_600_000_000_000L;

    /** Frames of the game's ten a second from one report of the ping to the next. */
    private static final int PINGS = 10;

    /** How far ahead the first packet from another port may be. */
    private static final int MOST_AHEAD = 32;

    /** How often packets from other ports are looked at. */
    private static final double MOVES = 3;

    private static final double MOVES_A_SECOND = 0.1;

    /** How far a client has come. */
    enum Phase {
        /** It is being told of the map. */
        CONNECTED,
        /** It is in the game. */
        SPAWNED,
        /** It was sent away; the last reliable message may still be on its way. */
        ZOMBIE
    }

    final Addresses.Place place;
    final int slot;
    final int qport;
    final int challenge;
    final long connected;
    InetSocketAddress address;
    long lastHeard;
    boolean heard;
    Phase phase = Phase.CONNECTED;

    private final Quake2Endpoint endpoint;
    private final Line line = new Line();
    private final Netchan netchan = line.netchan();
    private final FrameSender frames = new FrameSender();
    private final Walker walker = new Walker();
    private final Overlay overlay = new Overlay();
    private final SignOn signOn;
    private final Writer unreliable = new Writer(Netchan.MOST_PACKET);
    private final FileTransfer download = new FileTransfer();
    private final int every;
    private final int[] sizes;
    private final Ping ping = new Ping();
    private final Allowance moves = new Allowance(MOVES, MOVES_A_SECOND);
    private Optional<PlayerId> player = Optional.empty();
    private InfoString userInfo;
    private int lastFrame = -1;
    private int suppressed;
    private long lastSent;
    private String version = "";
    private boolean counted;

    Quake2Session(
            Quake2Endpoint endpoint,
            InetSocketAddress address,
            Addresses.Place place,
            int slot,
            int qport,
            int challenge,
            InfoString userInfo,
            long now) {
        this.endpoint = endpoint;
        this.address = address;
        this.place = place;
        this.slot = slot;
        this.qport = qport;
        this.challenge = challenge;
        this.userInfo = userInfo;
        connected = now;
        int wished = Math.clamp(userInfo.number("frames", 10), 10, endpoint.mostFrames());
        every = Math.ceilDiv(Quake2Endpoint.TICKS_A_SECOND, wished);
        sizes = new int[Quake2Endpoint.TICKS_A_SECOND / every];
        signOn = new SignOn(endpoint, slot, sizes.length);
        lastHeard = now;
        lastSent = now;
    }

    Optional<PlayerId> player() {
        return player;
    }

    /** Its player as the arena has it. */
    private Optional<Player> body() {
        return player.flatMap(endpoint.arena()::find);
    }

    /** Where it is in the game. */
    PlayerState state() {
        return walker.state();
    }

    /** Whether it has a body that stands in others' way. */
    boolean isInTheWay() {
        return phase == Phase.SPAWNED
                && state().pmType() == PlayerState.NORMAL
                && body().filter(Player::spawned).isPresent();
    }

    String name() {
        return body().map(Player::name).orElseGet(this::wishedName);
    }

    private String wishedName() {
        return Glyphs.plain(userInfo.get("name"));
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
    private void event(ServerMessage... messages) {
        if (phase != Phase.ZOMBIE && !line.event(messages)) {
            endpoint.drop(this, "overflow");
        }
    }

    /** One of the map's descriptions changed, which matters to those who have them. */
    void configure(int index) {
        if (signOn.hasBegun() && phase != Phase.ZOMBIE) {
            line.state(index, () -> List.of(new ConfigString(index, endpoint.configString(index))));
        }
    }

    /** It is sent away; the reason is the last that it is told. */
    void dismiss(String reason) {
        line.clear();
        event(News.line(reason), ServerMessage.Signal.DISCONNECT);
        phase = Phase.ZOMBIE;
    }

    /** Whether it has named a number that only a receiver of what it was sent can know. */
    boolean isProven() {
        return signOn.isProven() && phase != Phase.ZOMBIE;
    }

    /**
     * Whether a packet from another port continues what came: it has the next numbers, which others
     * behind the same address do not know, and nobody may try them all.
     */
    boolean mayMove(long now, NetchanHeader header) {
        return isProven()
                && moves.take(now)
                && header.sequence() > netchan.incoming()
                && header.sequence() - netchan.incoming() <= MOST_AHEAD
                && header.ack() >= netchan.acknowledged()
                && header.ack() < netchan.nextSequence();
    }

    /** Takes in a packet of this client. */
    void receive(long now, byte[] data) {
        Reader r = new Reader(data);
        if (!line.receive(r)) {
            endpoint.count("stale");
            return;
        }
        heard = true;
        if (phase == Phase.ZOMBIE) {
            return;
        }
        lastHeard = now;
        player.ifPresent(body -> endpoint.arena().heard(now, body));
        if (netchan.isNotAcknowledging(now)) {
            endpoint.drop(this, "You do not acknowledge what you are sent.");
            return;
        }
        try {
            messages(now, r, data);
        } catch (MalformedPacketException e) {
            endpoint.count("malformed");
            endpoint.drop(this, "bad message: " + e.field());
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
                case ClientMessage.UserInfo info -> userInfo(now, info.text().value());
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
        int refused =
                walker.run(
                        now,
                        move,
                        netchan.dropped(),
                        endpoint.level().physics(),
                        reach -> endpoint.bodiesNear(this, reach));
        endpoint.count("time-budget", refused);
        player.ifPresent(body -> {
            endpoint.arena()
                    .move(
                            now,
                            body,
                            Quake2Motion.toCanonical(state()),
                            new Quake2Movement(state()));
            if (walker.ahead() > 0 && !counted) {
                counted = true;
                endpoint.count("speeding");
                double ahead = walker.ahead();
                endpoint.arena()
                        .judged(now, body, "ms ahead of the clock", ahead, Walker.MOST_AHEAD);
            }
        });
        return true;
    }

    private void acknowledge(long now, int frame) {
        if (frame > lastFrame && frame > 0) {
            ping.acknowledged(frame, now);
        }
        lastFrame = frame;
    }

    private void userInfo(long now, String text) {
        Optional<InfoString> parsed = InfoString.parse(text);
        if (text.isEmpty() || parsed.isEmpty()) {
            endpoint.count("userinfo");
            return;
        }
        InfoString before = userInfo;
        userInfo = parsed.get();
        player.ifPresent(present -> {
            // Each change of any setting brings all of them: only what is another is paid for.
            if (differs(before, "name")) {
                endpoint.arena().rename(now, present, wishedName());
            }
            if (differs(before, "skin")) {
                endpoint.wear(now, present, userInfo.get("skin"));
            }
            if (differs(before, "spectator")) {
                endpoint.arena().change(now, present, "spectator", this::watchOrPlay);
            }
        });
    }

    private boolean differs(InfoString before, String key) {
        return !before.get(key).equals(userInfo.get(key));
    }

    private void watchOrPlay(long now) {
        if (phase == Phase.SPAWNED && walker.watches() != isSpectator()) {
            spawn(now);
        }
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
        switch (words.getFirst()) {
            case "new" -> begin();
            case "configstrings" ->
                    inMap(
                            words,
                            number(words, 2),
                            start -> answer(words, () -> signOn.configStrings(start)));
            case "baselines" ->
                    inMap(words, number(words, 2), _ -> answer(words, signOn::precache));
            case "begin" -> inMap(words, OptionalInt.of(0), _ -> enter(now));
            case "disconnect" -> endpoint.remove(this, Departure.LEFT);
            case "download" -> download(words);
            case "nextdl" -> {
                download.ask();
                answer(words, this::nextBlock);
            }
            case "say", "say_team" -> say(now, Words.afterFirst(line));
            case "kill" -> kill(now);
            case SignOn.VERSION_PROBE -> {
                if (words.size() > 2 && words.get(1).equals("version")) {
                    version =
                            Glyphs.line(
                                    Glyphs.plain(Words.afterFirst(Words.afterFirst(line))),
                                    MOST_VERSION);
                }
            }
            case "info" -> answer(words, () -> lines(endpoint.serverInfo().toString()));
            case "players" -> {
                int first = number(words, 1).orElse(0);
                answer(words, () -> lines(endpoint.attendance().list("players", first, MOST_LIST)));
            }
            case "score", "help" -> inGame(overlay::toggleScores, this::board);
            case "inven" -> inGame(overlay::toggleInventory, () -> List.of(Inventory.BLANK));
            case "putaway" -> overlay.putAway();
            default -> endpoint.count("command");
        }
    }

    /** Puts something over the view of who is in the game, and tells it where it is now there. */
    private void inGame(BooleanSupplier toggle, Supplier<List<? extends ServerMessage>> what) {
        if (phase == Phase.SPAWNED && toggle.getAsBoolean()) {
            line.state("overlay", what);
        }
    }

    private List<Layout> board() {
        return player.map(viewer ->
                        List.of(new Layout(endpoint.attendance().board(endpoint.now(), viewer))))
                .orElse(List.of());
    }

    /** Answers a command once, however often it came before there was room for the answer. */
    private void answer(List<String> words, Supplier<List<? extends ServerMessage>> what) {
        line.state(words.getFirst(), what);
    }

    private static List<Print> lines(String text) {
        return List.of(News.line(text));
    }

    private static OptionalInt number(List<String> words, int index) {
        return index < words.size() ? Numbers.parse(words.get(index)) : OptionalInt.empty();
    }

    private void inMap(List<String> words, OptionalInt start, IntConsumer command) {
        if (phase != Phase.CONNECTED) {
            return;
        }
        boolean wasProven = signOn.isProven();
        if (!signOn.names(number(words, 1))) {
            begin();
            return;
        }
        if (!wasProven) {
            endpoint.proved(this);
        }
        if (phase != Phase.CONNECTED) {
            return;
        }
        if (start.isEmpty() || start.getAsInt() < 0 || start.getAsInt() >= ConfigString.COUNT) {
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
        line.clear();
        download.stop();
        signOn.begin();
        walker.forget();
        lastFrame = -1;
        line.state("new", signOn::serverData);
    }

    private void enter(long now) {
        if (player.isEmpty()) {
            player = endpoint.join(now, this, wishedName(), userInfo.get("skin"));
            if (player.isEmpty()) {
                endpoint.drop(this, "Server is full.");
                return;
            }
        }
        phase = Phase.SPAWNED;
        frames.reset();
        spawn(now);
        event(News.entered(name()));
    }

    private void kill(long now) {
        if (phase == Phase.SPAWNED
                && !isSpectator()
                && player.filter(body -> endpoint.arena().allows(now, body, Deed.LIFE, 1))
                        .isPresent()) {
            spawn(now);
        }
    }

    private void spawn(long now) {
        overlay.putAway();
        Movement where = endpoint.spawnPoint(this);
        walker.place(where, isSpectator());
        player.ifPresent(body -> {
            if (walker.watches()) {
                endpoint.arena().despawn(now, body);
            } else {
                endpoint.arena().spawn(now, body, where);
                endpoint.arena().move(now, body, where, new Quake2Movement(state()));
            }
        });
    }

    private void say(long now, String line) {
        String text = Glyphs.plain(line);
        if (text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")) {
            text = text.substring(1, text.length() - 1);
        }
        if (phase != Phase.SPAWNED || player.isEmpty()) {
            return;
        }
        if (endpoint.arena().say(now, player.get(), text)) {
            News.chat(name(), text).ifPresent(this::event);
        }
    }

    private void download(List<String> words) {
        Optional<Bytes> file =
                words.size() < 2 ? Optional.empty() : endpoint.download(words.get(1));
        int offset = words.size() < 3 ? 0 : Numbers.parse(words.get(2)).orElse(-1);
        if (file.isEmpty() || offset < 0 || offset > file.get().length()) {
            endpoint.count("download");
            download.stop();
            answer(words, () -> List.of(Download.REFUSED));
            return;
        }
        download.start(file.get(), offset);
        answer(words, this::nextBlock);
    }

    private List<Download> nextBlock() {
        return download.next().stream().toList();
    }

    /** Another map begins: the client has to be told of it. */
    void changeMap(long now) {
        boolean knewAMap = signOn.hasBegun();
        signOn.nextMap();
        if (phase == Phase.ZOMBIE || !knewAMap) {
            return;
        }
        phase = Phase.CONNECTED;
        player.ifPresent(body -> endpoint.arena().despawn(now, body));
        frames.reset();
        lastFrame = -1;
        download.stop();
        line.clear();
        line.state("map", () -> List.of(new StuffText("changing\n"), new StuffText("reconnect\n")));
    }

    /** Whether it is sent more than the ten frames a second of the game. */
    boolean isFast() {
        return every < Quake2Endpoint.TICKS_OF_FRAME;
    }

    /** Time has passed: sends a frame where it is the client's turn, or what else there is. */
    void tick(long now, int tick, Scene scene) {
        boolean frame = tick % Quake2Endpoint.TICKS_OF_FRAME == 0;
        if (frame) {
            walker.frame(tick / Quake2Endpoint.TICKS_OF_FRAME);
            if (tick / Quake2Endpoint.TICKS_OF_FRAME % PINGS == 0) {
                player.ifPresent(id -> endpoint.arena().ping(id, ping.mean()));
            }
            if (overlay.isDue(tick / Quake2Endpoint.TICKS_OF_FRAME)) {
                line.state("overlay", this::board);
            }
        }
        if (phase == Phase.SPAWNED && tick % every == 0) {
            frame(now, tick / every, scene);
        } else if (phase != Phase.SPAWNED && frame && mustSend(now)) {
            send(now, 0);
        }
    }

    private void frame(long now, int number, Scene scene) {
        line.fill(MOST_BESIDE_FRAME);
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
        PlayerState seen = overlay.over(state());
        if (frames.write(unreliable, number, scene, shown(), lastFrame, suppressed, seen, room)
                > 0) {
            endpoint.count("entities-deferred");
        }
        suppressed = 0;
        ping.sent(number, now);
        transmit(now, number, netchan.send(unreliable.array(), unreliable.position()));
    }

    /** The numbers of the entities that it is to see: its own, and those that the arena says. */
    private BitSet shown() {
        BitSet shown = new BitSet(Scene.MOST + 1);
        shown.set(slot + 1);
        player.ifPresent(id -> {
            for (Player other : endpoint.arena().shown(id)) {
                shown.set(endpoint.slot(other.id()) + 1);
            }
        });
        return shown;
    }

    /** Answers at once while the client is not yet in the game. */
    void answer(long now) {
        if (phase == Phase.CONNECTED && !line.isTold()) {
            send(now, 0);
        }
    }

    private boolean mustSend(long now) {
        return !line.isQuiet() || now - lastSent >= KEEPALIVE;
    }

    private void send(long now, int frame) {
        line.fill(Netchan.MOST_RELIABLE);
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
        if (signOn.isProven()) {
            endpoint.send(address, packet.array(), packet.position());
        } else {
            endpoint.sendUnproven(now, address, packet.array(), packet.position());
        }
    }

    /** Tells the client that the server ends, in two packets that may be lost. */
    void closing(String reason) {
        unreliable.reset();
        Quake2Codec.write(unreliable, News.line(reason));
        Quake2Codec.write(unreliable, ServerMessage.Signal.DISCONNECT);
        for (int i = 0; i < 2; i++) {
            Writer packet = netchan.send(unreliable.array(), unreliable.position());
            endpoint.send(address, packet.array(), packet.position());
        }
    }

    @Override
    public long held() {
        return line.held();
    }

    @Override
    public void end(long now, String reason) {
        endpoint.drop(this, reason);
    }

    @Override
    public String toString() {
        return "Quake II client " + Glyphs.name(name()) + " of " + address;
    }

    @Override
    public boolean isBehind() {
        return line.isBehind();
    }

    @Override
    public int places() {
        return FrameSender.MOST_ENTITIES - 1;
    }

    /** {@inheritDoc} Its frames look by themselves. */
    @Override
    public long relayInterval() {
        return HOUR;
    }

    @Override
    public void moved(List<Player> movers) {}

    @Override
    public void told(ArenaEvent event) {
        if (event instanceof ArenaEvent.Dismissed dismissed) {
            endpoint.drop(this, dismissed.reason());
        } else if (phase == Phase.SPAWNED || event instanceof ArenaEvent.Announced) {
            News.of(event).ifPresent(this::event);
        }
    }
}
