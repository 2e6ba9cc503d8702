package dev.wishdir.app.serve.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {
    private boolean memory = true;
    private long collected;
    private int ended;
    private long now;
    private final MemoryWatch watch = new MemoryWatch(() -> memory, () -> collected, () -> ended++);

    private void look(int times, long collectedMillis) {
        for (int i = 0; i < times; i++) {
            now += 500;
            collected += collectedMillis;
            watch.check(now);
        }
    }

    @Test
    @DisplayName(
            "R2 a collector that has nearly all the time for ten seconds is the end, a pause is"
                    + " not")
    void endsProcessWhenCollectorTakesAllTime() {
        look(10, 20);
        look(MemoryWatch.MAX_COLLECTING_INTERVALS - 1, 490);
        look(1, 100);
        look(MemoryWatch.MAX_COLLECTING_INTERVALS - 1, 490);
        assertThat(ended).isZero();
        look(1, 490);
        assertThat(ended).isEqualTo(1);
    }

    @Test
    @DisplayName("R2 one allocation that fails is not the end")
    void survivesOneFailedAllocation() {
        memory = false;
        look(MemoryWatch.MAX_FAILED_PROBES - 1, 0);
        memory = true;
        look(1, 0);
        memory = false;
        look(MemoryWatch.MAX_FAILED_PROBES - 1, 0);
        assertThat(ended).isZero();
        look(1, 0);
        assertThat(ended).isEqualTo(1);
    }
}
