package dev.wishdir.quake2.server.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.quake2.server.session.TestSessions;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

class ConnectHandshakeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress ANN = address("10.9.0.1", 27901);

    private final TestSessions sessions = new TestSessions();
    private final List<LeaveReason.Code> refusals = new ArrayList<>();
    private ConnectHandshake handshake = handshake(sessions);

    ConnectHandshakeTest() throws IOException {}

    private static InetSocketAddress address(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    private ConnectHandshake handshake(TestSessions parts) {
        parts.arena.addListener(event -> {
            if (event instanceof ArenaEvent.JoinRefused refused) {
                refusals.add(refused.reason().code());
            }
        });
        return new ConnectHandshake(
                parts.context, parts.clients, parts.factory, parts.sender, parts.quake2Counters);
    }

    /** The number that an address is sent. */
    private static int challenge(
            TestSessions parts, ConnectHandshake handshake, InetSocketAddress from) {
        handshake.challenge(parts.network.now(), from);
        assertThat(parts.said).matches("challenge -?\\d+ p=34");
        return Integer.parseInt(parts.said.split(" ")[1]);
    }

    private int challenge(InetSocketAddress from) {
        return challenge(sessions, handshake, from);
    }

    private void connect(InetSocketAddress from, int qport, int challenge, String userInfo) {
        connect(sessions, from, qport, challenge, userInfo);
    }

    private void connect(
            TestSessions parts, InetSocketAddress from, int qport, int challenge, String userInfo) {
        List<String> words =
                List.of("connect", "34", "" + qport, Integer.toString(challenge), userInfo);
        handshake.connect(parts.network.now(), from, words);
    }

    @Test
    void startsSessionOfReturnedChallenge() {
        connect(ANN, 7, challenge(ANN), "\\name\\ann");
        assertThat(sessions.said).isEqualTo("client_connect");
        Quake2Session session = sessions.clients.find(ANN).orElseThrow();
        assertThat(session.player().name()).isEqualTo("ann");
        assertThat(session.isProven()).isFalse();
        assertThat(sessions.arena.players()).isEmpty();
    }

    @Test
    void repeatsAnswerWithoutSecondSession() {
        int challenge = challenge(ANN);
        connect(ANN, 7, challenge, "\\name\\ann");
        Quake2Session session = sessions.clients.find(ANN).orElseThrow();
        sessions.said = "";
        connect(ANN, 7, challenge, "\\name\\ann");
        assertThat(sessions.said).isEqualTo("client_connect");
        assertThat(sessions.clients.all()).containsExactly(session);
        assertThat(sessions.context.addressLimits().sessions(ANN.getAddress())).isEqualTo(1);
    }

    @Test
    void refusesChallengeOfAnotherAddressAndSpentOne() {
        InetSocketAddress bob = address("10.9.0.2", 27901);
        int challenge = challenge(ANN);
        connect(bob, 7, challenge, "\\name\\bob");
        assertThat(sessions.said).contains("Bad challenge.");
        connect(ANN, 7, challenge, "\\name\\ann");
        List.copyOf(sessions.clients.all())
                .forEach(session -> sessions.clients.remove(session, LeaveReason.LEFT));
        connect(ANN, 7, challenge, "\\name\\ann");
        assertThat(sessions.said).contains("Bad challenge.");
        assertThat(sessions.clients.all()).isEmpty();
    }

    @Test
    void refusesOtherProtocolAndMalformedRequest() {
        int challenge = challenge(ANN);
        long now = sessions.network.now();
        handshake.connect(now, ANN, List.of("connect", "35", "7", "" + challenge, "\\name\\ann"));
        assertThat(sessions.said).contains("protocol version 34");
        handshake.connect(now, ANN, List.of("connect", "34", "7", "" + challenge));
        assertThat(sessions.said).contains("Connection refused.");
        handshake.connect(now, ANN, List.of("connect", "34", "x", "" + challenge, "\\name\\ann"));
        assertThat(sessions.said).contains("Connection refused.");
        assertThat(sessions.clients.all()).isEmpty();
        assertThat(refusals).as("an unproven address is not reported").isEmpty();
    }

    @Test
    void asksForPasswordAndLimitsGuesses() throws IOException {
        TestSessions closed = new TestSessions("sesame", "");
        handshake = handshake(closed);
        int challenge = challenge(closed, handshake, ANN);
        connect(closed, ANN, 7, challenge, "\\name\\ann");
        assertThat(refusals).containsExactly(LeaveReason.Code.PASSWORD);
        for (int i = 0; i < 20; i++) {
            connect(closed, ANN, 7, challenge, "\\name\\ann\\password\\guess" + i);
        }
        // Of many refusals few are reported.
        closed.network.run(2 * SECOND);
        connect(closed, ANN, 7, challenge, "\\name\\ann\\password\\sesame");
        assertThat(closed.clients.all()).as("no more answers are checked").isEmpty();
        assertThat(refusals).last().isEqualTo(LeaveReason.Code.PASSWORD_LIMIT);
        closed.network.run(11 * SECOND);
        connect(closed, ANN, 7, challenge(closed, handshake, ANN), "\\password\\sesame");
        assertThat(closed.said).isEqualTo("client_connect");
        assertThat(closed.clients.find(ANN)).isPresent();
    }

    /** A session of its address may begin for each token, of which there are 32. */
    @Test
    void spendsNoSessionOfAddressWhileFull() {
        List<TestSessions.Client> guests = new ArrayList<>();
        for (int host = 1; host <= TestSessions.MAX_PLAYERS; host++) {
            guests.add(sessions.add(host));
            sessions.prove(guests.getLast());
        }
        int challenge = challenge(ANN);
        for (int i = 0; i < 100; i++) {
            connect(ANN, 7, challenge, "\\name\\ann");
        }
        assertThat(refusals).isNotEmpty().containsOnly(LeaveReason.Code.SERVER_FULL);
        assertThat(sessions.clients.find(ANN)).isEmpty();
        assertThat(sessions.context.addressLimits().sessions(ANN.getAddress())).isZero();
        sessions.clients.remove(guests.getFirst().session(), LeaveReason.LEFT);
        connect(ANN, 7, challenge, "\\name\\ann");
        assertThat(sessions.clients.find(ANN)).isPresent();
    }

    @Test
    void replacesIdleSessionOfSameQport() {
        connect(ANN, 7, challenge(ANN), "\\name\\ann");
        sessions.network.run(60 * SECOND);
        InetSocketAddress moved = address("10.9.0.1", 30_000);
        connect(moved, 7, challenge(moved), "\\name\\ann");
        assertThat(sessions.clients.find(ANN)).isEmpty();
        assertThat(sessions.clients.find(moved)).isPresent();
        assertThat(sessions.context.addressLimits().sessions(ANN.getAddress())).isEqualTo(1);
    }
}
