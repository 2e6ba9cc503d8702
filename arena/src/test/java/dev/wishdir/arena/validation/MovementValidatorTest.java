package dev.wishdir.arena.validation;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.MovementValidator.Violation;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

@DisplayName("F4 who moves as nobody can")
class MovementValidatorTest {
    private static final BodyDimensions BODY = new BodyDimensions("some", 0.6, 1.8, 0.5625, 1.25);
    private static final double TICK = 0.05;
    private static final MovementLimits PHYSICS =
            new MovementLimits(BODY, 0.4, 0.25, 7.5, 1.5, 1.75, 0.4);

    /** How high a jump has led after each tick, metres. */
    private static final List<Double> JUMP =
            List.of(0.42, 0.7532, 1.0013, 1.1661, 1.2492, 1.2522, 1.1768, 1.0244, 0.7967);

    private final Level hall = Level.of(ArenaCatalog.shipped("hall"));
    private final Level flat = Level.of(ArenaCatalog.FLAT);
    private long now;

    private MovementValidator in(Level level, Vec3 start) {
        MovementValidator judge = new MovementValidator(PHYSICS, level);
        judge.accept(now, start);
        return judge;
    }

    private void tick() {
        now += (long) (TICK * 1e9);
    }

    @Test
    @DisplayName("whoever lands on the rim of a slab, close to a wall, has landed and may jump on")
    void rim() {
        // A wall is at x = 6; a slab, half a metre high, ends at y = 5.
        Vec3 floor = new Vec3(5.7, 5.7, -3);
        Vec3 rim = new Vec3(5.7, 5.2943, -2.5);
        MovementValidator judge = in(hall, floor);
        for (double height : JUMP.subList(0, 8)) {
            tick();
            assertThat(judge.validate(now, floor.plus(new Vec3(0, 0, height)), TICK)).isNull();
        }
        for (int jumps = 0; jumps < 5; jumps++) {
            tick();
            assertThat(judge.validate(now, rim, TICK)).isNull();
            for (double height : JUMP) {
                tick();
                assertThat(judge.validate(now, rim.plus(new Vec3(0, 0, height)), TICK)).isNull();
            }
        }
    }

    @Test
    @DisplayName("a wall is no ground: whoever clings to one is found after a jump's time")
    void clings() {
        Vec3 floor = new Vec3(5.7, 5.7, -3);
        MovementValidator judge = in(hall, floor);
        for (double height : JUMP.subList(0, 6)) {
            tick();
            assertThat(judge.validate(now, floor.plus(new Vec3(0, 0, height)), TICK)).isNull();
        }
        Vec3 top = floor.plus(new Vec3(0, 0, 1.2522));
        int clung = 6;
        Violation violation = null;
        while (violation == null && clung < 100) {
            clung++;
            tick();
            violation = judge.validate(now, top, TICK);
        }
        assertThat(clung).isEqualTo(11);
        assertThat(requireNonNull(violation).rule()).isEqualTo(ViolationRule.AIR_TIME);
        assertThat(violation.allowed()).isEqualTo(PHYSICS.hang() + violation.allowance());
        assertThat(violation.place().z()).isEqualTo(-3);
    }

    @Test
    @DisplayName(
            "of what is told now and then, two seconds more in the air are no breach, four are")
    void heldUp() {
        Vec3 start = flat.spawns().getFirst().position();
        MovementValidator judge = in(flat, start);
        Vec3 up = start.plus(new Vec3(0, 0, 1));
        for (int i = 0; i < 2 * 20; i++) {
            tick();
            assertThat(judge.validate(now, up)).isNull();
        }
        for (int i = 0; i < 2 * 20; i++) {
            tick();
            judge.validate(now, up);
        }
        assertThat(requireNonNull(judge.validate(now, up)).rule())
                .isEqualTo(ViolationRule.AIR_TIME);
    }

    @Test
    @DisplayName("whom the level moves or throws is not to blame, and for no longer")
    void moved() {
        Vec3 start = flat.spawns().getFirst().position();
        Vec3 far = start.plus(new Vec3(12, 0, 0));
        assertThat(requireNonNull(in(flat, start).validate(now + 1, far)).rule())
                .isEqualTo(ViolationRule.DISTANCE);
        MovementValidator taken = in(flat, start);
        taken.accept(now, far);
        tick();
        assertThat(taken.validate(now, far, TICK)).isNull();
        tick();
        assertThat(requireNonNull(taken.validate(now, start, TICK)).rule())
                .isEqualTo(ViolationRule.DISTANCE);
        MovementValidator thrown = in(flat, start);
        thrown.allowThrow(now, 20);
        for (int i = 0; i < 20; i++) {
            tick();
            Vec3 at = start.plus(new Vec3(i * 0.6, 0, Math.min(8, i)));
            assertThat(thrown.validate(now, at, TICK)).isNull();
        }
        now += 6_000_000_000L;
        Vec3 up = start.plus(new Vec3(19 * 0.6, 0, 8));
        Violation violation = null;
        for (int i = 0; i < 20 && violation == null; i++) {
            tick();
            violation = thrown.validate(now, up, TICK);
        }
        assertThat(requireNonNull(violation).rule()).isEqualTo(ViolationRule.AIR_TIME);
    }

    @Test
    @DisplayName("who swims or climbs may stay where it is; above the water it falls")
    void swims() {
        BlockGrid.Builder blocks = new BlockGrid.Builder(16, 16, 12, 1);
        for (int i = 0; i < 16 * 16; i++) {
            blocks.set(i / 16 - 8, i % 16 - 8, -1, Material.STONE, false);
            for (int z = 0; z < 3; z++) {
                blocks.set(i / 16 - 8, i % 16 - 8, z, Material.WATER, false);
            }
        }
        for (int z = 3; z < 8; z++) {
            blocks.set(4, 0, z, Material.BRICK, false);
            blocks.set(3, 0, z, Material.LADDER, false);
        }
        // Who swims lies: it gets through where nobody stands.
        blocks.set(-4, 0, 1, Material.BRICK, false);
        Movement spawn = Movement.at(new Vec3(0.5, 0.5, 0), 0);
        BlockArena wet =
                new BlockArena("wet", "Wet", BlockArena.Sun.USUAL, blocks.build(), List.of(spawn));
        Level level = Level.of(wet);
        for (Vec3 at :
                List.of(
                        new Vec3(0.5, 0.5, 1.3),
                        new Vec3(0.5, 0.5, 2.8),
                        new Vec3(-3.5, 0.5, 0.1),
                        new Vec3(3.6, 0.5, 6.3))) {
            MovementValidator judge = in(level, at);
            for (int i = 0; i < 100; i++) {
                tick();
                assertThat(judge.validate(now, at, TICK)).as("%s", at).isNull();
            }
        }
        Vec3 above = new Vec3(0.5, 0.5, 3.5);
        MovementValidator judge = in(level, above);
        Violation violation = null;
        for (int i = 0; i < 20 && violation == null; i++) {
            tick();
            violation = judge.validate(now, above, TICK);
        }
        assertThat(requireNonNull(violation).rule()).isEqualTo(ViolationRule.AIR_TIME);
        MovementValidator leaps = in(level, new Vec3(0.5, 0.5, 2));
        tick();
        assertThat(leaps.validate(now, new Vec3(0.5, 0.5, 2.9), TICK)).isNull();
        tick();
        assertThat(requireNonNull(leaps.validate(now, new Vec3(0.5, 0.5, 5), TICK)).rule())
                .isEqualTo(ViolationRule.JUMP_HEIGHT);
    }

    @Test
    @DisplayName("R6 movements that come together with the first of a life are no breach of it")
    void startsLate() {
        Vec3 start = flat.spawns().getFirst().position();
        MovementValidator late = new MovementValidator(PHYSICS, flat);
        late.appear(now);
        now += 800_000_000;
        for (int i = 0; i < 16; i++) {
            assertThat(late.validate(now, start.plus(new Vec3(i * TICK * 7, 0, 0)))).isNull();
        }
        assertThat(requireNonNull(late.validate(now, start.plus(new Vec3(9, 0, 0)))).rule())
                .as("more than 0.8 s and what it may be ahead by")
                .isEqualTo(ViolationRule.DISTANCE);
    }

    @Test
    void describesValueAndLimitWithDigitsThatDiffer() {
        assertThat(ViolationRule.DISTANCE.describe(30, 12.5))
                .isEqualTo("distance 30.0 m, limit 12.5 m");
        assertThat(ViolationRule.AIR_TIME.describe(2.7034, 2.7))
                .isEqualTo("time in the air 2.703 s, limit 2.700 s");
        assertThat(ViolationRule.RAY_COUNT.describe(21, 20))
                .isEqualTo("rays that hit 21, limit 20");
    }
}
