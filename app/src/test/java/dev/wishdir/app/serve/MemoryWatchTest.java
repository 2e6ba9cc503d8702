package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

@Timeout(60)
class MemoryWatchTest {
    private boolean memory = true;
    private long collected;
    private int ended;
    private long now;
    private final MemoryWatch watch = new MemoryWatch(() -> memory, () -> collected, () -> ended++);

    @Test
    @DisplayName("R2 a process without memory ends with status 3, whichever thread met it")
    void endsProcessOnOutOfMemory() throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx24m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty(
                                        "surefire.test.class.path",
                                        System.getProperty("java.class.path")),
                                FullHeap.class.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(MemoryWatch.VM_ERROR_STATUS);
        } finally {
            process.destroyForcibly();
        }
    }

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
