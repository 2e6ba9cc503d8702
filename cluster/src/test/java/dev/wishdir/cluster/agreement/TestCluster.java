package dev.wishdir.cluster.agreement;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.cluster.Node;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.message.BanChange;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.message.NodeListener;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Nodes with arenas and players in one process and in virtual time. */
public final class TestCluster {
    public static final long MILLI = 1_000_000;
    public static final long SECOND = 1_000_000_000;

    /** Time between two turns of each node. */
    private static final long STEP_NANOS = 5 * MILLI;

    private static final int MAX_TURNS = 100;

    /** Number of the kinds of {@link #disturb}. */
    public static final int DISTURBANCES = 6;

    private static final Vitals WHOLE = new Vitals(100, 0, 0);

    private static final Comparator<PlayerId> BY_ID =
            Comparator.comparingInt(PlayerId::node).thenComparingInt(PlayerId::number);

    /** The levels that each server has. */
    public static final List<String> LEVELS = List.of("flat", "tower", "hall");

    /** What a node shows of one player of any node. */
    public record Row(String game, String name, boolean spawned, int x, int y, String bytes) {}

    public final MemoryBroker broker;
    final Random random;
    public final List<Server> servers = new ArrayList<>();

    public TestCluster(long seed) {
        broker = new MemoryBroker(seed);
        random = new Random(seed);
    }

    /** A player of a server, and what it was sent. */
    public static final class Participant implements Viewer {
        public final List<ArenaEvent> events = new ArrayList<>();
        public ArenaPlayer player;
        public Movement movement = Movement.ORIGIN;
        public final Server server;
        public int counter;

        /** Whether the client sends nothing. */
        public boolean silent;

        Participant(Server server, String game, String name) {
            this.server = server;
            player = server.arena.join(server.now(), game, name, this);
        }

        @Override
        public void onEvent(ArenaEvent event) {
            events.add(event);
            if (event instanceof ArenaEvent.KickRequested kick) {
                player.leave(kick.time(), kick.reason());
            }
        }

        /** Begins a life, in a body. */
        public void live() {
            player.combatant().beginLife(server.now(), WHOLE, ArmourRule.EXACT);
            player.spawn(server.now(), movement);
        }

        @Override
        public void onMovement(List<Player> movers) {}

        /** The events of a kind that this player was sent. */
        public <E extends ArenaEvent> List<E> all(Class<E> kind) {
            return events.stream().filter(kind::isInstance).map(kind::cast).toList();
        }

        /** The chat lines that this player read. */
        public List<String> chat() {
            return all(ArenaEvent.Chat.class).stream().map(ArenaEvent.Chat::text).toList();
        }
    }

    /** A server with a node. */
    public final class Server implements NodeListener {
        public final Arena arena = new Arena(new Level("flat", bounds()), 500);

        /** Its clock shows another time than that of others. */
        public final MemoryBroker.MemoryBus bus =
                broker.connect(random.nextLong(-10_000, 10_000) * SECOND);

        public final List<NodeEvent> events = new ArrayList<>();

        /** Its own file of bans, by the key of the bucket. */
        public final Map<String, NodeBan> bans = new TreeMap<>();

        /** What of it the cluster does not have; in the same file. */
        public final Map<String, BanChange> unshared = new LinkedHashMap<>();

        public final List<Participant> participants = new ArrayList<>();
        public final Node node;
        public String level;
        public String prepared = "";

        /** What an operator chose, and begins once all nodes have it ready. */
        String announced = "";

        /** When the level began. */
        long startedAt;

        /** Number of bans and unbans that came from others. */
        public int changes;

        /** The day's clock, which stands still. */
        public long clockMillis;

        /** Levels that others prepare. */
        public final Set<String> nextLevels = new TreeSet<>();

        /** Whether the levels that are prepared are not ready yet. */
        public boolean busy;

        public boolean paused;
        public boolean dead;

        Server(NodeSettings settings, String level) {
            this.level = level;
            node = new Node(arena, bus, settings, level, this, new Random(random.nextLong()));
        }

        public long now() {
            return broker.now();
        }

        public Participant join(String game, String name) {
            Participant participant = new Participant(this, game, name);
            participants.add(participant);
            participant.movement = Movement.at(new Vec3(random.nextInt(50), 0, 0), 0);
            participant.player.spawn(now(), participant.movement);
            return participant;
        }

        /** A player joins, and begins a life. */
        public Participant joinAlive(String game, String name) {
            Participant participant = join(game, name);
            participant.live();
            return participant;
        }

        public void move(Participant participant, double x, double y) {
            participant.movement =
                    new Movement(new Vec3(x, y, 0), 90, -10, new Vec3(1, 2, 0), Stance.STANDING);
            send(participant);
        }

        /** The client sends where it is, as clients do all the time. */
        void send(Participant participant) {
            if (participant.silent) {
                return;
            }
            participant.player.recordActivity(now());
            participant.player.move(
                    now(),
                    participant.movement,
                    new NativeMovement.Stored(
                            "test/1", Bytes.of((byte) participant.counter, (byte) 7)));
        }

        public void leave(Participant participant) {
            participant.player.leave(now(), LeaveReason.LEFT);
            participants.remove(participant);
        }

        /** An operator chooses a level that all nodes are to begin together. */
        public void announceLevel(String name) {
            announced = name;
            node.announceLevel(name);
        }

        /** An operator changes the level. */
        public void changeLevel(String name) {
            level = name;
            startedAt = now();
            prepared = "";
            announced = "";
            node.changeLevel(name);
            arena.match().begin(now());
        }

        /** An operator bans. */
        public void ban(NodeBan ban) {
            bans.put(BanAgreement.key(ban.target(), ban.game()), ban);
            changed(ban);
            node.ban(ban);
        }

        private void changed(NodeBan ban) {
            unshared.put(
                    BanAgreement.key(ban.target(), ban.game()),
                    new BanChange(ban.target(), ban.game(), now() / MILLI));
        }

        /** An operator removes a ban. */
        public void unban(NodeBan ban) {
            bans.remove(BanAgreement.key(ban.target(), ban.game()));
            changed(ban);
            node.unban(ban.target(), ban.game());
        }

        public void turn() {
            if (!paused && !dead) {
                if (!prepared.isEmpty() && !busy) {
                    level = prepared;
                    startedAt = now();
                    prepared = "";
                    announced = "";
                    node.startLevel(level);
                    arena.match().begin(now());
                }
                if (!announced.isEmpty() && !busy && node.announceLevel(announced).isEmpty()) {
                    changeLevel(announced);
                }
                arena.advance(now());
                // A cycle turns again at once where more is due.
                for (int i = 0; i < MAX_TURNS && node.advance(now()) <= now(); i++) {
                    arena.advance(now());
                }
            }
        }

        /** The process is killed. */
        public void kill() {
            dead = true;
            bus.close();
        }

        @Override
        public boolean onLevelWanted(long now, String name) {
            if (LEVELS.contains(name)) {
                prepared = name;
            }
            return LEVELS.contains(name);
        }

        @Override
        public long clockMillis() {
            return clockMillis;
        }

        @Override
        public String nextLevel() {
            return announced;
        }

        @Override
        public void onNextLevel(String name) {
            nextLevels.add(name);
        }

        @Override
        public boolean isPreparing(String name) {
            return busy && LEVELS.contains(name);
        }

        @Override
        public List<NodeBan> bans() {
            return List.copyOf(bans.values());
        }

        @Override
        public List<BanChange> unsharedBans() {
            return List.copyOf(unshared.values());
        }

        @Override
        public void onBanShared(String target, String game) {
            unshared.remove(BanAgreement.key(target, game));
        }

        @Override
        public void onBan(long now, NodeBan ban) {
            changes++;
            bans.put(BanAgreement.key(ban.target(), ban.game()), ban);
        }

        @Override
        public void onUnban(long now, String target, String game) {
            changes++;
            bans.remove(BanAgreement.key(target, game));
        }

        @Override
        public void onEvent(NodeEvent event) {
            events.add(event);
        }

        /** The faults of other nodes that were reported. */
        public List<NodeFault> reported() {
            return events.stream()
                    .filter(NodeEvent.FaultFound.class::isInstance)
                    .map(event -> ((NodeEvent.FaultFound) event).fault())
                    .toList();
        }

        /** Everybody that this node shows, by identity in the cluster. */
        public Map<PlayerId, Row> view() {
            Map<PlayerId, Row> view = new TreeMap<>(BY_ID);
            for (Player player : arena.players()) {
                PlayerId id =
                        player.id().node() == 0
                                ? new PlayerId(node.number(), player.id().number())
                                : player.id();
                view.put(id, row(player));
            }
            return view;
        }

        private static Row row(Player player) {
            Vec3 at = player.movement().position();
            return new Row(
                    player.game(),
                    player.name(),
                    player.spawned(),
                    player.spawned() ? (int) Math.round(at.x() * 64) : 0,
                    player.spawned() ? (int) Math.round(at.y() * 64) : 0,
                    player.spawned() ? player.nativeMovement().bytes().hex() : "");
        }

        public ArenaPlayer player(PlayerId id) {
            return arena.player(id).orElseThrow();
        }

        /** The player of another node, as this arena has it. */
        public Player mirrored(Server other, Participant participant) {
            return arena.find(new PlayerId(other.node.number(), participant.player.id().number()))
                    .orElseThrow();
        }

        public boolean shows(Server other, Participant participant) {
            return arena.find(new PlayerId(other.node.number(), participant.player.id().number()))
                    .isPresent();
        }
    }

    private static Bounds bounds() {
        return new Bounds(new Vec3(-100, -100, -10), new Vec3(100, 100, 50));
    }

    public Server start() {
        return start("flat");
    }

    public Server start(String level) {
        return start(new NodeSettings("test", "host" + servers.size(), "1.0"), level);
    }

    /** A server that starts with bans in its file. */
    public Server startWithBans(NodeBan... bans) {
        Server server = start();
        for (NodeBan ban : bans) {
            server.bans.put(BanAgreement.key(ban.target(), ban.game()), ban);
        }
        return server;
    }

    /** A server that ends and starts again, with its file of bans. */
    public Server restart(Server old) {
        old.kill();
        Server server = start();
        server.bans.putAll(old.bans);
        server.unshared.putAll(old.unshared);
        return server;
    }

    public Server start(NodeSettings settings, String level) {
        Server server = new Server(settings, level);
        servers.add(server);
        return server;
    }

    /** A split, a stop, loss, or the end of one of them. */
    public void disturb(int kind, Server server) {
        switch (kind) {
            case 0 -> server.bus.moveTo(1);
            case 1, 2 -> servers.forEach(each -> each.bus.moveTo(0));
            case 3 -> server.paused = !server.paused;
            case 4 ->
                    broker.conditions(
                            new MemoryBroker.Conditions(0.2, 0.2, 30 * MILLI, 30 * MILLI));
            case 5 -> broker.conditions(MemoryBroker.Conditions.PERFECT);
            default -> throw new IllegalArgumentException("no disturbance: " + kind);
        }
    }

    /** Ends what disturbs. */
    public void heal() {
        broker.conditions(MemoryBroker.Conditions.PERFECT);
        for (Server server : servers) {
            server.paused = false;
            server.bus.moveTo(0);
        }
    }

    /** Lets time pass; all players go on sending where they are. */
    public void run(long nanos) {
        for (long end = broker.now() + nanos; broker.now() < end; ) {
            broker.advance(STEP_NANOS);
            for (Server server : servers) {
                if (!server.paused && !server.dead && broker.now() / MILLI % 30 < 5) {
                    server.participants.forEach(server::send);
                }
                server.turn();
            }
        }
    }
}
