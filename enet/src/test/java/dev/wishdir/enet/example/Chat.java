package dev.wishdir.enet.example;

import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.enet.EnetSettings;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DatagramHandler;
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
public final class Chat implements DatagramHandler, EnetListener {
    private final UdpSocket socket;
    private final EnetHost host;

    /** Whom a client tells; a server has nobody, and passes on. */
    private final @Nullable Consumer<String> heard;

    private Chat(EnetSettings settings, UdpSocket socket, @Nullable Consumer<String> heard) {
        SecureRandom random = new SecureRandom();
        this.socket = socket;
        this.heard = heard;
        host =
                new EnetHost(
                        settings,
                        this,
                        socket::send,
                        AddressLimits.standard(random.nextLong()),
                        new Counters(),
                        random);
    }

    /** Starts a server for 32 clients. */
    public static InetSocketAddress serve(DutyCycle cycle, InetSocketAddress at)
            throws IOException {
        EnetSettings settings = EnetSettings.builder().maxPeers(32).build();
        return cycle.open(at, socket -> new Chat(settings, socket, null)).socket.local();
    }

    /** Starts a client; it is told what is said, its own words too. */
    public static Chat connect(DutyCycle cycle, InetSocketAddress to, Consumer<String> heard)
            throws IOException {
        EnetSettings settings = EnetSettings.builder().maxPeers(1).maxHalfOpen(0).build();
        Chat client =
                cycle.open(new InetSocketAddress(0), socket -> new Chat(settings, socket, heard));
        client.host.connect(to, 0);
        return client;
    }

    /** Says something, as soon as the client is connected. */
    public void say(String text) {
        pass(Bytes.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private void pass(Bytes message) {
        host.peers().forEach(peer -> peer.send(0, message, true));
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        host.receive(now, from, data);
    }

    @Override
    public long advance(long now) {
        return host.advance(now);
    }

    @Override
    public void onConnected(EnetPeer peer) {
        if (heard != null) {
            heard.accept("(connected)");
        }
    }

    @Override
    public void onReceived(EnetPeer from, int channel, Bytes payload, boolean reliable) {
        if (heard == null) {
            pass(payload);
        } else {
            heard.accept(new String(payload.toArray(), StandardCharsets.UTF_8));
        }
    }
}
