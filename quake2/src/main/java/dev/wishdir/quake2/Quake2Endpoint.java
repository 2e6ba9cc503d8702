package dev.wishdir.quake2;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Observer;
import dev.wishdir.arena.Player;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.Serving;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.ServerMessage.Print;
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
    private final Observer observer = new Watcher();
    private final UdpSocket socket;
    private Level level;
    private Scene scene;
    private int serverCount;
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
        serverCount = serving.random().nextInt(1 << 30);
        level = levels.load(serving.map());
        scene = new Scene(level.areaBytes());
        describe();
        serving.arena().observe(observer);
        serving.arena().players().forEach(this::appear);
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

    /** Gives everyone in the arena a number and a skin. */
    private final class Watcher implements Observer {
        @Override
        public void joined(Player player) {
            if (!player.game().equals(Quake2Game.NAME)) {
                appear(player);
            }
        }

        @Override
        public void left(Player player) {
            int slot = roster.slot(player);
            roster.unbind(player);
            if (slot >= 0) {
                configure(CS_SKINS + slot, "");
                if (!player.game().equals(Quake2Game.NAME)) {
                    roster.free(slot);
                }
            }
        }

        @Override
        public void renamed(Player player, String oldName) {
            dress(player);
        }
    }

    private void appear(Player player) {
        roster.take()
                .ifPresent(slot -> {
                    roster.bind(player, slot);
                    dress(player);
                });
    }

    private void dress(Player player) {
        int slot = roster.slot(player);
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
            remove(session);
        }
        serving.arena().ignore(observer);
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

    int serverCount() {
        return serverCount;
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
            session.configure(new ConfigString(index, text));
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
                remove(session);
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
        serverCount++;
        describe();
        for (Quake2Session session : List.copyOf(sessions.values())) {
            session.changeMap();
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
        roster.bind(player, session.slot);
        roster.wear(player, skin);
        dress(player);
        return Optional.of(player);
    }

    /** A client wishes for another look. */
    void wear(Player player, String skin, String name) {
        roster.wear(player, skin);
        arena().rename(player, name);
        dress(player);
    }

    /** A client is in the game: those of this game read it. */
    void entered(Quake2Session session) {
        String text = Roster.name(session.name()) + " entered the game\n";
        for (Quake2Session other : List.copyOf(sessions.values())) {
            other.reliable(new Print(Print.HIGH, text));
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

    /** Sends a client away with a reason that it is told where {@code told}. */
    void drop(Quake2Session session, String reason, boolean told) {
        if (session.phase == Quake2Session.Phase.ZOMBIE) {
            return;
        }
        if (told) {
            session.reliable(new Print(Print.HIGH, reason + "\n"), ServerMessage.Signal.DISCONNECT);
        }
        session.phase = Quake2Session.Phase.ZOMBIE;
        session.lastHeard = serving.cycle().now();
        session.player().ifPresent(arena()::leave);
    }

    /** Forgets a client. */
    void remove(Quake2Session session) {
        if (sessions.remove(new Key(session.address.getAddress(), session.qport), session)) {
            session.phase = Quake2Session.Phase.ZOMBIE;
            session.player().ifPresent(arena()::leave);
            roster.free(session.slot);
        }
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
                remove(session);
            }
        }
    }

    private void compose() {
        scene.begin();
        for (Player player : arena().players()) {
            int slot = roster.slot(player);
            if (slot >= 0 && player.spawned()) {
                scene.put(slot + 1, Body.seen(player, slot, tick / TICKS_OF_FRAME));
            }
        }
    }
}
