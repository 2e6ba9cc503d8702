package dev.wishdir.idtech;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.Vec3f;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

class IntermissionViewTest {
    private static final Map<String, String> SPAWN =
            Map.of("classname", "info_player_deathmatch", "origin", "1 2 3");

    private static Map<String, String> view(String key, String value) {
        return Map.of("classname", "info_player_intermission", "origin", "10 20 30", key, value);
    }

    private static Optional<Vec3f> angles(List<Map<String, String>> entities) {
        return IntermissionView.of(entities).map(IntermissionView::angles);
    }

    @Test
    void looksAsAnglesSay() {
        assertThat(IntermissionView.of(List.of(SPAWN, view("angle", "90"))))
                .contains(new IntermissionView(new Vec3f(10, 20, 30), new Vec3f(0, 90, 0)));
        assertThat(angles(List.of(view("angles", "15 270 1")))).contains(new Vec3f(15, 270, 1));
        assertThat(angles(List.of(view("angle", "east")))).contains(Vec3f.ZERO);
    }

    @Test
    void looksAtTarget() {
        Map<String, String> target =
                Map.of("classname", "info_notnull", "targetname", "t", "origin", "10 120 -70");
        assertThat(angles(List.of(view("target", "t"), target)).orElseThrow())
                .satisfies(angles -> {
                    assertThat(angles.x()).as("down").isEqualTo(45);
                    assertThat(angles.y()).isEqualTo(90);
                });
        assertThat(angles(List.of(view("target", "missing"), target))).contains(Vec3f.ZERO);
    }

    @Test
    void findsNoneWithoutEntityOrPlace() {
        assertThat(IntermissionView.of(List.of(SPAWN))).isEmpty();
        assertThat(IntermissionView.of(List.of(Map.of("classname", "info_player_intermission"))))
                .isEmpty();
    }
}
