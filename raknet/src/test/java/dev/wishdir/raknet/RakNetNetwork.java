package dev.wishdir.raknet;

import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;

/** A RakNet server and clients of it in virtual time, with all that happened to each. */
public final class RakNetNetwork {
    static final InetSocketAddress SERVER = address(1, 19132);
    static final int ID = 0xFE;
    static final long SECOND = 1_000_000_000L;

    final SimulatedNetwork network;
    final DutyCycle cycle;
    final Counters counters = new Counters();
    final Events events = new Events();
    final RakNetServer server;

    /** The addresses to which the server's socket throws. */
    Predicate<InetSocketAddress> breaks = _ -> false;

    /** The events of a listener. */
    public static final class Events implements RakNetPeer.Listener {
        final List<RakNetPeer> connected = new ArrayList<>();
        final List<byte[]> batches = new ArrayList<>();
        final List<RakNetPeer.EndReason> endings = new ArrayList<>();
        final List<String> reasons = new ArrayList<>();
        boolean echo;

        @Override
        public void onConnected(long now, RakNetPeer peer) {
            connected.add(peer);
        }

        @Override
        public void onReceived(long now, RakNetPeer peer, Bytes message) {
            byte[] batch = message.slice(1, message.length() - 1).toArray();
            batches.add(batch);
            if (echo) {
                say(peer, batch);
            }
        }

        @Override
        public void onEnded(long now, RakNetPeer peer, RakNetPeer.EndReason ending, String reason) {
            endings.add(ending);
            reasons.add(reason);
        }
    }

    /** Opens a socket; that it can't is no part of a test. */
    public static <H extends DatagramHandler> H open(
            DutyCycle cycle, InetSocketAddress local, Function<UdpSocket, H> make) {
        try {
            return cycle.open(local, make::apply);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RakNetNetwork(long seed, RakNetSettings settings) {
        network = new SimulatedNetwork(seed);
        cycle = network.cycle();
        server =
                open(
                        cycle,
                        SERVER,
                        socket ->
                                new RakNetServer(
                                        settings.pong(() -> "arena;8 places"),
                                        (to, data, offset, length) -> {
                                            if (breaks.test(to)) {
                                                throw new IllegalStateException("on purpose");
                                            }
                                            socket.send(to, data, offset, length);
                                        },
                                        AddressLimits.standard(seed),
                                        MemoryBudget.standard(counters),
                                        counters,
                                        events,
                                        new Random(seed),
                                        network.now()));
    }

    RakNetNetwork(long seed) {
        this(seed, RakNetSettings.server(100));
    }

    /** 10.0.0.host:port. */
    public static InetSocketAddress address(int host, int port) {
        return new InetSocketAddress(ip(10, 0, host >> 8, host), port);
    }

    public static InetAddress ip(int a, int b, int c, int d) {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) a, (byte) b, (byte) c, (byte) d});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RakNetClient client(InetSocketAddress local, RakNetPeer.Listener listener) {
        return open(
                cycle,
                local,
                socket ->
                        new RakNetClient(
                                SERVER,
                                RakNetSettings.client(),
                                socket,
                                listener,
                                new Random(local.getPort())));
    }

    /** Sends a batch, and lets the cycle take its turn. */
    void send(RakNetPeer peer, byte[] batch) {
        cycle.execute(() -> say(peer, batch));
    }

    /** Sends a batch behind an id, in order. */
    static void say(RakNetPeer peer, byte[] batch) {
        byte[] message = new byte[batch.length + 1];
        message[0] = (byte) ID;
        System.arraycopy(batch, 0, message, 1, batch.length);
        peer.send(Reliability.RELIABLE_ORDERED, 0, Bytes.wrap(message));
    }

    /** Connects a client and gives what happens to it. */
    Events connect(int host) {
        Events client = new Events();
        client(address(host, 5000), client);
        if (!network.runUntil(
                () -> !client.connected.isEmpty() && !events.connected.isEmpty(), 10 * SECOND)) {
            throw new AssertionError("no connection: " + client.reasons);
        }
        return client;
    }
}
