package dev.wishdir.enet;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

/** Fewer unreliable messages for who can't take them all; reliable ones are not touched. */
class EnetThrottleTest {
    private static final Bytes KILOBYTE = Bytes.wrap(new byte[1000]);

    private final SimulatedNetwork network = new SimulatedNetwork(1);

    private static EnetSettings limited(long in, long out) {
        return EnetNode.usual()
                .maxPeers(16)
                .maxHalfOpen(64)
                .maxPeersPerAddress(16)
                .inBandwidth(in)
                .outBandwidth(out)
                .receiveMemory(1 << 20)
                .sendMemory(1 << 20)
                .build();
    }

    private EnetNode node(String address, long in, long out) {
        return new EnetNode(
                network, EnetNode.address(address), limited(in, out), AddressLimits.standard(1));
    }

    /** Messages a second that arrive of a hundred unreliable ones a second, when it has settled. */
    private double rate(EnetPeer from, EnetNode to) {
        for (int i = 0; i < 500; i++) {
            from.send(0, KILOBYTE, false);
            network.run(10 * MILLI);
        }
        int before = to.received.size();
        for (int i = 0; i < 1000; i++) {
            from.send(0, KILOBYTE, false);
            network.run(10 * MILLI);
        }
        return (to.received.size() - before) / 10.0;
    }

    private EnetPeer up(EnetNode client, EnetNode server) {
        EnetPeer peer = client.connect(server);
        network.cycle()
                .add(now -> {
                    client.wake();
                    server.wake();
                    return now + 5 * MILLI;
                });
        return peer;
    }

    @Test
    void dropsNothingOnSteadyNetwork() {
        EnetNode server = EnetNode.server(network);
        EnetPeer peer = up(EnetNode.client(network, 1), server);
        assertThat(rate(peer, server)).isBetween(99.0, 101.0);
    }

    @Test
    void respectsIncomingLimitOfPeer() {
        EnetNode server = node("10.0.0.2:1", 50_000, 0);
        EnetPeer peer = up(EnetNode.client(network, 1), server);
        assertThat(rate(peer, server)).isBetween(35.0, 54.0);
    }

    @Test
    void sharesOutgoingLimitAmongPeers() {
        EnetNode server = node("10.0.0.2:1", 0, 50_000);
        EnetNode one = EnetNode.client(network, 1);
        EnetNode other = EnetNode.client(network, 2);
        up(one, server);
        up(other, server);
        EnetPeer toOther = server.connected.getLast();
        network.cycle()
                .add(now -> {
                    toOther.send(0, KILOBYTE, false);
                    return now + 10 * MILLI;
                });
        assertThat(rate(server.connected.getFirst(), one)).isBetween(15.0, 30.0);
    }

    @Test
    void exchangesLimitsAfterConnect() {
        EnetNode server = node("10.0.0.2:1", 131_072, 0);
        EnetPeer peer = up(EnetNode.client(network, 1), server);
        assertThat(peer.inBandwidth()).isEqualTo(131_072);
        up(EnetNode.client(network, 2), server);
        network.run(3 * SECOND);
        assertThat(peer.inBandwidth()).isEqualTo(65_536);
    }

    @Test
    void throttlesOnRisingRoundTripAndReleases() {
        RoundTripEstimator trip = new RoundTripEstimator();
        long now = 0;
        for (; now < 12_000; now += 100) {
            trip.addSample(now, 50);
        }
        assertThat(trip.throttle()).isEqualTo(32);
        assertThat(drops(trip)).isZero();
        for (int i = 0; i < 10; i++) {
            trip.addSample(now++, 200);
        }
        assertThat(trip.throttle()).isEqualTo(12);
        assertThat(drops(trip)).isEqualTo(19);
        for (int i = 0; i < 20; i++) {
            trip.addSample(now++, 50);
        }
        assertThat(trip.throttle()).isEqualTo(32);
    }

    /** How many of 32 messages are dropped. */
    private static int drops(RoundTripEstimator trip) {
        int drops = 0;
        for (int i = 0; i < 32; i++) {
            drops += trip.shouldDrop() ? 1 : 0;
        }
        return drops;
    }

    @Test
    void usesConfiguredThrottle() {
        EnetNode server = EnetNode.server(network);
        EnetNode client = EnetNode.client(network, 1);
        EnetPeer peer = up(client, server);
        peer.configureThrottle(1000, 32, 0);
        network.run(SECOND);
        EnetPeer atServer = server.connected.getFirst();
        for (int i = 0; i < 8; i++) {
            network.conditions(new Conditions(0, 0, (60 + 60 * i) * MILLI, 0));
            network.run(2 * SECOND);
        }
        assertThat(atServer.throttle()).isEqualTo(32);
    }
}
