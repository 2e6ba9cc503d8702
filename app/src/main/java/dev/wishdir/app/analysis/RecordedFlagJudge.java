package dev.wishdir.app.analysis;

import dev.wishdir.app.analysis.RecordedMovementValidator.Finding;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Optional;

/**
 * Validates the touches of flags in a recording: each player must have been within reach. Those
 * with players of other nodes are not judged, as a player may have moved on before its node hears
 * that it touched a flag.
 */
final class RecordedFlagJudge {
    /** By how much recorded positions may be rounded, metres. */
    private static final double ROUNDING_METRES = 0.01;

    private List<FlagStatus> flags;
    private boolean hasOtherNodes;
    private long judged;

    /**
     * @param flags at the start, red first; empty if they are not known
     */
    RecordedFlagJudge(List<FlagStatus> flags) {
        this.flags = List.copyOf(flags);
    }

    /** Number of touches so far that were validated. */
    long judged() {
        return judged;
    }

    /** Validates an event, in the order of time. */
    Optional<Finding> validate(ArenaEvent event) {
        hasOtherNodes |= event instanceof ArenaEvent.OfPlayer of && of.id().isOfOtherServer();
        if (flags.isEmpty()) {
            return Optional.empty();
        }
        Optional<Finding> found =
                event instanceof ArenaEvent.FlagChanged changed
                        ? changed.player()
                                .filter(player -> !player.id().isMirrored() && !hasOtherNodes)
                                .flatMap(player -> validate(player, changed))
                        : Optional.empty();
        flags = FlagStatus.after(flags, event);
        return found;
    }

    private Optional<Finding> validate(Player player, ArenaEvent.FlagChanged changed) {
        return touched(changed)
                .flatMap(place -> {
                    judged++;
                    Vec3 away = place.minus(player.movement().position());
                    double up = away.z();
                    double reach =
                            up < 0 ? -Flags.MIN_TOUCH_HEIGHT_METRES : Flags.MAX_TOUCH_HEIGHT_METRES;
                    return isBeyond(away.horizontal(), Flags.MAX_TOUCH_METRES)
                            ? finding(player, changed, away.horizontal(), Flags.MAX_TOUCH_METRES)
                            : isBeyond(Math.abs(up), reach)
                                    ? finding(player, changed, Math.abs(up), reach)
                                    : Optional.empty();
                });
    }

    private static boolean isBeyond(double metres, double reach) {
        return metres > reach + ROUNDING_METRES;
    }

    private static Optional<Finding> finding(
            Player player, ArenaEvent.FlagChanged changed, double measured, double allowed) {
        return Optional.of(
                new Finding(
                        changed.time(), player, ViolationRule.FLAG_DISTANCE, measured, allowed));
    }

    /** The place that a player touched; empty if it is not known, or nothing was touched. */
    private Optional<Vec3> touched(ArenaEvent.FlagChanged changed) {
        FlagStatus flag = flag(changed.flag());
        return switch (changed.change()) {
            case TAKEN ->
                    flag.state() instanceof FlagState.Home ? Optional.of(flag.home()) : lies(flag);
            case RETURNED -> lies(flag);
            case CAPTURED -> Optional.of(flag(changed.flag().other()).home());
            case DROPPED, RESET -> Optional.empty();
        };
    }

    private static Optional<Vec3> lies(FlagStatus flag) {
        return flag.state() instanceof FlagState.Dropped(Vec3 at, _)
                ? Optional.of(at)
                : Optional.empty();
    }

    private FlagStatus flag(Team team) {
        return flags.get(team.ordinal());
    }
}
