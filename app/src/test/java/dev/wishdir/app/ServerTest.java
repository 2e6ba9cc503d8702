package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.Map;

class ServerTest {
    @Test
    void namesGamesThatPlayAnotherMap() {
        Map<String, String> played = new LinkedHashMap<>();
        played.put("sauerbraten", "hall");
        played.put("quake2", "q2dm1");
        played.put("bedrock", "hall");
        assertThat(Server.keeping(played, "hall"))
                .containsExactly(
                        "quake2 alone plays q2dm1; in the arena hall stay, and see its players"
                                + " among other walls: sauerbraten, bedrock");
        played.put("quake2", "hall");
        assertThat(Server.keeping(played, "hall")).isEmpty();
        assertThat(Server.keeping(Map.of("quake2", "q2dm1"), "hall")).isEmpty();
    }
}
