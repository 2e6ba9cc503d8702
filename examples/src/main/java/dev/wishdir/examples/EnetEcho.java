package dev.wishdir.examples;

import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.enet.EnetSettings;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.function.Consumer;

/**
 * ENet of no game: a server that sends back what it is sent, on the same channel, and a caller who
 * sends a text on channel 1 and prints what it receives. Both print connects and disconnects.
 */
public final class EnetEcho implements DatagramHandler, EnetListener {
    private final UdpSocket socket;
    private final EnetHost host;
    private final String says;
    private final Consumer<String> screen;

    private EnetEcho(
            UdpSocket socket, EnetSettings settings, String says, Consumer<String> screen) {
        this.socket = socket;
        this.says = says;
        this.screen = screen;
        SecureRandom random = new SecureRandom();
        host =
                new EnetHost(
                        settings,
                        this,
                        socket,
                        AddressLimits.standard(random.nextLong()),
                        new Counters(),
                        random);
    }

    /**
     * Starts to serve. On the cycle's thread.
     *
     * @return where it listens
     * @throws IOException if the address can't be bound
     */
    public static InetSocketAddress serve(
            DutyCycle cycle, InetSocketAddress at, Consumer<String> screen) throws IOException {
        EnetSettings settings = EnetSettings.builder().maxPeers(32).channels(2).build();
        return cycle.open(at, socket -> new EnetEcho(socket, settings, null, screen))
                .socket
                .local();
    }

    /**
     * Begins to call a server. On the cycle's thread.
     *
     * @param says the first word; nothing if the server is to speak first
     * @throws IOException if no socket can be opened
     */
    public static void call(
            DutyCycle cycle, InetSocketAddress server, String says, Consumer<String> screen)
            throws IOException {
        EnetSettings settings =
                EnetSettings.builder().maxPeers(1).maxHalfOpen(0).channels(2).build();
        cycle.open(new InetSocketAddress(0), socket -> new EnetEcho(socket, settings, says, screen))
                .host
                .connect(server, 0);
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
    public void onConnected(long now, EnetPeer peer) {
        screen.accept(peer.address() + " came");
        if (says != null && !says.isEmpty()) {
            peer.send(1, Bytes.wrap(says.getBytes(StandardCharsets.UTF_8)), true);
        }
    }

    @Override
    public void onDisconnected(long now, EnetPeer peer, long data, EnetDisconnectReason reason) {
        screen.accept(peer.address() + " went: " + reason);
    }

    @Override
    public void onReceived(long now, EnetPeer from, int channel, Bytes payload, boolean reliable) {
        if (says == null) {
            from.send(channel, payload, reliable);
        } else {
            String text = new String(payload.toArray(), StandardCharsets.UTF_8);
            screen.accept(text + " on channel " + channel);
        }
    }

    /** {@code PORT}. */
    public static void main(String[] arguments) {
        InetSocketAddress at = new InetSocketAddress(Integer.parseInt(arguments[0]));
        NettyLoop loop = new NettyLoop("echo");
        DutyCycle cycle = loop.cycle();
        cycle.execute(() -> {
            try {
                System.out.println("echoes at " + serve(cycle, at, System.out::println));
            } catch (IOException | RuntimeException e) {
                System.err.println(e.getMessage());
                loop.close();
            }
        });
    }
}
