package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.Map;

class ServerTest {
    @Test
    void theOperatorIsToldWhoKeepsTheBlocks() {
        Map<String, String> played = new LinkedHashMap<>();
        played.put("sauerbraten", "hall");
        played.put("quake2", "q2dm1");
        played.put("bedrock", "hall");
        assertThat(Server.keeping(played, "hall"))
                .containsExactly(
                        "quake2 plays q2dm1 alone; keep the arena hall, and see its players among"
                                + " other walls: sauerbraten, bedrock.");
        played.put("quake2", "hall");
        assertThat(Server.keeping(played, "hall")).isEmpty();
    }
}
