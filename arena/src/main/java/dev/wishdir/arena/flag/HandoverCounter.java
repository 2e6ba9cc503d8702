package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.CheatPolicyEnforcer;
import dev.wishdir.arena.validation.ShotViolation;

import java.util.HashMap;
import java.util.Map;

/** A count of how often each player of this server hands a flag over to its enemies in a round. */
final class HandoverCounter {
    /** Handovers to the flag's team before each further one is reported. */
    private static final int MAX_HANDOVERS = 2;

    /** Players whose handovers of a round are counted. */
    private static final int MAX_COUNTED_PLAYERS = 1_024;

    private final CheatPolicyEnforcer cheatPolicy;
    private final FlagReferee referee;
    private final Map<PlayerId, Integer> handovers = new HashMap<>();

    HandoverCounter(CheatPolicyEnforcer cheatPolicy, FlagReferee referee) {
        this.cheatPolicy = cheatPolicy;
        this.referee = referee;
    }

    void clear() {
        handovers.clear();
    }

    void count(long now, PlayerId dropper) {
        if (dropper.isOfOtherServer()) {
            return;
        }
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
