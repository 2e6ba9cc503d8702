package dev.wishdir.sauerbraten.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A client that says where it is in a race: what it did not walk gives it no time. */
class SauerbratenRaceCheatTest {
    private static final long SECOND = EnetNode.SECOND;
    private static final double START = -24;
    private static final double FINISH = 26;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final List<Integer> times = new ArrayList<>();
    private final List<ArenaEvent> violations = new ArrayList<>();
    private Arena arena = new Arena(Level.BOX, 8);
    private ScriptedPlayer mallory = new ScriptedPlayer(network, 1, EnetNode.address("10.0.0.1:1"));

    private static BlockArena blocks() throws Exception {
        return ArenaText.read(
                "wishdir-arena 1\nname t\nsize 60 4 10\nground 1\nblock # stone\nspawn -24 0 0 0\n"
                        + "start -24 0 0 6 4 6\ncheckpoint 0 0 0 2 4 6\nfinish 26 0 0 2 4 6\n"
                        + "layer 0\n"
                        + ("#".repeat(60) + "\n").repeat(4)
                        + "layers 1-9\n"
                        + (".".repeat(60) + "\n").repeat(4));
    }

    @BeforeEach
    void serve() throws Exception {
        BlockArena blocks = blocks();
        arena = new Arena(Level.of(blocks), 8);
        arena.setMatchRules(MatchRules.of(MatchMode.RACE));
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.MovementViolation) {
                violations.add(event);
            } else if (event instanceof ArenaEvent.RunFinished finished) {
                times.add(finished.millis());
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        SauerbratenEndpoint endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                                .blocks(blocks)
                                .counters(new Counters())
                                .random(new Random(9))
                                .build());
        mallory = new ScriptedPlayer(network, 2, endpoint.address()).join("mallory");
        walk(START, START, 1);
        assertThat(violations).isEmpty();
    }

    private void at(double x) {
        mallory.move((int) Math.round((512 + 8 * x) * 16));
        network.run(SECOND / 30);
    }

    private void walk(double from, double to, double seconds) {
        int steps = (int) (seconds * 30);
        for (int i = 1; i <= steps; i++) {
            at(from + (to - from) * i / steps);
        }
    }

    /** From the start at x = -21 to the finish at x = 25, at 10 m/s. */
    @Test
    void walkHasTime() {
        walk(START, FINISH, 5);
        assertThat(violations).isEmpty();
        assertThat(times)
                .singleElement()
                .satisfies(time -> assertThat(time).isBetween(4_590, 4_610));
        assertThat(arena.match().race().roundTimes()).hasSize(1);
    }

    @Test
    @DisplayName("K2 a client that appears in the finish has no time")
    void appearsInFinish() {
        walk(START, 2, 2.6);
        walk(FINISH, FINISH, 1);
        assertNoTime();
    }

    @Test
    @DisplayName("K2 a client that runs much faster than its game has no time")
    void runsTooFast() {
        walk(START, FINISH, 0.8);
        assertThat(violations).isNotEmpty();
        assertNoTime();
    }

    @Test
    @DisplayName("K2 a client that is silent and then in the finish has no time")
    void isSilentAndThenInFinish() {
        walk(START, 2, 2.6);
        network.run(3 * SECOND);
        walk(FINISH, FINISH, 1);
        assertThat(times).isEmpty();
    }

    @Test
    @DisplayName("K2 a client that rests, and claims all its way in half a second, has no time")
    void runsAheadOfItsBody() {
        walk(START, START, 3);
        walk(START, FINISH, 0.5);
        walk(FINISH, FINISH, 0.2);
        assertNoTime();
    }

    private void assertNoTime() {
        assertThat(times).isEmpty();
        assertThat(arena.match().race().times().best("t", 10)).isEmpty();
        violations.clear();
        network.run(5 * SECOND);
        walk(FINISH, START, 6);
        walk(START, FINISH, 5);
        assertThat(times).as("the next run counts").hasSize(1);
    }
}
