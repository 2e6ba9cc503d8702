package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

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
 * <p>Not thread-safe: it is owned by the thread of the server's duty cycle, which calls {@link
 * #advance}. Times are nanoseconds of that cycle's clock.
 */
public final class Arena {
    /** How many other players a viewer sees at once by default. */
    public static final int DEFAULT_MAX_VISIBLE_PLAYERS = 64;

    /** Maximum length of a name, UTF-16 units. */
    public static final int MAX_NAME_CHARS = 32;

    /** Maximum length of a chat line, UTF-16 units. */
    public static final int MAX_TEXT_CHARS = 500;

    /** Idle time-out: the body of a player whose client is silent for this long is hidden. */
    public static final long IDLE_TIMEOUT_NANOS = 5_000_000_000L;

    private final int capacity;
    private final Map<PlayerId, ActivePlayer> activePlayers = new LinkedHashMap<>();
    private final NameRegistry nameRegistry = new NameRegistry();
    private final EventDispatcher dispatcher = new EventDispatcher(activePlayers.values());
    private final ActionRateLimiter rateLimiter = new ActionRateLimiter(dispatcher);
    private final ChatEchoFilter echoFilter = new ChatEchoFilter();
    private final CheatPolicyEnforcer cheatPolicy =
            new CheatPolicyEnforcer(dispatcher, rateLimiter);
    private final RelayScheduler relayScheduler = new RelayScheduler(dispatcher);
    private final InterestTracker interestTracker;
    private final SpawnPoints spawnPoints = new SpawnPoints(activePlayers.values());
    private final ActiveLevels activeLevels;
    private int nextNumber = 1;

    /**
     * @param level played by every game that sets no level of its own
     * @param capacity maximum number of players of all games together
     */
    public Arena(Level level, int capacity) {
        this(level, capacity, DEFAULT_MAX_VISIBLE_PLAYERS);
    }

    /**
     * @param maxVisible maximum number of other players with a body that a viewer sees at once
     */
    public Arena(Level level, int capacity, int maxVisible) {
        activeLevels = new ActiveLevels(level);
        this.capacity = capacity;
        interestTracker = new InterestTracker(activePlayers.values(), dispatcher, maxVisible);
    }

    /** The level of the games that set none of their own. */
    public Level level() {
        return activeLevels.level();
    }

    /** The level that a game plays. */
    public Level level(String game) {
        return activeLevels.level(game);
    }

    /** Where a body of any game may be, metres; movement outside of it is clamped. */
    public Bounds bounds() {
        return activeLevels.bounds();
    }

    /**
     * Sets the level of the games that set none of their own. Sends no event: an endpoint also sets
     * the level of its game, which does.
     */
    public void setLevel(Level level) {
        activeLevels.setLevel(level);
    }

    /**
     * Sets the level of one game, and sends {@link ArenaEvent.LevelChanged} if it differs from the
     * one before.
     */
    public void setLevel(long now, String game, Level level) {
        if (activeLevels.setLevel(game, level)) {
            dispatcher.dispatch(
                    new ArenaEvent.LevelChanged(now, game, level, activeLevels.bounds()));
        }
    }

    public int capacity() {
        return capacity;
    }

    public boolean isFull() {
        return activePlayers.size() >= capacity;
    }

    /** All players in the order of joining; snapshots. */
    public List<Player> players() {
        List<Player> players = new ArrayList<>(activePlayers.size());
        for (ActivePlayer player : activePlayers.values()) {
            players.add(player.snapshot());
        }
        return players;
    }

    /** A snapshot of a player; empty if it has left. */
    public Optional<Player> find(PlayerId id) {
        return Optional.ofNullable(activePlayers.get(id)).map(ActivePlayer::snapshot);
    }

    /** Address, version and account of a player; unknown if it has left. */
    public ConnectionInfo connectionInfo(PlayerId id) {
        ActivePlayer player = activePlayers.get(id);
        return player == null ? ConnectionInfo.UNKNOWN : player.viewer.connectionInfo();
    }

    /** Traffic counters of all players. */
    public Map<PlayerId, ConnectionStats> connectionStats() {
        Map<PlayerId, ConnectionStats> stats = new LinkedHashMap<>();
        activePlayers.forEach((id, player) -> stats.put(id, player.viewer.connectionStats()));
        return stats;
    }

    public boolean contains(PlayerId id) {
        return activePlayers.containsKey(id);
    }

    /** Snapshots of the players with a body that a viewer sees; empty if it has left. */
    public List<Player> visiblePlayers(PlayerId viewer) {
        ActivePlayer player = activePlayers.get(viewer);
        return player == null ? List.of() : player.interestSet.players();
    }

    /**
     * A number that changes whenever {@link #visiblePlayers} of this viewer changes, though not
     * when they move.
     */
    public int visibilityVersion(PlayerId viewer) {
        ActivePlayer player = activePlayers.get(viewer);
        return player == null ? -1 : player.interestSet.changes();
    }

    /** Adds a listener for all further events, each movement among them. */
    public void addListener(ArenaListener listener) {
        dispatcher.addListener(listener);
    }

    public void removeListener(ArenaListener listener) {
        dispatcher.removeListener(listener);
    }

    /**
     * Sets the recorder of relay delays: for each relay, how long its oldest movement waited,
     * nanoseconds.
     */
    public void onRelayDelay(LongConsumer recorder) {
        dispatcher.onRelayDelay(recorder);
    }

    /**
     * Adds a player, without a body. Its viewer gets no events about players that are here already:
     * take them from {@link #players}, and those that it sees from {@link #visiblePlayers}.
     *
     * @param name as requested; the arena cleans it and makes it unique
     * @throws IllegalStateException if the arena is full: check {@link #isFull} first
     */
    public Player join(long now, String game, String name, Viewer viewer) {
        if (isFull()) {
            throw new IllegalStateException("the arena is full");
        }
        PlayerId id = new PlayerId(0, nextNumber++);
        ActivePlayer player =
                new ActivePlayer(
                        id, game, activeLevels.middle(), viewer, now, dispatcher.events() + 1);
        nameRegistry.take(player, name);
        interestTracker.addViewer(now, player);
        activePlayers.put(id, player);
        dispatcher.dispatch(new ArenaEvent.Joined(now, player.snapshot()), player);
        return player.snapshot();
    }

    /** Removes a player; does nothing if it has left. */
    public void leave(long now, PlayerId id, LeaveReason reason) {
        ActivePlayer player = activePlayers.remove(id);
        if (player == null) {
            return;
        }
        player.leave();
        nameRegistry.free(player);
        rateLimiter.remove(player);
        interestTracker.removePlayer(now, player);
        spawnPoints.release(id);
        dispatcher.dispatch(new ArenaEvent.Left(now, player.snapshot(), reason), player);
    }

    /**
     * Chooses a spawn point far from the bodies of all games, and reserves it until the player's
     * body {@linkplain #spawn spawns}, for at most a minute.
     *
     * @param id empty for a client that has not joined yet
     * @param places positions of the feet, metres; at least one
     * @return index into {@code places}
     */
    public int chooseSpawnPoint(long now, Optional<PlayerId> id, List<Vec3> places) {
        return spawnPoints.choose(now, id, places);
    }

    /** Whether a body of the player would touch no other body at a place, metres. */
    public boolean isFree(long now, PlayerId id, Vec3 place) {
        return spawnPoints.isFree(now, id, place);
    }

    /**
     * Gives a player a body. A player that has one gets a new one: viewers see a despawn and a
     * spawn.
     */
    public void spawn(long now, PlayerId id, Movement movement) {
        ActivePlayer player = activePlayers.get(id);
        if (player != null) {
            interestTracker.spawn(now, player, activeLevels.clamped(movement));
            spawnPoints.appeared(id, movement.position());
        }
    }

    /** Removes a player's body: it died or became a spectator. */
    public void despawn(long now, PlayerId id) {
        ActivePlayer player = activePlayers.get(id);
        if (player != null) {
            interestTracker.despawn(now, player);
        }
    }

    /**
     * Records activity of the client, whatever it was. A player without activity for {@link
     * #IDLE_TIMEOUT_NANOS} is hidden until its next activity.
     */
    public void recordActivity(long now, PlayerId id) {
        ActivePlayer player = activePlayers.get(id);
        if (player != null) {
            interestTracker.recordActivity(now, player);
        }
    }

    /**
     * Sets the measured round trip of a player, milliseconds; less than 1 counts as 1, as 0 means
     * unknown.
     */
    public void setPing(PlayerId id, int millis) {
        ActivePlayer player = activePlayers.get(id);
        if (player != null) {
            player.ping(Math.max(1, millis));
        }
    }

    /**
     * Moves a player. Ignored while it has no body, and if the movement is not valid. A position
     * outside the bounds is clamped; the native form is passed on as it is.
     *
     * @param nativeMovement the movement as the player's game sent it, or {@link
     *     NativeMovement.Stored#NONE}
     */
    public void move(long now, PlayerId id, Movement movement, NativeMovement nativeMovement) {
        recordActivity(now, id);
        relocate(now, id, movement, nativeMovement);
    }

    /**
     * Moves a player or changes its looks by the level, as {@link #move} does, but without
     * recording activity.
     */
    public void relocate(long now, PlayerId id, Movement movement, NativeMovement nativeMovement) {
        ActivePlayer player = activePlayers.get(id);
        if (player == null || !player.spawned() || !movement.isValid()) {
            return;
        }
        if (player.move(now, activeLevels.placed(player.game(), movement), nativeMovement)) {
            relayScheduler.requestRelay();
        }
        if (dispatcher.isObserved()) {
            Player snapshot = player.snapshot();
            dispatcher.dispatch(new ArenaEvent.Moved(now, snapshot, snapshot.movement()), player);
        }
    }

    /**
     * Moves a player at once to another place, with the same body. Ignored in the cases in which
     * {@link #move} is; a move with the native form of the same movement may follow.
     */
    public void teleport(long now, PlayerId id, Movement movement) {
        ActivePlayer player = activePlayers.get(id);
        if (player != null && player.spawned() && movement.isValid()) {
            player.place(activeLevels.clamped(movement));
            Player snapshot = player.snapshot();
            dispatcher.dispatchToViewersOf(
                    new ArenaEvent.Teleported(now, snapshot, snapshot.movement()), player);
        }
    }

    /**
     * Performs an action with a player's body, for its viewers. Ignored while it has no body, and
     * within {@linkplain PlayerAction the interval} of the last action of this kind.
     */
    public void performAction(long now, PlayerId id, PlayerAction action) {
        ActivePlayer player = activePlayers.get(id);
        if (player != null && player.spawned() && player.tryAct(now, action)) {
            dispatcher.dispatchToViewersOf(
                    new ArenaEvent.ActionPerformed(now, player.snapshot(), action), player);
        }
    }

    /**
     * Sends a player's chat line to all. Control characters are removed, a long text is cut. Lines
     * that bots repeat to each other without end are blocked without a notice, as they would repeat
     * that too.
     *
     * @return false if nothing was sent: the cleaned text is empty, the echo filter blocked it, or
     *     the chat rate limit is exceeded
     */
    public boolean say(long now, PlayerId id, String text) {
        String clean = NameRegistry.cleaned(text, MAX_TEXT_CHARS);
        ActivePlayer player = activePlayers.get(id);
        if (player == null
                || clean.isEmpty()
                || !rateLimiter.allows(now, player, RateLimitedAction.CHAT, 1)
                || !echoFilter.passes(now, player, clean)) {
            return false;
        }
        dispatcher.dispatch(new ArenaEvent.Chat(now, player.snapshot(), clean), player);
        return true;
    }

    /**
     * Sends a private chat line; cleaned and rate-limited as {@link #say} does.
     *
     * @return false if nothing was sent, also if the recipient has left
     */
    public boolean whisper(long now, PlayerId from, PlayerId to, String text) {
        String clean = NameRegistry.cleaned(text, MAX_TEXT_CHARS);
        ActivePlayer speaker = activePlayers.get(from);
        ActivePlayer listener = activePlayers.get(to);
        if (speaker == null
                || listener == null
                || clean.isEmpty()
                || !rateLimiter.allows(now, speaker, RateLimitedAction.CHAT, 1)) {
            return false;
        }
        dispatcher.dispatch(
                new ArenaEvent.Whisper(now, listener.snapshot(), speaker.snapshot(), clean),
                listener);
        return true;
    }

    /** Sends a message of the server to all players. */
    public void announce(long now, String text) {
        String clean = NameRegistry.cleaned(text, MAX_TEXT_CHARS);
        if (!clean.isEmpty()) {
            dispatcher.dispatch(new ArenaEvent.Announcement(now, clean));
        }
    }

    /** Renames a player at its own request, rate-limited; the name is cleaned and made unique. */
    public void rename(long now, PlayerId id, String name) {
        ActivePlayer player = activePlayers.get(id);
        if (player != null && NameRegistry.cleaned(name, MAX_NAME_CHARS).equals(player.name())) {
            player.rateLimits.remove(ArenaEvent.Renamed.class);
        } else if (player != null) {
            rateLimiter.change(
                    now, player, ArenaEvent.Renamed.class, time -> forceRename(time, id, name));
        }
    }

    /** Renames a player, whatever its own requests; the name is cleaned and made unique. */
    public void forceRename(long now, PlayerId id, String name) {
        ActivePlayer player = activePlayers.get(id);
        if (player == null) {
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

    /**
     * Notifies viewers that the skin, model or team of a player has changed in its own game;
     * rate-limited.
     */
    public void reportAppearanceChange(long now, PlayerId id) {
        ActivePlayer player = activePlayers.get(id);
        if (player != null) {
            rateLimiter.change(
                    now,
                    player,
                    ArenaEvent.AppearanceChanged.class,
                    time ->
                            dispatcher.dispatch(
                                    new ArenaEvent.AppearanceChanged(time, player.snapshot()),
                                    player));
        }
    }

    /** A change of a player's state that waits for its rate limit. */
    @FunctionalInterface
    public interface Change {
        /**
         * @param now when it is applied
         */
        void apply(long now);
    }

    /**
     * Applies a change that reaches others as soon as the rate limit allows it: now, or later
     * unless a newer one of the same kind comes before.
     *
     * @param kind any value that identifies the kind by {@code equals}
     */
    public void change(long now, PlayerId id, Object kind, Change change) {
        ActivePlayer player = activePlayers.get(id);
        if (player != null) {
            rateLimiter.change(now, player, kind, change);
        }
    }

    /**
     * Whether the rate limit of an action allows it now; if so, it is counted. A refused player
     * gets one notice, and is kicked if it continues for long.
     *
     * @param amount bytes for {@link RateLimitedAction#BUILD}, else the number of actions
     */
    public boolean allows(long now, PlayerId id, RateLimitedAction action, int amount) {
        ActivePlayer player = activePlayers.get(id);
        return player != null && rateLimiter.allows(now, player, action, amount);
    }

    /** Requests a kick: the player's endpoint disconnects it with this reason. */
    public void kick(long now, PlayerId id, LeaveReason reason) {
        ActivePlayer player = activePlayers.get(id);
        if (player != null) {
            rateLimiter.kick(now, player, reason);
        }
    }

    /** Counts an event of another player that a congested viewer was not sent. */
    public void recordDroppedEvent(PlayerId viewer) {
        ActivePlayer player = activePlayers.get(viewer);
        if (player != null) {
            dispatcher.dropEvent(player);
        }
    }

    /**
     * Sets what happens to players with impossible movement; {@link CheatPolicy#OBSERVE} by
     * default.
     */
    public void setCheatPolicy(CheatPolicy policy) {
        cheatPolicy.setPolicy(policy);
    }

    /**
     * Reports that a player moved as its game's physics does not allow. The arena announces it at
     * most once a second for each player.
     *
     * @param rule the rule that the movement broke
     * @param measured the measured value
     * @param allowed the limit in the same unit, with every allowance
     * @param allowance the part of {@code allowed} that is for lag and uneven steps
     * @return whether the other players may see the movement as the client reported it
     */
    public boolean reportViolation(
            long now,
            PlayerId id,
            ViolationRule rule,
            double measured,
            double allowed,
            double allowance) {
        ActivePlayer player = activePlayers.get(id);
        return player != null
                && cheatPolicy.enforce(now, player, rule, measured, allowed, allowance);
    }

    /** As the other, of what a {@link MovementValidator} found. */
    public boolean reportViolation(long now, PlayerId id, MovementValidator.Violation violation) {
        return reportViolation(
                now,
                id,
                violation.rule(),
                violation.measured(),
                violation.allowed(),
                violation.allowance());
    }

    /** Reports that an endpoint refused a client at this proven address. */
    public void reportRefusal(long now, String game, String from, LeaveReason reason) {
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
        return Math.min(next, relayScheduler.advance(now, activePlayers.size()));
    }

    /**
     * Before this time no viewer gets a relay, whatever moves; in the past if the next {@link
     * #advance} would relay a movement. As of the last advance.
     */
    public long nextRelayNanos() {
        return relayScheduler.nextRelay();
    }
}
