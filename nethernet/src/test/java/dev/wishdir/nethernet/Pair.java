package dev.wishdir.nethernet;

import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.limit.PrefixLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.nethernet.dtls.Dtls;
import dev.wishdir.nethernet.ice.IceChecks;
import dev.wishdir.nethernet.ice.IceCredentials;
import dev.wishdir.nethernet.ice.Stun;
import dev.wishdir.nethernet.sdp.Sdp;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A host and one client on a simulated network, past their signalling. */
final class Pair implements AutoCloseable {
    static final long SECOND = 1_000_000_000L;
    static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 19132);
    static final InetSocketAddress CLIENT =
            new InetSocketAddress(InetAddress.ofLiteral("10.0.0.2"), 40000);

    /** The events of one side. */
    static final class Told implements NetherNetPeer.Listener {
        @Nullable NetherNetPeer peer;
        final List<byte[]> packets = new ArrayList<>();
        final List<byte[]> unreliable = new ArrayList<>();
        NetherNetPeer.@Nullable EndReason ending;
        String reason = "";

        @Override
        public void onConnected(long now, NetherNetPeer opened) {
            peer = opened;
        }

        @Override
        public void onReceived(long now, NetherNetPeer from, boolean reliable, byte[] packet) {
            (reliable ? packets : unreliable).add(packet);
        }

        @Override
        public void onEnded(long now, NetherNetPeer gone, NetherNetPeer.EndReason how, String why) {
            ending = how;
            reason = why;
        }

        NetherNetPeer open() {
            if (peer == null) {
                throw new AssertionError("never opened: " + ending + " " + reason);
            }
            return peer;
        }
    }

    final SimulatedNetwork network;
    final Counters counters = new Counters();
    final Told server = new Told();
    final Told client = new Told();
    final NetherNetServer host;

    /** Whether the server's socket throws. */
    boolean breaks;

    final NetherNetPeer peer;
    final Random random;
    private final DutyCycle serverCycle;
    private final DutyCycle clientCycle;

    Pair(long seed, boolean serverBegins) {
        this(seed, serverBegins, FakeDtls.maker(1), FakeDtls.maker(2));
    }

    Pair(long seed, boolean serverBegins, Dtls.Maker ofServer, Dtls.Maker ofClient) {
        this(seed, serverBegins, ofServer, ofClient, NetherNetLimits.SERVER);
    }

    Pair(
            long seed,
            boolean serverBegins,
            Dtls.Maker ofServer,
            Dtls.Maker ofClient,
            NetherNetLimits limits) {
        network = new SimulatedNetwork(seed);
        random = new Random(seed);
        serverCycle = network.cycle();
        clientCycle = network.cycle();
        try {
            host =
                    serverCycle.open(
                            SERVER,
                            socket ->
                                    new NetherNetServer(
                                            new NetherNetServer.Settings(
                                                    100,
                                                    64,
                                                    new PrefixLimits(4, 16, 16),
                                                    serverBegins,
                                                    limits),
                                            (to, data, offset, length) -> {
                                                if (breaks) {
                                                    throw new IllegalStateException("on purpose");
                                                }
                                                socket.send(to, data, offset, length);
                                            },
                                            AddressLimits.trusting(
                                                    List.of(AddressRange.parse("10.0.0.2")), seed),
                                            new MemoryBudget(64 << 20, counters),
                                            counters,
                                            "n",
                                            server,
                                            random,
                                            ofServer));
            Sdp offer = offer(ofClient, random);
            Sdp answer = host.take(network.now(), CLIENT, offer, null, List.of(SERVER));
            peer =
                    clientCycle
                            .open(
                                    CLIENT,
                                    socket ->
                                            new Handler(
                                                    new NetherNetPeer(
                                                            new NetherNetPeer.Agreement(
                                                                    offer,
                                                                    answer,
                                                                    answer.setup()
                                                                            == Sdp.Setup.PASSIVE,
                                                                    new IceChecks(
                                                                            answer.candidates(),
                                                                            offer.ice(),
                                                                            answer.ice(),
                                                                            random),
                                                                    null),
                                                            SERVER,
                                                            ofClient,
                                                            NetherNetLimits.CLIENT,
                                                            socket,
                                                            client,
                                                            random,
                                                            network.now())))
                            .peer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Sdp offer(Dtls.Maker maker, Random random) {
        return new Sdp(
                1,
                IceCredentials.random(random),
                false,
                List.of(Sdp.Fingerprint.sha256(maker.certificateHash())),
                Sdp.Setup.ACTPASS,
                "0",
                SegmentCodec.MAX_MESSAGE_BYTES,
                List.of(CLIENT),
                null);
    }

    /** The fragment that names the server's side. */
    String peerFragment() {
        return server.open().fragment();
    }

    /** Waits until both sides are open. */
    boolean opens(long limit) {
        return network.runUntil(() -> server.peer != null && client.peer != null, limit);
    }

    /** Something happened outside of the network's own events: the sides are to look. */
    void nudge() {
        serverCycle.execute(() -> {});
        clientCycle.execute(() -> {});
    }

    @Override
    public void close() {
        serverCycle.close();
        clientCycle.close();
    }

    private record Handler(NetherNetPeer peer) implements DatagramHandler {
        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            if (Stun.isStun(data)) {
                peer.stun(now, from, Stun.read(data), data);
            } else {
                peer.receive(now, data);
            }
        }

        @Override
        public long advance(long now) {
            return peer.advance(now);
        }
    }
}
