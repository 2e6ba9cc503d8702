package dev.wishdir.arena;

import java.util.Locale;

/** What becomes of who moves as his game's physics does not allow. */
final class CheatPolicyEnforcer {
    private final EventDispatcher delivery;
    private final ActionRateLimiter deeds;
    private CheatPolicy onCheat = CheatPolicy.OBSERVE;

    CheatPolicyEnforcer(EventDispatcher delivery, ActionRateLimiter deeds) {
        this.delivery = delivery;
        this.deeds = deeds;
    }

    void onCheat(CheatPolicy wished) {
        onCheat = wished;
    }

    /** As {@link Arena#reportViolation(long, PlayerId, String, double, double, double)}. */
    boolean enforce(
            long now,
            ActivePlayer player,
            String rule,
            double measured,
            double allowed,
            double allowance) {
        if (player.judge(now)) {
            delivery.tell(
                    new ArenaEvent.MovementViolation(
                            now, player.snapshot(), rule, measured, allowed, allowance),
                    player);
            if (onCheat == CheatPolicy.KICK) {
                deeds.kick(
                        now,
                        player,
                        new LeaveReason(
                                LeaveReason.Code.MOVEMENT_VIOLATION,
                                String.format(
                                        Locale.ROOT,
                                        "You moved as nobody can: %s %.2f, allowed %.2f.",
                                        rule,
                                        measured,
                                        allowed)));
            }
        }
        return onCheat == CheatPolicy.OBSERVE;
    }
}
