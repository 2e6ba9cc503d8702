package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoopTimeoutTest {
    private static final long MILLI = 1_000_000;

    private long cpu = 7 * LoopTimeout.MAX_CPU_NANOS;
    private final LoopTimeout timeout = new LoopTimeout(() -> cpu);

    /** An hour in which the loop gets a hundredth of a processor. */
    @Test
    void waitsWhileLoopUsesCpuTime() {
        for (int poll = 0; poll < 5_000; poll++) {
            cpu += 5 * MILLI;
            assertThat(timeout.poll()).isEmpty();
        }
    }

    @Test
    void givesUpBlockedLoop() {
        for (int times = 0; times < 3; times++) {
            cpu += MILLI;
            for (int poll = 0; poll < LoopTimeout.MAX_SILENT_POLLS; poll++) {
                assertThat(timeout.poll()).isEmpty();
            }
        }
        assertThat(timeout.poll()).contains("it used no CPU time for 30 s");
    }

    @Test
    void givesUpEndlessWork() {
        cpu += LoopTimeout.MAX_CPU_NANOS - 1;
        assertThat(timeout.poll()).isEmpty();
        cpu++;
        assertThat(timeout.poll()).contains("it has used 30 s of CPU time");
    }

    /** The thread has ended, or the machine does not measure it. */
    @Test
    void givesUpLoopOfUnknownCpuTime() {
        cpu = -1;
        for (int poll = 1; poll < LoopTimeout.MAX_SILENT_POLLS; poll++) {
            assertThat(timeout.poll()).isEmpty();
        }
        assertThat(timeout.poll()).isPresent();
    }
}
