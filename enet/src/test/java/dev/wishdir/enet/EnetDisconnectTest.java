package dev.wishdir.enet;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways in which a connection ends. */
class EnetDisconnectTest {
    private static final Conditions BAD = new Conditions(0.3, 0.1, 20 * MILLI, 30 * MILLI);
    private static final Conditions CUT = new Conditions(1, 0, MILLI, 0);

    private SimulatedNetwork network = new SimulatedNetwork(1);
    private EnetNode server = EnetNode.server(network);
    private EnetNode client = EnetNode.client(network, 1);
    private EnetPeer atClient = client.connect(server);
    private EnetPeer atServer = server.connected.getFirst();

    @BeforeEach
    void settle() {
        network.run(2 * SECOND);
    }

    private void start(long seed) {
        network = new SimulatedNetwork(seed);
        server = EnetNode.server(network);
        client = EnetNode.client(network, 1);
        atClient = client.connect(server);
        atServer = server.connected.getFirst();
        settle();
    }

    private void bothGone() {
        assertThat(server.host.peers()).isEmpty();
        assertThat(client.host.peers()).isEmpty();
    }

    @Test
    void notifiesBothSidesWithReason() {
        atServer.disconnect(3);
        server.wake();
        network.run(SECOND);
        assertThat(client.ended)
                .containsExactly(new EnetNode.Ended(atClient, 3, EnetDisconnectReason.REMOTE));
        assertThat(server.ended)
                .containsExactly(new EnetNode.Ended(atServer, 0, EnetDisconnectReason.LOCAL));
        bothGone();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void deliversReasonDespiteLoss(long seed) {
        start(seed);
        network.conditions(BAD);
        atServer.disconnect(7);
        server.wake();
        network.run(60 * SECOND);
        assertThat(client.ended)
                .containsExactly(new EnetNode.Ended(atClient, 7, EnetDisconnectReason.REMOTE));
        assertThat(server.ended).hasSize(1);
        bothGone();
    }

    @Test
    void discardsQueuedMessages() {
        atServer.send(1, Bytes.of((byte) 1), true);
        atServer.disconnect(0);
        server.wake();
        network.run(SECOND);
        assertThat(client.received).isEmpty();
        assertThat(client.ended).hasSize(1);
        bothGone();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void disconnectsLaterAfterQueuedMessages(long seed) {
        start(seed);
        network.conditions(BAD);
        for (int i = 0; i < 20; i++) {
            atServer.send(1, Bytes.of((byte) i), true);
        }
        atServer.disconnectLater(9);
        assertThat(atServer.send(1, Bytes.of((byte) 99), true)).isFalse();
        server.wake();
        network.run(60 * SECOND);
        assertThat(client.received).hasSize(20);
        assertThat(client.ended)
                .containsExactly(new EnetNode.Ended(atClient, 9, EnetDisconnectReason.REMOTE));
        bothGone();
    }

    @Test
    void disconnectsAtOnceWithEmptyQueue() {
        atServer.disconnectLater(9);
        server.wake();
        network.run(10 * MILLI);
        assertThat(client.ended)
                .containsExactly(new EnetNode.Ended(atClient, 9, EnetDisconnectReason.REMOTE));
    }

    @Test
    void acknowledgesButIgnoresMessagesWhileLeaving() {
        network.conditions(CUT);
        atServer.send(1, Bytes.of((byte) 1), true);
        atServer.disconnectLater(0);
        server.wake();
        atClient.send(1, Bytes.of((byte) 2), true);
        client.wake();
        network.run(50 * MILLI);
        network.conditions(Conditions.PERFECT);
        network.run(10 * SECOND);
        assertThat(server.received).isEmpty();
        assertThat(client.received).hasSize(1);
        bothGone();
    }

    @Test
    void sendsOneDatagramWithoutCallback() {
        atServer.disconnectNow(5);
        assertThat(server.host.peers()).isEmpty();
        network.run(SECOND);
        assertThat(server.ended).isEmpty();
        assertThat(client.ended)
                .containsExactly(new EnetNode.Ended(atClient, 5, EnetDisconnectReason.REMOTE));
        bothGone();
    }

    @Test
    void detectsResetByTimeout() {
        atClient.reset();
        network.run(60 * SECOND);
        assertThat(client.ended).isEmpty();
        assertThat(server.ended)
                .containsExactly(new EnetNode.Ended(atServer, 0, EnetDisconnectReason.TIMEOUT));
        bothGone();
    }

    @Test
    void disconnectsBothSidesAtOnce() {
        atClient.disconnect(1);
        atServer.disconnect(2);
        client.wake();
        server.wake();
        network.run(SECOND);
        assertThat(client.ended).hasSize(1);
        assertThat(server.ended).hasSize(1);
        bothGone();
    }

    @Test
    void endsByTimeoutInSilence() {
        network.conditions(CUT);
        atServer.disconnect(2);
        server.wake();
        network.run(60 * SECOND);
        assertThat(server.ended)
                .containsExactly(new EnetNode.Ended(atServer, 0, EnetDisconnectReason.TIMEOUT));
        assertThat(client.ended).hasSize(1);
        bothGone();
    }

    @Test
    void cancelsAttempt() {
        EnetNode other = EnetNode.client(network, 2);
        EnetPeer peer = other.host.connect(server.socket.local(), 0);
        peer.disconnect(0);
        assertThat(other.ended)
                .containsExactly(new EnetNode.Ended(peer, 0, EnetDisconnectReason.LOCAL));
        other.wake();
        network.run(SECOND);
        assertThat(server.connected).hasSize(1);
        assertThat(other.host.peers()).isEmpty();
    }

    @Test
    void allowsDisconnectAndSendInCallback() {
        server.onReceived =
                (peer, payload) -> {
                    peer.send(1, payload, true);
                    if (payload.get(0) == 3) {
                        peer.disconnectLater(4);
                    }
                };
        for (int i = 0; i < 10; i++) {
            atClient.send(1, Bytes.of((byte) i), true);
        }
        client.wake();
        network.run(SECOND);
        assertThat(server.received).hasSize(4);
        assertThat(client.received).hasSize(4);
        assertThat(client.ended)
                .containsExactly(new EnetNode.Ended(atClient, 4, EnetDisconnectReason.REMOTE));
        bothGone();
    }

    @Test
    void allowsResetInCallbackOfQueuedMessages() {
        server.onReceived = (peer, _) -> peer.reset();
        for (int i = 0; i < 10; i++) {
            atClient.send(1, Bytes.of((byte) i), true);
        }
        client.wake();
        network.run(60 * SECOND);
        assertThat(server.received).hasSize(1);
        bothGone();
    }
}
