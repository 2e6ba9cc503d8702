package dev.wishdir.quake2.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.quake2.server.view.EventMessages;
import dev.wishdir.wire.Reader;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/** The states of a session. */
class Quake2SessionTest {
    private final TestSessions sessions = new TestSessions();
    private final TestSessions.Client client = sessions.add(1);
    private final Quake2Session session = client.session();

    Quake2SessionTest() throws IOException {}

    private void enter() {
        sessions.prove(client);
        session.player().join(0, new Quake2Viewer(session));
        session.enter(0);
    }

    @Test
    void passesAllStatesToTheGame() {
        assertThat(session.state()).isEqualTo(SessionState.ACCEPTED);
        client.send(0);
        assertThat(session.state()).isEqualTo(SessionState.CONNECTED);
        session.startSignOn();
        assertThat(session.state()).isEqualTo(SessionState.LOADING);
        enter();
        assertThat(session.state()).isEqualTo(SessionState.SPAWNED);
        assertThat(sessions.arena.players()).hasSize(1);
    }

    @Test
    void provesItsAddressOnlyDuringTheSignOn() {
        OptionalInt number = OptionalInt.of(session.serverCount());
        client.send(0);
        assertThat(session.verify(number)).as("not sent yet").isFalse();
        session.startSignOn();
        assertThat(session.verify(OptionalInt.of(session.serverCount() + 1))).isFalse();
        assertThat(session.verify(OptionalInt.empty())).isFalse();
        assertThat(session.isProven()).isFalse();
        assertThat(session.verify(number)).isTrue();
        assertThat(session.isProven()).isTrue();
    }

    @Test
    void signsOnAgainAfterAChangeOfTheMap() {
        enter();
        session.changeMap(0, 4711);
        assertThat(session.state()).isEqualTo(SessionState.CONNECTED);
        assertThat(session.isProven()).as("proven for good").isTrue();
        assertThat(session.player().id()).as("keeps its player").isPresent();
        session.startSignOn();
        assertThat(session.verify(OptionalInt.of(4711))).isTrue();
    }

    @Test
    void ignoresAChangeOfTheMapBeforeItsSignOn() {
        client.send(0);
        session.changeMap(0, 4711);
        assertThat(session.state()).isEqualTo(SessionState.CONNECTED);
        assertThat(session.channel().isQuiet()).as("is not asked to reconnect").isTrue();
        assertThat(session.serverCount()).isEqualTo(4711);
    }

    @Test
    void leavesTheArenaWhenDropped() {
        enter();
        session.drop(LeaveReason.of(LeaveReason.Code.SEND_QUEUE_FULL));
        assertThat(session.state()).isEqualTo(SessionState.ZOMBIE);
        assertThat(session.isProven()).isFalse();
        assertThat(sessions.arena.players()).isEmpty();
        assertThat(client.send(0)).as("processes nothing more").isFalse();
        session.changeMap(0, 4711);
        session.drop(LeaveReason.LEFT);
        assertThat(session.state()).isEqualTo(SessionState.ZOMBIE);
        assertThat(sessions.counters.get("quake2.dropped")).isEqualTo(1);
    }

    @Test
    @DisplayName("G23 a player with a long reason to go is gone, and is sent as much as fits")
    void endsWithLongReason() {
        enter();
        session.drop(new LeaveReason(LeaveReason.Code.KICKED, "\u2122".repeat(3_000)));
        assertThat(session.state()).isEqualTo(SessionState.ZOMBIE);
        assertThat(sessions.arena.players()).isEmpty();
        assertThat(session.channel().isSent()).as("waits for its packet").isFalse();
        assertThat(EventMessages.line("x".repeat(3_000)).text()).hasSize(501);
    }

    @Test
    void countsStaleAndExcessPackets() {
        byte[] packet = client.packet();
        assertThat(session.receive(0, new Reader(packet))).isTrue();
        assertThat(session.receive(0, new Reader(packet))).isFalse();
        assertThat(sessions.counters.get("quake2.stale")).isEqualTo(1);
        for (int i = 0; i < 1000; i++) {
            client.send(0);
        }
        assertThat(sessions.counters.get("quake2.drop.flood")).isEqualTo(2);
    }

    @Test
    void answersTheSignOnAtOnce() {
        client.send(0);
        session.answer(0);
        assertThat(sessions.packets).as("nothing to say").isZero();
        session.startSignOn();
        session.channel().state("new", List::of);
        session.event(EventMessages.line("hello"));
        session.answer(0);
        assertThat(sessions.packets).isEqualTo(1);
    }
}
