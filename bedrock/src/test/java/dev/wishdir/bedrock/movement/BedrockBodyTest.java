package dev.wishdir.bedrock.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;

import org.assertj.core.util.DoubleComparator;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class BedrockBodyTest {
    private static final PlayerInput JUMP = new PlayerInput(0, 0, 0, 0, true, false);
    private static final PlayerInput NONE = new PlayerInput(0, 0, 0, 0, false, false);

    /** Heights of the game's own jump: docs/protocols/bedrock.md, speeds. */
    @Test
    void jumpsAsTheGameDoes() {
        BedrockBody body = new BedrockBody();
        body.put(Vec3.ZERO, 0, 0);
        List<Double> rises = new ArrayList<>(List.of(body.step(JUMP).delta().z()));
        double apex = body.movement().position().z();
        while (!body.movement().stance().onGround()) {
            rises.add(body.step(NONE).delta().z());
            apex = Math.max(apex, body.movement().position().z());
        }

        assertThat(rises.subList(0, 6))
                .usingElementComparator(new DoubleComparator(1e-9))
                .containsExactly(0.42, 0.3332, 0.248136, 0.16477328, 0.0830778144, 0.003016258112);
        assertThat(apex).isCloseTo(1.252203, within(1e-6));
        assertThat(rises).hasSize(12);
    }

    @Test
    void fallsAtTerminalSpeed() {
        BedrockBody body = new BedrockBody();
        body.put(Vec3.ZERO, 0, 0);
        body.launch(new Vec3(0, 0, 0));
        double fall = 0;
        for (int tick = 0; tick < 1_000; tick++) {
            fall = body.step(NONE, CollisionSpace.OPEN).delta().z();
        }

        assertThat(fall).isCloseTo(-3.92, within(1e-6));
    }

    @Test
    void sprintsForwardsOnly() {
        BedrockBody body = new BedrockBody();
        body.put(Vec3.ZERO, 0, 0);

        assertThat(body.step(sprint(1, 0, false)).delta().x()).isCloseTo(0.2806, within(1e-9));
        assertThat(body.movement().stance().has(Flag.SPRINTING)).isTrue();
        assertThat(body.step(sprint(0.8, 0, false)).delta().x()).isCloseTo(0.2806, within(1e-9));
        assertThat(body.step(sprint(-1, 0, false)).delta().x()).isCloseTo(-0.21585, within(1e-9));
        assertThat(body.movement().stance().has(Flag.SPRINTING)).isFalse();
        assertThat(body.step(sprint(0, 1, false)).delta().y()).isCloseTo(0.21585, within(1e-9));
        assertThat(body.step(sprint(1, 0, true)).delta().x()).isCloseTo(0.06475, within(1e-9));
    }

    /** The average and the peak of jumps in a sprint: docs/protocols/bedrock.md, speeds. */
    @Test
    void jumpsFartherInSprint() {
        BedrockBody body = new BedrockBody();
        body.put(Vec3.ZERO, 0, 0);
        PlayerInput input = new PlayerInput(0, 0, 1, 0, true, false, true);
        double peak = 0;
        for (int tick = 0; tick < 120; tick++) {
            peak = Math.max(peak, body.step(input).delta().x());
        }

        assertThat(body.movement().position().x() / 6).isCloseTo(7.13, within(0.15));
        assertThat(peak).isBetween(0.45, 0.61);
    }

    private static PlayerInput sprint(double forward, double left, boolean crouch) {
        return new PlayerInput(0, 0, forward, left, false, crouch, true);
    }
}
