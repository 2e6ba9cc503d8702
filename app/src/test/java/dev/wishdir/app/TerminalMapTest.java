package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.web.Roster;

import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;

final class TerminalMapTest {
    private static final Bounds BOUNDS = new Bounds(new Vec3(-32, -32, 0), new Vec3(32, 32, 8));

    private static Roster.Entry at(double x, double y, double yaw) {
        return new Roster.Entry(1, "red", "rob", Movement.at(new Vec3(x, y, 0), yaw), true);
    }

    @Test
    void northIsUpAndTheArrowLooksWhereThePlayerDoes() {
        List<String> lines =
                TerminalMap.draw(
                        BOUNDS,
                        List.of(at(-31.5, 31.5, 0), at(31.5, -31.5, 90), at(999, 999, 315)));

        assertThat(lines).hasSize(34);
        assertThat(lines.get(1).charAt(1)).isEqualTo('→');
        assertThat(lines.get(32).charAt(64)).isEqualTo('↑');
        assertThat(lines.get(1).charAt(64)).isEqualTo('↘');
        assertThat(lines.get(1)).contains("red         rob               -31.5   31.5");
    }

    @Test
    void moreNamesThanRowsAreCounted() {
        List<String> lines = TerminalMap.draw(BOUNDS, Collections.nCopies(50, at(0, 0, 0)));

        assertThat(lines).hasSize(34);
        assertThat(lines.getLast()).endsWith(" and 19 more");
    }

    @Test
    void aPlayerWithoutABodyIsNotOnTheMap() {
        Roster.Entry spectator = new Roster.Entry(1, "red", "rob", Movement.ORIGIN, false);

        List<String> lines = TerminalMap.draw(BOUNDS, List.of(spectator));

        assertThat(String.join("", lines)).doesNotContain("→").contains("(no body)");
    }
}
