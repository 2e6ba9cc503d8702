package dev.wishdir.nethernet;

import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.nethernet.identity.IdentityKey;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client that wants its packet back from an echo of another make: {@code PORT [BYTES]}. */
final class EchoClient {
    private EchoClient() {}

    public static void main(String[] arguments) throws Exception {
        InetSocketAddress server =
                new InetSocketAddress(
                        InetAddress.ofLiteral("127.0.0.1"), Integer.parseInt(arguments[0]));
        byte[] packet = new byte[arguments.length > 1 ? Integer.parseInt(arguments[1]) : 28_000];
        SecureRandom random = new SecureRandom();
        random.nextBytes(packet);
        CompletableFuture<String> result = new CompletableFuture<>();
        try (NettyLoop loop = new NettyLoop("echo-client")) {
            DutyCycle cycle = loop.cycle();
            NetherNetClient client =
                    cycle.open(
                            new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0),
                            socket ->
                                    new NetherNetClient(
                                            server,
                                            "127.0.0.1",
                                            new NetherNetClient.Settings(
                                                    IdentityKey.generate(),
                                                    Map.of("xname", "Tester", "xid", "0"),
                                                    List.of(HttpFetch.Tls.ANY, HttpFetch.Tls.NONE),
                                                    NetherNetLimits.CLIENT),
                                            socket,
                                            new NetherNetClient.Listener() {
                                                @Override
                                                public void onConnected(
                                                        long now, NetherNetPeer peer) {
                                                    System.out.println("open");
                                                    peer.send(packet, 0, packet.length);
                                                }

                                                @Override
                                                public void onReceived(
                                                        long now,
                                                        NetherNetPeer peer,
                                                        boolean reliable,
                                                        byte[] p) {
                                                    result.complete(
                                                            Arrays.equals(p, packet)
                                                                    ? "equal"
                                                                    : "different");
                                                    peer.close();
                                                }

                                                @Override
                                                public void onEnded(
                                                        long now,
                                                        NetherNetPeer peer,
                                                        NetherNetPeer.EndReason ending,
                                                        String reason) {
                                                    result.complete(ending + " " + reason);
                                                }

                                                @Override
                                                public void onFailed(
                                                        long now,
                                                        NetherNetPeer.EndReason ending,
                                                        String reason) {
                                                    result.complete(ending + " " + reason);
                                                }
                                            },
                                            cycle,
                                            random,
                                            () -> System.currentTimeMillis() / 1000));
            System.out.println(result.get(30, TimeUnit.SECONDS) + " " + client.status());
            TimeUnit.SECONDS.sleep(1);
            cycle.close();
        }
    }
}
