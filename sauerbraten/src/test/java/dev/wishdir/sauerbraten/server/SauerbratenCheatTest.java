package dev.wishdir.sauerbraten.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a client does that its game can't: each is a violation, and the others do not see it. */
class SauerbratenCheatTest {
    private static final long SECOND = EnetNode.SECOND;

    /** West of a wall with no way around or over it, from x = 14 to 15. */
    private static final double WEST = 2;

    private static final double EAST = 20;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final List<ViolationRule> violations = new ArrayList<>();
    private Arena arena = new Arena(Level.BOX, 8);
    private InetSocketAddress address = EnetNode.address("10.0.0.1:1");
    private ScriptedPlayer mallory = new ScriptedPlayer(network, 1, address);

    /** The furthest east that a player was seen. */
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
        arena.setCheatPolicy(CheatPolicy.FREEZE);
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.MovementViolation violation) {
                violations.add(violation.rule());
            } else if (event instanceof ArenaEvent.Moved moved) {
                furthest = Math.max(furthest, moved.movement().position().x());
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
        address = endpoint.address();
        mallory = new ScriptedPlayer(network, 2, address).join("mallory");
        walk(0, WEST, 1);
        assertThat(violations).isEmpty();
    }

    private static int nativeX(double x) {
        return (int) Math.round((512 + 8 * x) * 16);
    }

    private void at(double x) {
        mallory.move(nativeX(x));
        network.run(SECOND / 30);
    }

    private void walk(double from, double to, double seconds) {
        int steps = (int) (seconds * 30);
        for (int i = 0; i <= steps; i++) {
            at(from + (to - from) * i / steps);
        }
    }

    private double seen() {
        return arena.players().getFirst().movement().position().x();
    }

    private void assertNotSeenInTheEast() {
        assertThat(violations).isNotEmpty();
        assertThat(furthest).isLessThan(14);
    }

    /** As the original client does it, which reports its feet 1.883 m above the other's. */
    @Test
    void standsOnHeadOfOtherPlayerWhileItIsThere() {
        ScriptedPlayer bob = new ScriptedPlayer(network, 3, address).join("bob");
        bob.move(nativeX(WEST));
        stand(bob, WEST, 6);
        assertThat(violations).isEmpty();
        bob.move(nativeX(WEST - 4));
        stand(bob, WEST - 4, 2);
        assertThat(violations).isEmpty();
        stand(bob, WEST - 4, 2);
        assertThat(violations).containsOnly(ViolationRule.AIR_TIME);
    }

    private void stand(ScriptedPlayer bob, double bobsX, int seconds) {
        for (int i = 0; i < seconds * 30; i++) {
            bob.move(nativeX(bobsX));
            mallory.hover(nativeX(WEST), 1.883);
            network.run(SECOND / 30);
        }
    }

    @Test
    @DisplayName("R12 a body is not on the other side of a wall after a pause")
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
        violations.clear();
        walk(-20, -20, 0.2);
        assertThat(violations).isEmpty();
    }

    @Test
    @DisplayName("R12 a shot now and then makes no body faster for long")
    void shots() {
        double seen = seen();
        double way = 0;
        double x = WEST;
        int direction = -1;
        for (int step = 0; step < 12 * 30; step++) {
            if (step % 90 == 0) {
                mallory.say(ActionMessage.Shoot.BLANK);
            }
            x += direction * 46.0 / 30;
            if (x < -25 || x > 12) {
                direction = -direction;
            }
            at(x);
            way += Math.abs(seen() - seen);
            seen = seen();
        }
        assertThat(violations).contains(ViolationRule.DISTANCE);
        // Two seconds of lag, and what shots push, once.
        assertThat(way).isLessThan(22 * 14 + 30 + 12 * 5 + 10);
    }

    @Test
    @DisplayName("R12 a life does not begin elsewhere than at a spawn point")
    void suicideAndAnywhere() {
        mallory.say(new LifeMessage.Suicide());
        network.run(SECOND / 5);
        mallory.say(new LifeMessage.TrySpawn());
        network.run(SECOND / 20);
        mallory.spawn();
        furthest = -30;
        at(13);
        at(13);
        assertThat(violations).isNotEmpty();
        assertThat(furthest).isLessThan(10);
        violations.clear();
        walk(EAST, EAST, 1);
        assertNotSeenInTheEast();
    }

    @Test
    @DisplayName("R12 a life that begins at any spawn point, or a few steps from it, is no cheat")
    void spawnsSomewhereElse() {
        mallory.say(new LifeMessage.Suicide());
        network.run(SECOND / 5);
        mallory.say(new LifeMessage.TrySpawn());
        network.run(SECOND / 20);
        mallory.spawn();
        walk(-24, -10, 1);
        assertThat(violations).isEmpty();
        assertThat(seen()).isCloseTo(-10, within(0.1));
    }

    @Test
    @DisplayName("R12 a client that fetches the map is nowhere else meanwhile, and appears again")
    void fetchesTheMap() {
        mallory.say(new EditMessage.GetMap());
        network.run(SECOND);
        int life = mallory.lifeseq;
        walk(EAST, EAST, 12);
        assertThat(furthest).isLessThan(14);
        assertThat(mallory.lifeseq).isEqualTo(life + 1);
        mallory.spawn();
        walk(EAST, EAST, 1);
        assertNotSeenInTheEast();
    }

    @Test
    @DisplayName("R12 a client that has loaded the map appears at once at a spawn point of it")
    void loadsTheMap() {
        mallory.say(new EditMessage.GetMap());
        network.run(SECOND);
        int life = mallory.lifeseq;
        mallory.load(Ogz.read(mallory.heard(EditMessage.SendMap.class).getLast().file()).crc());
        assertThat(mallory.lifeseq).isEqualTo(life + 1);
        walk(-24, -20, 1);
        assertThat(violations).isEmpty();
        assertThat(seen()).isCloseTo(-20, within(0.1));
    }
}
