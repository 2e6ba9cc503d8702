package dev.wishdir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.cluster.NatsSettings.Tls;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The bus over a real nats-server. */
class NatsBusTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** The example of docs.nats.io, "nk", with its public key below. */
    private static final String SEED = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";

    @TempDir Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

    /** A bus, and what came from it. */
    private final class Peer {
        final List<BusEvent> events = new ArrayList<>();
        final AtomicInteger wakeUps = new AtomicInteger();
        final NatsBus bus;

        Peer(NatsSettings settings) throws IOException {
            bus = NatsBus.connect(settings, wakeUps::incrementAndGet);
            open.add(bus);
        }

        void drain() {
            for (BusEvent event = bus.poll(); event != null; event = bus.poll()) {
                events.add(event);
            }
        }

        <E extends BusEvent> List<E> all(Class<E> kind) {
            drain();
            return events.stream().filter(kind::isInstance).map(kind::cast).toList();
        }

        List<Integer> numbers() {
            return all(BusEvent.Received.class).stream()
                    .map(message -> ByteBuffer.wrap(message.data()).getInt())
                    .toList();
        }

        void awaitConnected(int times) {
            NatsServer.await(
                    "connection " + times,
                    LIMIT,
                    () -> all(BusEvent.Connected.class).size() >= times);
        }

        String awaitCause() {
            NatsServer.await("a cause", LIMIT, () -> !all(BusEvent.Disconnected.class).isEmpty());
            return all(BusEvent.Disconnected.class).getLast().cause();
        }

        void awaitCause(String part) {
            NatsServer.await(
                    "a cause with \"" + part + "\" among " + all(BusEvent.Disconnected.class),
                    LIMIT,
                    () ->
                            all(BusEvent.Disconnected.class).stream()
                                    .anyMatch(event -> event.cause().contains(part)));
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private NatsServer server(String... arguments) throws Exception {
        NatsServer server = NatsServer.start(arguments);
        open.add(server);
        return server;
    }

    private Peer peer(NatsServer server) throws IOException {
        return new Peer(new NatsSettings(server.address()));
    }

    private static byte[] bytes(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    /** Publishes until the other receives: the subscription is then known to the server. */
    private static void meet(Peer from, Peer to, String subject) {
        NatsServer.await(
                "the first message",
                LIMIT,
                () -> {
                    from.bus.publish(subject, bytes(-1));
                    return to.numbers().contains(-1);
                });
    }

    @Test
    void carriesMessagesInOrderAndNotBackToThePublisher() throws Exception {
        NatsServer server = server();
        Peer a = peer(server);
        Peer b = peer(server);
        a.bus.subscribe("x.*");
        b.bus.subscribe("x.*");
        a.awaitConnected(1);
        b.awaitConnected(1);
        meet(a, b, "x.1");
        // A message may be lost while the machine is busy, but not come twice or out of order.
        AtomicInteger next = new AtomicInteger();
        NatsServer.await(
                "200 messages",
                LIMIT,
                () -> {
                    a.bus.publish("x.1", bytes(next.getAndIncrement()));
                    return b.numbers().size() > 200;
                });
        assertThat(b.numbers().stream().filter(it -> it >= 0).toList())
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(a.numbers()).isEmpty();
        b.bus.unsubscribe("x.*");
        b.bus.subscribe("y");
        meet(a, b, "y");
        NatsServer.await(
                "the last message",
                LIMIT,
                () -> {
                    a.bus.publish("x.1", bytes(1_000_000));
                    a.bus.publish("y", bytes(1_000_001));
                    return b.numbers().contains(1_000_001);
                });
        assertThat(b.numbers()).doesNotContain(1_000_000);
    }

    @Test
    void wakesOnlyOnRequest() throws Exception {
        NatsServer server = server();
        Peer a = peer(server);
        Peer b = peer(server);
        b.bus.subscribe("x");
        a.awaitConnected(1);
        b.awaitConnected(1);
        meet(a, b, "x");
        assertThat(b.wakeUps).hasValue(0);
        b.drain();
        while (!b.bus.requestWakeUp()) {
            b.drain();
        }
        NatsServer.await(
                "both messages",
                LIMIT,
                () -> {
                    a.bus.publish("x", bytes(1));
                    a.bus.publish("x", bytes(2));
                    return b.numbers().contains(2);
                });
        assertThat(b.wakeUps).hasValue(1);
    }

    @Test
    void reportsAtOnceThatNoNodeReceivesARequest() throws Exception {
        NatsServer server = server();
        Peer a = peer(server);
        Peer b = peer(server);
        a.bus.subscribe("answer.*");
        b.bus.subscribe("ask");
        a.awaitConnected(1);
        b.awaitConnected(1);
        meet(a, b, "ask");
        NatsServer.await(
                "the request",
                LIMIT,
                () -> {
                    a.bus.publish("ask", "answer.1", bytes(1));
                    return b.numbers().contains(1);
                });
        assertThat(b.all(BusEvent.Received.class).getLast().replyTo()).isEqualTo("answer.1");
        assertThat(a.all(BusEvent.NoResponders.class)).isEmpty();
        b.bus.close();
        NatsServer.await(
                "the report",
                LIMIT,
                () -> {
                    a.bus.publish("ask", "answer.1", bytes(2));
                    return !a.all(BusEvent.NoResponders.class).isEmpty();
                });
        assertThat(a.all(BusEvent.NoResponders.class).getFirst().replyTo()).isEqualTo("answer.1");
    }

    @Test
    void connectsWhenTheServerComesLater() throws Exception {
        NatsServer server = server();
        server.kill();
        Peer a = peer(server);
        a.bus.subscribe("x");
        assertThat(a.awaitCause()).contains("onnect");
        assertThat(a.bus.publish("x", bytes(1))).isFalse();
        server.restart();
        a.awaitConnected(1);
        Peer b = peer(server);
        b.awaitConnected(1);
        meet(b, a, "x");
    }

    @Test
    void deliversNothingOldAfterTheServerWasKilled() throws Exception {
        NatsServer server = server();
        Peer a = peer(server);
        Peer b = peer(server);
        b.bus.subscribe("x");
        a.awaitConnected(1);
        b.awaitConnected(1);
        meet(a, b, "x");
        server.kill();
        a.awaitCause();
        b.awaitCause();
        for (int i = 0; i < 1000; i++) {
            assertThat(a.bus.publish("x", bytes(i))).isFalse();
        }
        assertThat(a.bus.counters().dropped()).isGreaterThanOrEqualTo(1000);
        server.restart();
        a.awaitConnected(2);
        b.awaitConnected(2);
        NatsServer.await(
                "a message on the new connection",
                LIMIT,
                () -> {
                    a.bus.publish("x", bytes(5000));
                    return b.numbers().contains(5000);
                });
        assertThat(b.numbers()).allMatch(it -> it == -1 || it == 5000);
    }

    @Test
    void noticesStoppedServerAndDeliversNothingThatWasPublishedAfterwards() throws Exception {
        NatsServer server = server();
        Peer a = peer(server);
        Peer b = peer(server);
        b.bus.subscribe("x");
        a.awaitConnected(1);
        b.awaitConnected(1);
        meet(a, b, "x");
        server.pause();
        long stopped = System.nanoTime();
        a.awaitCause();
        // 1.5 s on a calm machine; the default would be four minutes.
        assertThat(System.nanoTime() - stopped).isLessThan(10_000_000_000L);
        for (int i = 0; i < 1000; i++) {
            assertThat(a.bus.publish("x", bytes(i))).isFalse();
        }
        server.resume();
        a.awaitConnected(2);
        NatsServer.await(
                "a message on the new connection",
                LIMIT,
                () -> {
                    a.bus.publish("x", bytes(5000));
                    return b.numbers().contains(5000);
                });
        assertThat(b.numbers()).allMatch(it -> it == -1 || it == 5000);
    }

    @Test
    void goesToTheNextServer() throws Exception {
        NatsServer first = server();
        NatsServer second = server();
        Peer a =
                new Peer(
                        new NatsSettings(
                                List.of(first.address(), second.address()),
                                "",
                                "",
                                Optional.empty(),
                                Tls.DEFAULT));
        a.awaitConnected(1);
        String used = a.all(BusEvent.Connected.class).getFirst().server();
        (used.endsWith(":" + first.port()) ? first : second).kill();
        a.awaitConnected(2);
        assertThat(a.all(BusEvent.Connected.class).get(1).server()).isNotEqualTo(used);
    }

    private NatsSettings user(NatsServer server, String password) {
        return new NatsSettings(
                List.of(server.address()), "node", password, Optional.empty(), Tls.DEFAULT);
    }

    @Test
    @DisplayName("N9: wrong passwords, keys, authorities and hosts, servers without TLS")
    void reportsWhyItIsRefused() throws Exception {
        NatsServer server = server("--user", "node", "--pass", "secret");
        new Peer(user(server, "secret")).awaitConnected(1);
        Peer wrong = new Peer(user(server, "guess"));
        wrong.awaitCause("uthorization");
        assertThat(wrong.bus.publish("x", bytes(1))).isFalse();
        assertThat(user(server, "guess").toString()).doesNotContain("guess");

        TestCertificate own = TestCertificate.in(folder, "own", "ip:127.0.0.1");
        TestCertificate other = TestCertificate.in(folder, "other", "ip:127.0.0.1");
        NatsServer secure = secureServer(own);
        Peer unknown =
                new Peer(
                        secure(
                                secure,
                                new Tls(
                                        Optional.of(other.chain()),
                                        Optional.empty(),
                                        Optional.empty())));
        unknown.awaitCause("certification path");
        Peer plain =
                new Peer(
                        secure(
                                server(),
                                new Tls(
                                        Optional.of(own.chain()),
                                        Optional.empty(),
                                        Optional.empty())));
        assertThat(plain.awaitCause()).isNotEmpty();
        assertThat(plain.all(BusEvent.Connected.class)).isEmpty();

        TestCertificate elsewhere = TestCertificate.in(folder, "elsewhere", "dns:nats.example");
        Peer misnamed =
                new Peer(
                        secure(
                                secureServer(elsewhere),
                                new Tls(
                                        Optional.of(elsewhere.chain()),
                                        Optional.empty(),
                                        Optional.empty())));
        misnamed.awaitCause("127.0.0.1");
        assertThat(misnamed.all(BusEvent.Connected.class)).isEmpty();
        assertThat(unknown.all(BusEvent.Disconnected.class).size()).isLessThan(30);
    }

    private NatsServer secureServer(TestCertificate certificate, String... more) throws Exception {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--tls",
                                "--tlscert",
                                certificate.chain().toString(),
                                "--tlskey",
                                certificate.key().toString()));
        arguments.addAll(List.of(more));
        return server(arguments.toArray(String[]::new));
    }

    private static NatsSettings secure(NatsServer server, Tls tls) {
        return new NatsSettings(
                List.of("tls://127.0.0.1:" + server.port()), "", "", Optional.empty(), tls);
    }

    @Test
    void connectsByTlsWithClientCertificate() throws Exception {
        TestCertificate own = TestCertificate.in(folder, "own", "ip:127.0.0.1");
        TestCertificate client = TestCertificate.in(folder, "client", "dns:client");
        NatsServer server =
                secureServer(own, "--tlsverify", "--tlscacert", client.chain().toString());
        Tls tls =
                new Tls(
                        Optional.of(own.chain()),
                        Optional.of(client.chain()),
                        Optional.of(client.key()));
        Peer a = new Peer(secure(server, tls));
        a.awaitConnected(1);
        Peer without =
                new Peer(
                        secure(
                                server,
                                new Tls(
                                        Optional.of(own.chain()),
                                        Optional.empty(),
                                        Optional.empty())));
        assertThat(without.awaitCause()).isNotEmpty();
        assertThat(without.all(BusEvent.Connected.class)).isEmpty();
    }

    @Test
    void connectsByKey() throws Exception {
        Path key = Files.writeString(folder.resolve("node.nk"), SEED + "\n");
        Path config =
                Files.writeString(
                        folder.resolve("nats.conf"),
                        "authorization { users = [ { nkey: " + NatsKey.read(key) + " } ] }\n");
        NatsServer server = server("-c", config.toString());
        Peer a =
                new Peer(
                        new NatsSettings(
                                List.of(server.address()), "", "", Optional.of(key), Tls.DEFAULT));
        a.awaitConnected(1);
        Peer without = peer(server);
        without.awaitCause("uthorization");
    }

    @Test
    void readsKeysAndCredentials() throws Exception {
        Path key = Files.writeString(folder.resolve("node.nk"), SEED);
        assertThat(NatsKey.read(key).toString())
                .isEqualTo("UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4");
        Path credentials =
                Files.writeString(
                        folder.resolve("node.creds"),
                        """
                        -----BEGIN NATS USER JWT-----
                        eyJ0eXAi.SU_not_a_seed.x
                        ------END NATS USER JWT------

                        -----BEGIN USER NKEY SEED-----
                        %s
                        ------END USER NKEY SEED------
                        """
                                .formatted(SEED));
        NatsKey read = NatsKey.read(credentials);
        assertThat(read.getJWT()).isEqualTo("eyJ0eXAi.SU_not_a_seed.x".toCharArray());
        assertThat(read.getID()).isNull();
        assertThat(read.sign(new byte[] {1, 2, 3})).hasSize(64);
        Path broken = Files.writeString(folder.resolve("broken"), SEED.replace("SL3U", "SL3V"));
        assertThatThrownBy(() -> NatsKey.read(broken))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("checksum");
        Path empty = Files.writeString(folder.resolve("empty"), "hello");
        assertThatThrownBy(() -> NatsKey.read(empty)).hasMessageContaining("no NKey seed");
    }

    @Test
    void refusesSettingsThatAreNoAddressOrHaveHalfACertificate() {
        assertThatThrownBy(() -> new NatsSettings("http://x"))
                .hasMessageContaining("nats://HOST[:PORT]")
                .hasMessageContaining("http://x");
        assertThatThrownBy(() -> new NatsSettings("nats://user:secret@x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        new Tls(Optional.empty(), Optional.of(Path.of("a")), Optional.empty()))
                .hasMessageContaining("private key");
    }
}
