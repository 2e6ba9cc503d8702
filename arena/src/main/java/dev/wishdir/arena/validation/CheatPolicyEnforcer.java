package dev.wishdir.arena.validation;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.arena.relay.EventDispatcher;

/** Applies the {@link CheatPolicy} to violations. */
public final class CheatPolicyEnforcer {
    private final EventDispatcher dispatcher;
    private final ActionRateLimiter rateLimiter;
    private CheatPolicy policy = CheatPolicy.OBSERVE;

    public CheatPolicyEnforcer(EventDispatcher dispatcher, ActionRateLimiter rateLimiter) {
        this.dispatcher = dispatcher;
        this.rateLimiter = rateLimiter;
    }

    public void setPolicy(CheatPolicy policy) {
        this.policy = policy;
    }

    /** As {@code ArenaPlayer.reportViolation}. */
    public boolean enforce(
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

    /**
     * As {@code Combatant.report}. The shot has no effect whatever the policy. A lost or late
     * packet can make a single hit look wrong, so that only repeated ones are a reason to kick.
     */
    public void enforce(long now, ActivePlayer player, ShotViolation violation) {
        boolean repeated = !rateLimiter.allowsShotViolation(now, player);
        if (rateLimiter.tryReportViolation(now, player)) {
            dispatcher.dispatch(
                    new ArenaEvent.MovementViolation(
                            now,
                            player.snapshot(),
                            violation.rule(),
                            violation.measured(),
                            violation.allowed(),
                            violation.allowance()),
                    player);
        }
        if (repeated && policy == CheatPolicy.KICK) {
            rateLimiter.kick(
                    now,
                    player,
                    new LeaveReason(
                            LeaveReason.Code.SHOT_VIOLATION,
                            "Kicked: impossible shots ("
                                    + violation
                                            .rule()
                                            .describe(violation.measured(), violation.allowed())
                                    + ")."));
        }
    }
}
