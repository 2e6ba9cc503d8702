package dev.wishdir.sauerbraten.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Clients who say that a teleporter or a jump pad of the arena takes them, and how it is. */
class SauerbratenTravelTest {
    /** Sixteenths of a unit: the teleporter, where it leads, the middle, the jump pad. */
    private static final int ENTRANCE = (512 - 80) * 16;

    private static final int EXIT = (512 + 80) * 16;
    private static final int MIDDLE = 512 * 16;
    private static final int PAD = (512 + 32) * 16;
    private static final int METRE = 8 * 16;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Counters counters = new Counters();
    private final List<ViolationRule> verdicts = new ArrayList<>();
    private int teleports;
    private Arena arena = new Arena(Level.BOX, 8);
    private ScriptedPlayer mallory = new ScriptedPlayer(network, 1, EnetNode.address("10.0.0.1:1"));
    private ScriptedPlayer bob = mallory;

    private static BlockArena blocks() throws MalformedArenaException {
        return ArenaText.read(
                "wishdir-arena 1\nname t\nsize 24 4 8\nground 1\nblock # stone\nspawn 0 1 0 0\n"
                        + "teleporter -10 0 0 10 0 0 0\npad 4 0 0 6 0 3\nlayer 0\n"
                        + "########################\n".repeat(4)
                        + "layers 1-7\n"
                        + "........................\n".repeat(4));
    }

    @BeforeEach
    void serve() throws Exception {
        BlockArena blocks = blocks();
        arena = new Arena(Level.of(blocks), 8);
        arena.setCheatPolicy(CheatPolicy.FREEZE);
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.MovementViolation violation) {
                verdicts.add(violation.rule());
            } else if (event instanceof ArenaEvent.Teleported) {
                teleports++;
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        SauerbratenEndpoint endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                                .blocks(blocks)
                                .counters(counters)
                                .random(new Random(9))
                                .build());
        mallory = new ScriptedPlayer(network, 2, endpoint.address()).join("mallory");
        bob = new ScriptedPlayer(network, 3, endpoint.address()).join("bob");
    }

    private void says(MovementMessage message) {
        Bytes packet = SauerbratenCodec.V260.packet(message);
        mallory.raw(0, packet, true);
        network.run(40 * EnetNode.MILLI);
    }

    private void moves(int x) {
        mallory.move(x);
        network.run(40 * EnetNode.MILLI);
    }

    /** Runs about in the middle until it was farther than its time since the spawn allows. */
    private void runUntilJudged() {
        for (int i = 0; verdicts.isEmpty(); i++) {
            mallory.move(MIDDLE + i % 2 * METRE);
            network.run(EnetNode.MILLI);
        }
    }

    private double x() {
        return position().x();
    }

    private Vec3 position() {
        return arena.players().stream()
                .filter(player -> player.name().equals("mallory"))
                .findFirst()
                .orElseThrow()
                .movement()
                .position();
    }

    @Test
    void whoIsThereIsTakenElsewhereAndTheOthersAreTold() {
        moves(ENTRANCE);
        says(new MovementMessage.Teleport(mallory.cn, 1, 2));
        moves(EXIT);
        assertThat(x()).isEqualTo(10);
        assertThat(bob.heard(MovementMessage.Teleport.class)).hasSize(1);
        assertThat(teleports).isOne();
        assertThat(verdicts).isEmpty();
    }

    @Test
    void aJumpPadIsShownAfterThePositionBeforeIt() {
        Bytes before = mallory.move(PAD);
        says(new MovementMessage.JumpPad(mallory.cn, 3));
        assertThat(bob.positions.getFirst()).isEqualTo(before);
        assertThat(bob.heard(MovementMessage.JumpPad.class))
                .containsExactly(new MovementMessage.JumpPad(mallory.cn, 3));
        assertThat(mallory.heard(MovementMessage.JumpPad.class)).isEmpty();
    }

    @Test
    @DisplayName("F4 who says that a far teleporter takes him stays where he is")
    void fromAfar() {
        moves(MIDDLE);
        runUntilJudged();
        double before = x();
        says(new MovementMessage.Teleport(mallory.cn, 1, 2));
        says(new MovementMessage.Teleport(mallory.cn, 1, 0));
        says(new MovementMessage.Teleport(mallory.cn, 77, -1));
        moves(EXIT);
        assertThat(x()).isEqualTo(before);
        assertThat(verdicts).contains(ViolationRule.DISTANCE);
        assertThat(bob.heard(MovementMessage.Teleport.class)).isEmpty();
        assertThat(teleports).isZero();
        assertThat(counters.get("sauerbraten.drop.travel")).isEqualTo(3);
    }

    @Test
    @DisplayName("F4 who is taken elsewhere than the teleporter leads is not seen there")
    void elsewhere() {
        moves(ENTRANCE);
        says(new MovementMessage.Teleport(mallory.cn, 1, 2));
        moves(MIDDLE);
        assertThat(x()).as("stands where it leads").isEqualTo(10);
        assertThat(verdicts).contains(ViolationRule.DISTANCE);
    }

    @Test
    @DisplayName("F4 a far jump pad throws nobody")
    void farPad() {
        moves(ENTRANCE);
        says(new MovementMessage.JumpPad(mallory.cn, 3));
        says(new MovementMessage.JumpPad(mallory.cn, 1));
        assertThat(bob.heard(MovementMessage.JumpPad.class)).isEmpty();
        assertThat(counters.get("sauerbraten.drop.travel")).isEqualTo(2);
        moves(MIDDLE);
        assertThat(x()).isEqualTo(-10);
        assertThat(verdicts).contains(ViolationRule.DISTANCE);
    }
}
