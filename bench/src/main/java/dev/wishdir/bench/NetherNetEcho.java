package dev.wishdir.bench;

import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.AddressRange;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.HttpSettings;
import dev.wishdir.net.MemoryBudget;
import dev.wishdir.net.NettyLoop;
import dev.wishdir.net.PrefixLimits;
import dev.wishdir.nethernet.NetherNetPeer;
import dev.wishdir.nethernet.NetherNetServer;
import dev.wishdir.nethernet.NetherNetSignalling;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityKey;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Sends every packet back, over our NetherNet: {@code ADDRESS PORT}. */
public final class NetherNetEcho {
    private static final int MAX_PEERS = 1000;

    private NetherNetEcho() {}

    public static void main(String[] arguments) throws Exception {
        InetSocketAddress local =
                new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        SecureRandom random = new SecureRandom();
        Counters counters = new Counters();
        List<AddressRange> everybody = List.of(AddressRange.parse("0.0.0.0/0"));
        NettyLoop loop = new NettyLoop("echo");
        DutyCycle cycle = loop.cycle();
        NetherNetServer host =
                cycle.open(
                        local,
                        socket ->
                                new NetherNetServer(
                                        NetherNetServer.Settings.standard(MAX_PEERS),
                                        socket,
                                        AddressLimits.trusting(everybody, random.nextLong()),
                                        MemoryBudget.standard(counters),
                                        counters,
                                        "nethernet",
                                        new Echo(),
                                        random));
        HttpSettings http =
                new HttpSettings(
                        256,
                        new PrefixLimits(256, 256, 256),
                        TimeUnit.SECONDS.toNanos(3),
                        TimeUnit.SECONDS.toNanos(5),
                        TimeUnit.SECONDS.toNanos(7),
                        16 << 10,
                        List.of(),
                        null);
        cycle.serve(
                local,
                http,
                new NetherNetSignalling(
                        new NetherNetSignalling.Settings(
                                Identity.Policy.OFFLINE, "self", null, local.getPort()),
                        IdentityKey.generate(),
                        host,
                        cycle,
                        counters,
                        "nethernet",
                        () -> "{}",
                        _ -> true,
                        () -> System.currentTimeMillis() / 1000));
        new CountDownLatch(1).await();
    }

    private static final class Echo implements NetherNetPeer.Listener {
        @Override
        public void onConnected(long now, NetherNetPeer peer) {}

        @Override
        public void onReceived(long now, NetherNetPeer peer, boolean reliable, byte[] packet) {
            peer.send(packet, 0, packet.length);
        }

        @Override
        public void onEnded(
                long now, NetherNetPeer peer, NetherNetPeer.EndReason ending, String reason) {
            System.out.println(peer + " " + ending + " " + reason);
        }
    }
}
