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
 * Who is here and what everyone sees. It knows no protocol: the endpoints of the games bring
 * players in with a {@link Viewer} each, and report how they move; the arena tells every viewer of
 * it.
 *
 * <p>It changes first and tells afterwards, each {@link ArenaEvent} in order and once. What reaches
 * others is paid from the allowance of who does it ({@link RateLimitedAction}): a change that can't
 * be paid for is kept, the newest of its kind, until it can; a deed is not passed on; who goes on
 * and on is {@linkplain ArenaEvent.KickRequested sent away}. A viewer that {@linkplain
 * Viewer#isCongested is behind} is told of changes when it can hear them, as they are by then.
 *
 * <p>A viewer is shown as many of the others as it has {@linkplain Viewer#maxVisiblePlayers places}
 * for, the nearest; one that comes into sight is {@linkplain ArenaEvent.Spawned spawned} for it and
 * one that goes out of it {@linkplain ArenaEvent.Despawned despawned}. What else happens it is told
 * of everyone.
 *
 * <p>Movement goes out as soon as coalescing allows. The first movement after a quiet time leaves
 * in the same turn; the next relay to a viewer comes with the next interval, with the newest
 * movement of everyone whom it is shown and who moved meanwhile. The interval is the viewer's own,
 * and at least one that grows with the number of players, so that the datagrams a second stay near
 * 24,000 however many play. Who does not change is shown again five times a second.
 *
 * <p>Longer than other classes, as all that may be done to an arena is here and little else.
 *
 * <p>Not thread-safe: one thread owns it, that of the server's duty cycle, which calls {@link
 * #advance}. Times are nanoseconds of that cycle's clock.
 */
public final class Arena {
    /** Whom else a player is shown at once, unless the operator wishes otherwise. */
    public static final int SHOWN = 64;

    /** The most characters of a name. */
    public static final int NAME_LENGTH = 32;

    /** The most characters that a player says at once. */
    public static final int TEXT_LENGTH = 500;

    /** After so many nanoseconds without a sign of life nobody sees a body any more. */
    public static final long IDLE_TIMEOUT_NANOS = 5_000_000_000L;

    private final int capacity;
    private final Map<PlayerId, ActivePlayer> residents = new LinkedHashMap<>();
    private final NameRegistry nameRegistry = new NameRegistry();
    private final EventDispatcher dispatcher = new EventDispatcher(residents.values());
    private final ActionRateLimiter rateLimiter = new ActionRateLimiter(dispatcher);
    private final ChatEchoFilter echoFilter = new ChatEchoFilter();
    private final CheatPolicyEnforcer cheatPolicy =
            new CheatPolicyEnforcer(dispatcher, rateLimiter);
    private final RelayScheduler relayScheduler = new RelayScheduler(dispatcher);
    private final InterestTracker interestManager;
    private final SpawnPoints spawnPoints = new SpawnPoints(residents.values());
    private final ActiveLevels activeLevels;
    private int nextNumber = 1;

    /**
     * @param level what is played by games that play nothing of their own
     * @param capacity the most players at once, of all games
     */
    public Arena(Level level, int capacity) {
        this(level, capacity, SHOWN);
    }

    /**
     * @param mostShown how many others a player is shown with a body at the most
     */
    public Arena(Level level, int capacity, int mostShown) {
        activeLevels = new ActiveLevels(level);
        this.capacity = capacity;
        interestManager = new InterestTracker(residents.values(), dispatcher, mostShown);
    }

    /** What is played. */
    public Level level() {
        return activeLevels.level();
    }

    /** What a game plays: the arena's own level where it has said nothing else. */
    public Level level(String game) {
        return activeLevels.level(game);
    }

    /** Where a body of any game may be, metres; movement outside is clamped to it. */
    public Bounds bounds() {
        return activeLevels.bounds();
    }

    /**
     * Games that play nothing of their own play this from now on. What has clients says so for its
     * game, too, which is then told.
     */
    public void setLevel(Level level) {
        activeLevels.setLevel(level);
    }

    /** A game plays this from now on, perhaps the same that all play. */
    public void setLevel(long now, String game, Level level) {
        if (activeLevels.setLevel(game, level)) {
            dispatcher.tell(new ArenaEvent.LevelChanged(now, game, level, activeLevels.bounds()));
        }
    }

    /** The most players at once. */
    public int capacity() {
        return capacity;
    }

    /** Whether nobody more may join. */
    public boolean isFull() {
        return residents.size() >= capacity;
    }

    /** Everyone here, in the order of joining, as it is now. */
    public List<Player> players() {
        List<Player> players = new ArrayList<>(residents.size());
        for (ActivePlayer resident : residents.values()) {
            players.add(resident.snapshot());
        }
        return players;
    }

    /** A player as it is now; empty where it has left. */
    public Optional<Player> find(PlayerId id) {
        return Optional.ofNullable(residents.get(id)).map(ActivePlayer::snapshot);
    }

    /** Where a player comes from; nothing is known of one that has left. */
    public ConnectionInfo connectionInfo(PlayerId id) {
        ActivePlayer resident = residents.get(id);
        return resident == null ? ConnectionInfo.UNKNOWN : resident.viewer.connectionInfo();
    }

    /** What came and went between each player here and the server. */
    public Map<PlayerId, ConnectionStats> connectionStats() {
        Map<PlayerId, ConnectionStats> links = new LinkedHashMap<>();
        residents.forEach((id, resident) -> links.put(id, resident.viewer.connectionStats()));
        return links;
    }

    /** Whether a player has not left. */
    public boolean contains(PlayerId id) {
        return residents.containsKey(id);
    }

    /** Whom a player is shown with a body, as they are now; nobody where it has left. */
    public List<Player> visiblePlayers(PlayerId viewer) {
        ActivePlayer resident = residents.get(viewer);
        return resident == null ? List.of() : resident.interestSet.players();
    }

    /**
     * A number that is another whenever a player is {@linkplain #visiblePlayers} others than
     * before. It says nothing of how they move.
     */
    public int visibilityVersion(PlayerId viewer) {
        ActivePlayer resident = residents.get(viewer);
        return resident == null ? -1 : resident.interestSet.changes();
    }

    /** Tells a listener of all that happens from now on, without coalescing. */
    public void addListener(ArenaListener observer) {
        dispatcher.addListener(observer);
    }

    /** Ends what {@link #addListener} began. */
    public void removeListener(ArenaListener observer) {
        dispatcher.removeListener(observer);
    }

    /** Tells from now on what the newest movement of each relay waited for it, nanoseconds. */
    public void onRelayDelay(LongConsumer waits) {
        dispatcher.waits(waits);
    }

    /**
     * Brings a player in, without a body. Its viewer is not told of those who are here already:
     * take them from {@link #players}, and those of them that it is shown from {@link
     * #visiblePlayers}.
     *
     * @param name wished for; the player's name is this, cleaned and made unique
     * @throws IllegalStateException if the arena is full: ask {@link #isFull} first
     */
    public Player join(long now, String game, String name, Viewer viewer) {
        if (isFull()) {
            throw new IllegalStateException("the arena is full");
        }
        PlayerId id = new PlayerId(0, nextNumber++);
        ActivePlayer resident =
                new ActivePlayer(
                        id, game, activeLevels.middle(), viewer, now, dispatcher.events() + 1);
        nameRegistry.take(resident, name);
        interestManager.joins(now, resident);
        residents.put(id, resident);
        dispatcher.tell(new ArenaEvent.Joined(now, resident.snapshot()), resident);
        return resident.snapshot();
    }

    /** A player leaves; does nothing if it has left. */
    public void leave(long now, PlayerId id, LeaveReason why) {
        ActivePlayer player = residents.remove(id);
        if (player == null) {
            return;
        }
        player.leave();
        nameRegistry.free(player);
        rateLimiter.forget(player);
        interestManager.left(now, player);
        spawnPoints.release(id);
        dispatcher.tell(new ArenaEvent.Left(now, player.snapshot(), why), player);
    }

    /**
     * Chooses where a player's body appears: far from the bodies of all games. The place is
     * reserved until the body {@linkplain #spawn appears}, for at most a minute.
     *
     * @param id empty for a client that has not joined yet
     * @param places the feet of bodies that appear, metres; at least one
     * @return the index of one of the places
     */
    public int choosePlace(long now, Optional<PlayerId> id, List<Vec3> places) {
        return spawnPoints.choose(now, id, places);
    }

    /** Whether a player's body that appears at a place meets no other; metres. */
    public boolean isFree(long now, PlayerId id, Vec3 place) {
        return spawnPoints.isFree(now, id, place);
    }

    /** Gives a player a body. If it has one, it gets a new one: others see it gone and back. */
    public void spawn(long now, PlayerId id, Movement movement) {
        ActivePlayer player = residents.get(id);
        if (player != null) {
            interestManager.spawn(now, player, activeLevels.clamped(movement));
            spawnPoints.appeared(id, movement.position());
        }
    }

    /** Takes a player's body away: it died or became a spectator. */
    public void despawn(long now, PlayerId id) {
        ActivePlayer player = residents.get(id);
        if (player != null) {
            interestManager.despawn(now, player);
        }
    }

    /**
     * A player gave a sign of life, whatever it was. One who gives none for {@link
     * #IDLE_TIMEOUT_NANOS} has no body for the others until it does.
     */
    public void recordActivity(long now, PlayerId id) {
        ActivePlayer player = residents.get(id);
        if (player != null) {
            interestManager.recordActivity(now, player);
        }
    }

    /**
     * An endpoint measured the round trip to a player, milliseconds; less than one counts as one,
     * as 0 is a round trip that is not known.
     */
    public void ping(PlayerId id, int millis) {
        ActivePlayer player = residents.get(id);
        if (player != null) {
            player.ping(Math.max(1, millis));
        }
    }

    /**
     * A player moved. Ignored while it has no body, and where the movement is not valid; a position
     * outside the arena is clamped to it, the native form is passed on as it is.
     *
     * @param nativeMovement the movement as the player's game sent it, or {@link
     *     NativeMovement.Stored#NONE}
     */
    public void move(long now, PlayerId id, Movement movement, NativeMovement nativeMovement) {
        recordActivity(now, id);
        relocate(now, id, movement, nativeMovement);
    }

    /**
     * The level moved a player, or changed how it looks: as {@link #move}, but no sign of life of
     * the player.
     */
    public void relocate(long now, PlayerId id, Movement movement, NativeMovement nativeMovement) {
        ActivePlayer player = residents.get(id);
        if (player == null || !player.spawned() || !movement.isValid()) {
            return;
        }
        if (player.move(now, activeLevels.placed(player.game(), movement), nativeMovement)) {
            relayScheduler.moved();
        }
        if (dispatcher.isObserved()) {
            Player snapshot = player.snapshot();
            dispatcher.tell(new ArenaEvent.Moved(now, snapshot, snapshot.movement()), player);
        }
    }

    /**
     * A player is somewhere else of a sudden, with the body that it had. Ignored as {@link #move}
     * is; a move that says the same in the game's own form may follow.
     */
    public void teleport(long now, PlayerId id, Movement movement) {
        ActivePlayer player = residents.get(id);
        if (player != null && player.spawned() && movement.isValid()) {
            player.place(activeLevels.clamped(movement));
            Player snapshot = player.snapshot();
            dispatcher.tellSeeing(
                    new ArenaEvent.Teleported(now, snapshot, snapshot.movement()), player);
        }
    }

    /**
     * A player's body does something that all games can show; whoever sees it is told, and of acts
     * without end as many as make a picture of it. Ignored while it has no body.
     */
    public void performAction(long now, PlayerId id, PlayerAction action) {
        ActivePlayer player = residents.get(id);
        if (player != null && player.spawned() && player.acts(now, action)) {
            dispatcher.tellSeeing(
                    new ArenaEvent.ActionPerformed(now, player.snapshot(), action), player);
        }
    }

    /**
     * A player says something to all; control characters are dropped, a long text is cut. What bots
     * repeat of each other without end is held, and they are not told, as they would repeat that.
     *
     * @return whether it was said: not where nothing is left of it, it is such an echo, or the
     *     player talks too much
     */
    public boolean say(long now, PlayerId id, String text) {
        String clean = NameRegistry.cleaned(text, TEXT_LENGTH);
        ActivePlayer player = residents.get(id);
        if (player == null
                || clean.isEmpty()
                || !rateLimiter.allows(now, player, RateLimitedAction.CHAT, 1)
                || !echoFilter.passes(now, player, clean)) {
            return false;
        }
        dispatcher.tell(new ArenaEvent.Chat(now, player.snapshot(), clean), player);
        return true;
    }

    /**
     * A player says something to another alone; paid for and cleaned as what it {@linkplain #say
     * says} to all.
     *
     * @return whether it was said: not to one who has left either
     */
    public boolean whisper(long now, PlayerId from, PlayerId to, String text) {
        String clean = NameRegistry.cleaned(text, TEXT_LENGTH);
        ActivePlayer speaker = residents.get(from);
        ActivePlayer listener = residents.get(to);
        if (speaker == null
                || listener == null
                || clean.isEmpty()
                || !rateLimiter.allows(now, speaker, RateLimitedAction.CHAT, 1)) {
            return false;
        }
        dispatcher.tell(
                new ArenaEvent.Whisper(now, listener.snapshot(), speaker.snapshot(), clean),
                listener);
        return true;
    }

    /** The server says something to all. */
    public void announce(long now, String text) {
        String clean = NameRegistry.cleaned(text, TEXT_LENGTH);
        if (!clean.isEmpty()) {
            dispatcher.tell(new ArenaEvent.Announcement(now, clean));
        }
    }

    /** A player wishes another name; it gets it cleaned and made unique. */
    public void rename(long now, PlayerId id, String name) {
        ActivePlayer player = residents.get(id);
        if (player != null && NameRegistry.cleaned(name, NAME_LENGTH).equals(player.name())) {
            player.rateLimits.forget(ArenaEvent.Renamed.class);
        } else if (player != null) {
            rateLimiter.change(
                    now, player, ArenaEvent.Renamed.class, time -> forceRename(time, id, name));
        }
    }

    /** A player is called so from now on, whatever it wishes; cleaned and made unique. */
    public void forceRename(long now, PlayerId id, String name) {
        ActivePlayer player = residents.get(id);
        if (player == null) {
            return;
        }
        String old = player.name();
        nameRegistry.free(player);
        nameRegistry.take(player, name);
        if (!player.name().equals(old)) {
            dispatcher.tell(
                    new ArenaEvent.Renamed(now, player.snapshot(), old, player.name()), player);
        }
    }

    /** What a player's own game shows of it has changed, as its endpoint knows. */
    public void appearanceChanged(long now, PlayerId id) {
        ActivePlayer player = residents.get(id);
        if (player != null) {
            rateLimiter.change(
                    now,
                    player,
                    ArenaEvent.AppearanceChanged.class,
                    time ->
                            dispatcher.tell(
                                    new ArenaEvent.AppearanceChanged(time, player.snapshot()),
                                    player));
        }
    }

    /** A change that somebody wishes for. */
    @FunctionalInterface
    public interface Change {
        /**
         * @param now when it is made
         */
        void make(long now);
    }

    /**
     * Makes a change that reaches others, when its player may: at once, or later if no newer one of
     * the same kind has come until then.
     *
     * @param kind any value; of changes of the same kind only the newest counts
     */
    public void change(long now, PlayerId id, Object kind, Change change) {
        ActivePlayer player = residents.get(id);
        if (player != null) {
            rateLimiter.change(now, player, kind, change);
        }
    }

    /**
     * Whether a player may do something that reaches others, which is paid for with this. A player
     * who may not is told so once, and sent away when it goes on for long.
     *
     * @param amount of {@link RateLimitedAction#BUILD} bytes, of the others how often
     */
    public boolean allows(long now, PlayerId id, RateLimitedAction action, int amount) {
        ActivePlayer player = residents.get(id);
        return player != null && rateLimiter.allows(now, player, action, amount);
    }

    /** A player must go: its endpoint sends it away with this reason. */
    public void kick(long now, PlayerId id, LeaveReason why) {
        ActivePlayer player = residents.get(id);
        if (player != null) {
            rateLimiter.kick(now, player, why);
        }
    }

    /** A player was not shown what another did, since its line was too busy. */
    public void missed(PlayerId viewer) {
        ActivePlayer player = residents.get(viewer);
        if (player != null) {
            dispatcher.missed(player);
        }
    }

    /** What becomes of who moves impossibly from now on; {@link CheatPolicy#OBSERVE} at first. */
    public void onCheat(CheatPolicy wished) {
        cheatPolicy.onCheat(wished);
    }

    /**
     * A player moved as its game's physics does not allow. Told at most once a second a player.
     *
     * @param rule what it broke
     * @param measured what it did
     * @param allowed what it may, in the same unit, with every allowance
     * @param allowance what of {@code allowed} is for lag and uneven steps
     * @return whether the others may see it as its client says
     */
    public boolean reportViolation(
            long now,
            PlayerId id,
            ViolationRule rule,
            double measured,
            double allowed,
            double allowance) {
        ActivePlayer player = residents.get(id);
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

    /** An endpoint did not let somebody in who has proved this address, as text. */
    public void refused(long now, String game, String from, LeaveReason why) {
        dispatcher.tell(new ArenaEvent.JoinRefused(now, game, from, why));
    }

    /**
     * Relays what is due, tells viewers what they could not be told before, and makes changes that
     * waited.
     *
     * @return when to call again, or {@link Long#MAX_VALUE} if nothing waits
     */
    public long advance(long now) {
        if (residents.isEmpty()) {
            return Long.MAX_VALUE;
        }
        rateLimiter.makeWaiting(now);
        long next = Math.min(dispatcher.advance(now), interestManager.watch(now));
        next = Math.min(next, rateLimiter.next(now));
        return Math.min(next, relayScheduler.advance(now, residents.size()));
    }

    /**
     * Before this time no viewer is shown who has moved, whoever moves; it is in the past where a
     * movement would be shown by the next {@link #advance}. As the last advance found it.
     */
    public long nextRelay() {
        return relayScheduler.open();
    }
}
