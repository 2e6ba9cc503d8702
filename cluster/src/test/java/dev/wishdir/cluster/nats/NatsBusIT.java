package dev.wishdir.cluster.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.Objects.requireNonNull;

import dev.wishdir.cluster.bus.Bucket;
import dev.wishdir.cluster.bus.BusEvent;
import dev.wishdir.cluster.nats.NatsSettings.Tls;
import dev.wishdir.cluster.remote.Stalls;
import dev.wishdir.net.Certificate;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The bus over a real nats-server. */
class NatsBusIT {
    /** The example of docs.nats.io, "nk", with its public key below. */
    private static final String SEED = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";

    private static final String OTHER_SEED =
            "SUALJURX2T4SUEK4IMMKESKXPKKJVHOLL6TWOP5JVRYNYWTIEE46MXJ33U";

    /** Until a server that is stopped is noticed. */
    private static final Duration MAX_NOTICE = Duration.ofSeconds(5);

    /** Less than the two seconds for which NATS' client waits by default. */
    private static final Duration MAX_CALL = Duration.ofSeconds(1);

    /** Messages of 16 KiB: 256 in the queue of the bus, and 5 MiB in buffers of both sockets. */
    private static final int MAX_WAITING = 256 + 320;

    @TempDir Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

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

    private NatsPeer peer(NatsSettings settings) throws IOException {
        NatsPeer peer = new NatsPeer(settings);
        open.add(peer);
        return peer;
    }

    /** Two buses on one server, of which the second receives what the first publishes. */
    private final class Pair {
        final NatsServer server = server();
        final NatsPeer a = peer(new NatsSettings(server.address()));
        final NatsPeer b = peer(new NatsSettings(server.address()));

        /**
         * @param subject from a to b
         */
        Pair(String subject) throws Exception {
            b.bus.subscribe(subject);
            a.awaitConnected(1);
            b.awaitConnected(1);
            a.publishUntilReceived(b, subject, -1);
        }
    }

    /** Nothing that was published on x while the server was away arrives after it is back. */
    private static void assertNothingOldArrives(NatsPeer a, NatsPeer b) {
        a.publishUntilReceived(b, "x", 5000);
        assertThat(b.numbers()).allMatch(it -> it == -1 || it == 5000);
    }

    private static void assertRefusesToPublish(NatsPeer a) {
        for (int i = 0; i < 1000; i++) {
            assertThat(a.bus.publish("x", NatsPeer.bytes(i))).isFalse();
        }
    }

    @ParameterizedTest(name = "after a failed attempt: {0}")
    @ValueSource(booleans = {true, false})
    void leavesNoThreadWhereNoServerEverAnswered(boolean attempted) throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        NatsPeer peer = new NatsPeer(new NatsSettings("nats://127.0.0.1:1"));
        if (attempted) {
            NatsServer.await(
                    "a failed attempt",
                    NatsPeer.LIMIT,
                    () -> !peer.all(BusEvent.Disconnected.class).isEmpty());
        }
        peer.close();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!before.contains(thread)
                    && thread.getName().toLowerCase(Locale.ROOT).contains("nats")) {
                thread.join(NatsPeer.LIMIT);
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
    }

    @Test
    void opensBucketOfEachName() throws Exception {
        try (NatsPeer peer = new NatsPeer(new NatsSettings("nats://127.0.0.1:1"))) {
            Bucket bans = peer.bus.bucket("bans");
            assertThat(peer.bus.bucket("bans")).isSameAs(bans);
            assertThat(peer.bus.bucket("times")).isNotSameAs(bans);
        }
    }

    @Test
    void carriesMessagesInOrderAndNotBackToThePublisher() throws Exception {
        Pair pair = new Pair("x.1");
        NatsPeer a = pair.a;
        NatsPeer b = pair.b;
        b.bus.unsubscribe("x.1");
        a.bus.subscribe("x.*");
        b.bus.subscribe("x.*");
        // A message may be lost while the machine is busy, but not come twice or out of order.
        AtomicInteger next = new AtomicInteger();
        NatsServer.await(
                "200 messages",
                NatsPeer.LIMIT,
                () -> {
                    a.bus.publish("x.1", NatsPeer.bytes(next.getAndIncrement()));
                    return b.numbers().size() > 200;
                });
        assertThat(b.numbers().stream().filter(it -> it >= 0).toList())
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(a.numbers()).isEmpty();
        b.bus.unsubscribe("x.*");
        b.bus.subscribe("y");
        a.publishUntilReceived(b, "y", 999_999);
        NatsServer.await(
                "the last message",
                NatsPeer.LIMIT,
                () -> {
                    a.bus.publish("x.1", NatsPeer.bytes(1_000_000));
                    a.bus.publish("y", NatsPeer.bytes(1_000_001));
                    return b.numbers().contains(1_000_001);
                });
        assertThat(b.numbers()).doesNotContain(1_000_000);
    }

    @Test
    void wakesOnlyOnRequest() throws Exception {
        Pair pair = new Pair("x");
        NatsPeer a = pair.a;
        NatsPeer b = pair.b;
        assertThat(b.wakeUps).hasValue(0);
        b.drain();
        while (!b.bus.requestWakeUp()) {
            b.drain();
        }
        NatsServer.await(
                "both messages",
                NatsPeer.LIMIT,
                () -> {
                    a.bus.publish("x", NatsPeer.bytes(1));
                    a.bus.publish("x", NatsPeer.bytes(2));
                    return b.numbers().contains(2);
                });
        assertThat(b.wakeUps).hasValue(1);
    }

    @Test
    void reportsAtOnceThatNoNodeReceivesARequest() throws Exception {
        Pair pair = new Pair("ask");
        NatsPeer a = pair.a;
        NatsPeer b = pair.b;
        a.bus.subscribe("answer.*");
        NatsServer.await(
                "the request",
                NatsPeer.LIMIT,
                () -> {
                    a.bus.publish("ask", "answer.1", NatsPeer.bytes(1));
                    return b.numbers().contains(1);
                });
        assertThat(b.all(BusEvent.Received.class).getLast().replyTo()).isEqualTo("answer.1");
        assertThat(a.all(BusEvent.NoResponders.class)).isEmpty();
        b.bus.close();
        NatsServer.await(
                "the report",
                NatsPeer.LIMIT,
                () -> {
                    a.bus.publish("ask", "answer.1", NatsPeer.bytes(2));
                    return !a.all(BusEvent.NoResponders.class).isEmpty();
                });
        assertThat(a.all(BusEvent.NoResponders.class).getFirst().replyTo()).isEqualTo("answer.1");
    }

    @Test
    void connectsWhenTheServerComesLater() throws Exception {
        NatsServer server = server();
        server.kill();
        NatsPeer a = peer(new NatsSettings(server.address()));
        a.bus.subscribe("x");
        assertThat(a.awaitCause()).contains("onnect");
        assertThat(a.bus.publish("x", NatsPeer.bytes(1))).isFalse();
        server.restart();
        a.awaitConnected(1);
        NatsPeer b = peer(new NatsSettings(server.address()));
        b.awaitConnected(1);
        b.publishUntilReceived(a, "x", -1);
    }

    @Test
    void deliversNothingOldAfterTheServerWasKilled() throws Exception {
        Pair pair = new Pair("x");
        NatsPeer a = pair.a;
        NatsPeer b = pair.b;
        pair.server.kill();
        a.awaitCause();
        b.awaitCause();
        assertRefusesToPublish(a);
        assertThat(a.bus.counters().dropped()).isGreaterThanOrEqualTo(1000);
        pair.server.restart();
        a.awaitConnected(2);
        b.awaitConnected(2);
        assertNothingOldArrives(a, b);
    }

    /** A bus on a server that does not read, so that nothing more fits into its queue. */
    private final class FullQueue {
        private static final byte[] DATA = new byte[16 << 10];

        final StallingNatsServer server = new StallingNatsServer();
        final NatsPeer a;
        int published;

        FullQueue() throws Exception {
            open.add(server);
            a = peer(new NatsSettings(server.address()));
            a.awaitConnected(1);
            server.stall();
            NatsServer.await(
                    "a full queue",
                    NatsPeer.LIMIT,
                    () -> {
                        long before = a.bus.counters().sent();
                        publish(100);
                        return a.bus.counters().sent() == before;
                    });
        }

        void publish(int count) {
            for (int i = 0; i < count; i++) {
                a.bus.publish("x." + published++, DATA);
            }
        }

        /** Publishes each millisecond; no call takes longer than the machine makes it. */
        void publishWithoutWaiting(Duration time) {
            long parked = 0;
            long longest = 0;
            long end = System.nanoTime() + time.toNanos();
            for (long before = System.nanoTime(); before < end; ) {
                LockSupport.parkNanos(1_000_000);
                long begun = System.nanoTime();
                publish(1);
                long done = System.nanoTime();
                parked = Math.max(parked, begun - before);
                longest = Math.max(longest, done - begun);
                before = done;
            }
            assertThat(Duration.ofNanos(longest))
                    .as("longest call, with a control of %d ns", parked)
                    .isLessThan(MAX_CALL.plusNanos(4 * parked));
        }

        /** Numbers of the messages that the server read. */
        List<Integer> read() {
            return server.commands.stream()
                    .filter(line -> line.startsWith("PUB x."))
                    .map(line -> Integer.valueOf(line.substring(6, line.lastIndexOf(' '))))
                    .toList();
        }

        /** The server reads again: what waited, once each, and what is published from now on. */
        void assertGoesOn() {
            server.resume();
            int next = published;
            NatsServer.await(
                    "a new message",
                    NatsPeer.LIMIT,
                    () -> {
                        publish(1);
                        return read().getLast() >= next;
                    });
            assertThat(read()).doesNotHaveDuplicates();
        }
    }

    @Test
    void dropsAndCountsWhatTheServerDoesNotRead() throws Exception {
        FullQueue full = new FullQueue();
        full.publish(10_000);
        // Pings of the client are due meanwhile. They find no room either, and do not count.
        full.publishWithoutWaiting(Duration.ofMillis(600));
        NatsServer.await(
                "that all are counted",
                NatsPeer.LIMIT,
                () -> full.a.bus.counters().dropped() >= full.published - MAX_WAITING);
        full.assertGoesOn();
        assertThat(full.read()).isSorted();
        NatsServer.await(
                "all that were not dropped",
                NatsPeer.LIMIT,
                () -> full.read().size() == full.a.bus.counters().sent());
        assertThat(full.a.all(BusEvent.Disconnected.class)).isEmpty();
    }

    @Test
    void doesNotWaitWithTheAnswerToAPing() throws Exception {
        FullQueue full = new FullQueue();
        full.server.ping();
        full.publishWithoutWaiting(Duration.ofMillis(300));
        // Not in order: jnats was seen to send a later message before earlier ones here.
        full.assertGoesOn();
    }

    @Test
    void closesWhileTheServerDoesNotRead() throws Exception {
        FullQueue full = new FullQueue();
        full.a.bus.close();
        assertThat(full.a.bus.publish("x.0", FullQueue.DATA)).isFalse();
    }

    @Test
    void noticesStoppedServerAndDeliversNothingThatWasPublishedAfterwards() throws Exception {
        Pair pair = new Pair("x");
        NatsPeer a = pair.a;
        NatsPeer b = pair.b;
        pair.server.pause();
        Stalls stalls = new Stalls();
        long stopped = System.nanoTime();
        NatsServer.await(
                "its notice",
                NatsPeer.LIMIT,
                () -> {
                    stalls.turn(System.nanoTime());
                    return !a.all(BusEvent.Disconnected.class).isEmpty();
                });
        Duration noticed = Duration.ofNanos(System.nanoTime() - stopped);
        assertThat(noticed)
                .as("with a control of %d ns", stalls.longest())
                .isLessThan(MAX_NOTICE.plusNanos(4 * stalls.longest()));
        assertThat(a.awaitCause()).doesNotContain("Exception");
        assertRefusesToPublish(a);
        pair.server.resume();
        a.awaitConnected(2);
        assertNothingOldArrives(a, b);
    }

    @Test
    void goesToTheNextServer() throws Exception {
        NatsServer first = server();
        NatsServer second = server();
        NatsPeer a =
                peer(
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
        peer(user(server, "secret")).awaitConnected(1);
        NatsPeer wrong = peer(user(server, "guess"));
        wrong.awaitCause("uthorization");
        assertThat(wrong.bus.publish("x", NatsPeer.bytes(1))).isFalse();
        assertThat(user(server, "guess").toString()).doesNotContain("guess");

        Certificate own = Certificate.in(folder.resolve("own"), "ip:127.0.0.1");
        Certificate other = Certificate.in(folder.resolve("other"), "ip:127.0.0.1");
        NatsServer secure = secureServer(own);
        NatsPeer unknown =
                peer(
                        secure(
                                secure,
                                new Tls(
                                        Optional.of(other.chain()),
                                        Optional.empty(),
                                        Optional.empty())));
        assertThat(unknown.awaitCause())
                .startsWith("the certificate of the server is not of a trusted authority")
                .doesNotContain("Exception");
        NatsPeer unencrypted = peer(new NatsSettings(secure.address()));
        assertThat(unencrypted.awaitCause()).startsWith("the server wants TLS");
        NatsPeer plain =
                peer(
                        secure(
                                server(),
                                new Tls(
                                        Optional.of(own.chain()),
                                        Optional.empty(),
                                        Optional.empty())));
        assertThat(plain.awaitCause())
                .isEqualTo("the server does not speak TLS, which tls:// asks for");
        assertThat(plain.all(BusEvent.Connected.class)).isEmpty();

        Certificate elsewhere = Certificate.in(folder.resolve("elsewhere"), "dns:nats.example");
        NatsPeer misnamed =
                peer(
                        secure(
                                secureServer(elsewhere),
                                new Tls(
                                        Optional.of(elsewhere.chain()),
                                        Optional.empty(),
                                        Optional.empty())));
        assertThat(misnamed.awaitCause()).contains("127.0.0.1").doesNotContain("Exception");
        assertThat(misnamed.all(BusEvent.Connected.class)).isEmpty();
        assertThat(unknown.all(BusEvent.Disconnected.class).size()).isLessThan(30);
    }

    private NatsServer secureServer(Certificate certificate, String... more) throws Exception {
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
        Certificate own = Certificate.in(folder.resolve("own"), "ip:127.0.0.1");
        Certificate client = Certificate.in(folder.resolve("client"), "dns:client");
        NatsServer server =
                secureServer(own, "--tlsverify", "--tlscacert", client.chain().toString());
        Tls tls =
                new Tls(
                        Optional.of(own.chain()),
                        Optional.of(client.chain()),
                        Optional.of(client.key()));
        NatsPeer a = peer(secure(server, tls));
        a.awaitConnected(1);
        NatsPeer without =
                peer(
                        secure(
                                server,
                                new Tls(
                                        Optional.of(own.chain()),
                                        Optional.empty(),
                                        Optional.empty())));
        assertThat(without.awaitCause()).contains("certificate");
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
        NatsPeer a =
                peer(
                        new NatsSettings(
                                List.of(server.address()), "", "", Optional.of(key), Tls.DEFAULT));
        a.awaitConnected(1);
        NatsPeer without = peer(new NatsSettings(server.address()));
        without.awaitCause("uthorization");
        Path otherKey = Files.writeString(folder.resolve("other.nk"), OTHER_SEED);
        NatsPeer other =
                peer(
                        new NatsSettings(
                                List.of(server.address()),
                                "",
                                "",
                                Optional.of(otherKey),
                                Tls.DEFAULT));
        other.awaitCause("uthorization");
        assertThat(other.all(BusEvent.Connected.class)).isEmpty();
    }

    /** Signed once, valid for ever: an operator, its account in the server's memory, a user. */
    @Test
    void connectsByCredentials() throws Exception {
        NatsServer server = server("-c", resource("jwt.conf").toString());
        NatsPeer a = peer(credentials(server, "node.creds"));
        a.awaitConnected(1);
        NatsPeer expired = peer(credentials(server, "expired.creds"));
        expired.awaitCause("uthorization");
        NatsPeer otherSeed = peer(credentials(server, "wrongseed.creds"));
        otherSeed.awaitCause("uthorization");
        assertThat(expired.all(BusEvent.Connected.class)).isEmpty();
        assertThat(otherSeed.all(BusEvent.Connected.class)).isEmpty();
    }

    private static NatsSettings credentials(NatsServer server, String file) throws Exception {
        return new NatsSettings(
                List.of(server.address()), "", "", Optional.of(resource(file)), Tls.DEFAULT);
    }

    private static Path resource(String name) throws Exception {
        return Path.of(requireNonNull(NatsBusIT.class.getResource("credentials/" + name)).toURI());
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
        assertThatThrownBy(() -> NatsKey.read(folder.resolve("none")))
                .hasMessageEndingWith("none does not exist");
        assertThatThrownBy(() ->
                        NatsTls.context(
                                new Tls(Optional.of(empty), Optional.empty(), Optional.empty())))
                .hasMessageContaining("empty has no certificate in PEM format");
    }

    @Test
    void refusesSettingsThatAreNoAddressOrHaveHalfACertificate() {
        assertThatThrownBy(() -> new NatsSettings("http://x"))
                .hasMessageContaining("nats://HOST[:PORT]")
                .hasMessageContaining("http://x");
        assertThatThrownBy(() -> new NatsSettings("nats://user:sec@/ret@x"))
                .hasMessageContaining("nats://(hidden)@x")
                .message()
                .doesNotContain("user", "sec", "ret");
        assertThatThrownBy(() ->
                        new Tls(Optional.empty(), Optional.of(Path.of("a")), Optional.empty()))
                .hasMessageContaining("private key");
    }
}
