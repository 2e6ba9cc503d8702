package dev.wishdir.sauerbraten.proxy;

import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.proxy.GuardedInterceptor;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.ProxySession;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.HeapFootprint;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.KeyResponder;
import dev.wishdir.sauerbraten.protocol.PlayerKeys;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.sauerbraten.proxy.InterceptedPackets.Packet;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * One client through a proxy: an ENet connection with the client, and one with the server, which
 * begins when the client has proved its address. Each ends with the other, after what was sent
 * before has arrived.
 */
final class SauerbratenProxySession implements ProxySession {
    /** The server as its host knows it; the datagrams go where the proxy sends them. */
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 28_785);

    /** Maximum number of packets that wait for the connection to the server. */
    private static final int MAX_WAITING = 64;

    private final Interceptor<SauerbratenMessage> next;
    private final PlayerKeys keys;
    private final Output out;
    private final EnetHost clientHost;
    private final EnetHost serverHost;
    private final Deque<Packet> waiting = new ArrayDeque<>();
    private InterceptedPackets packets;
    private @Nullable EnetPeer client;
    private @Nullable EnetPeer server;
    private long now;

    SauerbratenProxySession(
            Interceptor<SauerbratenMessage> interceptor,
            PlayerKeys keys,
            Output out,
            AddressLimits limits,
            RandomGenerator random) {
        this.next = interceptor;
        this.keys = keys;
        this.out = out;
        packets = intercepted();
        clientHost =
                new EnetHost(
                        SauerbratenTransport.proxyForClient(),
                        new ClientListener(),
                        sink(Direction.S2C),
                        limits,
                        new Counters(),
                        random);
        serverHost =
                new EnetHost(
                        SauerbratenTransport.proxyForServer(),
                        new ServerListener(),
                        sink(Direction.C2S),
                        random);
    }

    private DatagramSink sink(Direction direction) {
        return (_, data, offset, length) ->
                out.send(direction, Arrays.copyOfRange(data, offset, offset + length));
    }

    /** The packets of a new connection. */
    private InterceptedPackets intercepted() {
        Interceptor<SauerbratenMessage> first =
                keys.all().isEmpty()
                        ? next
                        : new KeyInterceptor(
                                next, new KeyResponder(keys), () -> now, this::sendToServer);
        return new InterceptedPackets(new GuardedInterceptor<>(first, out::report));
    }

    private void sendToServer(SauerbratenMessage message) {
        EnetPeer to = server;
        if (to != null) {
            to.send(SauerbratenTransport.MESSAGES, SauerbratenCodec.V260.packet(message), true);
        }
    }

    @Override
    public void receive(long now, Direction direction, byte[] datagram) {
        this.now = now;
        if (direction == Direction.C2S) {
            clientHost.receive(now, out.client(), datagram);
        } else {
            serverHost.receive(now, SERVER, datagram);
        }
        advance(now);
    }

    @Override
    public long advance(long now) {
        clientHost.advance(now);
        // Each may have given the other something to send.
        long next = serverHost.advance(now);
        return Math.min(next, clientHost.advance(now));
    }

    @Override
    public long retainedBytes() {
        long bytes = 0;
        for (Packet packet : waiting) {
            bytes += HeapFootprint.bytes(packet.payload().length());
        }
        for (EnetHost host : List.of(clientHost, serverHost)) {
            for (EnetPeer peer : host.peers()) {
                bytes += peer.retainedBytes();
            }
        }
        return bytes;
    }

    @Override
    public void abort() {
        client = null;
        server = null;
        waiting.clear();
        for (EnetHost host : List.of(clientHost, serverHost)) {
            for (EnetPeer peer : host.peers()) {
                peer.disconnectNow(DisconnectReason.OVERFLOW.code());
            }
        }
    }

    private void send(Direction direction, EnetPeer to, Packet received) {
        for (Packet packet : packets.apply(direction, received)) {
            to.send(packet.channel(), packet.payload(), packet.reliable());
        }
    }

    private final class ClientListener implements EnetListener {
        @Override
        public void onConnected(long now, EnetPeer peer) {
            client = peer;
            waiting.clear();
            packets = intercepted();
            try {
                server = serverHost.connect(SERVER, 0);
            } catch (IllegalStateException e) {
                // Its earlier connections are still ending.
                client = null;
                peer.disconnect(0);
            }
        }

        @Override
        public void onReceived(
                long now, EnetPeer peer, int channel, Bytes payload, boolean reliable) {
            EnetPeer to = server;
            if (peer != client || to == null) {
                return;
            }
            Packet packet = new Packet(channel, payload, reliable);
            if (to.connected()) {
                send(Direction.C2S, to, packet);
            } else if (waiting.size() < MAX_WAITING) {
                waiting.add(packet);
            }
        }

        @Override
        public void onDisconnected(
                long now, EnetPeer peer, long data, EnetDisconnectReason reason) {
            EnetPeer other = server;
            if (peer == client) {
                client = null;
                server = null;
                if (other != null) {
                    other.disconnectLater(data);
                }
            }
        }
    }

    private final class ServerListener implements EnetListener {
        @Override
        public void onConnected(long now, EnetPeer peer) {
            while (peer == server && !waiting.isEmpty()) {
                send(Direction.C2S, peer, waiting.remove());
            }
        }

        @Override
        public void onReceived(
                long now, EnetPeer peer, int channel, Bytes payload, boolean reliable) {
            EnetPeer to = client;
            if (peer == server && to != null) {
                send(Direction.S2C, to, new Packet(channel, payload, reliable));
            }
        }

        @Override
        public void onDisconnected(
                long now, EnetPeer peer, long data, EnetDisconnectReason reason) {
            EnetPeer other = client;
            if (peer == server) {
                server = null;
                client = null;
                if (other != null) {
                    other.disconnectLater(data);
                }
            }
        }
    }
}
