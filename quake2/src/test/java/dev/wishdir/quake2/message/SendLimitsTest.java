package dev.wishdir.quake2.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.motion.Vec3f;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What would end a client can't be sent: the types of messages do not allow it. */
class SendLimitsTest {
    @ParameterizedTest
    @ValueSource(ints = {-1, 162, 255})
    void refusesDirectionsThatClientsDoNotKnow(int index) {
        assertThatThrownBy(() -> new Direction(index))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 to 161");
    }

    @Test
    void findsTheNearestDirection() {
        for (int i = 0; i < 162; i++) {
            Direction direction = new Direction(i);
            assertThat(direction.vector().length()).isBetween(0.999f, 1.001f);
            assertThat(Direction.nearest(direction.vector().times(3))).isEqualTo(direction);
        }
        assertThat(Direction.nearest(Vec3f.ZERO)).isEqualTo(Direction.NONE);
        assertThat(Direction.nearest(new Vec3f(Float.NaN, 0, 0))).isEqualTo(Direction.NONE);
    }

    @Test
    void refusesLongLayouts() {
        assertThat(new LayoutProgram("x".repeat(1023)).message().text()).hasSize(1023);
        assertThatThrownBy(() -> new LayoutProgram("x".repeat(1024)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1023");
    }

    @Test
    void refusesEffectsOfAnotherShape() {
        assertThatThrownBy(() -> TempEntity.at(TempEntity.RAIL_TRAIL, Triple.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(TempEntity.at(TempEntity.BLOOD, new Triple(1, 2, 3), new Direction(5)).values())
                .containsExactly(1, 2, 3, 5);
    }
}
