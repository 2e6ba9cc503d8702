package dev.wishdir.quake2.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.wire.Reader;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;

class ClientTableTest {
    private static final long SECOND = 1_000_000_000;

    private final TestSessions sessions = new TestSessions();
    private final ClientTable clients = sessions.clients;

    ClientTableTest() throws IOException {}

    private static NetchanHeader header(byte[] packet) {
        return NetchanHeader.wire(new Reader(packet), NetchanHeader.FROM_CLIENT);
    }

    @Test
    void findsASessionByAddressAndQport() {
        TestSessions.Client anna = sessions.add(1);
        sessions.add(2);
        InetSocketAddress from = anna.session().address();
        assertThat(clients.find(from)).contains(anna.session());
        NetchanHeader header = header(anna.packet());
        assertThat(clients.sender(0, from, header)).isSameAs(anna.session());
        NetchanHeader other = new NetchanHeader(header.sequence(), false, header.ack(), false, 999);
        assertThat(clients.sender(0, from, other)).isNull();
    }

    @Test
    void followsAClientToAnotherPort() {
        TestSessions.Client anna = sessions.add(1);
        sessions.prove(anna);
        InetSocketAddress before = anna.session().address();
        InetSocketAddress after = new InetSocketAddress(before.getAddress(), 40000);
        NetchanHeader header = header(anna.packet());
        assertThat(clients.sender(SECOND - 1, after, header)).as("not silent yet").isNull();
        assertThat(clients.sender(SECOND, after, header)).isSameAs(anna.session());
        assertThat(anna.session().address()).isEqualTo(after);
        assertThat(clients.find(before)).isEmpty();
        assertThat(clients.find(after)).contains(anna.session());
    }

    @Test
    void followsNoClientWithAnUnprovenAddress() {
        TestSessions.Client anna = sessions.add(1);
        anna.send(0);
        InetSocketAddress after =
                new InetSocketAddress(anna.session().address().getAddress(), 40000);
        assertThat(clients.sender(SECOND, after, header(anna.packet()))).isNull();
    }

    @Test
    void hasNoSlotWhenFull() {
        for (int host = 0; host < TestSessions.MAX_PLAYERS; host++) {
            TestSessions.Client client = sessions.add(host);
            assertThat(clients.isFull()).as("half-open sessions do not count").isFalse();
            sessions.prove(client);
        }
        assertThat(clients.isFull()).isTrue();
        assertThat(clients.takeSlot()).isEmpty();
    }

    @Test
    void dropsAClientThatProvesItsAddressTooLate() {
        TestSessions.Client late = sessions.add(9);
        for (int host = 0; host < TestSessions.MAX_PLAYERS; host++) {
            sessions.prove(sessions.add(host));
        }
        sessions.prove(late);
        assertThat(late.session().state()).isEqualTo(SessionState.ZOMBIE);
    }

    @Test
    void freesSlotAndPlaceOfARemovedSession() {
        TestSessions.Client anna = sessions.add(1);
        InetSocketAddress from = anna.session().address();
        assertThat(anna.session().player().slot()).isZero();
        assertThat(sessions.context.addressLimits().sessions(from.getAddress())).isEqualTo(1);
        clients.remove(anna.session(), LeaveReason.LEFT);
        assertThat(clients.find(from)).isEmpty();
        assertThat(sessions.context.addressLimits().sessions(from.getAddress())).isZero();
        assertThat(sessions.add(2).session().player().slot()).isZero();
    }

    @Test
    void removesOnlyExpiredSessions() {
        TestSessions.Client silent = sessions.add(1);
        TestSessions.Client active = sessions.add(2);
        active.send(9 * SECOND);
        clients.expire(10 * SECOND + 1);
        assertThat(clients.all()).containsExactly(active.session());
        assertThat(silent.session().state()).isEqualTo(SessionState.ZOMBIE);
        assertThat(sessions.counters.get("quake2.timeout")).isEqualTo(1);
    }

    @Test
    void findsTheSessionOfAnAddressThatIsIdleTheLongest() {
        TestSessions.Client anna = sessions.add(1);
        anna.send(SECOND);
        assertThat(clients.findIdle(5 * SECOND, anna.session().address().getAddress(), _ -> true))
                .isEmpty();
        assertThat(clients.findIdle(6 * SECOND, anna.session().address().getAddress(), _ -> true))
                .contains(anna.session());
        assertThat(clients.findIdle(6 * SECOND, anna.session().address().getAddress(), _ -> false))
                .isEmpty();
    }
}
