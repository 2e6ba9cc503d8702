package dev.wishdir.examples;

import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.enet.EnetSettings;
import dev.wishdir.net.Addresses;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.NettyLoop;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.concurrent.CountDownLatch;

/** A server of ENet, of no game, that sends back what it is sent, on the same channel. */
public final class EnetEcho implements DatagramHandler, EnetListener {
    private final UdpSocket socket;
    private final EnetHost host;

    private EnetEcho(UdpSocket socket) {
        this.socket = socket;
        SecureRandom random = new SecureRandom();
        host =
                new EnetHost(
                        EnetSettings.builder().maxPeers(32).channels(2).build(),
                        this,
                        socket::send,
                        Addresses.standard(random.nextLong()),
                        new Counters(),
                        random);
    }

    /**
     * Starts to serve. On the cycle's thread.
     *
     * @return where it listens
     * @throws IOException if the address can't be bound
     */
    public static InetSocketAddress serve(DutyCycle cycle, InetSocketAddress at)
            throws IOException {
        return cycle.open(at, EnetEcho::new).socket.local();
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
    public void connected(EnetPeer peer) {}

    @Override
    public void received(EnetPeer from, int channel, Bytes payload, boolean reliable) {
        from.send(channel, payload, reliable);
    }

    /** PORT. */
    public static void main(String[] arguments) throws InterruptedException {
        InetSocketAddress at = new InetSocketAddress(Integer.parseInt(arguments[0]));
        NettyLoop loop = new NettyLoop("echo");
        DutyCycle cycle = loop.cycle();
        cycle.execute(() -> {
            try {
                System.out.println("echoes at " + serve(cycle, at));
            } catch (IOException e) {
                System.err.println(e.getMessage());
                loop.close();
            }
        });
        new CountDownLatch(1).await();
    }
}
