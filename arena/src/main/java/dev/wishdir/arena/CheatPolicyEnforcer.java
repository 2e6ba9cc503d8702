package dev.wishdir.arena;

/** Applies the {@link CheatPolicy} to violations. */
final class CheatPolicyEnforcer {
    private final EventDispatcher dispatcher;
    private final ActionRateLimiter rateLimiter;
    private CheatPolicy policy = CheatPolicy.OBSERVE;

    CheatPolicyEnforcer(EventDispatcher dispatcher, ActionRateLimiter rateLimiter) {
        this.dispatcher = dispatcher;
        this.rateLimiter = rateLimiter;
    }

    void setPolicy(CheatPolicy policy) {
        this.policy = policy;
    }

    /** As {@link ArenaPlayer#reportViolation(long, ViolationRule, double, double, double)}. */
    boolean enforce(
            long now,
            ActivePlayer player,
            ViolationRule rule,
            double measured,
            double allowed,
            double allowance) {
        if (rateLimiter.tryReportViolation(now, player)) {
            dispatcher.dispatch(
                    new ArenaEvent.MovementViolation(
                            now, player.snapshot(), rule, measured, allowed, allowance),
                    player);
            if (policy == CheatPolicy.KICK) {
                rateLimiter.kick(
                        now,
                        player,
                        new LeaveReason(
                                LeaveReason.Code.MOVEMENT_VIOLATION,
                                "Kicked: impossible movement ("
                                        + rule.describe(measured, allowed)
                                        + ")."));
            }
        }
        return policy == CheatPolicy.OBSERVE;
    }
}
