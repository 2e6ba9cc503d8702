package dev.wishdir.bedrock.protocol.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.wishdir.net.loop.DatagramHandler;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class TurnScheduleTest {
    private final TurnSchedule schedule = new TurnSchedule();
    private final List<String> ran = new ArrayList<>();

    /** A session whose every turn is recorded, and returns the same deadline. */
    private TurnSchedule.Turn add(String name, long deadline) {
        return schedule.add(_ -> {
            ran.add(name);
            return deadline;
        });
    }

    private List<String> turnsAt(long now) {
        ran.clear();
        schedule.advance(now);
        return List.copyOf(ran);
    }

    @Test
    void runsFirstTurnOfNewSession() {
        add("ann", DatagramHandler.NEVER);
        assertThat(turnsAt(0)).containsExactly("ann");
    }

    @Test
    void skipsIdleSessions() {
        for (int i = 0; i < 100; i++) {
            add("idle", DatagramHandler.NEVER);
        }
        TurnSchedule.Turn busy = add("busy", DatagramHandler.NEVER);
        turnsAt(0);
        assertThat(turnsAt(1)).isEmpty();
        busy.request();
        busy.request();
        assertThat(turnsAt(2)).containsExactly("busy");
        assertThat(turnsAt(3)).isEmpty();
    }

    @Test
    void runsSessionsAtTheirDeadlines() {
        add("late", 30);
        add("early", 20);
        assertThat(schedule.advance(0)).isEqualTo(20);
        assertThat(turnsAt(19)).isEmpty();
        assertThat(turnsAt(20)).containsExactly("early");
        assertThat(turnsAt(30)).containsExactly("early", "late");
    }

    @Test
    void keepsSessionsWithTheSameDeadline() {
        add("ann", 10);
        add("bob", 10);
        schedule.advance(0);
        assertThat(turnsAt(10)).containsExactly("ann", "bob");
    }

    @Test
    void runsTurnRequestedByAnotherSessionInNextCall() {
        TurnSchedule.Turn ann = add("ann", DatagramHandler.NEVER);
        TurnSchedule.Turn bob =
                schedule.add(_ -> {
                    ran.add("bob");
                    ann.request();
                    return DatagramHandler.NEVER;
                });
        schedule.advance(0);
        schedule.advance(0);
        ran.clear();
        bob.request();
        assertThat(schedule.advance(7)).isEqualTo(7);
        assertThat(ran).containsExactly("bob");
        assertThat(schedule.advance(7)).isEqualTo(DatagramHandler.NEVER);
        assertThat(ran).containsExactly("bob", "ann");
    }

    @Test
    void runsNoTurnOfCancelledSession() {
        TurnSchedule.Turn ann = add("ann", 10);
        schedule.advance(0);
        ann.request();
        ann.cancel();
        assertThat(turnsAt(5)).isEmpty();
        assertThat(schedule.advance(10)).isEqualTo(DatagramHandler.NEVER);
        ann.request();
        assertThat(turnsAt(11)).isEmpty();
    }

    @Test
    void runsOtherSessionsAfterFailureAndRetriesFailedOne() {
        TurnSchedule.Turn broken =
                schedule.add(_ -> {
                    ran.add("broken");
                    throw new IllegalStateException();
                });
        TurnSchedule.Turn ann = add("ann", DatagramHandler.NEVER);
        assertThatIllegalStateException().isThrownBy(() -> schedule.advance(0));
        assertThat(schedule.advance(1)).isEqualTo(1_000_000_000L);
        assertThat(ran).containsExactly("broken", "ann");
        ran.clear();
        broken.request();
        ann.request();
        assertThatIllegalStateException().isThrownBy(() -> schedule.advance(2));
    }
}
