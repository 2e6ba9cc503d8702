package dev.wishdir.quake2;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.Serving;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/**
 * The server of Quake II: unmodified clients of protocol 34 join the arena through it. Commands run
 * as they come; every tenth of a second each client is sent a frame, a delta of the newest one that
 * it has, in which everyone in the arena is a player of this game.
 */
public final class Quake2Endpoint implements Endpoint {
    /** How often clients that ask for more than the game's ten frames a second may be sent one. */
    static final int TICKS_A_SECOND = 40;

    /** Ticks from one of the game's frames to the next. */
    static final int TICKS_OF_FRAME = 4;

    private static final long TICK = 1_000_000_000 / TICKS_A_SECOND;
    private static final long FRAME = TICK * TICKS_OF_FRAME;
    private static final long TIMEOUT = 90_000_000_000L;
    private static final long ENTER_TIMEOUT = 300_000_000_000L;
    private static final long UNHEARD_TIMEOUT = 10_000_000_000L;
    private static final long ZOMBIE = 2_000_000_000;
    private static final int MOST_OF_ADDRESS = 8;

    private static final int CS_SKY = 2;
    private static final int CS_AIRACCEL = 29;
    private static final int CS_MAXCLIENTS = 30;
    private static final int CS_CHECKSUM = 31;
    private static final int CS_MODELS = 32;
    private static final int CS_LIGHTS = 800;
    private static final int CS_SKINS = 1312;

    private record Key(InetAddress address, int qport) {}

    private final Serving serving;
    private final Levels levels;
    private final Connectionless connectionless;
    private final Roster roster = new Roster();
    private final Map<Key, Quake2Session> sessions = new LinkedHashMap<>();
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
     * @param mostFrames frames a second, 10 to 40, for clients that ask for more than ten
     * @throws IOException if the port can't be bound or the map can't be read
     */
    Quake2Endpoint(Serving serving, Levels levels, int mostFrames) throws IOException {
        this.serving = serving;
        this.mostFrames = mostFrames;
        this.levels = levels;
        connectionless = new Connectionless(serving, this);
        level = levels.load(serving.map());
        scene = new Scene(level.areaBytes());
        describe();
        serving.arena().observe(listener);
        socket = serving.cycle().open(serving.address(), new Handler());
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
        serving.counters().count("quake2." + what);
    }

    void send(InetSocketAddress to, byte[] data, int length) {
        socket.send(to, data, 0, length);
    }

    private void describe() {
        configStrings.clear();
        configStrings.put(0, level.title());
        configStrings.put(CS_SKY, level.sky());
        configStrings.put(CS_AIRACCEL, "0");
        configStrings.put(CS_MAXCLIENTS, Integer.toString(Scene.MOST));
        configStrings.put(CS_CHECKSUM, Integer.toString(level.checksum()));
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
        int qport = data[8] & 0xFF | (data[9] & 0xFF) << 8;
        Quake2Session session = sessions.get(new Key(from.getAddress(), qport));
        if (session == null) {
            count("drop.unknown");
            return;
        }
        session.receive(now, from, data);
        session.answer(now);
    }

    /** How many of its clients are in the game. */
    int entered() {
        int count = 0;
        for (Quake2Session session : sessions.values()) {
            count += session.phase == Quake2Session.Phase.SPAWNED ? 1 : 0;
        }
        return count;
    }

    /**
     * Takes a client in.
     *
     * @return why not, empty if it is in
     */
    Optional<String> accept(
            long now, InetSocketAddress from, int qport, int challenge, InfoString userInfo) {
        for (Quake2Session session : List.copyOf(sessions.values())) {
            boolean sameClient =
                    session.address.getAddress().equals(from.getAddress())
                            && (session.qport == qport
                                    || session.address.getPort() == from.getPort());
            if (sameClient) {
                remove(session, Departure.LEFT);
            }
        }
        long ofAddress =
                sessions.values().stream()
                        .filter(session -> session.address.getAddress().equals(from.getAddress()))
                        .count();
        if (ofAddress >= MOST_OF_ADDRESS && !from.getAddress().isLoopbackAddress()) {
            return Optional.of("Too many connections from your address.");
        }
        if (sessions.size() >= serving.maxPlayers() || arena().isFull()) {
            return Optional.of("Server is full.");
        }
        OptionalInt slot = roster.take();
        if (slot.isEmpty()) {
            return Optional.of("Server is full.");
        }
        sessions.put(
                new Key(from.getAddress(), qport),
                new Quake2Session(this, from, slot.getAsInt(), qport, challenge, userInfo, now));
        return Optional.empty();
    }

    /** The client of an address and a qport. */
    Optional<Quake2Session> session(InetAddress address, int qport) {
        return Optional.ofNullable(sessions.get(new Key(address, qport)));
    }

    Collection<Quake2Session> sessions() {
        return sessions.values();
    }

    /** The settings that clients and server lists may know. */
    InfoString serverInfo() {
        SequencedMap<String, String> info = new LinkedHashMap<>();
        info.put("hostname", serving.name());
        info.put("mapname", level.name());
        info.put("protocol", Integer.toString(Quake2Codec.PROTOCOL));
        info.put("maxclients", Integer.toString(serving.maxPlayers()));
        info.put("deathmatch", "1");
        info.put("gamename", "baseq2");
        info.put("needpass", serving.password().isEmpty() ? "0" : "1");
        info.put("version", "Wishdir");
        return InfoString.of(info);
    }

    /** Who is here, of all games. */
    String playerList() {
        StringBuilder lines = new StringBuilder();
        for (Player player : arena().players()) {
            if (lines.length() < 900) {
                lines.append(Roster.name(player.name())).append(" (").append(player.game());
                lines.append(")\n");
            }
        }
        return lines.toString();
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
    Optional<Player> join(long now, Quake2Session session, String name, String skin) {
        if (arena().isFull()) {
            return Optional.empty();
        }
        Player player = arena().join(now, Quake2Game.NAME, name, session);
        roster.bind(player.id(), session.slot);
        roster.wear(player.id(), skin);
        dress(player);
        return Optional.of(player);
    }

    /** A client wishes for another skin. */
    void wear(long now, Player player, String skin) {
        if (roster.wear(player.id(), skin)) {
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
                    && other.isInTheWay()
                    && Bodies.isNear(session.state(), other.state(), reach)) {
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
        if (sessions.remove(new Key(session.address.getAddress(), session.qport), session)) {
            session.phase = Quake2Session.Phase.ZOMBIE;
            leave(session, why);
            roster.free(session.slot);
        }
    }

    private void leave(Quake2Session session, Departure why) {
        session.player()
                .ifPresent(player -> {
                    if (roster.unbind(player.id()) >= 0) {
                        configure(CS_SKINS + session.slot, "");
                    }
                    arena().leave(now(), player, why);
                });
    }

    private long now() {
        return serving.cycle().now();
    }

    private long advance(long now) {
        if (!started || now < nextTick - 10 * FRAME || now > nextTick + 10 * FRAME) {
            started = true;
            nextTick = now + step * TICK;
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
            nextTick += step * TICK;
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
                                        || now - session.connected > ENTER_TIMEOUT
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
            if (player.spawned()) {
                show(player);
            }
        }
    }

    private void show(Player player) {
        if (roster.slot(player.id()) < 0) {
            appear(player);
        }
        int slot = roster.slot(player.id());
        if (slot >= 0) {
            scene.put(slot + 1, Body.seen(player, slot, tick / TICKS_OF_FRAME));
        }
    }
}
