package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MirrorResult;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.player.ActiveLevels;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.arena.relay.EventDispatcher;
import dev.wishdir.arena.validation.CheatPolicyEnforcer;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The two flags of a match, and the law of capture the flag for all games: a living player takes
 * the other team's flag by touching it, and captures it by touching its own flag at home. The
 * server tests each accepted movement, so that no client decides. Without a match with flags, and
 * on levels without any, there are none. Owned by the arena's thread; times are nanoseconds of its
 * clock.
 *
 * <p>With {@linkplain #setOwnership several servers} one decides: the others test their own
 * players, send it reports, and change nothing before they {@linkplain #follow hear} what it
 * decided.
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

    /** Distance from a carrier to the player to which it hands a flag over. */
    private static final double HANDOVER_METRES = 3;

    /** Time after which a player that still touches a flag is reported again. */
    static final long CLAIM_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Added to the versions by a server that begins to decide, as it may not have heard all. */
    static final int OWNER_VERSIONS = 1_000;

    /** Changes of a flag by which another server can be ahead. */
    static final int MAX_VERSIONS_AHEAD = 100 * OWNER_VERSIONS;

    /** Time for which decisions are repeated to other servers. */
    private static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Maximum number of decisions that are repeated to other servers. */
    public static final int MAX_REPEATED = 32;

    private static final long NEVER = Long.MAX_VALUE;

    private final EventDispatcher dispatcher;
    private final ActiveLevels levels;
    private final FlagReferee referee;
    private final FlagReach reach;
    private final HandoverCounter handovers;
    private final FlagFollower follower;

    /** Numbers of the answers to claims; any thread reads them. */
    private final AtomicLongArray claims = new AtomicLongArray(FlagClaim.values().length);

    private boolean on;
    private List<Flag> flags = List.of();

    /** Time of the next test of players that stand still. */
    private long nextTouch = NEVER;

    /** Null if this server decides in any case. */
    private @Nullable FlagOwnership ownership;

    /** Whether another server decided at the last look. */
    private boolean isFollowing;

    /** The last decisions of this server. */
    private final Deque<ArenaEvent.FlagChanged> decisions = new ArrayDeque<>();

    public Flags(
            EventDispatcher dispatcher,
            ActiveLevels levels,
            CheatPolicyEnforcer cheatPolicy,
            FlagReferee referee) {
        this.dispatcher = dispatcher;
        this.levels = levels;
        this.referee = referee;
        reach = new FlagReach(levels);
        handovers = new HandoverCounter(cheatPolicy, referee);
        follower = new FlagFollower(this, dispatcher, referee, reach, handovers);
    }

    /** Sets what says which of several servers decides. */
    public void setOwnership(FlagOwnership given) {
        ownership = given;
    }

    /** Whether this server decides; its versions are above all others from then on. */
    private boolean decides() {
        boolean isOwner = ownership == null || ownership.isOwner();
        if (isOwner && isFollowing) {
            decisions.clear();
            flags.forEach(Flag::beginOwnership);
            nextTouch = Long.MIN_VALUE;
        }
        isFollowing = !isOwner;
        return isOwner;
    }

    /** The decisions of this server in the last 10 s, in order. */
    public List<ArenaEvent.FlagChanged> decisions(long now) {
        while (!decisions.isEmpty() && now - decisions.getFirst().time() > REPEAT_NANOS) {
            decisions.removeFirst();
        }
        return decides() ? List.copyOf(decisions) : List.of();
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

    /** The places of the flags, for an operator: {@code red flag at home, blue flag with anna}. */
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
                                            " dropped, home in "
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

    static Vec3 feet(FlagCarrier player) {
        return player.player().movement().position();
    }

    private static boolean canTouch(FlagCarrier player) {
        return player.canTouchFlags() && player.player().isHere() && player.player().spawned();
    }

    /** Lets a player touch all that is in its reach, or reports it. */
    private void touch(long now, FlagCarrier player) {
        Optional<Team> team = player.team();
        boolean isOwn = !player.player().id.isOfOtherServer();
        if (team.isEmpty() || !isOwn || !canTouch(player)) {
            return;
        }
        if (decides()) {
            touch(now, player, team.get(), feet(player));
        } else {
            reportTouches(now, player, flag(team.get()), flag(team.get().other()));
        }
    }

    /** Lets a player touch all that is in reach of its feet: its own flag first. */
    private void touch(long now, FlagCarrier player, Team team, Vec3 feet) {
        Flag own = flag(team);
        Flag other = flag(team.other());
        tryReturn(now, player, feet, own);
        tryCapture(now, player, feet, own, other);
        tryTake(now, player, feet, other);
    }

    private void reportTouches(long now, FlagCarrier player, Flag own, Flag other) {
        PlayerId id = player.player().id;
        Vec3 feet = feet(player);
        if (own.state() instanceof FlagState.Dropped(Vec3 at, _)
                        && reach.isReached(player, feet, at)
                || isGoal(own, id)
                        && now - other.carriedSince(now) >= MIN_CARRY_NANOS
                        && reach.isReached(player, feet, own.home())) {
            reportTouch(now, id, own, feet);
        }
        if (other.isFree(now, id) && reach.isReached(player, feet, place(other))) {
            reportTouch(now, id, other, feet);
        }
    }

    private void reportTouch(long now, PlayerId id, Flag flag, Vec3 feet) {
        report(now, id, flag, feet, Optional.empty());
        nextTouch = Math.min(nextTouch, now + CLAIM_INTERVAL_NANOS);
    }

    private void report(long now, PlayerId id, Flag flag, Vec3 at, Optional<FlagCause> loss) {
        if (ownership != null && flag.mayClaim(now, id)) {
            follower.onReported(now, id);
            ownership.report(
                    new FlagReport(Optional.of(id), flag.team(), flag.version(), at, loss));
        }
    }

    /** Whether a player captures the flag that it carries by touching its own one at its base. */
    private boolean isGoal(Flag own, PlayerId id) {
        return flag(own.team().other()).isCarriedBy(id)
                && (own.isHome() || !referee.flagRules().homeNeeded());
    }

    Flag flag(Team team) {
        return flags.get(team.ordinal());
    }

    private void tryReturn(long now, FlagCarrier player, Vec3 feet, Flag own) {
        if (own.state() instanceof FlagState.Dropped(Vec3 at, _)
                && reach.isReached(player, feet, at)) {
            Optional<PlayerId> handedOverBy = own.dropper().filter(_ -> own.isHandedOver(now));
            own.goHome();
            changed(now, own, FlagChange.RETURNED, FlagCause.TOUCH, player.player(), 0);
            handedOverBy.ifPresent(id -> handovers.count(now, id));
            referee.onReturned(now, player);
        }
    }

    private void tryCapture(long now, FlagCarrier player, Vec3 feet, Flag own, Flag other) {
        if (!isGoal(own, player.player().id) || !reach.isReached(player, feet, own.home())) {
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

    private void tryTake(long now, FlagCarrier player, Vec3 feet, Flag other) {
        if (!isPlayed()
                || other.state() instanceof FlagState.Carried
                || !reach.isReached(player, feet, place(other))) {
            return;
        }
        PlayerId id = player.player().id;
        if (other.isFree(now, id)) {
            other.take(now, id, feet);
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
        if (!FlagReach.isNear(player, feet(player), place)) {
            return FlagClaim.DISTANCE;
        }
        if (!reach.isInSight(player, feet(player), place)) {
            return FlagClaim.WALL;
        }
        touch(now, player);
        return flag.version() == version && decides() ? FlagClaim.STATE : FlagClaim.ACCEPTED;
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
        return flag.state() instanceof FlagState.Dropped || isGoal(flag, id);
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
        Vec3 from = reach.thrown(player.player());
        if (decides()) {
            drop(now, flag, player.player(), FlagCause.KEY, from);
        } else {
            report(now, player.player().id, flag, from, Optional.of(FlagCause.KEY));
        }
        return true;
    }

    /**
     * Drops the flag of a player, if it has one, where it was last. If another server decides, it
     * hears of that by what becomes of the player.
     */
    public void drop(long now, ActivePlayer player, FlagCause cause) {
        Flag flag = carried(player.id);
        if (flag == null) {
            return;
        }
        Vec3 at = player.movement().position();
        if (decides()) {
            drop(now, flag, player, cause, at);
        } else if (flag.loss() == null) {
            flag.lose(new Flag.Loss(now, player, cause, at));
        }
    }

    private void drop(long now, Flag flag, ActivePlayer player, FlagCause cause, Vec3 from) {
        Optional<Vec3> ground = reach.ground(player, from);
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
    boolean isOffered(Flag flag, ActivePlayer carrier) {
        Vec3 from = carrier.movement().position();
        return referee.carriers().stream()
                .filter(Flags::canTouch)
                .filter(other -> other.team().equals(Optional.of(flag.team())))
                .anyMatch(other -> feet(other).distance(from) <= HANDOVER_METRES);
    }

    /** Counts a violation of a player's movement: a carrier with too many loses the flag. */
    public void onViolation(long now, ActivePlayer player) {
        Flag flag = carried(player.id);
        if (flag == null || flag.countViolation() < MAX_VIOLATIONS) {
            return;
        }
        if (decides()) {
            long carried = now - flag.carriedSince(now);
            flag.goHome();
            changed(now, flag, FlagChange.RESET, FlagCause.VIOLATION, player, carried);
        } else {
            Vec3 at = player.movement().position();
            report(now, player.id, flag, at, Optional.of(FlagCause.VIOLATION));
        }
    }

    /**
     * Brings a flag home at an operator's command, or has the server do it that decides.
     *
     * @return whether it was away
     */
    public boolean returnHome(long now, Team team) {
        if (!on || flags.isEmpty() || flag(team).isHome()) {
            return false;
        }
        if (decides()) {
            resetWithoutPlayer(now, flag(team), FlagCause.OPERATOR);
        } else if (ownership != null) {
            ownership.report(
                    new FlagReport(
                            Optional.empty(),
                            team,
                            flag(team).version(),
                            flag(team).home(),
                            Optional.of(FlagCause.OPERATOR)));
        }
        return true;
    }

    private void resetWithoutPlayer(long now, Flag flag, FlagCause cause) {
        flag.goHome();
        changed(now, flag, FlagChange.RESET, cause, null, 0);
    }

    /** Brings all flags home, without events: a round begins or ends. */
    public void reset() {
        if (on) {
            boolean isCounted = decides();
            flags.stream()
                    .filter(flag -> !flag.isHome())
                    .forEach(isCounted ? Flag::goHome : Flag::moveHome);
        }
        handovers.clear();
        follower.clear();
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
        if (decides()) {
            advanceFlags(now);
        }
        if (now >= nextTouch) {
            nextTouch = NEVER;
            for (FlagCarrier player : List.copyOf(referee.carriers())) {
                if (isPlayed()) {
                    touch(now, player);
                }
            }
        }
        return Math.min(decides() ? nextChange() : NEVER, nextTouch);
    }

    private void advanceFlags(long now) {
        for (Flag flag : flags) {
            switch (flag.state()) {
                case FlagState.Home _ -> {}
                case FlagState.Carried(PlayerId by, _) -> advanceCarried(now, flag, by);
                case FlagState.Dropped(_, long until) when now >= until ->
                        resetWithoutPlayer(now, flag, FlagCause.TIME);
                case FlagState.Dropped _ -> {}
            }
        }
    }

    /** Time of the next change without a touch. */
    private long nextChange() {
        return flags.stream()
                .mapToLong(flag ->
                        switch (flag.state()) {
                            case FlagState.Home _ -> NEVER;
                            case FlagState.Carried _ -> flag.anchoredAt() + MAX_IDLE_NANOS;
                            case FlagState.Dropped(_, long until) -> until;
                        })
                .min()
                .orElse(NEVER);
    }

    private void advanceCarried(long now, Flag flag, PlayerId by) {
        FlagCarrier carrier = referee.carrier(by);
        Flag.Loss loss = flag.loss();
        if (loss != null) {
            // The server that was to decide is gone.
            drop(now, flag, loss.player(), loss.cause(), loss.at());
        } else if (carrier == null) {
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
        ArenaEvent.FlagChanged event =
                event(
                        now,
                        flag,
                        change,
                        cause,
                        Optional.ofNullable(player).map(ActivePlayer::snapshot),
                        Duration.ofNanos(carriedNanos));
        if (ownership != null) {
            decisions.add(event);
            if (decisions.size() > MAX_REPEATED) {
                decisions.removeFirst();
            }
        }
        dispatcher.dispatch(event);
    }

    ArenaEvent.FlagChanged event(
            long now,
            Flag flag,
            FlagChange change,
            FlagCause cause,
            Optional<Player> by,
            Duration carried) {
        return new ArenaEvent.FlagChanged(
                now, flag.team(), change, cause, by, place(flag), flag.version(), carried);
    }

    /**
     * Decides about a report of another server about one of its players, or of its operator.
     *
     * @param made time of what it reports
     */
    public MirrorResult receive(long now, FlagReport report, long made) {
        if (!isPlayed() || !decides()) {
            return MirrorResult.NO_EFFECT;
        }
        Flag flag = flag(report.flag());
        FlagCarrier player = report.player().map(referee::carrier).orElse(null);
        if (report.version() < 0 || report.version() - flag.version() > MAX_VERSIONS_AHEAD) {
            return MirrorResult.IMPOSSIBLE;
        }
        if (report.player().isEmpty()) {
            return returnHome(now, report.flag()) ? MirrorResult.TAKEN : MirrorResult.NO_EFFECT;
        }
        if (player == null || !player.player().id.isOfOtherServer() || !canTouch(player)) {
            return MirrorResult.NO_EFFECT;
        }
        if (player.reached(now, made, report.place()) == MirrorResult.IMPOSSIBLE) {
            return MirrorResult.IMPOSSIBLE;
        }
        int version = flag.version();
        if (version != report.version()) {
            return MirrorResult.NO_EFFECT;
        }
        if (report.loss().isPresent()) {
            loseAsReported(now, flag, player.player(), report);
        } else if (!FlagReach.isNear(player, report.place(), flag.home())
                && !FlagReach.isNear(player, report.place(), place(flag))) {
            return MirrorResult.IMPOSSIBLE;
        } else {
            player.team().ifPresent(team -> touch(now, player, team, report.place()));
        }
        return flag.version() == version ? MirrorResult.NO_EFFECT : MirrorResult.TAKEN;
    }

    private void loseAsReported(long now, Flag flag, ActivePlayer player, FlagReport report) {
        if (!flag.isCarriedBy(player.id)) {
            return;
        }
        if (report.loss().equals(Optional.of(FlagCause.KEY))) {
            drop(now, flag, player, FlagCause.KEY, report.place());
        } else {
            long carried = now - flag.carriedSince(now);
            flag.goHome();
            changed(now, flag, FlagChange.RESET, FlagCause.VIOLATION, player, carried);
        }
    }

    /**
     * Takes over a change that another server decided, unless it is known.
     *
     * @param event with the time of this server
     * @param limit whether one more change of that server is accepted; asked only if it is new
     */
    public MirrorResult follow(ArenaEvent.FlagChanged event, BooleanSupplier limit) {
        return isFollower() ? follower.follow(event, limit) : MirrorResult.NO_EFFECT;
    }

    /**
     * Takes over a flag as it is at the server that decides, with an event if that differs from
     * what the changes so far have made of it.
     *
     * @param isNewOwner whether that server has begun to decide, whatever its version is
     * @param limit as of a change
     */
    public MirrorResult follow(
            long now, FlagStatus status, boolean isNewOwner, BooleanSupplier limit) {
        return isFollower()
                ? follower.follow(now, status, isNewOwner, limit)
                : MirrorResult.NO_EFFECT;
    }

    private boolean isFollower() {
        return on && !flags.isEmpty() && !decides();
    }

    /** Tests players that stand still, as a flag has changed. */
    void touchAgain(long now) {
        nextTouch = now;
    }
}
