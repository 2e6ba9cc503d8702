package dev.wishdir.app.serve;

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
        assertThat(Server.separateMapNotices(played, "hall"))
                .containsExactly(
                        "only quake2 plays q2dm1; players of sauerbraten, bedrock stay in the arena"
                                + " hall, where they see its players among different walls");
        played.put("quake2", "hall");
        assertThat(Server.separateMapNotices(played, "hall")).isEmpty();
        assertThat(Server.separateMapNotices(Map.of("quake2", "q2dm1"), "hall")).isEmpty();
    }
}
