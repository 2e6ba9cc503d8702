package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.player.ActiveLevels;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.arena.relay.EventDispatcher;
import dev.wishdir.arena.validation.CheatPolicyEnforcer;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The two flags of a match, and the law of capture the flag for all games: a living player takes
 * the other team's flag by touching it, and captures it by touching its own flag at home. The
 * server tests each accepted movement, so that no client decides. Without a match with flags, and
 * on levels without any, there are none. Owned by the arena's thread; times are nanoseconds of its
 * clock.
 */
public final class Flags {
    /** Distance in the plane from the feet of a player to the foot of a flag that it touches. */
    public static final double MAX_TOUCH_METRES = 1.5;

    /** Lowest and highest foot of a flag that a player touches, from its own feet. */
    public static final double MIN_TOUCH_HEIGHT_METRES = -0.5;

    public static final double MAX_TOUCH_HEIGHT_METRES = 1.75;

    /** Shortest time between a take and a capture. */
    static final long MIN_CARRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** A carrier that stands still for so long drops the flag. */
    static final long MAX_IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Violations of movement with which a carrier loses the flag, which comes home. */
    static final int MAX_VIOLATIONS = 3;

    /** Height above the feet at which walls between a player and a flag count. */
    private static final Vec3 SIGHT = new Vec3(0, 0, 1);

    /** The width of the box that traces a line of sight. */
    private static final double LINE_METRES = 0.02;

    /** The box that a flag needs to stand in. */
    private static final double WIDTH_METRES = 0.5;

    /** A flag falls from this far above the feet, which may be in the floor by rounding. */
    private static final Vec3 LIFT = new Vec3(0, 0, 0.25);

    private static final double MAX_FALL_METRES = 64;

    /** Distance before its player at which a flag falls that a key drops. */
    private static final double THROW_METRES = 1;

    /** Handovers to the flag's team before each further one is reported. */
    private static final int MAX_HANDOVERS = 2;

    /** Distance from a carrier to the player to which it hands a flag over. */
    private static final double HANDOVER_METRES = 3;

    /** Players whose handovers of a round are counted. */
    private static final int MAX_COUNTED_PLAYERS = 1_024;

    private static final long NEVER = Long.MAX_VALUE;

    private final EventDispatcher dispatcher;
    private final ActiveLevels levels;
    private final CheatPolicyEnforcer cheatPolicy;
    private final FlagReferee referee;
    private final Map<PlayerId, Integer> handovers = new HashMap<>();

    /** Numbers of the answers to claims; any thread reads them. */
    private final AtomicLongArray claims = new AtomicLongArray(FlagClaim.values().length);

    private boolean on;
    private List<Flag> flags = List.of();

    /** Time of the next test of players that stand still. */
    private long nextTouch = NEVER;

    public Flags(
            EventDispatcher dispatcher,
            ActiveLevels levels,
            CheatPolicyEnforcer cheatPolicy,
            FlagReferee referee) {
        this.dispatcher = dispatcher;
        this.levels = levels;
        this.cheatPolicy = cheatPolicy;
        this.referee = referee;
    }

    /** Sets whether the match is played with flags. */
    public void setOn(boolean on) {
        this.on = on;
        flags = List.of();
        onLevelsChanged();
    }

    /**
     * Sets the bases by the levels that are played: those of the shared level, else of the first
     * game whose level has any. Flags of other bases come home.
     */
    public void onLevelsChanged() {
        if (!on) {
            return;
        }
        Optional<FlagBases> bases = levels.first(Level::bases);
        if (bases.isEmpty()) {
            flags = List.of();
        } else if (flags.isEmpty()) {
            flags =
                    Stream.of(Team.values())
                            .map(team -> new Flag(team, flagOf(bases.get(), team)))
                            .toList();
        } else {
            for (Flag flag : flags) {
                Vec3 place = flagOf(bases.get(), flag.team());
                if (!place.equals(flag.home())) {
                    flag.setHome(place);
                }
            }
        }
    }

    private static Vec3 flagOf(FlagBases bases, Team team) {
        return team == Team.RED ? bases.red().flag() : bases.blue().flag();
    }

    /** Where the flags are, for an operator: {@code red flag at home, blue flag with anna}. */
    public String text(long now) {
        return flags.stream()
                .map(flag ->
                        flag
                                + switch (flag.state()) {
                                    case FlagState.Home _ -> " at home";
                                    case FlagState.Carried(PlayerId by, _) ->
                                            " with "
                                                    + carrier(flag)
                                                            .map(Player::name)
                                                            .orElseGet(by::toString);
                                    case FlagState.Dropped(_, long until)
                                            when until == Long.MAX_VALUE ->
                                            " dropped";
                                    case FlagState.Dropped(_, long until) ->
                                            " dropped, for "
                                                    + Math.ceilDiv(
                                                            Math.max(0, until - now),
                                                            TimeUnit.SECONDS.toNanos(1))
                                                    + " s";
                                })
                .collect(Collectors.joining(", "));
    }

    /** The flags, red first; empty without a match with flags, and on levels without any. */
    public List<Flag> all() {
        return flags;
    }

    /** All flags as they are now, red first. */
    public List<FlagStatus> status() {
        return flags.stream()
                .map(flag -> new FlagStatus(flag.team(), flag.home(), flag.state(), flag.version()))
                .toList();
    }

    /**
     * Shows the flags of a recording, red first, or none. Has no effect in a match with flags;
     * players cannot touch them.
     */
    public void mirror(List<FlagStatus> shown) {
        if (!on && (shown.isEmpty() || shown.size() == Team.values().length)) {
            flags = shown.stream().map(Flag::new).toList();
        }
    }

    /** Repeats a change of a mirrored flag, by a player of this arena if there is one. */
    public void mirror(ArenaEvent.FlagChanged event) {
        if (!on && !flags.isEmpty()) {
            mirror(FlagStatus.after(status(), event));
            dispatcher.dispatch(event);
        }
    }

    /** The player that carries a flag; empty if it stands or lies, or the player is not here. */
    public Optional<Player> carrier(Flag flag) {
        return flag.carrier()
                .flatMap(by -> Optional.ofNullable(referee.carrier(by)))
                .map(carrier -> carrier.player().snapshot());
    }

    /** The team whose flag a player carries. */
    public Optional<Team> carriedBy(PlayerId id) {
        Flag flag = find(id);
        return flag == null ? Optional.empty() : Optional.of(flag.team());
    }

    private @Nullable Flag find(PlayerId id) {
        for (Flag flag : flags) {
            if (flag.isCarriedBy(id)) {
                return flag;
            }
        }
        return null;
    }

    /** Whether a player of the match carries a flag. */
    public boolean isCarrier(PlayerId id) {
        return carried(id) != null;
    }

    /** The flag that a player of the match carries: mirrored ones are only shown. */
    private @Nullable Flag carried(PlayerId id) {
        return on ? find(id) : null;
    }

    private boolean isPlayed() {
        return on && !flags.isEmpty() && referee.isFighting();
    }

    /** A player has moved: it touches what is in its reach. */
    public void onMoved(long now, FlagCarrier player) {
        if (flags.isEmpty()) {
            return;
        }
        Flag carried = carried(player.player().id);
        if (carried != null) {
            carried.follow(now, feet(player));
        }
        if (isPlayed()) {
            touch(now, player);
        }
    }

    private static Vec3 feet(FlagCarrier player) {
        return player.player().movement().position();
    }

    private static boolean canTouch(FlagCarrier player) {
        return player.canTouchFlags() && player.player().isHere() && player.player().spawned();
    }

    /** Lets a player touch all that is in its reach: its own flag first. */
    private void touch(long now, FlagCarrier player) {
        Optional<Team> team = player.team();
        if (team.isPresent() && canTouch(player)) {
            Flag own = flag(team.get());
            Flag other = flag(team.get().other());
            tryReturn(now, player, own);
            tryCapture(now, player, own, other);
            tryTake(now, player, other);
        }
    }

    private Flag flag(Team team) {
        return flags.get(team.ordinal());
    }

    private void tryReturn(long now, FlagCarrier player, Flag own) {
        if (own.state() instanceof FlagState.Dropped(Vec3 at, _) && isReached(player, at)) {
            Optional<PlayerId> dropper = own.dropper();
            boolean isHandedOver = own.isHandedOver(now);
            own.goHome();
            changed(now, own, FlagChange.RETURNED, FlagCause.TOUCH, player.player(), 0);
            dropper.filter(_ -> isHandedOver).ifPresent(id -> countHandover(now, id));
            referee.onReturned(now, player);
        }
    }

    private void tryCapture(long now, FlagCarrier player, Flag own, Flag other) {
        if (!other.isCarriedBy(player.player().id)
                || !own.isHome() && referee.flagRules().homeNeeded()
                || !isReached(player, own.home())) {
            return;
        }
        long carried = now - other.carriedSince(now);
        if (carried < MIN_CARRY_NANOS) {
            nextTouch = Math.min(nextTouch, now + MIN_CARRY_NANOS - carried);
            return;
        }
        other.goHome();
        own.countChange();
        changed(now, other, FlagChange.CAPTURED, FlagCause.TOUCH, player.player(), carried);
        referee.onCaptured(now, player);
    }

    private void tryTake(long now, FlagCarrier player, Flag other) {
        if (!isPlayed()
                || other.state() instanceof FlagState.Carried
                || !isReached(player, place(other))) {
            return;
        }
        PlayerId id = player.player().id;
        if (other.isFree(now, id)) {
            other.take(now, id, feet(player));
            changed(now, other, FlagChange.TAKEN, FlagCause.TOUCH, player.player(), 0);
        } else {
            nextTouch = Math.min(nextTouch, other.freeAgainAt(now));
        }
    }

    /** The place of a flag, or of its carrier. */
    public Vec3 place(Flag flag) {
        return switch (flag.state()) {
            case FlagState.Home _ -> flag.home();
            case FlagState.Dropped(Vec3 at, _) -> at;
            case FlagState.Carried(PlayerId by, _) -> {
                FlagCarrier carrier = referee.carrier(by);
                yield carrier == null ? flag.home() : feet(carrier);
            }
        };
    }

    private boolean isReached(FlagCarrier player, Vec3 place) {
        return isNear(feet(player), place) && isInSight(player, place);
    }

    private static boolean isNear(Vec3 feet, Vec3 place) {
        Vec3 away = place.minus(feet);
        return away.horizontal() <= MAX_TOUCH_METRES
                && away.z() >= MIN_TOUCH_HEIGHT_METRES
                && away.z() <= MAX_TOUCH_HEIGHT_METRES;
    }

    private boolean isInSight(FlagCarrier player, Vec3 place) {
        return isClear(space(player), feet(player).plus(SIGHT), place.plus(SIGHT));
    }

    private static boolean isClear(CollisionSpace space, Vec3 from, Vec3 to) {
        return space.free(from, to, LINE_METRES, LINE_METRES) >= 1;
    }

    private CollisionSpace space(FlagCarrier player) {
        return levels.level(player.player().game()).space();
    }

    /**
     * Decides about a client's claim that its player touches a flag, by where the player is.
     *
     * @param version of the flag that the client knows
     */
    public FlagClaim claim(long now, FlagCarrier player, Team team, int version) {
        Optional<Team> ownTeam = player.team();
        if (!isPlayed() || ownTeam.isEmpty() || !canTouch(player)) {
            return FlagClaim.DEAD;
        }
        Flag flag = flag(team);
        if (flag.version() != version) {
            return FlagClaim.VERSION;
        }
        if (!isUseful(now, player.player().id, flag, ownTeam.get())) {
            return FlagClaim.STATE;
        }
        Vec3 place = place(flag);
        if (!isNear(feet(player), place)) {
            return FlagClaim.DISTANCE;
        }
        if (!isInSight(player, place)) {
            return FlagClaim.WALL;
        }
        touch(now, player);
        return flag.version() == version ? FlagClaim.STATE : FlagClaim.ACCEPTED;
    }

    /** Counts the answer to a claim, and returns it. */
    public FlagClaim count(FlagClaim answer) {
        claims.incrementAndGet(answer.ordinal());
        return answer;
    }

    /** Number of claims so far with an answer; on any thread. */
    public long claims(FlagClaim answer) {
        return claims.get(answer.ordinal());
    }

    /** Whether a touch of a flag would have an effect. */
    private boolean isUseful(long now, PlayerId id, Flag flag, Team own) {
        if (flag.team() != own) {
            return flag.isFree(now, id);
        }
        boolean isGoal = flag.isHome() || !referee.flagRules().homeNeeded();
        return flag.state() instanceof FlagState.Dropped
                || isGoal && flag(own.other()).isCarriedBy(id);
    }

    /**
     * Drops the flag of a player at its own request, before its feet.
     *
     * @return whether it had one
     */
    public boolean dropByKey(long now, FlagCarrier player) {
        Flag flag = carried(player.player().id);
        if (flag == null || !isPlayed()) {
            return false;
        }
        Vec3 feet = feet(player);
        double yaw = Math.toRadians(player.player().movement().yaw());
        Vec3 ahead = feet.plus(new Vec3(Math.cos(yaw), Math.sin(yaw), 0).times(THROW_METRES));
        CollisionSpace space = space(player);
        boolean isFree =
                isClear(space, feet.plus(SIGHT), ahead.plus(SIGHT))
                        && space.fits(ahead.plus(LIFT), WIDTH_METRES, WIDTH_METRES);
        drop(now, flag, player.player(), FlagCause.KEY, isFree ? ahead : feet);
        return true;
    }

    /** Drops the flag of a player, if it has one, where it was last. */
    public void drop(long now, ActivePlayer player, FlagCause cause) {
        Flag flag = carried(player.id);
        if (flag != null) {
            drop(now, flag, player, cause, player.movement().position());
        }
    }

    private void drop(long now, Flag flag, ActivePlayer player, FlagCause cause, Vec3 from) {
        Optional<Vec3> ground = ground(levels.level(player.game()), from);
        long carried = now - flag.carriedSince(now);
        if (ground.isEmpty()) {
            flag.goHome();
            changed(now, flag, FlagChange.RESET, FlagCause.VOID, player, carried);
            return;
        }
        long lies = referee.flagRules().returnTime().toNanos();
        if (lies == 0) {
            flag.goHome();
            changed(now, flag, FlagChange.RESET, cause, player, carried);
            return;
        }
        boolean offered = cause == FlagCause.KEY && isOffered(flag, player);
        flag.drop(now, player.id, cause, ground.get(), now + lies, offered);
        changed(now, flag, FlagChange.DROPPED, cause, player, carried);
    }

    /** Whether a player of a flag's own team is near its carrier. */
    private boolean isOffered(Flag flag, ActivePlayer carrier) {
        Vec3 from = carrier.movement().position();
        return referee.carriers().stream()
                .filter(Flags::canTouch)
                .filter(other -> other.team().equals(Optional.of(flag.team())))
                .anyMatch(other -> feet(other).distance(from) <= HANDOVER_METRES);
    }

    /**
     * The ground below a place; empty if there is none within reach, or it is outside, or in what
     * kills.
     */
    private static Optional<Vec3> ground(Level level, Vec3 feet) {
        if (level.space().equals(CollisionSpace.OPEN)) {
            // Nothing is known of its solids.
            return Optional.of(feet).filter(level.bounds()::contains);
        }
        Vec3 from = feet.plus(LIFT);
        Vec3 down = new Vec3(0, 0, -MAX_FALL_METRES);
        double part = level.space().free(from, from.plus(down), WIDTH_METRES, WIDTH_METRES);
        if (part >= 1 || !level.space().fits(from, WIDTH_METRES, WIDTH_METRES)) {
            return Optional.empty();
        }
        return Optional.of(from.plus(down.times(part)))
                .filter(at -> level.bounds().contains(at.plus(LIFT)))
                .filter(at -> !level.space().isDeadly(at.plus(LIFT)));
    }

    /** Counts a violation of a player's movement: a carrier with too many loses the flag. */
    public void onViolation(long now, ActivePlayer player) {
        Flag flag = carried(player.id);
        if (flag != null && flag.countViolation() >= MAX_VIOLATIONS) {
            long carried = now - flag.carriedSince(now);
            flag.goHome();
            changed(now, flag, FlagChange.RESET, FlagCause.VIOLATION, player, carried);
        }
    }

    /**
     * Brings a flag home at an operator's command.
     *
     * @return whether it was away
     */
    public boolean returnHome(long now, Team team) {
        if (!on || flags.isEmpty() || flag(team).isHome()) {
            return false;
        }
        resetWithoutPlayer(now, flag(team), FlagCause.OPERATOR);
        return true;
    }

    private void resetWithoutPlayer(long now, Flag flag, FlagCause cause) {
        flag.goHome();
        changed(now, flag, FlagChange.RESET, cause, null, 0);
    }

    /** Brings all flags home, without events: a round begins or ends. */
    public void reset() {
        if (on) {
            flags.stream().filter(flag -> !flag.isHome()).forEach(Flag::goHome);
        }
        handovers.clear();
        nextTouch = NEVER;
    }

    /** Lets all times begin later, as the match stood still. */
    public void delay(long now, long nanos) {
        if (!on) {
            return;
        }
        long lies = referee.flagRules().returnTime().toNanos();
        flags.forEach(flag -> flag.delay(now, nanos, lies));
        nextTouch = now;
    }

    /**
     * The places where a player of a team may appear.
     *
     * @param team empty in a match without teams
     * @param level that its game plays
     * @param places positions of the feet, at least one
     * @return indices into {@code places}; all if none fits
     */
    public List<Integer> spawnsOf(Optional<Team> team, Level level, List<Vec3> places) {
        return !on || flags.isEmpty() || team.isEmpty()
                ? IntStream.range(0, places.size()).boxed().toList()
                : new TeamSpawns(flags, level).of(team.get(), places);
    }

    /**
     * Drops flags of players that have no body any more or stand still, and brings home what lay
     * for long enough.
     *
     * @return when to call again
     */
    public long advance(long now) {
        if (!isPlayed()) {
            return NEVER;
        }
        long next = NEVER;
        for (Flag flag : flags) {
            switch (flag.state()) {
                case FlagState.Home _ -> {}
                case FlagState.Carried(PlayerId by, _) -> advanceCarried(now, flag, by);
                case FlagState.Dropped(_, long until) when now >= until ->
                        resetWithoutPlayer(now, flag, FlagCause.TIME);
                case FlagState.Dropped _ -> {}
            }
        }
        if (now >= nextTouch) {
            nextTouch = NEVER;
            for (FlagCarrier player : List.copyOf(referee.carriers())) {
                if (isPlayed()) {
                    touch(now, player);
                }
            }
        }
        for (Flag flag : flags) {
            next =
                    Math.min(
                            next,
                            switch (flag.state()) {
                                case FlagState.Home _ -> NEVER;
                                case FlagState.Carried _ -> flag.anchoredAt() + MAX_IDLE_NANOS;
                                case FlagState.Dropped(_, long until) -> until;
                            });
        }
        return Math.min(next, nextTouch);
    }

    private void advanceCarried(long now, Flag flag, PlayerId by) {
        FlagCarrier carrier = referee.carrier(by);
        if (carrier == null) {
            resetWithoutPlayer(now, flag, FlagCause.LEAVE);
        } else if (!canTouch(carrier)) {
            drop(now, carrier.player(), FlagCause.LEAVE);
        } else if (now - flag.anchoredAt() >= MAX_IDLE_NANOS) {
            drop(now, carrier.player(), FlagCause.IDLE);
        }
    }

    private void changed(
            long now,
            Flag flag,
            FlagChange change,
            FlagCause cause,
            @Nullable ActivePlayer player,
            long carriedNanos) {
        // Players that stand there touch it now, whether they move or not.
        nextTouch = now;
        Optional<Player> by = Optional.ofNullable(player).map(ActivePlayer::snapshot);
        dispatcher.dispatch(
                new ArenaEvent.FlagChanged(
                        now,
                        flag.team(),
                        change,
                        cause,
                        by,
                        place(flag),
                        flag.version(),
                        Duration.ofNanos(carriedNanos)));
    }

    private void countHandover(long now, PlayerId dropper) {
        if (handovers.size() >= MAX_COUNTED_PLAYERS && !handovers.containsKey(dropper)) {
            return;
        }
        int count = handovers.merge(dropper, 1, Integer::sum);
        FlagCarrier player = referee.carrier(dropper);
        if (count > MAX_HANDOVERS && player != null) {
            cheatPolicy.enforce(
                    now,
                    player.player(),
                    new ShotViolation(ViolationRule.FLAG_HANDOVER, count, MAX_HANDOVERS, 0));
        }
    }
}
