package dev.wishdir.nethernet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.nethernet.dtls.Dtls;
import dev.wishdir.nethernet.dtls.DtlsCertificate;
import dev.wishdir.nethernet.dtls.DtlsConnection;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Whole connections in virtual time, through all that a network does. */
@Tag("slow")
class NetherNetTest {
    private static final int CONNECTIONS = TestEffort.times(100);
    private static final int MESSAGES = 25;
    private static final long TIMEOUT_NANOS = 120 * Pair.SECOND;

    @ParameterizedTest(name = "{0} % loss, duplication, reordering")
    @ValueSource(ints = {0, 5, 20})
    void carriesPacketsOnceInOrderOverManyConnections(int loss) {
        for (int seed = 0; seed < CONNECTIONS; seed++) {
            try (Pair pair = new Pair(seed, seed % 2 == 0)) {
                pair.network.conditions(
                        new Conditions(loss / 100.0, loss / 200.0, 20_000_000, 15_000_000));
                assertThat(pair.opens(15 * Pair.SECOND)).as("seed %d opens", seed).isTrue();
                Random random = new Random(seed);
                send(pair.server.open(), random);
                send(pair.client.open(), random);
                pair.nudge();
                boolean done =
                        pair.network.runUntil(
                                () ->
                                        pair.server.packets.size() >= MESSAGES
                                                && pair.client.packets.size() >= MESSAGES,
                                TIMEOUT_NANOS);
                assertThat(done).as("seed %d arrives: %s", seed, pair.server.reason).isTrue();
                check(pair.server.packets);
                check(pair.client.packets);
                boolean settled =
                        pair.network.runUntil(
                                () ->
                                        pair.server.open().retainedBytes() == 0
                                                && pair.client.open().retainedBytes() == 0,
                                TIMEOUT_NANOS);
                assertThat(settled).as("seed %d is settled", seed).isTrue();
                assertThat(pair.server.packets).hasSize(MESSAGES);
                assertThat(pair.client.packets).hasSize(MESSAGES);
            }
        }
    }

    private static void send(NetherNetPeer peer, Random random) {
        for (int i = 0; i < MESSAGES; i++) {
            byte[] packet = new byte[8 + random.nextInt(i == 7 ? 20_000 : 3_000)];
            ByteBuffer.wrap(packet).putInt(i).putInt(packet.length);
            peer.send(packet, 0, packet.length);
        }
    }

    private static void check(List<byte[]> packets) {
        for (int i = 0; i < packets.size(); i++) {
            ByteBuffer packet = ByteBuffer.wrap(packets.get(i));
            assertThat(packet.getInt()).isEqualTo(i);
            assertThat(packet.getInt()).isEqualTo(packets.get(i).length);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void carriesLargePacketBothWaysDespiteLoss(boolean serverBegins) {
        Random random = new Random(5);
        try (Pair pair = keyed(3, serverBegins, random)) {
            pair.network.conditions(new Conditions(0.05, 0.02, 10_000_000, 5_000_000));
            assertThat(pair.opens(15 * Pair.SECOND)).isTrue();
            byte[] packet = new byte[300_000];
            random.nextBytes(packet);
            pair.server.open().send(packet, 0, packet.length);
            pair.client.open().send(packet, 0, packet.length);
            pair.nudge();
            assertThat(
                            pair.network.runUntil(
                                    () ->
                                            !pair.server.packets.isEmpty()
                                                    && !pair.client.packets.isEmpty(),
                                    TIMEOUT_NANOS))
                    .isTrue();
            assertThat(pair.server.packets.getFirst()).isEqualTo(packet);
            assertThat(pair.client.packets.getFirst()).isEqualTo(packet);
        }
    }

    private static Pair keyed(long seed, boolean serverBegins, Random random) {
        return new Pair(
                seed,
                serverBegins,
                new DtlsConnection.Maker(DtlsCertificate.generate(random), random),
                new DtlsConnection.Maker(DtlsCertificate.generate(random), random));
    }

    @ParameterizedTest(name = "{0} % loss")
    @ValueSource(ints = {0, 5, 20})
    void opensConnectionsDespiteLoss(int loss) {
        Random random = new Random(loss);
        Dtls.Maker server = new DtlsConnection.Maker(DtlsCertificate.generate(random), random);
        Dtls.Maker client = new DtlsConnection.Maker(DtlsCertificate.generate(random), random);
        for (int seed = 0; seed < TestEffort.times(30); seed++) {
            try (Pair pair = new Pair(seed, seed % 2 == 0, server, client)) {
                pair.network.conditions(
                        new Conditions(loss / 100.0, loss / 100.0, 20_000_000, 30_000_000));
                assertThat(pair.opens(15 * Pair.SECOND))
                        .as("seed %d: %s", seed, pair.server.reason)
                        .isTrue();
            }
        }
    }

    @Test
    void sendsUnreliablePacketsOnce() {
        try (Pair pair = new Pair(9, true)) {
            assertThat(pair.opens(5 * Pair.SECOND)).isTrue();
            pair.network.conditions(new Conditions(0.3, 0, 10_000_000, 0));
            for (int i = 0; i < 200; i++) {
                byte[] packet = {(byte) i, 1};
                assertThat(pair.client.open().sendUnreliably(packet, 0, 2)).isTrue();
                pair.nudge();
                pair.network.run(20_000_000);
            }
            pair.network.conditions(Conditions.PERFECT);
            pair.client.open().send(new byte[] {7}, 0, 1);
            pair.nudge();
            assertThat(
                            pair.network.runUntil(
                                    () -> !pair.server.packets.isEmpty(), 10 * Pair.SECOND))
                    .isTrue();
            int arrived = pair.server.unreliable.size();
            assertThat(arrived).isBetween(80, 190);
            TrafficCounters traffic = pair.server.open().traffic();
            // What is given up before anything follows it is not noticed.
            assertThat(traffic.lostIn()).isBetween((200L - arrived) / 2, 200L - arrived + 5);
            assertThat(traffic.sequencedIn()).isGreaterThan(arrived);
            pair.network.run(5 * Pair.SECOND);
            assertThat(pair.client.open().retainedBytes()).isZero();
            assertThat(pair.server.open().retainedBytes()).isZero();
        }
    }

    @Test
    void deliversLastPacketBeforeClose() {
        try (Pair pair = new Pair(4, true)) {
            assertThat(pair.opens(5 * Pair.SECOND)).isTrue();
            pair.server.open().send(new byte[] {1, 2, 3}, 0, 3);
            pair.server.open().close();
            pair.nudge();
            pair.network.run(Pair.SECOND);
            assertThat(pair.client.packets).containsExactly(new byte[] {1, 2, 3});
            assertThat(pair.client.ending).isEqualTo(NetherNetPeer.EndReason.LEFT);
            assertThat(pair.server.ending).isEqualTo(NetherNetPeer.EndReason.CLOSED);
            assertThat(pair.host.connections()).isZero();
        }
    }

    /** A lost packet is retransmitted before the connection ends, even where nothing follows it. */
    @Test
    void deliversLastPacketBeforeCloseDespiteLoss() {
        for (int seed = 0; seed < TestEffort.times(30); seed++) {
            try (Pair pair = new Pair(seed, seed % 2 == 0)) {
                assertThat(pair.opens(5 * Pair.SECOND)).isTrue();
                pair.network.run(2 * Pair.SECOND);
                pair.network.conditions(new Conditions(1, 0, 40_000_000, 40_000_000));
                pair.server.open().send(new byte[] {1, 2, 3}, 0, 3);
                pair.server.open().close();
                pair.nudge();
                pair.network.run(Pair.SECOND / 2);
                pair.network.conditions(new Conditions(0, 0, 40_000_000, 40_000_000));
                pair.network.run(4 * Pair.SECOND);
                assertThat(pair.client.packets)
                        .as("seed %d", seed)
                        .containsExactly(new byte[] {1, 2, 3});
                assertThat(pair.host.connections()).isZero();
            }
        }
    }

    @Test
    void endsUnacknowledgedConnectionSoonAfterClose() {
        try (Pair pair = new Pair(4, true)) {
            assertThat(pair.opens(5 * Pair.SECOND)).isTrue();
            pair.network.conditions(new Conditions(1, 0, 0, 0));
            pair.server.open().send(new byte[] {1, 2, 3}, 0, 3);
            pair.server.open().close();
            pair.nudge();
            pair.network.run(4 * Pair.SECOND);
            assertThat(pair.server.ending).isEqualTo(NetherNetPeer.EndReason.CLOSED);
            assertThat(pair.host.connections()).isZero();
        }
    }

    @Test
    @DisplayName("G30: a connection that throws in each turn")
    void endsConnectionThatThrows() {
        try (Pair pair = new Pair(4, false)) {
            List<Throwable> defects = new ArrayList<>();
            pair.network.onDefect(defects::add);
            assertThat(pair.opens(5 * Pair.SECOND)).isTrue();
            NetherNetPeer peer = pair.server.open();
            pair.breaks = true;
            peer.send(new byte[100], 0, 100);
            pair.nudge();
            pair.network.run(20 * Pair.SECOND);
            assertThat(pair.server.ending).isEqualTo(NetherNetPeer.EndReason.ABORTED);
            assertThat(pair.host.connections()).isZero();
            assertThat(defects).isNotEmpty();
        }
    }

    @Test
    void forgetsSilentClient() {
        try (Pair pair = new Pair(4, false)) {
            assertThat(pair.opens(5 * Pair.SECOND)).isTrue();
            pair.network.conditions(new Conditions(1, 0, 1, 0));
            pair.network.run(31 * Pair.SECOND);
            assertThat(pair.server.ending).isEqualTo(NetherNetPeer.EndReason.TIMED_OUT);
            assertThat(pair.host.connections()).isZero();
        }
    }

    @Test
    void keepsIdleConnectionByChecks() {
        try (Pair pair = new Pair(4, false)) {
            assertThat(pair.opens(5 * Pair.SECOND)).isTrue();
            pair.network.run(300 * Pair.SECOND);
            assertThat(pair.server.ending).isNull();
            assertThat(pair.client.ending).isNull();
        }
    }
}
