package dev.wishdir.arena;

import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.match.Fighter;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.player.ActiveLevels;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.arena.player.ChatEchoFilter;
import dev.wishdir.arena.player.NameRegistry;
import dev.wishdir.arena.player.SpawnPoints;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.arena.relay.EventDispatcher;
import dev.wishdir.arena.relay.InterestTracker;
import dev.wishdir.arena.relay.RelayScheduler;
import dev.wishdir.arena.relay.Subscriber;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.arena.validation.ActionRateLimiter;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.arena.validation.CheatPolicyEnforcer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The shared arena: players, visibility, movement relay, chat and rate limits, for all games.
 *
 * <p>It knows no protocol. The endpoint of each game joins its players with a {@link Viewer} each
 * and reports how they move; the arena notifies the viewers. State changes first; then each {@link
 * ArenaEvent} is sent in order and once.
 *
 * <p>Whatever reaches other players is subject to a rate limit ({@link RateLimitedAction}). A
 * change over the limit is deferred, the newest of its kind, until the limit allows it; any other
 * action is dropped; a player that keeps exceeding a limit is {@linkplain ArenaEvent.KickRequested
 * kicked}. A {@linkplain Viewer#isCongested congested} viewer receives changes when it can take
 * them, with the state of that time.
 *
 * <p>A viewer sees the nearest other players, up to its {@linkplain Viewer#maxVisiblePlayers
 * capacity} (interest set). A player that enters the set is {@linkplain ArenaEvent.Spawned spawned}
 * for the viewer, a player that leaves it {@linkplain ArenaEvent.Despawned despawned}. Events that
 * do not concern a body are sent about all players.
 *
 * <p>Movement is coalesced. The first movement after a quiet time is relayed in the same turn; the
 * next relay to a viewer comes with the next interval, with the newest movement of each visible
 * player that moved since. The interval is the viewer's own, at least one that grows with the
 * number of players, so that the server sends about 24,000 datagrams a second however many play. A
 * player without a change is relayed again five times a second.
 *
 * <p>A player of another server or of a recording is {@linkplain #mirror mirrored}: the others see
 * it as any player, but it has no viewer, takes no place, and its source decides what it may do and
 * when it is silent.
 *
 * <p>Not thread-safe: it is owned by the thread of the server's duty cycle, which calls {@link
 * #advance}. Times are nanoseconds of that cycle's clock.
 */
public final class Arena {
    /** Number of other players that a viewer sees at once by default. */
    public static final int DEFAULT_MAX_VISIBLE_PLAYERS = 64;

    /** Maximum length of a chat line, UTF-16 units. */
    public static final int MAX_TEXT_CHARS = 500;

    private final int capacity;
    private final Map<PlayerId, JoinedPlayer> joined = new LinkedHashMap<>();
    private final List<ActivePlayer> activePlayers = new CopyOnWriteArrayList<>();
    private final NameRegistry nameRegistry = new NameRegistry();
    private final EventDispatcher dispatcher = new EventDispatcher();
    private final ActionRateLimiter rateLimiter = new ActionRateLimiter(dispatcher);
    private final ChatEchoFilter echoFilter = new ChatEchoFilter();
    private final CheatPolicyEnforcer cheatPolicy =
            new CheatPolicyEnforcer(dispatcher, rateLimiter);
    private final RelayScheduler relayScheduler = new RelayScheduler(dispatcher);
    private final InterestTracker interestTracker;
    private final SpawnPoints spawnPoints = new SpawnPoints(activePlayers);
    private final ActiveLevels activeLevels;
    private final Match match;
    private int nextNumber = 1;
    private int ghosts;

    /**
     * @param level played by every game that sets no level of its own
     * @param capacity maximum number of players of all games together, without mirrored ones
     */
    public Arena(Level level, int capacity) {
        this(level, capacity, DEFAULT_MAX_VISIBLE_PLAYERS);
    }

    /**
     * @param maxVisible maximum number of other players with a body that a viewer sees at once
     * @throws IllegalArgumentException if a number is negative
     */
    public Arena(Level level, int capacity, int maxVisible) {
        if (capacity < 0 || maxVisible < 0) {
            throw new IllegalArgumentException(
                    "capacity and maxVisible must not be negative, are "
                            + capacity
                            + " and "
                            + maxVisible);
        }
        activeLevels = new ActiveLevels(Objects.requireNonNull(level, "level"));
        this.capacity = capacity;
        interestTracker = new InterestTracker(activePlayers, dispatcher, maxVisible);
        match = new Match(dispatcher, interestTracker, cheatPolicy, activeLevels, this::mirror);
        match.items().setShared(level.items());
    }

    /** The level of the games that set none of their own. */
    public Level level() {
        return activeLevels.level();
    }

    /** The level of {@link #level()} if a game plays it; else that of the first game. */
    public Level playedLevel() {
        return activeLevels.first(Optional::of).orElse(level());
    }

    /** The level that a game plays. */
    public Level level(String game) {
        return activeLevels.level(game);
    }

    /** Bounds of the bodies of all games, metres; movement outside of it is clamped. */
    public Bounds bounds() {
        return activeLevels.bounds();
    }

    /**
     * Sets the level of the games that set none of their own. Sends no event: an endpoint also sets
     * the level of its game, which does.
     */
    public void setLevel(Level level) {
        Objects.requireNonNull(level, "level");
        activeLevels.setLevel(level);
        match.items().setShared(level.items());
        match.flags().onLevelsChanged();
    }

    /**
     * Sets the level of one game, and sends {@link ArenaEvent.LevelChanged} if it differs from the
     * one before.
     */
    public void setLevel(long now, String game, Level level) {
        Objects.requireNonNull(game, "game");
        Objects.requireNonNull(level, "level");
        match.items().set(game, level.items());
        boolean isOther = activeLevels.setLevel(game, level);
        match.flags().onLevelsChanged();
        if (isOther) {
            dispatcher.dispatch(
                    new ArenaEvent.LevelChanged(now, game, level, activeLevels.bounds()));
        }
    }

    /** The match that is played; {@linkplain Match#isOn off} by default. */
    public Match match() {
        return match;
    }

    /**
     * Sets the rules of the match, before a player has joined.
     *
     * @throws IllegalStateException if a player is here
     */
    public void setMatchRules(MatchRules rules) {
        match.setRules(Objects.requireNonNull(rules, "rules"));
    }

    public int capacity() {
        return capacity;
    }

    /**
     * The {@linkplain #playerCount number of players} at which this server is full: its capacity,
     * and the players of other servers.
     */
    public int maxPlayerCount() {
        return capacity + playerCount() - dispatcher.subscribers().size();
    }

    /** Whether no further player can join; mirrored players take no place. */
    public boolean isFull() {
        return dispatcher.subscribers().size() >= capacity;
    }

    /** Number of players here and on other servers, without those of recordings. */
    public int playerCount() {
        return activePlayers.size() - ghosts;
    }

    /** All players in the order of joining, mirrored ones too; snapshots. */
    public List<Player> players() {
        List<Player> players = new ArrayList<>(activePlayers.size());
        for (ActivePlayer player : activePlayers) {
            players.add(player.snapshot());
        }
        return players;
    }

    /** A snapshot of a player; empty if it has left. */
    public Optional<Player> find(PlayerId id) {
        return player(id).map(ArenaPlayer::snapshot);
    }

    /** A player by its identity, for an operator's order; empty if it has left. */
    public Optional<ArenaPlayer> player(PlayerId id) {
        return Optional.ofNullable(joined.get(id));
    }

    /** Address and version of a player; unknown if it has left. */
    public ConnectionInfo connectionInfo(PlayerId id) {
        JoinedPlayer player = joined.get(id);
        Subscriber subscriber = player == null ? null : player.subscriber;
        return subscriber == null ? ConnectionInfo.UNKNOWN : subscriber.viewer.connectionInfo();
    }

    /** Traffic counters of all players with a connection to this server. */
    public Map<PlayerId, ConnectionStats> connectionStats() {
        Map<PlayerId, ConnectionStats> stats = new LinkedHashMap<>();
        for (Subscriber subscriber : dispatcher.subscribers()) {
            stats.put(subscriber.player.id, subscriber.viewer.connectionStats());
        }
        return stats;
    }

    public boolean contains(PlayerId id) {
        return joined.containsKey(id);
    }

    /** Adds a listener for all further events, each movement among them. */
    public void addListener(ArenaListener listener) {
        dispatcher.addListener(Objects.requireNonNull(listener, "listener"));
    }

    public void removeListener(ArenaListener listener) {
        dispatcher.removeListener(listener);
    }

    /**
     * Sets what takes the exceptions of listeners and viewers, each with the one that threw it. By
     * default they are logged; a context of an endpoint sets its cycle's report.
     */
    public void onDefect(BiConsumer<Object, Throwable> onDefect) {
        dispatcher.onDefect(Objects.requireNonNull(onDefect, "onDefect"));
    }

    /**
     * Sets the source of how late the server's own loop was recently, nanoseconds, by which checks
     * of what clients claim look farther back; none by default. A context of an endpoint sets its
     * cycle's.
     */
    public void setLateness(LongSupplier lateness) {
        match.setLateness(Objects.requireNonNull(lateness, "lateness"));
    }

    /**
     * Sets the recorder of relay delays: for each relay, how long its oldest movement waited,
     * nanoseconds.
     */
    public void onRelayDelay(LongConsumer recorder) {
        dispatcher.onRelayDelay(Objects.requireNonNull(recorder, "recorder"));
    }

    /**
     * Adds a player, without a body. Its viewer gets no events about players that are here already:
     * take them from {@link #players}, and those that it sees from {@link
     * ArenaPlayer#visiblePlayers}.
     *
     * <p>A listener may kick the player before this returns. If this throws, the player has left.
     *
     * @param name as requested; the arena cleans it and makes it unique
     * @param viewer if it is a {@link SessionViewer}, it gets the handle before any event is sent
     * @throws IllegalStateException if the arena is full: check {@link #isFull} first
     */
    public ArenaPlayer join(long now, String game, String name, Viewer viewer) {
        if (isFull()) {
            throw new IllegalStateException("the arena is full");
        }
        return joinBeyondCapacity(now, game, name, viewer);
    }

    /** As {@link #join}, also if the arena is full: for players with the right to that. */
    public ArenaPlayer joinBeyondCapacity(long now, String game, String name, Viewer viewer) {
        Objects.requireNonNull(game, "game");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(viewer, "viewer");
        match.beforeJoin(now);
        PlayerId id = new PlayerId(0, nextNumber++);
        ActivePlayer player = new ActivePlayer(id, game, activeLevels.middle(), now);
        Subscriber subscriber = new Subscriber(player, viewer, dispatcher.events() + 1);
        nameRegistry.take(player, name);
        JoinedPlayer handle = new JoinedPlayer(player, subscriber, match.add(player, subscriber));
        interestTracker.addViewer(now, subscriber);
        joined.put(id, handle);
        activePlayers.add(player);
        dispatcher.addSubscriber(subscriber);
        boolean isComplete = false;
        try {
            if (viewer instanceof SessionViewer session) {
                session.onJoined(handle);
            }
            player.prove(viewer.proof());
            dispatcher.dispatch(new ArenaEvent.Joined(now, player.snapshot()), player);
            match.joined(now, handle.fighter);
            isComplete = true;
        } finally {
            if (!isComplete) {
                handle.leave(now, LeaveReason.LEFT);
            }
        }
        return handle;
    }

    /**
     * Adds a player without a viewer and without a body: of another server, or of a recording. It
     * takes no place of the {@link #capacity}, does not lengthen the relay interval, is subject to
     * no rate limit, and is not hidden when idle: its source reports what it may do. Of what
     * concerns only this player, listeners are notified: whispers, and {@linkplain
     * ArenaEvent.KickRequested kicks}.
     *
     * @param id not 0 as node; a player that has left may be mirrored again by the same id
     * @param name the arena cleans it; that of a ghost is made unique, a player of another server
     *     keeps it even if it has {@linkplain ArenaPlayer#namesakes namesakes}
     * @throws IllegalArgumentException if the id is of this server, in use, or out of range
     */
    public ArenaPlayer mirror(long now, PlayerId id, String game, String name) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(game, "game");
        Objects.requireNonNull(name, "name");
        if (!id.isMirrored() || joined.containsKey(id)) {
            throw new IllegalArgumentException(
                    "cannot mirror player " + id + ": its id is in use, or of this server");
        }
        if (id.node() < 0 || id.node() > PlayerId.MAX_NODE || id.number() < 1) {
            throw new IllegalArgumentException(
                    "cannot mirror player "
                            + id
                            + ": its node must be from 1 to "
                            + PlayerId.MAX_NODE
                            + ", its number at least 1");
        }
        ActivePlayer player = new ActivePlayer(id, game, activeLevels.middle(), now);
        nameRegistry.take(player, name);
        JoinedPlayer handle = new JoinedPlayer(player, null, match.add(player, null));
        joined.put(id, handle);
        activePlayers.add(player);
        ghosts += id.isGhost() ? 1 : 0;
        dispatcher.dispatch(new ArenaEvent.Joined(now, player.snapshot()), player);
        return handle;
    }

    /**
     * Chooses a spawn point far from the bodies of all games, and reserves it until a body
     * {@linkplain ArenaPlayer#spawn spawns} there, for at most a minute.
     *
     * @param places positions of the feet, metres; at least one
     * @return index into {@code places}
     */
    public int chooseSpawnPoint(long now, List<Vec3> places) {
        return spawnPoints.choose(now, Optional.empty(), places);
    }

    /** Sends a message of the server to all players. */
    public void announce(long now, String text) {
        String clean = NameRegistry.cleaned(Objects.requireNonNull(text, "text"), MAX_TEXT_CHARS);
        if (!clean.isEmpty()) {
            dispatcher.dispatch(new ArenaEvent.Announcement(now, clean));
        }
    }

    /**
     * Sets what happens to players with impossible movement; {@link CheatPolicy#OBSERVE} by
     * default.
     */
    public void setCheatPolicy(CheatPolicy policy) {
        cheatPolicy.setPolicy(Objects.requireNonNull(policy, "policy"));
    }

    /** Reports that an endpoint refused a client at this proven address. */
    public void reportRefusal(long now, String game, String from, LeaveReason reason) {
        Objects.requireNonNull(game, "game");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(reason, "reason");
        dispatcher.dispatch(new ArenaEvent.JoinRefused(now, game, from, reason));
    }

    /**
     * Relays movement that is due, sends deferred events and applies deferred changes.
     *
     * @return when to call again, or {@link Long#MAX_VALUE} if nothing waits
     */
    public long advance(long now) {
        if (activePlayers.isEmpty()) {
            return Long.MAX_VALUE;
        }
        rateLimiter.applyDeferred(now);
        long next = Math.min(dispatcher.advance(now), interestTracker.advance(now));
        next = Math.min(next, rateLimiter.nextAttempt(now));
        next = Math.min(next, match.advance(now));
        return Math.min(next, relayScheduler.advance(now, dispatcher.subscribers().size()));
    }

    /**
     * Before this time no viewer gets a relay, whatever moves; in the past if the next {@link
     * #advance} would relay a movement. As of the last advance.
     */
    public long nextRelayNanos() {
        return relayScheduler.nextRelay();
    }

    private final class JoinedPlayer implements ArenaPlayer {
        private final ActivePlayer player;
        private final @Nullable Subscriber subscriber;
        private final Fighter fighter;

        /**
         * @param subscriber null for a mirrored player
         */
        JoinedPlayer(ActivePlayer player, @Nullable Subscriber subscriber, Fighter fighter) {
            this.player = player;
            this.subscriber = subscriber;
            this.fighter = fighter;
        }

        @Override
        public PlayerId id() {
            return player.id;
        }

        @Override
        public String name() {
            return player.name();
        }

        @Override
        public List<ArenaPlayer> namesakes(String name) {
            List<ArenaPlayer> namesakes = new ArrayList<>();
            if (isHere()) {
                for (ActivePlayer other : nameRegistry.namesakes(player, name)) {
                    player(other.id).ifPresent(namesakes::add);
                }
            }
            return namesakes;
        }

        @Override
        public Player snapshot() {
            return player.snapshot();
        }

        @Override
        public boolean isHere() {
            return player.isHere();
        }

        @Override
        public void leave(long now, LeaveReason reason) {
            if (!isHere()) {
                return;
            }
            player.leave();
            joined.remove(player.id);
            activePlayers.remove(player);
            ghosts -= player.id.isGhost() ? 1 : 0;
            if (subscriber != null) {
                dispatcher.removeSubscriber(subscriber);
                subscriber.interestSet.clear();
            }
            nameRegistry.free(player);
            rateLimiter.remove(player);
            echoFilter.remove(player.id);
            interestTracker.removePlayer(now, player);
            match.remove(now, fighter);
            spawnPoints.release(player.id);
            dispatcher.dispatch(new ArenaEvent.Left(now, player.snapshot(), reason), player);
        }

        @Override
        public int chooseSpawnPoint(long now, List<Vec3> places) {
            List<Integer> allowed =
                    match.flags()
                            .spawnsOf(fighter.team(), activeLevels.level(player.game()), places);
            int chosen =
                    spawnPoints.choose(
                            now,
                            isHere() ? Optional.of(player.id) : Optional.empty(),
                            allowed.stream().map(places::get).toList());
            return allowed.get(chosen);
        }

        @Override
        public boolean isFree(long now, Vec3 place) {
            return spawnPoints.isFree(now, player.id, place);
        }

        @Override
        public void spawn(long now, Movement movement) {
            if (isHere()) {
                match.race().abort(player.id);
                match.flags().drop(now, player, FlagCause.LEAVE);
                interestTracker.spawn(now, player, activeLevels.clamped(movement));
                fighter.onSpawned(now, player.movement().position());
                if (subscriber != null) {
                    spawnPoints.appeared(player.id, movement.position());
                }
            }
        }

        @Override
        public void despawn(long now) {
            if (isHere()) {
                match.race().abort(player.id);
                fighter.endLife();
                interestTracker.despawn(now, player);
                match.flags().drop(now, player, FlagCause.LEAVE);
            }
        }

        @Override
        public void recordActivity(long now) {
            if (isHere() && subscriber != null) {
                interestTracker.recordActivity(now, player);
            }
        }

        @Override
        public void setPing(int millis) {
            player.ping(Math.max(1, millis));
        }

        /** Whether it has a body that the movement can move. */
        private boolean isMovable(Movement movement) {
            return isHere() && player.spawned() && movement.isValid();
        }

        @Override
        public void move(long now, Movement movement, NativeMovement nativeMovement) {
            move(now, movement, nativeMovement, now);
        }

        @Override
        public void move(long now, Movement movement, NativeMovement nativeMovement, long own) {
            if (!isMovable(movement)) {
                return;
            }
            Movement placed = activeLevels.placed(player.game(), movement);
            fighter.onMoved(now, placed.position());
            if (player.move(now, placed, nativeMovement) && player.isShown()) {
                relayScheduler.requestRelay();
            }
            if (dispatcher.isObserved()) {
                Player snapshot = player.snapshot();
                dispatcher.dispatch(
                        new ArenaEvent.Moved(now, snapshot, snapshot.movement()), player);
            }
            match.race().onMoved(now, own, player);
            match.flags().onMoved(now, fighter);
        }

        @Override
        public void abortRun() {
            match.race().abort(player.id);
        }

        @Override
        public void teleport(long now, Movement movement) {
            if (isMovable(movement)) {
                player.place(activeLevels.clamped(movement));
                match.race().abort(player.id);
                fighter.onPlaced(now, player.movement().position());
                Player snapshot = player.snapshot();
                dispatcher.dispatchToViewersOf(
                        new ArenaEvent.Teleported(now, snapshot, snapshot.movement()), player);
            }
        }

        @Override
        public void performAction(long now, PlayerAction action) {
            if (isHere()
                    && player.spawned()
                    && (subscriber == null || rateLimiter.tryPerform(now, player, action))) {
                dispatcher.dispatchToViewersOf(
                        new ArenaEvent.ActionPerformed(now, player.snapshot(), action), player);
            }
        }

        @Override
        public Combatant combatant() {
            return fighter;
        }

        @Override
        public boolean say(long now, String text) {
            String clean = NameRegistry.cleaned(text, MAX_TEXT_CHARS);
            if (!mayChat(now, clean)
                    || subscriber != null && match.race().answer(now, subscriber, clean)
                    || subscriber != null && !echoFilter.passes(now, player.id, clean)) {
                return false;
            }
            if (player.id.isOfOtherServer()) {
                echoFilter.keep(now, player.id, clean);
            }
            dispatcher.dispatch(new ArenaEvent.Chat(now, player.snapshot(), clean), player);
            return true;
        }

        @Override
        public boolean whisper(long now, PlayerId to, String text) {
            String clean = NameRegistry.cleaned(text, MAX_TEXT_CHARS);
            JoinedPlayer recipient = joined.get(to);
            if (recipient == null || to.isGhost() || !mayChat(now, clean)) {
                return false;
            }
            dispatcher.dispatch(
                    new ArenaEvent.Whisper(now, recipient.snapshot(), player.snapshot(), clean),
                    recipient.player);
            return true;
        }

        private boolean mayChat(long now, String clean) {
            return !clean.isEmpty() && allows(now, RateLimitedAction.CHAT, 1);
        }

        @Override
        public void rename(long now, String name) {
            if (!isHere()) {
                return;
            }
            if (subscriber == null) {
                forceRename(now, name);
            } else if (NameRegistry.cleaned(name, Player.MAX_NAME_CHARS).equals(player.name())) {
                rateLimiter.cancelChange(player, ArenaEvent.Renamed.class);
            } else {
                rateLimiter.change(
                        now, player, ArenaEvent.Renamed.class, time -> forceRename(time, name));
            }
        }

        @Override
        public void forceRename(long now, String name) {
            if (!isHere()) {
                return;
            }
            String old = player.name();
            nameRegistry.free(player);
            nameRegistry.take(player, name);
            if (!player.name().equals(old)) {
                dispatcher.dispatch(
                        new ArenaEvent.Renamed(now, player.snapshot(), old, player.name()), player);
            }
        }

        @Override
        public void prove(long now, Proof proof) {
            if (isHere() && player.prove(proof)) {
                dispatcher.dispatch(new ArenaEvent.Proved(now, player.snapshot()), player);
            }
        }

        @Override
        public void reportAppearanceChange(long now) {
            change(
                    now,
                    ArenaEvent.AppearanceChanged.class,
                    time ->
                            dispatcher.dispatch(
                                    new ArenaEvent.AppearanceChanged(time, player.snapshot()),
                                    player));
        }

        @Override
        public void change(long now, Object kind, LongConsumer change) {
            if (isHere() && subscriber == null) {
                change.accept(now);
            } else if (isHere()) {
                rateLimiter.change(now, player, kind, change);
            }
        }

        @Override
        public boolean allows(long now, RateLimitedAction action, int amount) {
            return isHere()
                    && (subscriber == null || rateLimiter.allows(now, player, action, amount));
        }

        @Override
        public void kick(long now, LeaveReason reason) {
            rateLimiter.kick(now, player, reason);
            match.race().dismissGhost(now, player.id);
        }

        @Override
        public boolean reportViolation(
                long now, ViolationRule rule, double measured, double allowed, double allowance) {
            match.race().abort(player.id);
            match.flags().onViolation(now, player);
            return isHere()
                    && (subscriber == null
                            || cheatPolicy.enforce(
                                    now, player, rule, measured, allowed, allowance));
        }

        @Override
        public void recordDroppedEvent() {
            if (isHere() && subscriber != null) {
                dispatcher.dropEvent(subscriber);
            }
        }

        @Override
        public List<Player> visiblePlayers() {
            return isHere() && subscriber != null ? subscriber.interestSet.players() : List.of();
        }

        @Override
        public int visibilityVersion() {
            return isHere() && subscriber != null ? subscriber.interestSet.changes() : -1;
        }

        @Override
        public String toString() {
            return player.toString();
        }
    }
}
