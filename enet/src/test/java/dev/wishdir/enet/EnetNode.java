package dev.wishdir.enet;

import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** A host on a simulated network that records its listener's events. */
public final class EnetNode implements EnetListener {
    public static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    public static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** One outgoing connection and none that comes in. */
    public static final EnetSettings CLIENT =
            usual().maxPeers(1).maxHalfOpen(0).receiveMemory(17 << 20).sendMemory(5 << 20).build();

    /** No peer connects to a client: all share limits that none uses. */
    private static final AddressLimits UNSPENT = AddressLimits.standard(1);

    /** The reason for a peer that is disconnected for its memory. */
    public static final long OVERFLOW = 9;

    /** The reason for a peer that does not go on with a message. */
    public static final long TIMEOUT = 8;

    public record Message(EnetPeer peer, int channel, Bytes payload, boolean reliable) {}

    public record Ended(EnetPeer peer, long data, EnetDisconnectReason cause) {}

    public final List<EnetPeer> connected = new ArrayList<>();
    public final List<Message> received = new ArrayList<>();
    public final List<Ended> ended = new ArrayList<>();
    public final Counters counters = new Counters();
    public final SimulatedNetwork network;
    public final DutyCycle cycle;
    public final UdpSocket socket;
    public final EnetHost host;
    final EnetSettings settings;
    public BiConsumer<EnetPeer, Bytes> onReceived = (_, _) -> {};

    /** Whether all that comes in is lost, so that nothing is acknowledged. */
    public boolean deaf;

    /** The addresses to which its socket throws. */
    Predicate<InetSocketAddress> breaks = _ -> false;

    /** The datagrams that reach it, where it is not deaf. */
    Predicate<byte[]> hears = _ -> true;

    public EnetNode(SimulatedNetwork network, String address, EnetSettings settings) {
        this(
                network,
                address(address),
                settings,
                settings.maxHalfOpen() == 0 ? UNSPENT : AddressLimits.standard(1));
    }

    public EnetNode(
            SimulatedNetwork network,
            InetSocketAddress address,
            EnetSettings settings,
            AddressLimits addressLimits) {
        this.network = network;
        this.settings = settings;
        try {
            cycle = network.cycle();
            Ears ears =
                    cycle.open(
                            address,
                            opened ->
                                    new Ears(
                                            opened,
                                            new EnetHost(
                                                    settings,
                                                    this,
                                                    (to, data, offset, length) -> {
                                                        if (breaks.test(to)) {
                                                            throw new IllegalStateException(
                                                                    "on purpose");
                                                        }
                                                        opened.send(to, data, offset, length);
                                                    },
                                                    addressLimits,
                                                    counters,
                                                    new Random(address.hashCode()))));
            socket = ears.socket;
            host = ears.host;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Ears implements DatagramHandler {
        final UdpSocket socket;
        final EnetHost host;

        Ears(UdpSocket socket, EnetHost host) {
            this.socket = socket;
            this.host = host;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            if (!deaf && hears.test(data)) {
                host.receive(now, from, data);
            }
        }

        @Override
        public long advance(long now) {
            return host.advance(now);
        }
    }

    /** Three channels and the MTU of the programs that were captured. */
    public static EnetSettings.Builder usual() {
        return EnetSettings.builder()
                .channels(3)
                .mtu(1400)
                .overflowReason(OVERFLOW)
                .timeoutReason(TIMEOUT);
    }

    public static EnetSettings server(int maxPeers, int maxPeersPerAddress) {
        return usual().maxPeers(maxPeers).maxPeersPerAddress(maxPeersPerAddress).build();
    }

    /** A server for sixteen, at 10.0.0.1:28785. */
    public static EnetNode server(SimulatedNetwork network) {
        return new EnetNode(network, "10.0.0.1:28785", server(16, 16));
    }

    /** A client at an address of its own: 10.1.NUMBER.1:5000. */
    public static EnetNode client(SimulatedNetwork network, int number) {
        return new EnetNode(network, "10.1." + number + ".1:5000", CLIENT);
    }

    /** Dotted quad and port. */
    public static InetSocketAddress address(String text) {
        int colon = text.indexOf(':');
        byte[] quad = new byte[4];
        String[] parts = text.substring(0, colon).split("\\.");
        for (int i = 0; i < 4; i++) {
            quad[i] = (byte) Integer.parseInt(parts[i]);
        }
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(quad), Integer.parseInt(text.substring(colon + 1)));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** Connects to a server and lets time pass until both sides are up. */
    public EnetPeer connect(EnetNode server) {
        int before = server.connected.size();
        EnetPeer peer = host.connect(server.socket.local(), 0);
        wake();
        network.runUntil(() -> peer.connected() && server.connected.size() > before, 60 * SECOND);
        if (server.connected.size() == before) {
            throw new AssertionError("no connection: " + server.counters.snapshot());
        }
        return peer;
    }

    /** Gives the host a turn once time passes. */
    public void wake() {
        cycle.execute(() -> {});
    }

    long drops(DropReason reason) {
        return counters.get("enet.drop." + reason.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public void onConnected(long now, EnetPeer peer) {
        connected.add(peer);
    }

    @Override
    public void onReceived(long now, EnetPeer peer, int channel, Bytes payload, boolean reliable) {
        received.add(new Message(peer, channel, payload, reliable));
        onReceived.accept(peer, payload);
    }

    @Override
    public void onDisconnected(long now, EnetPeer peer, long data, EnetDisconnectReason cause) {
        ended.add(new Ended(peer, data, cause));
    }
}
