package dev.wishdir.enet.example;

import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.enet.EnetSettings;
import dev.wishdir.net.Addresses;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.function.Consumer;

/** A chat: what one client says, all clients hear. To be used on the thread of its duty cycle. */
public final class Chat implements EnetListener {
    private final EnetHost host;

    /** Whom a client tells; a server has nobody, and passes on. */
    private final @Nullable Consumer<String> heard;

    private @Nullable UdpSocket socket;

    private Chat(EnetSettings settings, @Nullable Consumer<String> heard) {
        SecureRandom random = new SecureRandom();
        this.heard = heard;
        host =
                new EnetHost(
                        settings,
                        this,
                        this::send,
                        Addresses.standard(random.nextLong()),
                        new Counters(),
                        random);
    }

    /** Starts a server for 32 clients. */
    public static InetSocketAddress serve(DutyCycle cycle, InetSocketAddress at)
            throws IOException {
        Chat server = new Chat(EnetSettings.builder().maxPeers(32).build(), null);
        return server.open(cycle, at).local();
    }

    /** Starts a client; it is told what is said, its own words too. */
    public static Chat connect(DutyCycle cycle, InetSocketAddress to, Consumer<String> heard)
            throws IOException {
        Chat client = new Chat(EnetSettings.builder().maxPeers(1).maxHalfOpen(0).build(), heard);
        client.open(cycle, new InetSocketAddress(0));
        client.host.connect(to, 0);
        return client;
    }

    private UdpSocket open(DutyCycle cycle, InetSocketAddress at) throws IOException {
        UdpSocket opened = cycle.open(at, host);
        socket = opened;
        return opened;
    }

    private void send(InetSocketAddress to, byte[] data, int offset, int length) {
        if (socket != null) {
            socket.send(to, data, offset, length);
        }
    }

    /** Says something, as soon as the client is connected. */
    public void say(String text) {
        pass(Bytes.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private void pass(Bytes message) {
        host.peers().forEach(peer -> peer.send(0, message, true));
    }

    @Override
    public void connected(EnetPeer peer) {
        if (heard != null) {
            heard.accept("(connected)");
        }
    }

    @Override
    public void received(EnetPeer from, int channel, Bytes payload, boolean reliable) {
        if (heard == null) {
            pass(payload);
        } else {
            heard.accept(new String(payload.toArray(), StandardCharsets.UTF_8));
        }
    }
}
