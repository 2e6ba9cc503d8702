package dev.wishdir.bedrock.combat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.combat.MissileMotion;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrowRulesTest {
    private static final double TICK_SECONDS = 1.0 / BedrockMotion.TICKS_PER_SECOND;

    @ParameterizedTest
    @CsvSource({"0, 0", "2, 0", "3, 0.1075", "10, 0.416666667", "20, 1", "200, 1"})
    void powerFollowsTheDraw(int ticks, double power) {
        assertThat(ArrowRules.power(ticks * BedrockMotion.TICK_NANOS))
                .isCloseTo(power, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({"ARROW, 0.05", "SNOWBALL, 0.03", "TRIDENT, 0.05"})
    void fliesAsTheStepsOfTheGame(Projectile projectile, double gravity) {
        MissileMotion.State state =
                new MissileMotion.State(new Vec3(1, 2, 3), new Vec3(60, -30, 40));
        double x = 1;
        double z = 3;
        double vx = 3;
        double vz = 2;
        for (int tick = 0; tick < 60; tick++) {
            state = projectile.after(state, TICK_SECONDS);
            vx = vx * 0.99;
            vz = vz * 0.99 - gravity;
            x += vx;
            z += vz;
            assertThat(state.place().x()).isCloseTo(x, within(1e-6));
            assertThat(state.place().z()).isCloseTo(z, within(1e-6));
            assertThat(state.velocity().z() * TICK_SECONDS).isCloseTo(vz, within(1e-6));
        }
        MissileMotion.State half = projectile.after(state, TICK_SECONDS / 2);
        MissileMotion.State twice = projectile.after(half, TICK_SECONDS / 2);
        MissileMotion.State whole = projectile.after(state, TICK_SECONDS);
        assertThat(twice.place().distance(whole.place())).isLessThan(1e-6);
        assertThat(twice.velocity().distance(whole.velocity())).isLessThan(1e-6);
    }

    @Test
    void hurtsBySpeed() {
        assertThat(ArrowRules.damage(100, false, 0.99)).isEqualTo(50);
        assertThat(ArrowRules.damage(100, true, 0)).isEqualTo(50);
        assertThat(ArrowRules.damage(100, true, 0.999)).isEqualTo(70);
        assertThat(ArrowRules.damage(11, false, 0)).isEqualTo(10);
    }
}
