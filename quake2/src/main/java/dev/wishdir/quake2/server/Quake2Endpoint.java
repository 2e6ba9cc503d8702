package dev.wishdir.quake2.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.Serving;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.Addresses;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.HalfOpen;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake2.map.Level;
import dev.wishdir.quake2.map.Levels;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.movement.Bodies;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.Md4;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Glyphs;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.function.Predicate;

/**
 * The server of Quake II: unmodified clients of protocol 34 join the arena through it. Commands run
 * as they come; every tenth of a second each client is sent a frame, a delta of the newest one that
 * it has, in which everyone in the arena is a player of this game.
 */
public final class Quake2Endpoint implements Endpoint {
    /** The most frames a second, for clients that ask for more than the game's ten. */
    public static final int MOST_FRAMES = 60;

    /** How often a client may be sent a frame. */
    static final int TICKS_A_SECOND = MOST_FRAMES;

    /** Ticks from one of the game's frames to the next. */
    static final int TICKS_OF_FRAME = 6;

    private static final long FRAME = 100_000_000;
    private static final long TIMEOUT = 90_000_000_000L;
    private static final long ENTER_TIMEOUT = 300_000_000_000L;
    private static final long UNHEARD_TIMEOUT = 10_000_000_000L;
    private static final long ZOMBIE = 2_000_000_000;

    /** How long who has not named the number of the map may take to. */
    private static final long PROOF_TIMEOUT = 30_000_000_000L;

    private static final int MOST_HALF_OPEN = 128;

    /** Characters of a setting of a map. */
    private static final int MOST_SETTING = 63;

    private static final int CS_SKY = 2;
    private static final int CS_AIRACCEL = 29;
    private static final int CS_MAXCLIENTS = 30;
    private static final int CS_CHECKSUM = 31;
    private static final int CS_MODELS = 32;
    private static final int CS_LIGHTS = 800;
    private static final int CS_SKINS = 1312;

    private final Serving serving;
    private final Levels levels;
    private final Connectionless connectionless;
    private final Attendance attendance = new Attendance(this);
    private final Roster roster = new Roster();
    private final Map<InetSocketAddress, Quake2Session> sessions = new LinkedHashMap<>();

    /** Those who have a player: all others in the arena are foreign, whatever they play. */
    private final Map<PlayerId, Quake2Session> clients = new HashMap<>();

    private final HalfOpen<Quake2Session> halfOpen;
    private final Map<Integer, String> configStrings = new LinkedHashMap<>();
    private final ArenaListener listener = this::told;
    private final UdpSocket socket;
    private Level level;
    private Scene scene;
    private final int mostFrames;
    private int tick;
    private int step = TICKS_OF_FRAME;
    private int spawns;
    private long nextTick;
    private boolean started;
    private boolean closed;

    /**
     * Opens the server.
     *
     * @param mostFrames frames a second, 10 to {@link #MOST_FRAMES}, for clients that ask for more
     *     than ten
     * @throws IOException if the port can't be bound or the map can't be read
     */
    public Quake2Endpoint(Serving serving, Levels levels, int mostFrames) throws IOException {
        this.serving = serving;
        this.mostFrames = mostFrames;
        this.levels = levels;
        connectionless = new Connectionless(serving, this);
        halfOpen = serving.addresses().halfOpen(MOST_HALF_OPEN);
        level = levels.load(serving.map());
        scene = new Scene(level.areaBytes());
        describe();
        socket = serving.cycle().open(serving.address(), new Handler());
        serving.arena().play(now(), Quake2Codec.GAME, level.played());
        serving.arena().observe(listener);
    }

    private final class Handler implements DatagramHandler {
        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            Quake2Endpoint.this.receive(now, from, data);
        }

        @Override
        public long advance(long now) {
            return Quake2Endpoint.this.advance(now);
        }
    }

    /** What everyone in the arena looks like changes with it. */
    private void told(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Left e -> disappear(e.player());
            case ArenaEvent.Renamed e -> dress(e.player());
            case ArenaEvent.Restyled e -> dress(e.player());
            default -> {}
        }
    }

    /** Gives somebody who plays another game, or elsewhere, a number and a skin. */
    private void appear(Player player) {
        roster.take()
                .ifPresent(slot -> {
                    roster.bind(player.id(), slot);
                    dress(player);
                });
    }

    /** Nobody any more has a player's number, unless it is that of a client: it keeps its own. */
    private void disappear(Player player) {
        int slot = roster.unbind(player.id());
        if (slot >= 0) {
            configure(CS_SKINS + slot, "");
            roster.free(slot);
        }
    }

    private void dress(Player player) {
        int slot = roster.slot(player.id());
        if (slot >= 0) {
            configure(CS_SKINS + slot, roster.skin(player));
        }
    }

    @Override
    public InetSocketAddress address() {
        return socket.local();
    }

    @Override
    public void close(String reason) {
        if (closed) {
            return;
        }
        closed = true;
        for (Quake2Session session : List.copyOf(sessions.values())) {
            session.closing(reason);
            remove(session, Departure.CLOSED);
        }
        serving.arena().ignore(listener);
        socket.close();
    }

    Arena arena() {
        return serving.arena();
    }

    Level level() {
        return level;
    }

    int mostFrames() {
        return mostFrames;
    }

    /** A number of the map for one client, which only it is told. */
    int newServerCount() {
        return serving.random().nextInt() & Integer.MAX_VALUE;
    }

    /** A configstring of the map, empty where there is none. */
    String configString(int index) {
        return configStrings.getOrDefault(index, "");
    }

    void count(String what) {
        count(what, 1);
    }

    void count(String what, int times) {
        serving.counters().add("quake2." + what, times);
    }

    void send(InetSocketAddress to, byte[] data, int length) {
        socket.send(to, data, 0, length);
    }

    /** Sends to somebody who has not proved to receive it, as far as the budget goes. */
    void sendUnproven(long now, InetSocketAddress to, byte[] data, int length) {
        if (serving.addresses().budget().spend(now, to.getAddress(), length)) {
            send(to, data, length);
        } else {
            count("drop.budget");
        }
    }

    private void describe() {
        Bytes file = level.file();
        configStrings.clear();
        configStrings.put(0, Glyphs.line(level.title(), MOST_SETTING));
        configStrings.put(CS_SKY, Glyphs.line(level.sky(), MOST_SETTING));
        configStrings.put(CS_AIRACCEL, "0");
        configStrings.put(CS_MAXCLIENTS, Integer.toString(Scene.MOST));
        configStrings.put(CS_CHECKSUM, Integer.toString(Md4.fold(file.toArray(), file.length())));
        configStrings.put(CS_MODELS + 1, level.path());
        for (int i = 1; i <= level.inlineModels(); i++) {
            configStrings.put(CS_MODELS + 1 + i, "*" + i);
        }
        configStrings.put(CS_LIGHTS, "m");
        serving.arena().players().forEach(this::dress);
    }

    private void configure(int index, String text) {
        if (text.isEmpty()) {
            configStrings.remove(index);
        } else {
            configStrings.put(index, text);
        }
        for (Quake2Session session : List.copyOf(sessions.values())) {
            session.configure(index);
        }
    }

    private void receive(long now, InetSocketAddress from, byte[] data) {
        if (data.length > Netchan.MOST_PACKET || from.getPort() == 0) {
            count("drop.size");
            return;
        }
        Optional<OutOfBand> outOfBand = OutOfBand.of(data);
        if (outOfBand.isPresent()) {
            connectionless.receive(now, from, outOfBand.get());
            return;
        }
        if (data.length < 10) {
            count("drop.short");
            return;
        }
        NetchanHeader header = NetchanHeader.wire(new Reader(data), NetchanHeader.FROM_CLIENT);
        Quake2Session session = sessions.get(from);
        if (session == null) {
            session = moved(now, from, header);
        }
        if (session == null || session.qport != header.qport()) {
            count("drop.unknown");
            return;
        }
        session.receive(now, data);
        session.answer(now);
    }

    /** The client that has another port of its address now, as a router may give it. */
    private @Nullable Quake2Session moved(long now, InetSocketAddress from, NetchanHeader header) {
        for (Quake2Session session : sessions.values()) {
            if (session.qport == header.qport()
                    && session.address.getAddress().equals(from.getAddress())
                    && session.mayMove(now, header)) {
                count("moved");
                sessions.remove(session.address);
                session.address = from;
                sessions.put(from, session);
                return session;
            }
        }
        return null;
    }

    /**
     * Takes a client in that has proved its address.
     *
     * @return why not, empty if it is in
     */
    Optional<String> accept(
            long now, InetSocketAddress from, int qport, int challenge, InfoString userInfo) {
        Quake2Session before = sessions.get(from);
        if (before != null) {
            remove(before, Departure.LEFT);
        }
        silent(now, from, session -> session.qport == qport)
                .ifPresent(same -> remove(same, Departure.TIMED_OUT));
        Addresses.Place place = serving.addresses().enter(from.getAddress());
        if (place == null || isFull()) {
            // Who comes back is not kept out by what was left of him.
            silent(now, from, _ -> true).ifPresent(gone -> remove(gone, Departure.TIMED_OUT));
            place = place == null ? serving.addresses().enter(from.getAddress()) : place;
        }
        if (place == null) {
            return Optional.of("Too many connections from your address.");
        }
        OptionalInt slot = isFull() ? OptionalInt.empty() : roster.take();
        if (slot.isEmpty()) {
            place.leave();
            return Optional.of("Server is full.");
        }
        Quake2Session session =
                new Quake2Session(
                        this, from, place, slot.getAsInt(), qport, challenge, userInfo, now);
        sessions.put(from, session);
        serving.memory().add(session);
        Quake2Session gone = halfOpen.add(from.getAddress(), session);
        if (gone != null) {
            remove(gone, Departure.TIMED_OUT);
        }
        return Optional.empty();
    }

    private boolean isFull() {
        return arena().isFull()
                || sessions.values().stream().filter(Quake2Session::isProven).count()
                        >= serving.maxPlayers();
    }

    /** Who of an address has been silent the longest, so long that nobody sees him any more. */
    private Optional<Quake2Session> silent(
            long now, InetSocketAddress of, Predicate<Quake2Session> which) {
        return sessions.values().stream()
                .filter(session -> session.address.getAddress().equals(of.getAddress()))
                .filter(session -> now - session.lastHeard >= Arena.SILENCE)
                .filter(which)
                .min(Comparator.comparingLong(session -> session.lastHeard));
    }

    /** A client has named the number that it was sent. */
    void proved(Quake2Session session) {
        halfOpen.remove(session);
        // Who came in meanwhile may have taken the last place.
        if (isFull() && session.player().isEmpty()) {
            drop(session, "Server is full.");
        }
    }

    /** The client of an address. */
    Optional<Quake2Session> session(InetSocketAddress address) {
        return Optional.ofNullable(sessions.get(address));
    }

    Collection<Quake2Session> sessions() {
        return sessions.values();
    }

    /** The settings that clients and server lists may know. */
    InfoString serverInfo() {
        SequencedMap<String, String> info = new LinkedHashMap<>();
        info.put("hostname", Glyphs.value(serving.name(), 63));
        info.put("mapname", level.name());
        info.put("protocol", Integer.toString(Quake2Codec.PROTOCOL));
        info.put("maxclients", Integer.toString(serving.maxPlayers()));
        info.put("deathmatch", "1");
        info.put("gamename", "baseq2");
        info.put("needpass", serving.password().isEmpty() ? "0" : "1");
        info.put("version", "Wishdir");
        return InfoString.of(info);
    }

    /** The slot by which clients know a player, -1 for one who found none free. */
    int slot(PlayerId player) {
        return roster.slot(player);
    }

    /** What program a player says to play with; empty for who has no session here. */
    String program(PlayerId player) {
        Quake2Session session = clients.get(player);
        return session == null ? "" : session.version();
    }

    /** Who is here, of all games. */
    Attendance attendance() {
        return attendance;
    }

    /**
     * Plays another map, with all who are here.
     *
     * @return what to tell the operator
     */
    String changeMap(String name) {
        Level next;
        try {
            next = levels.load(name);
        } catch (IOException e) {
            return "cannot load the map: " + e.getMessage();
        }
        level = next;
        arena().play(now(), Quake2Codec.GAME, level.played());
        scene = new Scene(level.areaBytes());
        describe();
        for (Quake2Session session : List.copyOf(sessions.values())) {
            session.changeMap(now());
        }
        return "playing " + level.name();
    }

    /** A file that clients may have: that of the map, and no other. */
    Optional<Bytes> download(String path) {
        return path.equals(level.path()) ? Optional.of(level.file()) : Optional.empty();
    }

    /** Brings a client into the arena, if it has room. */
    Optional<PlayerId> join(long now, Quake2Session session, String name, String skin) {
        if (arena().isFull()) {
            return Optional.empty();
        }
        Player player = arena().join(now, Quake2Codec.GAME, name, session);
        roster.bind(player.id(), session.slot);
        roster.wear(player.id(), skin);
        dress(player);
        clients.put(player.id(), session);
        return Optional.of(player.id());
    }

    /** A client wishes for another skin. */
    void wear(long now, PlayerId player, String skin) {
        if (roster.wear(player, skin)) {
            arena().restyle(now, player);
        }
    }

    /** Where the next body appears: in nobody else's, as long as there is such a place. */
    Movement spawnPoint(Quake2Session session) {
        Movement place = level.spawns().getFirst();
        for (int i = 0; i < level.spawns().size(); i++) {
            place = level.spawns().get(Math.floorMod(spawns++, level.spawns().size()));
            PlayerState there = Quake2Motion.toNative(place);
            if (isFree(session, there)) {
                break;
            }
        }
        return place;
    }

    private boolean isFree(Quake2Session session, PlayerState place) {
        for (Quake2Session other : sessions.values()) {
            if (other != session && other.isInTheWay() && Bodies.meet(place, other.state())) {
                return false;
            }
        }
        return true;
    }

    /** The bodies of this game's other players that are at most so far away, in eighths. */
    List<PlayerState> bodiesNear(Quake2Session session, int reach) {
        List<PlayerState> near = new ArrayList<>();
        for (Quake2Session other : sessions.values()) {
            if (other != session
                    && Bodies.isNear(session.state(), other.state(), reach)
                    && other.isInTheWay()) {
                near.add(other.state());
            }
        }
        return near;
    }

    /** Sends a client away with a reason. */
    void drop(Quake2Session session, String reason) {
        if (session.phase != Quake2Session.Phase.ZOMBIE) {
            count("dropped");
            session.dismiss(reason);
            session.lastHeard = now();
            leave(session, Departure.sentAway(reason));
        }
    }

    /** Forgets a client. */
    void remove(Quake2Session session, Departure why) {
        if (sessions.remove(session.address, session)) {
            session.phase = Quake2Session.Phase.ZOMBIE;
            halfOpen.remove(session);
            session.place.leave();
            serving.memory().remove(session);
            leave(session, why);
            roster.free(session.slot);
        }
    }

    private void leave(Quake2Session session, Departure why) {
        session.player()
                .ifPresent(player -> {
                    clients.remove(player);
                    if (roster.unbind(player) >= 0) {
                        configure(CS_SKINS + session.slot, "");
                    }
                    arena().leave(now(), player, why);
                });
    }

    long now() {
        return serving.cycle().now();
    }

    private long advance(long now) {
        if (!started || now < nextTick - 10 * FRAME || now > nextTick + 10 * FRAME) {
            started = true;
            nextTick = now + step * FRAME / TICKS_OF_FRAME;
            return nextTick;
        }
        if (now >= nextTick) {
            tick += step;
            if (tick % TICKS_OF_FRAME == 0) {
                expire(now);
            }
            compose();
            for (Quake2Session session : List.copyOf(sessions.values())) {
                session.tick(now, tick, scene);
            }
            boolean fast = sessions.values().stream().anyMatch(Quake2Session::isFast);
            step = fast ? 1 : TICKS_OF_FRAME - tick % TICKS_OF_FRAME;
            nextTick += step * FRAME / TICKS_OF_FRAME;
        }
        return sessions.isEmpty() ? Duty.NEVER : nextTick;
    }

    private void expire(long now) {
        for (Quake2Session session : List.copyOf(sessions.values())) {
            long silent = now - session.lastHeard;
            boolean gone =
                    switch (session.phase) {
                        case ZOMBIE -> silent > ZOMBIE;
                        case SPAWNED -> silent > TIMEOUT;
                        case CONNECTED ->
                                silent > (session.heard ? TIMEOUT : UNHEARD_TIMEOUT)
                                        || now - session.connected
                                                        > (session.isProven()
                                                                ? ENTER_TIMEOUT
                                                                : PROOF_TIMEOUT)
                                                && session.player().isEmpty();
                    };
            if (gone) {
                if (session.phase != Quake2Session.Phase.ZOMBIE) {
                    count("timeout");
                }
                remove(session, Departure.TIMED_OUT);
            }
        }
    }

    private void compose() {
        scene.begin();
        for (Player player : arena().players()) {
            if (roster.slot(player.id()) < 0) {
                appear(player);
            }
            int slot = roster.slot(player.id());
            if (slot >= 0 && player.spawned()) {
                scene.put(
                        slot + 1,
                        Body.seen(
                                player,
                                slot,
                                tick / TICKS_OF_FRAME,
                                clients.containsKey(player.id())));
            }
        }
    }
}
