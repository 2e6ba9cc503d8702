package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Joining;
import dev.wishdir.game.Pilot.Steering;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.NettyLoop;
import dev.wishdir.quake3.Quake3Game;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Our headless client on the original dedicated server. */
@Timeout(120)
class Quake3ServerIT {
    private static final Path SERVER = Path.of("/usr/games/openarena-server");
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir private @Nullable Path home;

    private static final class Walker implements ClientListener {
        final CompletableFuture<Vec3> joined = new CompletableFuture<>();
        final CompletableFuture<String> ended = new CompletableFuture<>();
        final List<String> heard = new CopyOnWriteArrayList<>();
        final List<Client.Seen> seen = new CopyOnWriteArrayList<>();

        @Override
        public void joined(Client self) {
            joined.complete(self.movement().position());
        }

        @Override
        public void appeared(Client self, Client.Seen other) {
            seen.add(other);
        }

        @Override
        public void moved(Client self, long now, Client.Seen other) {
            seen.add(other);
        }

        @Override
        public void said(Client self, String name, String text) {
            heard.add(name + ": " + text);
        }

        @Override
        public void ended(Client self, Ending ending, String reason) {
            ended.complete(ending + " " + reason);
        }
    }

    /** The old packets, the new ones, and both on one server; pure and not. */
    @ParameterizedTest
    @CsvSource({"71, 0", "71, 1", "0, 0", "0, 1"})
    void joinsWalksSeesAndSpeaks(String legacyProtocol, String pure) throws Exception {
        Peer.need("openarena-server", SERVER);
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        int port;
        try (DatagramSocket free = new DatagramSocket(0, loopback)) {
            port = free.getLocalPort();
        }
        NettyLoop loop = new NettyLoop("clients");
        try (Peer server = server(port, legacyProtocol, pure)) {
            server.awaitLine("AAS initialized", SOON);
            Walker walker = new Walker();
            DutyCycle cycle = loop.cycle();
            Client client = join(cycle, new InetSocketAddress(loopback, port), walker);
            Vec3 start = walker.joined.get(30, java.util.concurrent.TimeUnit.SECONDS);
            Peer.await(
                    "the other to be seen moving",
                    Duration.ofSeconds(60),
                    () -> walker.seen.stream().map(Client.Seen::movement).distinct().count() > 5);
            assertThat(walker.seen).extracting(Client.Seen::name).containsOnly("Sarge");
            Peer.await("the walker to walk", SOON, () -> walked(client, start));
            server.awaitLine("ClientBegin", SOON);
            cycle.execute(() -> client.say("hello from wishdir"));
            server.awaitLine("say: walker: hello from wishdir", SOON);
            Peer.await(
                    "its own words",
                    SOON,
                    () -> walker.heard.contains("walker: hello from wishdir"));
            cycle.execute(client::close);
            server.awaitLine("walker\\^7 disconnected", SOON);
            assertThat(walker.ended.join()).startsWith("LEFT");
        } finally {
            loop.close();
        }
    }

    private static boolean walked(Client client, Vec3 start) {
        Movement now = client.movement();
        return now.position().distance(start) > 1.5 && now.velocity().horizontal() > 1;
    }

    private Peer server(int port, String legacyProtocol, String pure) throws IOException {
        return Peer.start(
                Path.of("."),
                Map.of(),
                SERVER.toString(),
                "+set",
                "com_protocol",
                "71",
                "+set",
                "com_legacyprotocol",
                legacyProtocol,
                "+set",
                "fs_homepath",
                String.valueOf(home),
                "+set",
                "dedicated",
                "1",
                "+set",
                "net_ip",
                "127.0.0.1",
                "+set",
                "net_port",
                Integer.toString(port),
                "+set",
                "ttycon",
                "0",
                "+set",
                "vm_game",
                "0",
                "+set",
                "sv_master1",
                "",
                "+set",
                "sv_pure",
                pure,
                "+set",
                "g_doWarmup",
                "0",
                "+set",
                "bot_enable",
                "1",
                "+map",
                "oa_dm1",
                "+addbot",
                "sarge",
                "2");
    }

    private static Client join(DutyCycle cycle, InetSocketAddress server, ClientListener listener) {
        CompletableFuture<Client> made = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                made.complete(
                        new Quake3Game()
                                .connect(
                                        new Joining(
                                                cycle,
                                                server,
                                                "walker",
                                                "",
                                                (now, _) ->
                                                        Steering.walk(now / 1e9 * 40 % 360, 45, 0),
                                                listener,
                                                new Random(3))));
            } catch (IOException e) {
                made.completeExceptionally(new UncheckedIOException(e));
            }
        });
        return made.join();
    }
}
