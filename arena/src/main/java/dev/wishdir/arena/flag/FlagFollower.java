package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.MirrorResult;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.relay.EventDispatcher;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.EvictingMap;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The flags of a server that takes over what another one decides. */
final class FlagFollower {
    /** Maximum time from a touch to the answer of the server that decides. */
    private static final long MAX_ANSWER_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long NEVER = Long.MIN_VALUE / 2;

    /** Highest version that is accepted from another server, so that more are possible. */
    private static final int MAX_VERSION = 1 << 30;

    private final Flags flags;
    private final EventDispatcher dispatcher;
    private final FlagReferee referee;
    private final FlagReach reach;
    private final HandoverCounter handovers;

    /** The times at which players of this server were last reported. */
    private final Map<PlayerId, Long> reported =
            EvictingMap.leastRecentlyUsed(Flag.MAX_CLAIMING_PLAYERS);

    FlagFollower(
            Flags flags,
            EventDispatcher dispatcher,
            FlagReferee referee,
            FlagReach reach,
            HandoverCounter handovers) {
        this.flags = flags;
        this.dispatcher = dispatcher;
        this.referee = referee;
        this.reach = reach;
        this.handovers = handovers;
    }

    /** As {@link Flags#follow(ArenaEvent.FlagChanged, BooleanSupplier)}. */
    MirrorResult follow(ArenaEvent.FlagChanged event, BooleanSupplier limit) {
        Flag flag = flags.flag(event.flag());
        FlagCarrier player = event.player().map(Player::id).map(referee::carrier).orElse(null);
        if (event.version() <= flag.version()
                || player == null && event.change() == FlagChange.TAKEN) {
            return MirrorResult.NO_EFFECT;
        }
        if (event.version() - flag.version() > Flags.MAX_VERSIONS_AHEAD || !isPossible(event)) {
            return MirrorResult.IMPOSSIBLE;
        }
        if (!limit.getAsBoolean()) {
            return MirrorResult.TOO_MUCH;
        }
        follow(complete(event, flag), flag, player);
        return MirrorResult.TAKEN;
    }

    /** An event with its player also if that has left. */
    private static ArenaEvent.FlagChanged complete(ArenaEvent.FlagChanged event, Flag flag) {
        Flag.Loss loss = flag.loss();
        return loss == null || event.player().isPresent()
                ? event
                : new ArenaEvent.FlagChanged(
                        event.time(),
                        event.flag(),
                        event.change(),
                        event.cause(),
                        Optional.of(loss.player().snapshot()),
                        event.place(),
                        event.version(),
                        event.carried());
    }

    /** Records that a player of this server was reported. */
    void onReported(long now, PlayerId id) {
        reported.put(id, now);
    }

    /** Forgets who was reported, as a round begins or ends. */
    void clear() {
        reported.clear();
    }

    /** Whether it is not of a player of this server, or that player was reported. */
    private boolean isPossible(ArenaEvent.FlagChanged event) {
        boolean isTouch =
                switch (event.change()) {
                    case TAKEN, RETURNED, CAPTURED -> true;
                    case DROPPED, RESET -> false;
                };
        Optional<PlayerId> own =
                event.player().map(Player::id).filter(id -> isTouch && !id.isOfOtherServer());
        return own.isEmpty()
                || event.time() - reported.getOrDefault(own.get(), NEVER) <= MAX_ANSWER_NANOS;
    }

    private void follow(ArenaEvent.FlagChanged event, Flag flag, @Nullable FlagCarrier player) {
        long now = event.time();
        PlayerId id = event.player().map(Player::id).orElse(null);
        Optional<PlayerId> handedOverBy =
                flag.dropper()
                        .filter(_ ->
                                event.change() == FlagChange.RETURNED && flag.isHandedOver(now));
        switch (event.change()) {
            case TAKEN -> {
                if (id != null) {
                    flag.take(now, id, event.place());
                }
            }
            case DROPPED -> {
                boolean isOffered =
                        event.cause() == FlagCause.KEY
                                && player != null
                                && flags.isOffered(flag, player.player());
                long until = now + referee.flagRules().returnTime().toNanos();
                flag.drop(now, id, event.cause(), event.place(), until, isOffered);
            }
            case RETURNED, RESET -> flag.goHome();
            case CAPTURED -> {
                flag.goHome();
                flags.flag(flag.team().other()).countChange();
            }
        }
        flag.setVersion(event.version());
        flags.touchAgain(now);
        dispatcher.dispatch(event);
        handedOverBy.ifPresent(by -> handovers.count(now, by));
        if (player != null && event.change() == FlagChange.CAPTURED) {
            referee.onCaptured(now, player);
        } else if (player != null && event.change() == FlagChange.RETURNED) {
            referee.onReturned(now, player);
        }
    }

    /** As {@link Flags#follow(long, FlagStatus, boolean, BooleanSupplier)}. */
    MirrorResult follow(long now, FlagStatus status, boolean isNewOwner, BooleanSupplier limit) {
        Flag flag = flags.flag(status.team());
        int ahead = status.version() - flag.version();
        if (ahead < 0 && !isNewOwner) {
            return MirrorResult.NO_EFFECT;
        }
        if (status.version() < 0
                || status.version() > MAX_VERSION
                || ahead > Flags.MAX_VERSIONS_AHEAD && !isNewOwner
                || status.state() instanceof FlagState.Dropped(Vec3 at, _) && !reach.isInside(at)) {
            return MirrorResult.IMPOSSIBLE;
        }
        boolean isOther = isOther(flag.state(), status.state());
        if (isOther
                && status.state() instanceof FlagState.Carried(PlayerId by, _)
                && referee.carrier(by) == null) {
            // It is to be known soon.
            return MirrorResult.NO_EFFECT;
        }
        if (isOther && !limit.getAsBoolean()) {
            return MirrorResult.TOO_MUCH;
        }
        Optional<Player> before = flags.carrier(flag);
        flag.adopt(now, limited(now, status), flags.place(flag));
        if (isOther) {
            correct(now, flag, before);
        }
        return isOther ? MirrorResult.TAKEN : MirrorResult.NO_EFFECT;
    }

    /** A status in which a flag lies no longer than the rules of this server allow. */
    private FlagStatus limited(long now, FlagStatus status) {
        long most = now + referee.flagRules().returnTime().toNanos();
        return status.state() instanceof FlagState.Dropped(Vec3 at, long until)
                ? new FlagStatus(
                        status.team(),
                        status.home(),
                        new FlagState.Dropped(at, Math.min(until, most)),
                        status.version())
                : status;
    }

    private static boolean isOther(FlagState one, FlagState two) {
        return switch (one) {
            case FlagState.Home _ -> !(two instanceof FlagState.Home);
            case FlagState.Carried(PlayerId by, _) ->
                    !(two instanceof FlagState.Carried(PlayerId other, _) && other.equals(by));
            case FlagState.Dropped(Vec3 at, _) ->
                    !(two instanceof FlagState.Dropped(Vec3 other, _)
                            && other.distance(at) <= FlagReach.ROUNDING_METRES);
        };
    }

    /** Dispatches an event of a change that this server has not heard of. */
    private void correct(long now, Flag flag, Optional<Player> before) {
        flags.touchAgain(now);
        switch (flag.state()) {
            case FlagState.Home _ -> dispatch(now, flag, FlagChange.RESET, FlagCause.LEAVE, before);
            case FlagState.Dropped _ ->
                    dispatch(now, flag, FlagChange.DROPPED, FlagCause.LEAVE, before);
            case FlagState.Carried _ ->
                    dispatch(now, flag, FlagChange.TAKEN, FlagCause.TOUCH, flags.carrier(flag));
        }
    }

    private void dispatch(
            long now, Flag flag, FlagChange change, FlagCause cause, Optional<Player> by) {
        dispatcher.dispatch(flags.event(now, flag, change, cause, by, Duration.ZERO));
    }
}
