package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.game.proxy.DatagramProxy;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.net.simulation.LinkCounters;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.sauerbraten.SauerbratenGame;
import dev.wishdir.wire.TestPort;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Original clients through the proxy on the original servers, on good and bad links. They play as
 * many seconds as {@code -Dwishdir.proxy.seconds} says, by default few.
 */
@Timeout(600)
class ProxyIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int SECONDS = seconds(4);
    private static final Path OPENARENA_DATA = Path.of("/usr/lib/openarena-server");

    /** A player's input in OpenArena. */
    private static final List<String> STEPS =
            List.of(
                    "+forward",
                    "-forward;+left",
                    "-left;+back",
                    "-back;+moveup",
                    "-moveup;+moveright",
                    "-moveright");

    @TempDir private @Nullable Path directory;
    private final NettyLoop loop = new NettyLoop("proxy");
    private final List<ProxiedDatagram> observed = new ArrayList<>();
    private final List<String> closed = new CopyOnWriteArrayList<>();

    /** Duration of a session with the peers. */
    static int seconds(int otherwise) {
        return Integer.getInteger("wishdir.proxy.seconds", otherwise);
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private DatagramProxy open(
            Game game, InetSocketAddress server, LinkEmulation links, int maxClients)
            throws IOException {
        InetSocketAddress listen = TestPort.freeAddress();
        DutyCycle cycle = loop.cycle();
        CompletableFuture<DatagramProxy> opened = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                opened.complete(
                        DatagramProxy.open(
                                cycle,
                                links.around(cycle),
                                new ProxyConfig(
                                        game.proxyRules(),
                                        listen,
                                        server,
                                        maxClients,
                                        AddressLimits.standard(1),
                                        Optional::empty),
                                new ProxyListener() {
                                    @Override
                                    public void onDatagram(ProxiedDatagram datagram) {
                                        observed.add(datagram);
                                    }

                                    @Override
                                    public void onClosed(InetSocketAddress client, String why) {
                                        closed.add(why);
                                    }
                                }));
            } catch (IOException e) {
                opened.completeExceptionally(e);
            }
        });
        return opened.join();
    }

    private static LinkEmulation links(double lossPercent, long jitterMillis) {
        LinkConditions conditions =
                new LinkConditions(lossPercent / 100, 0, 0, 0, jitterMillis * 1_000_000, 0);
        return new LinkEmulation(conditions, conditions, 7);
    }

    /** The messages that passed; closes the proxy first. */
    private List<DissectedMessage> messages(Game game) throws IOException {
        loop.close();
        List<DissectedMessage> messages = TestProxy.messages(game, observed);
        assertThat(messages).noneMatch(message -> message.name().equals("malformed"));
        return messages;
    }

    private static void assertShareLost(LinkEmulation links, double lossPercent) {
        LinkCounters up = links.upCounters();
        LinkCounters down = links.downCounters();
        long sent = up.sent() + down.sent();
        assertThat(sent).isGreaterThan(100);
        assertThat(100.0 * (up.lost() + down.lost()) / sent)
                .isBetween(lossPercent / 5, lossPercent * 4);
    }

    /** On a pure server, whose generated map the client downloads. */
    @ParameterizedTest
    @CsvSource({"0, 0", "5, 40"})
    void passesOpenArenaOn(double loss, long jitter) throws Exception {
        Peer.need("openarena", Path.of("/usr/games/openarena"));
        Peer.need("openarena-server", Path.of("/usr/games/openarena-server"));
        Peer.need("xvfb", Path.of("/usr/bin/Xvfb"));
        Path here = Objects.requireNonNull(directory);
        Path home = here.resolve("alice");
        InetSocketAddress address = TestPort.freeAddress();
        LinkEmulation links = links(loss, jitter);
        try (Peer server = openArenaServer(here, address)) {
            server.awaitLine("InitGame", SOON);
            DatagramProxy proxy = open(new Quake3Game(), address, links, 2);
            try (Peer alice =
                    Peer.start(
                            here,
                            Map.of(
                                    "NAME",
                                    "alice",
                                    "DISPLAY_NUM",
                                    Peer.display(36),
                                    "ACTIONS",
                                    actions()),
                            Peer.script("openarena-client.sh"),
                            "127.0.0.1:" + proxy.address().getPort(),
                            home.toString(),
                            Integer.toString(TestPort.freeAddress().getPort()))) {
                assertThat(alice.awaitExit(SOON)).as("%s", alice.lines()).isZero();
            }
            server.awaitLine("hello from alice", SOON);
            assertThat(server.lines()).noneMatch(line -> line.contains("timed out"));
        }
        List<DissectedMessage> messages = messages(new Quake3Game());
        assertThat(messages)
                .extracting(DissectedMessage::name)
                .contains("gamestate", "snapshot", "download");
        assertThat(messages)
                .anyMatch(message -> message.fields().toString().contains("hello from alice"));
        String pak = offer().pak().name();
        assertThat(Files.mismatch(pak(here.resolve("server"), pak), pak(home, pak))).isEqualTo(-1);
        assertThat(closed).isEmpty();
        assertShareLost(links, loss);
    }

    private static Quake3Map.Offer offer() throws IOException {
        return new Quake3MapCatalog(Optional.empty()).load("").offer().orElseThrow();
    }

    /** The file of a pak; a client may give what it downloads another name. */
    private static Path pak(Path home, String name) throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("baseoa"))) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith(name))
                    .filter(file -> file.toString().endsWith(".pk3"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static String actions() {
        StringBuilder actions = new StringBuilder();
        for (int i = 0; i < SECONDS - 1; i++) {
            actions.append("1 ").append(STEPS.get(i % STEPS.size())).append('\n');
        }
        return actions + "1 say hello from alice\n0.5 echo done\n";
    }

    private static Peer openArenaServer(Path here, InetSocketAddress address) throws IOException {
        Quake3Map.Offer offer = offer();
        Path game = Files.createDirectories(here.resolve("server").resolve("baseoa"));
        Files.write(game.resolve(offer.pak().name() + ".pk3"), offer.file().toArray());
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("com_basegame", "baseoa");
        settings.put("fs_basepath", OPENARENA_DATA.toString());
        settings.put("fs_homepath", here.resolve("server").toString());
        settings.put("dedicated", "1");
        settings.put("net_ip", "127.0.0.1");
        settings.put("net_port", Integer.toString(address.getPort()));
        settings.put("ttycon", "0");
        settings.put("sv_pure", "1");
        settings.put("sv_allowDownload", "1");
        settings.put("sv_master1", "");
        settings.put("g_doWarmup", "0");
        settings.put("bot_enable", "0");
        List<String> command = new ArrayList<>(List.of("/usr/games/openarena-server"));
        settings.forEach((name, value) -> command.addAll(List.of("+set", name, value)));
        command.addAll(List.of("+map", new Quake3MapCatalog(Optional.empty()).load("").name()));
        return Peer.start(here, Map.of(), command.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "5, 40"})
    void passesSauerbratenOn(double loss, long jitter) throws Exception {
        Peer.need("cube2", Path.of("/usr/lib/cube2/cube2_client"));
        Peer.need("cube2-server", Path.of("/usr/lib/cube2/cube2_server"));
        Peer.need("xvfb", Path.of("/usr/bin/Xvfb"));
        Peer.need("xdotool", Path.of("/usr/bin/xdotool"));
        Path here = Objects.requireNonNull(directory);
        Path home = Files.createDirectories(here.resolve("alice"));
        InetSocketAddress address = TestPort.freeAddress();
        LinkEmulation links = links(loss, jitter);
        try (Peer server =
                Peer.start(
                        Path.of("."),
                        Map.of(),
                        "bash",
                        Peer.script("sauerbraten-server.sh"),
                        Integer.toString(address.getPort()),
                        here.toString(),
                        "boxarena",
                        "ffa")) {
            DatagramProxy proxy = open(new SauerbratenGame(), address, links, 2);
            try (Peer alice =
                    Peer.start(
                            home,
                            Map.of(
                                    "NAME",
                                    "alice",
                                    "DISPLAY_NUM",
                                    Peer.display(16),
                                    "MAPFILE",
                                    Peer.script("boxarena.ogz"),
                                    "ACTIONS",
                                    "walk jump chat back"),
                            Peer.script("sauerbraten-client.sh"),
                            "127.0.0.1",
                            Integer.toString(proxy.address().getPort()),
                            home.toString(),
                            Integer.toString(SECONDS))) {
                assertThat(alice.awaitExit(SOON)).as("%s", alice.lines()).isZero();
            }
            assertThat(server.isAlive()).isTrue();
        }
        List<DissectedMessage> messages = messages(new SauerbratenGame());
        assertThat(messages)
                .extracting(DissectedMessage::name)
                .contains("N_SERVINFO", "N_WELCOME", "N_POS");
        assertThat(messages)
                .anyMatch(message -> message.fields().toString().contains("hello from alice"));
        assertThat(closed).isEmpty();
        assertShareLost(links, loss);
    }

    /** A full proxy, at which the original client shows that the server is full. */
    @Test
    void refusesSauerbratenWithTheReasonOfAFullServer() throws Exception {
        Peer.need("cube2", Path.of("/usr/lib/cube2/cube2_client"));
        Peer.need("xvfb", Path.of("/usr/bin/Xvfb"));
        Path here = Objects.requireNonNull(directory);
        DatagramProxy proxy = open(new SauerbratenGame(), TestPort.freeAddress(), links(0, 0), 0);
        try (Peer alice =
                Peer.start(
                        here,
                        Map.of(
                                "DISPLAY_NUM",
                                Peer.display(16),
                                "READY",
                                "server FULL",
                                "ACTIONS",
                                "wait"),
                        Peer.script("sauerbraten-client.sh"),
                        "127.0.0.1",
                        Integer.toString(proxy.address().getPort()),
                        here.toString(),
                        "0")) {
            assertThat(alice.awaitExit(SOON)).as("%s", alice.lines()).isZero();
        }
    }
}
