package dev.wishdir.quake2.server.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.quake2.server.session.SessionState;
import dev.wishdir.quake2.server.session.TestSessions;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

class SignOnTest {
    private final TestSessions sessions = new TestSessions();
    private final SignOn signOn = sessions.signOn;
    private final TestSessions.Client client = sessions.add(1);
    private final Quake2Session session = client.session();

    SignOnTest() throws IOException {}

    @BeforeEach
    void connect() {
        client.send(0);
    }

    private List<String> words(String command, int start) {
        return List.of(command, Integer.toString(session.serverCount()), Integer.toString(start));
    }

    @Test
    void startsOnlyBeforeTheGame() {
        signOn.start(session);
        assertThat(session.state()).isEqualTo(SessionState.LOADING);
        signOn.begin(0, session, words("begin", 0));
        assertThat(session.state()).isEqualTo(SessionState.SPAWNED);
        signOn.start(session);
        assertThat(session.state()).isEqualTo(SessionState.SPAWNED);
    }

    @Test
    void startsAgainWithAnotherNumberOfTheMap() {
        signOn.configStrings(session, List.of("configstrings", "1", "0"));
        assertThat(session.state()).isEqualTo(SessionState.LOADING);
        signOn.begin(0, session, List.of("begin"));
        assertThat(session.state()).isEqualTo(SessionState.LOADING);
        assertThat(session.isProven()).isFalse();
    }

    @Test
    void provesTheAddressWithTheNumberOfTheMap() {
        signOn.start(session);
        signOn.configStrings(session, words("configstrings", 0));
        assertThat(session.isProven()).isTrue();
    }

    @Test
    void countsAnIndexOutOfRange() {
        signOn.start(session);
        signOn.configStrings(session, words("configstrings", -1));
        signOn.precache(session, words("baselines", 1 << 20));
        assertThat(sessions.counters.get("quake2.command")).isEqualTo(2);
        signOn.precache(session, words("baselines", 0));
        assertThat(sessions.counters.get("quake2.command")).isEqualTo(2);
    }

    @Test
    void dropsAClientThatFindsTheServerFull() {
        for (int host = 2; host < 2 + TestSessions.MAX_PLAYERS; host++) {
            sessions.prove(sessions.add(host));
        }
        signOn.start(session);
        signOn.begin(0, session, words("begin", 0));
        assertThat(session.state()).isEqualTo(SessionState.ZOMBIE);
        assertThat(sessions.arena.players()).isEmpty();
    }
}
