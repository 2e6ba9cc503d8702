package dev.wishdir.quake2.server.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.quake2.server.session.TestSessions;

import org.junit.jupiter.api.Test;

import java.io.IOException;

class ServerInfoTest {
    private final TestSessions sessions = new TestSessions();
    private final ServerInfo serverInfo = new ServerInfo(sessions.context, sessions.level);

    ServerInfoTest() throws IOException {}

    @Test
    void describesServerAndMap() {
        assertThat(serverInfo.settings().get("mapname")).isEqualTo("wishdir_flat");
        assertThat(serverInfo.settings().get("protocol")).isEqualTo("34");
        assertThat(serverInfo.settings().get("maxclients")).isEqualTo("3");
        assertThat(serverInfo.settings().get("needpass")).isEqualTo("0");
    }

    @Test
    void countsThePlayersOfAllGames() {
        sessions.arena.join(0, "bedrock", "guest", new NoOpViewer());
        assertThat(serverInfo.line(34)).isEqualTo("         Wishdir wishdir_flat  1/ 4\n");
        sessions.arena.mirror(0, new PlayerId(7, 1), "quake2", "far");
        assertThat(serverInfo.line(34)).isEqualTo("         Wishdir wishdir_flat  2/ 5\n");
        assertThat(serverInfo.settings().get("maxclients")).isEqualTo("5");
        assertThat(serverInfo.line(33)).isEqualTo("Wishdir: wrong version\n");
    }
}
