package dev.wishdir.arena;

/** Reports a movement that the game's physics does not allow, and does what the policy says. */
final class CheatPolicyEnforcer {
    private final EventDispatcher dispatcher;
    private final ActionRateLimiter rateLimiter;
    private CheatPolicy policy = CheatPolicy.OBSERVE;

    CheatPolicyEnforcer(EventDispatcher dispatcher, ActionRateLimiter rateLimiter) {
        this.dispatcher = dispatcher;
        this.rateLimiter = rateLimiter;
    }

    void onCheat(CheatPolicy wished) {
        policy = wished;
    }

    /** As {@link Arena#reportViolation(long, PlayerId, ViolationRule, double, double, double)}. */
    boolean enforce(
            long now,
            ActivePlayer player,
            ViolationRule rule,
            double measured,
            double allowed,
            double allowance) {
        if (player.judge(now)) {
            dispatcher.tell(
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
