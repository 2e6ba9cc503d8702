package dev.wishdir.nethernet;

import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.limit.PrefixLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityKey;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/** A server that sends every packet back, for peers of other makes: {@code PORT [SECONDS]}. */
final class EchoServer {
    private EchoServer() {}

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        boolean begins = System.getProperty("setup", "active").equals("active");
        SecureRandom random = new SecureRandom();
        Counters counters = new Counters();
        try (NettyLoop loop = new NettyLoop("echo")) {
            DutyCycle cycle = loop.cycle();
            AddressLimits addressLimits =
                    AddressLimits.trusting(
                            List.of(AddressRange.parse("0.0.0.0/0")), random.nextLong());
            NetherNetServer host =
                    cycle.open(
                            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port),
                            socket ->
                                    new NetherNetServer(
                                            new NetherNetServer.Settings(
                                                    1000,
                                                    64,
                                                    new PrefixLimits(64, 64, 64),
                                                    begins,
                                                    NetherNetLimits.SERVER),
                                            socket,
                                            addressLimits,
                                            MemoryBudget.standard(counters),
                                            counters,
                                            "nethernet",
                                            new Echo(),
                                            random));
            String certificate = System.getProperty("certificate");
            HttpSettings http =
                    new HttpSettings(
                            256,
                            new PrefixLimits(256, 256, 256),
                            3_000_000_000L,
                            5_000_000_000L,
                            7_000_000_000L,
                            16 << 10,
                            List.of(AddressRange.parse("127.0.0.1")),
                            certificate == null
                                    ? null
                                    : new HttpSettings.Tls(
                                            Path.of(certificate),
                                            Path.of(System.getProperty("key"))));
            NetherNetSignalling signalling =
                    new NetherNetSignalling(
                            new NetherNetSignalling.Settings(
                                    Identity.Policy.OFFLINE, "self", null, port),
                            IdentityKey.generate(),
                            host,
                            cycle,
                            counters,
                            "nethernet",
                            () ->
                                    "{\"name\":\"echo\",\"protocol\":2193,\"version\":\"1.26.51\","
                                            + "\"level\":\"box\",\"players\":0,\"maxPlayers\":10,"
                                            + "\"gameType\":0}",
                            _ -> true,
                            () -> System.currentTimeMillis() / 1000);
            AutoCloseable served =
                    cycle.serve(
                            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port),
                            http,
                            signalling);
            System.out.println("listening");
            Thread.sleep(1000L * Integer.parseInt(arguments.length > 1 ? arguments[1] : "60"));
            served.close();
            System.out.println(counters.snapshot());
            cycle.close();
        }
    }

    private static final class Echo implements NetherNetPeer.Listener {
        @Override
        public void onConnected(long now, NetherNetPeer peer) {
            System.out.println("open " + peer);
        }

        @Override
        public void onReceived(long now, NetherNetPeer peer, boolean reliable, byte[] packet) {
            peer.send(packet, 0, packet.length);
        }

        @Override
        public void onEnded(
                long now, NetherNetPeer peer, NetherNetPeer.EndReason ending, String reason) {
            System.out.println("ended " + peer + " " + ending + " " + reason);
        }
    }
}
