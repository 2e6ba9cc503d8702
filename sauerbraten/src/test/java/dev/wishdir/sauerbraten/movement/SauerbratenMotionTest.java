package dev.wishdir.sauerbraten.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodecTest;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.util.Random;

class SauerbratenMotionTest {
    private static final SauerbratenMotion MOTION = SauerbratenMotion.CENTERED;
    private static final Offset<Double> EXACT = within(1e-9);

    private final Random random = new Random(260);

    @Test
    void convertsPlacesAndViewsBack() {
        for (int i = 0; i < 10_000; i++) {
            Pos pos = randomPos();
            Pos again = MOTION.toNative(MOTION.toCanonical(pos), pos.cn(), pos.lifeseq());
            assertThat(again.pos()).isEqualTo(pos.pos());
            assertThat(again.yaw()).isEqualTo(pos.yaw());
            assertThat(again.pitch()).isEqualTo(pos.pitch());
            assertThat(again.cn()).isEqualTo(pos.cn());
            assertThat(again.lifeseq()).isEqualTo(pos.lifeseq());
            Vec3 before = pos.vel().plus(pos.fall());
            Vec3 after = again.vel().plus(again.fall());
            // half a quantum of each speed, and half a degree across on each axis of direction
            double quantum = 1 + before.length() * Math.toRadians(0.5) * 1.5;
            assertThat(after.distance(before)).as("%s and %s", pos, again).isLessThan(quantum);
            assertThat(MOTION.toCanonical(again).stance().onGround())
                    .isEqualTo(MOTION.toCanonical(pos).stance().onGround());
        }
    }

    @Test
    void convertsMovementsBack() {
        for (int i = 0; i < 10_000; i++) {
            Movement movement =
                    new Movement(
                            new Vec3(between(-60, 60), between(-60, 60), between(-60, 60)),
                            between(0, 360),
                            between(-90, 90),
                            new Vec3(between(-20, 20), between(-20, 20), between(-20, 20)),
                            Stance.NONE.with(Flag.ON_GROUND, random.nextBoolean()));
            Movement again = MOTION.toCanonical(MOTION.toNative(movement, 1, 2));
            assertThat(again.position().distance(movement.position()))
                    .isLessThan(1 / 16.0 / SauerbratenMotion.SCALE);
            assertThat(Angles.between(again.yaw(), movement.yaw())).isLessThanOrEqualTo(0.5001);
            assertThat(again.pitch()).isCloseTo(movement.pitch(), within(0.5001));
            assertThat(again.velocity().distance(movement.velocity()))
                    .isLessThan(1 / 8.0 + movement.velocity().length() * Math.toRadians(0.75));
            assertThat(again.stance().onGround()).isEqualTo(movement.stance().onGround());
        }
    }

    @Test
    void mirrorsFrame() {
        Pos pos = SauerbratenCodecTest.pos("04 01 11 10 0b27 6623 cf1b 8670 5a 84 977e 23");
        Movement movement = MOTION.toCanonical(pos);
        assertThat(movement.position())
                .isEqualTo(
                        new Vec3((624.6875 - 512) / 8, (512 - 566.375) / 8, (444.9375 - 512) / 8));
        assertThat(movement.yaw()).isEqualTo(264);
        assertThat(movement.pitch()).isEqualTo(-10);
        assertThat(movement.velocity().x()).isCloseTo(-16.087 / 8, within(0.001));
        assertThat(movement.velocity().y()).isCloseTo(-131.016 / 8, within(0.001));
        assertThat(movement.velocity().z()).isCloseTo(-35 / 8.0, EXACT);
        assertThat(movement.stance()).isEqualTo(Stance.NONE);
    }

    @Test
    void keepsYawDirection() {
        for (int yaw = 0; yaw < 360; yaw++) {
            double view = Math.toRadians(yaw);
            double canonical = Math.toRadians(SauerbratenMotion.yaw(yaw));
            assertThat(Math.cos(canonical)).isCloseTo(-Math.sin(view), EXACT);
            assertThat(-Math.sin(canonical)).isCloseTo(Math.cos(view), EXACT);
        }
    }

    @Test
    void derivesKeysFromMovement() {
        // looking along the game's +y, whose left is +x
        Movement view = Movement.at(Vec3.ZERO, SauerbratenMotion.yaw(0));
        assertThat(keys(view, new Vec3(0, -5, 0))).containsExactly(1, 0);
        assertThat(keys(view, new Vec3(0, 5, 0))).containsExactly(-1, 0);
        assertThat(keys(view, new Vec3(5, 0, 0))).containsExactly(0, 1);
        assertThat(keys(view, new Vec3(-5, 0, 0))).containsExactly(0, -1);
        assertThat(keys(view, new Vec3(5, -5, 0))).containsExactly(1, 1);
        assertThat(keys(view, Vec3.ZERO)).containsExactly(0, 0);
    }

    private static int[] keys(Movement view, Vec3 velocity) {
        Pos pos =
                MOTION.toNative(
                        new Movement(view.position(), view.yaw(), 0, velocity, Stance.STANDING),
                        0,
                        0);
        return new int[] {pos.move(), pos.strafe()};
    }

    @Test
    void sendsFallAsFalling() {
        Movement falling = new Movement(Vec3.ZERO, 0, 0, new Vec3(0, 0, -10), Stance.NONE);
        Pos pos = MOTION.toNative(falling, 0, 0);
        assertThat(pos.physstate()).isEqualTo(1);
        assertThat(pos.rawvel()).isZero();
        assertThat(pos.fall().distance(new Vec3(0, 0, -80))).isLessThan(1e-9);
        assertThat(pos.flags()).isEqualTo(Pos.FALL);
    }

    @Test
    void clampsToWireRange() {
        Movement far =
                new Movement(new Vec3(1e9, -1e9, 1e9), 359.9, 90, new Vec3(1e9, 0, 0), Stance.NONE);
        Pos pos = MOTION.toNative(far, 0, 0);
        assertThat(pos.x()).isEqualTo((1 << 23) - 1);
        assertThat(pos.y()).isEqualTo((1 << 23) - 1);
        assertThat(pos.rawvel()).isEqualTo(0xFFFF);
        assertThat(pos.pitch()).isEqualTo(90);
    }

    private double between(double low, double high) {
        return low + (high - low) * random.nextDouble();
    }

    private Pos randomPos() {
        boolean falls = random.nextBoolean();
        return Pos.of(
                random.nextInt(200),
                random.nextInt(256),
                random.nextInt(1 << 24) - (1 << 23),
                random.nextInt(65536),
                random.nextInt(65536),
                random.nextInt(65160),
                90,
                random.nextInt(falls ? 100 : 1000),
                random.nextInt(65160),
                falls ? random.nextInt(300) : 0,
                0,
                random.nextBoolean());
    }
}
