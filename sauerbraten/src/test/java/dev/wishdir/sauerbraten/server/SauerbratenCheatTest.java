package dev.wishdir.sauerbraten.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.OnCheat;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.Serving;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.sauerbraten.message.Action;
import dev.wishdir.sauerbraten.message.Edit;
import dev.wishdir.sauerbraten.message.Life;
import dev.wishdir.world.blocks.ArenaText;
import dev.wishdir.world.blocks.BlockArena;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a client does that its game can't: each is a verdict, and the others do not see it. */
class SauerbratenCheatTest {
    private static final long SECOND = EnetNode.SECOND;

    /** West of a wall with no way around or over it, from x = 14 to 15. */
    private static final double WEST = 2;

    private static final double EAST = 20;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final List<String> verdicts = new ArrayList<>();
    private Arena arena = new Arena(Level.BOX, 8);
    private ScriptedPlayer mallory = new ScriptedPlayer(network, 1, EnetNode.address("10.0.0.1:1"));

    /** The furthest east that anybody was seen. */
    private double furthest;

    private static BlockArena blocks() throws Exception {
        String floor = "#".repeat(60) + "\n";
        String wall = ".".repeat(44) + "#" + ".".repeat(15) + "\n";
        return ArenaText.read(
                "wishdir-arena 1\nname t\nsize 60 4 10\nground 1\nblock # stone\nspawn 0 1 0 0\n"
                        + "spawn -26 0 0 0\nlayer 0\n"
                        + floor.repeat(4)
                        + "layers 1-9\n"
                        + wall.repeat(4));
    }

    @BeforeEach
    void serve() throws Exception {
        BlockArena blocks = blocks();
        arena = new Arena(Level.of(blocks), 8);
        arena.onCheat(OnCheat.FREEZE);
        arena.observe(event -> {
            if (event instanceof ArenaEvent.Verdict verdict) {
                verdicts.add(verdict.rule());
            } else if (event instanceof ArenaEvent.Moved moved) {
                furthest = Math.max(furthest, moved.movement().position().x());
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        SauerbratenEndpoint endpoint =
                SauerbratenEndpoint.open(
                        Serving.at(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                                .blocks(blocks)
                                .counters(new Counters())
                                .random(new Random(9))
                                .build());
        mallory = new ScriptedPlayer(network, 2, endpoint.address()).join("mallory");
        walk(0, WEST, 1);
        assertThat(verdicts).isEmpty();
    }

    private void at(double x) {
        mallory.move((int) Math.round((512 + 8 * x) * 16));
        network.run(SECOND / 30);
    }

    private void walk(double from, double to, double seconds) {
        int steps = (int) (seconds * 30);
        for (int i = 0; i <= steps; i++) {
            at(from + (to - from) * i / steps);
        }
    }

    private void assertNotSeenInTheEast() {
        assertThat(verdicts).isNotEmpty();
        assertThat(furthest).isLessThan(14);
    }

    @Test
    @DisplayName("R12 after a pause nobody is on the other side of a wall")
    void pauseAndThroughAWall() {
        network.run(SECOND * 11 / 10);
        walk(EAST, EAST, 1);
        assertNotSeenInTheEast();
    }

    @Test
    @DisplayName("R12 after a silence in which the body was gone it is where it could walk")
    void silenceAndAnywhere() {
        network.run(8 * SECOND);
        walk(EAST, EAST, 1);
        assertNotSeenInTheEast();
        verdicts.clear();
        walk(-20, -20, 0.2);
        assertThat(verdicts).isEmpty();
    }

    @Test
    @DisplayName("R12 a shot now and then makes nobody faster for long")
    void shots() {
        double seen = arena.players().getFirst().movement().position().x();
        double way = 0;
        double x = WEST;
        int direction = -1;
        for (int step = 0; step < 12 * 30; step++) {
            if (step % 90 == 0) {
                mallory.say(Action.Shoot.BLANK);
            }
            x += direction * 46.0 / 30;
            if (x < -25 || x > 12) {
                direction = -direction;
            }
            at(x);
            Vec3 place = arena.players().getFirst().movement().position();
            way += Math.abs(place.x() - seen);
            seen = place.x();
        }
        assertThat(verdicts).contains("metres at once");
        // Two seconds of lag, and what shots push, once.
        assertThat(way).isLessThan(22 * 14 + 30 + 12 * 5 + 10);
    }

    @Test
    @DisplayName("R12 nobody begins a life elsewhere than where bodies appear")
    void suicideAndAnywhere() {
        mallory.say(new Life.Suicide());
        network.run(SECOND / 5);
        mallory.say(new Life.TrySpawn());
        network.run(SECOND / 5);
        mallory.spawn();
        at(13);
        at(13);
        assertThat(verdicts).isNotEmpty();
        assertThat(furthest).isLessThan(10);
        verdicts.clear();
        walk(EAST, EAST, 1);
        assertNotSeenInTheEast();
    }

    @Test
    @DisplayName("R12 who fetches the map is nowhere else meanwhile")
    void fetchesTheMap() {
        mallory.say(new Edit.GetMap());
        network.run(SECOND);
        walk(EAST, EAST, 12);
        assertNotSeenInTheEast();
    }
}
