package dev.wishdir.net.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.limit.MemoryConsumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

class MemoryBudgetTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final LogLines log = new LogLines(MemoryBudget.class);
    private final Counters counters = new Counters();
    private final MemoryBudget memoryBudget = new MemoryBudget(1000, counters);
    private final List<String> ended = new ArrayList<>();

    @AfterEach
    void restoreLog() {
        log.close();
    }

    private class Peer implements MemoryConsumer {
        final String name;
        long held;

        Peer(String name, long held) {
            this.name = name;
            this.held = held;
            memoryBudget.add(this);
        }

        @Override
        public long retainedBytes() {
            return held;
        }

        @Override
        public void abort(long now, String reason) {
            ended.add(name);
            held = 0;
            memoryBudget.remove(this);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @Test
    @DisplayName("G3: past the total the largest goes first, and no more than need be")
    void evictsLargestFirst() {
        new Peer("small", 100);
        new Peer("largest", 600);
        new Peer("large", 500);
        new Peer("middle", 300);
        memoryBudget.advance(0);
        assertThat(ended).containsExactly("largest");
        assertThat(memoryBudget.retainedBytes()).isEqualTo(900);
        assertThat(counters.get("memory.ended")).isEqualTo(1);
        assertThat(log.lines()).singleElement().asString().contains("largest");
    }

    @Test
    void logsNoHiddenAddresses() {
        memoryBudget.hideAddresses();
        new Peer("192.0.2.7", 1100);
        memoryBudget.advance(0);
        assertThat(log.lines())
                .singleElement()
                .asString()
                .contains("aborted a client")
                .doesNotContain("192.0.2.7");
    }

    @Test
    @DisplayName("G3: at the total no session is ended")
    void evictsNothingAtTotal() {
        new Peer("one", 400);
        new Peer("other", 600);
        memoryBudget.advance(0);
        assertThat(ended).isEmpty();
    }

    @Test
    @DisplayName("G20: a hundred that each stay within their own bound")
    void boundsTotalOfMany() {
        for (int i = 0; i < 100; i++) {
            new Peer("attacker", 64);
        }
        new Peer("canary", 30);
        memoryBudget.advance(0);
        assertThat(memoryBudget.retainedBytes()).isBetween(900L, 1000L);
        assertThat(ended).hasSize(85).doesNotContain("canary");
        assertThat(log.lines()).hasSizeLessThanOrEqualTo(3);
        assertThat(counters.get("memory.ended")).isEqualTo(85);
    }

    @Test
    void evictsFirstOfEquals() {
        for (int i = 0; i < 20; i++) {
            new Peer("peer" + i, 100);
        }
        memoryBudget.advance(0);
        assertThat(ended).hasSize(10).first().isEqualTo("peer0");
        assertThat(ended).last().isEqualTo("peer9");
    }

    @Test
    void endsUnshrinkingSessionOnce() {
        Peer stubborn =
                new Peer("stubborn", 2000) {
                    @Override
                    public void abort(long now, String reason) {
                        ended.add(name);
                    }
                };
        new Peer("honest", 900);
        for (long i = 0; i < 100; i++) {
            memoryBudget.advance(i * 50 * MILLI);
        }
        assertThat(stubborn.retainedBytes()).isEqualTo(2000);
        assertThat(ended).containsExactly("stubborn");
    }

    @Test
    void continuesAfterThrowingEnd() {
        new Peer("defective", 3000) {
            @Override
            public void abort(long now, String reason) {
                throw new IllegalStateException("defect on purpose");
            }
        };
        new Peer("next", 2000);
        new Peer("honest", 900);
        memoryBudget.advance(0);
        assertThat(ended).containsExactly("next");
        assertThat(log.lines()).hasSize(3).anyMatch(line -> line.contains("defect"));
    }

    @Test
    void endsNestedSessionOnce() {
        Peer other = new Peer("other", 1500);
        new Peer("first", 2000) {
            @Override
            public void abort(long now, String reason) {
                super.abort(now, reason);
                other.abort(now, reason);
            }
        };
        memoryBudget.advance(0);
        assertThat(ended).containsExactly("first", "other");
        assertThat(counters.get("memory.ended")).isEqualTo(1);
    }

    @Test
    void checksAtMostEveryFiftyMilliseconds() {
        Peer peer = new Peer("peer", 0);
        assertThat(memoryBudget.advance(0)).isEqualTo(Duty.NEVER);
        peer.held = 2000;
        assertThat(memoryBudget.advance(10 * MILLI)).isEqualTo(50 * MILLI);
        assertThat(ended).isEmpty();
        assertThat(memoryBudget.advance(50 * MILLI)).isEqualTo(Duty.NEVER);
        assertThat(ended).containsExactly("peer");
    }

    @Test
    @DisplayName("A8: a clock that steps back does not stop it")
    void survivesClockStepBack() {
        memoryBudget.advance(TimeUnit.DAYS.toNanos(30));
        new Peer("peer", 2000);
        memoryBudget.advance(TimeUnit.DAYS.toNanos(29));
        assertThat(ended).containsExactly("peer");
    }

    @Test
    @DisplayName("G16: above three quarters of the limit, files must wait")
    void isShortAboveThreeQuarters() {
        new Peer("peer", 750);
        memoryBudget.advance(0);
        assertThat(memoryBudget.isShort()).isFalse();
        new Peer("late", 1);
        memoryBudget.advance(50 * MILLI);
        assertThat(memoryBudget.isShort()).isTrue();
    }

    @Test
    @DisplayName("A10: whatever happens, a few lines a second")
    void logsFewLines() {
        for (long second = 0; second < 10; second++) {
            for (int i = 0; i < 100; i++) {
                new Peer("attacker", 2000);
            }
            memoryBudget.advance(second * 1000 * MILLI);
        }
        assertThat(ended).hasSize(1000);
        assertThat(log.lines()).hasSizeBetween(3, 13);
        assertThat(log.lines().getLast()).contains("after 99 more");
    }
}
