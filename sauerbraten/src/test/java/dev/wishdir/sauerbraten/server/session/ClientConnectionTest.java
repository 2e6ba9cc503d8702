package dev.wishdir.sauerbraten.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;

import org.junit.jupiter.api.Test;

class ClientConnectionTest {
    private static final LeaveReason LATER = new LeaveReason(LeaveReason.Code.KICKED, "later");

    private final SessionFixture fixture = new SessionFixture();

    @Test
    void isJoinedFromItsPlayerUntilItsDisconnect() {
        SauerbratenSession session = fixture.connect();
        assertThat(session.isJoined()).isFalse();
        assertThatThrownBy(session::player)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("client 0 has not joined");
        SauerbratenSession joined = fixture.join("anna");
        assertThat(joined.isJoined()).isTrue();
        joined.connection.disconnect(DisconnectReason.KICKED);
        assertThat(joined.isJoined()).isFalse();
        assertThat(joined.player().name()).isEqualTo("anna");
    }

    @Test
    void keepsFirstReasonToDisconnect() {
        SauerbratenSession session = fixture.connect();
        assertThat(session.connection.leaveReason()).isEmpty();
        session.connection.disconnect(DisconnectReason.PASSWORD);
        session.connection.disconnectLater(DisconnectReason.KICKED, LATER);
        assertThat(session.connection.leaveReason())
                .contains(ClientConnection.leaveReason(DisconnectReason.PASSWORD));
        fixture.received(session);
        assertThat(fixture.nodes.getFirst().ended)
                .extracting(EnetNode.Ended::data)
                .containsExactly((long) DisconnectReason.PASSWORD.code());
    }

    @Test
    void leavesOnce() {
        SauerbratenSession session = fixture.join("anna");
        session.connection.disconnect(DisconnectReason.KICKED);
        assertThat(session.connection.leave(LeaveReason.LEFT)).isTrue();
        assertThat(session.connection.leave(LATER)).isFalse();
        assertThat(session.connection.leaveReason()).contains(LeaveReason.LEFT);
    }

    @Test
    void hasArenaReasonForEachReasonOfProtocol() {
        for (DisconnectReason reason : DisconnectReason.values()) {
            assertThat(ClientConnection.leaveReason(reason).text()).as("%s", reason).isNotBlank();
        }
    }
}
