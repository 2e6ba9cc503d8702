package dev.wishdir.quake2.movement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The rule by which commands are refused, and the finding of who plays too fast. */
class CommandMsecBudgetTest {
    private static final long MILLI = 1_000_000;

    @Test
    void refusesExcessUntilSixteenthFrame() {
        CommandMsecBudget budget = new CommandMsecBudget();
        for (int i = 0; i < 7; i++) {
            assertThat(budget.tryRun(0, 250)).isTrue();
        }
        assertThat(budget.tryRun(0, 51)).isFalse();
        assertThat(budget.tryRun(0, 1)).as("what was refused is spent").isFalse();
        for (int frame = 1; frame < 16; frame++) {
            budget.frame(frame);
            assertThat(budget.tryRun(frame * 100L * MILLI, 1)).isFalse();
        }
        budget.frame(16);
        assertThat(budget.tryRun(1600 * MILLI, 250)).isTrue();
        budget.frame(32);
        int ran = 0;
        while (budget.tryRun(3200 * MILLI, 1)) {
            ran++;
        }
        assertThat(ran).as("set again, not added to").isEqualTo(1800);
    }

    @Test
    void findsSlowExcessButAllowsCatchUp() {
        CommandMsecBudget tenth = new CommandMsecBudget();
        CommandMsecBudget honest = new CommandMsecBudget();
        CommandMsecBudget late = new CommandMsecBudget();
        late.tryRun(0, 0);
        long found = -1;
        for (long now = 0; now < 60_000; now += 20) {
            tenth.tryRun(now * MILLI, 22);
            honest.tryRun(now * MILLI, 20);
            if (now % 3000 == 2980) {
                for (int i = 0; i < 29; i++) {
                    late.tryRun(now * MILLI, 100);
                }
            }
            found = found < 0 && tenth.aheadMillis() > 0 ? now : found;
        }
        assertThat(found).isBetween(1000L, 59_000L);
        assertThat(honest.aheadMillis()).isZero();
        assertThat(late.aheadMillis()).isZero();
    }
}
