package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.SilentViewer;
import dev.wishdir.net.Counters;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class OperatorLogTest {
    private static final long SECOND = 1_000_000_000;

    private final List<String> lines = new ArrayList<>();
    private final Counters counters = new Counters();
    private final OperatorLog log = new OperatorLog(lines::add, counters);
    private final Arena arena = new Arena(Level.BOX, 8);

    OperatorLogTest() {
        arena.observe(log);
    }

    @Test
    void refusalsAreToldOnceAndThenCounted() {
        for (int i = 0; i < 1000; i++) {
            arena.refused(i, "quake2", "10.0.0." + i, "Server is full.");
        }
        log.advance(SECOND);
        assertThat(lines).containsExactly("refused 10.0.0.0 (quake2): Server is full.");
        log.advance(11 * SECOND);
        assertThat(lines)
                .hasSize(2)
                .last()
                .isEqualTo("refused 10.0.0.999 (quake2): Server is full. (999 times in 10 s)");
        log.advance(30 * SECOND);
        arena.refused(30 * SECOND, "quake2", "10.0.0.1", "Server is full.");
        assertThat(lines).hasSize(3);
    }

    @Test
    void theNumberOfCausesIsBounded() {
        for (int i = 0; i < 10_000; i++) {
            arena.refused(0, "quake2", "10.0.0.1", "reason " + i);
        }
        assertThat(lines).hasSize(65);
    }

    @Test
    void whoIsLimitedOrSentAwayIsNamed() {
        PlayerId rob = arena.join(0, "quake3", "rob", new SilentViewer()).id();
        for (int i = 0; i < 100; i++) {
            arena.say(0, rob, "spam");
        }
        arena.judged(0, rob, "speed", 30, 12.5, 2.5);
        arena.leave(0, rob, Departure.sentAway("You were talking too much."));
        assertThat(lines)
                .containsExactly(
                        "rob (quake3 1) is limited: talking too much",
                        "rob (quake3 1): speed 30.00, allowed 12.50 (2.50 of it for lag)",
                        "rob (quake3 1) was sent away: You were talking too much.");
    }

    @Test
    void whatWasDroppedIsSummedUpEachMinute() {
        log.advance(0);
        counters.add("quake2.drop.budget", 7);
        log.advance(30 * SECOND);
        assertThat(lines).isEmpty();
        log.advance(60 * SECOND);
        counters.add("quake2.drop.budget", 2);
        log.advance(121 * SECOND);
        log.advance(182 * SECOND);
        assertThat(lines)
                .containsExactly(
                        "in the last minute: quake2.drop.budget +7",
                        "in the last minute: quake2.drop.budget +2");
    }
}
