package dev.wishdir.cluster.nats;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.wishdir.cluster.bus.Bucket;
import dev.wishdir.cluster.bus.BucketEvent;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamInfo;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** A bucket in the JetStream of a real nats-server. */
class NatsBucketIT {
    private static final String BUCKET = "wishdir-test";
    private static final String DELETED = "(deleted)";

    /** Longer than a test takes. */
    private static final long MAX_AGE_MILLIS = 600_000;

    /** Without its leader a bucket is away for 6 to 8 s on a calm machine. */
    private static final Duration ELECTION_LIMIT = Duration.ofSeconds(90);

    @TempDir Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

    /** What a node knows of the bucket. */
    private final class User {
        final NatsPeer peer;
        final Bucket bucket;
        final List<BucketEvent> events = new ArrayList<>();
        final Map<String, String> entries = new TreeMap<>();

        User(NatsServer... servers) throws IOException {
            List<String> addresses = new ArrayList<>();
            for (NatsServer server : servers) {
                addresses.add(server.address());
            }
            peer =
                    new NatsPeer(
                            new NatsSettings(
                                    addresses, "", "", Optional.empty(), NatsSettings.Tls.DEFAULT));
            open.add(peer);
            bucket = peer.bus.bucket(BUCKET);
        }

        void drain() {
            peer.drain();
            for (BucketEvent event = bucket.poll(); event != null; event = bucket.poll()) {
                events.add(event);
                switch (event) {
                    case BucketEvent.Loaded loaded -> {
                        entries.clear();
                        loaded.entries().forEach(this::add);
                    }
                    case BucketEvent.Changed changed -> add(changed.entry());
                    case BucketEvent.Available _, BucketEvent.Unavailable _ -> {}
                }
            }
        }

        private void add(BucketEvent.Entry entry) {
            byte[] value = entry.value();
            assertThat(System.currentTimeMillis() - entry.millis())
                    .isBetween(-100L, MAX_AGE_MILLIS);
            entries.put(entry.key(), value == null ? DELETED : new String(value, UTF_8));
        }

        void put(String key, String value) {
            bucket.put(key, value.getBytes(UTF_8));
        }

        void await(String what, Duration limit, BooleanSupplier condition) {
            NatsServer.await(
                    what,
                    limit,
                    () -> {
                        drain();
                        return condition.getAsBoolean();
                    });
        }

        void awaitEntries(String... keysAndValues) {
            Map<String, String> awaited = new TreeMap<>();
            for (int i = 0; i < keysAndValues.length; i += 2) {
                awaited.put(keysAndValues[i], keysAndValues[i + 1]);
            }
            await("entries " + awaited, NatsPeer.LIMIT, () -> entries.equals(awaited));
        }

        void awaitStored(String key, Duration limit) {
            await("that " + key + " is stored", limit, () -> !bucket.isPending(key));
        }

        void awaitLoaded() {
            await(
                    "the first entries",
                    ELECTION_LIMIT,
                    () -> events.stream().anyMatch(BucketEvent.Loaded.class::isInstance));
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

    private NatsServer serverWithJetStream() throws Exception {
        return server("-js", "-sd", folder.toString());
    }

    private static StreamInfo stream(Connection connection)
            throws IOException, JetStreamApiException, InterruptedException {
        return connection.keyValueManagement().getStatus(BUCKET).getBackingStreamInfo();
    }

    @Test
    void keepsValuesForThoseThatAreAwayOrStartLater() throws Exception {
        NatsServer server = serverWithJetStream();
        User a = new User(server);
        a.awaitLoaded();
        assertThat(a.entries).isEmpty();
        a.put("ban.x", "1");
        a.put("ban.y", "1");
        a.awaitEntries("ban.x", "1", "ban.y", "1");
        a.put("ban.x", "2");
        a.bucket.delete("ban.y");
        a.awaitEntries("ban.x", "2", "ban.y", DELETED);
        User late = new User(server);
        late.awaitEntries("ban.x", "2", "ban.y", DELETED);
        late.put("ban.z", "3");
        a.awaitEntries("ban.x", "2", "ban.y", DELETED, "ban.z", "3");
        assertThat(a.events).filteredOn(BucketEvent.Loaded.class::isInstance).hasSize(1);
        assertThat(a.events.getFirst()).isInstanceOf(BucketEvent.Loaded.class);
        late.bucket.reload();
        late.await(
                "all entries again",
                NatsPeer.LIMIT,
                () ->
                        late.events.stream().filter(BucketEvent.Loaded.class::isInstance).count()
                                == 2);
        late.awaitEntries("ban.x", "2", "ban.y", DELETED, "ban.z", "3");
    }

    @Test
    void valueForAnAbsentKeyReplacesNeitherAnotherNorADeletion() throws Exception {
        NatsServer server = serverWithJetStream();
        User a = new User(server);
        a.awaitLoaded();
        a.put("ban.x", "1");
        a.put("ban.y", "1");
        a.bucket.delete("ban.y");
        a.awaitEntries("ban.x", "1", "ban.y", DELETED);
        User b = new User(server);
        for (String key : List.of("ban.x", "ban.y", "ban.z")) {
            b.bucket.putIfAbsent(key, "2".getBytes(UTF_8));
        }
        b.put("ban.end", "2");
        b.awaitStored("ban.end", NatsPeer.LIMIT);
        a.awaitEntries("ban.x", "1", "ban.y", DELETED, "ban.z", "2", "ban.end", "2");
    }

    @Test
    void makesNoBucketBeforeTheFirstChange() throws Exception {
        NatsServer server = serverWithJetStream();
        User user = new User(server);
        user.awaitLoaded();
        try (Connection other = Nats.connect(server.address())) {
            assertThat(other.keyValueManagement().getBucketNames()).isEmpty();
            user.put("a", "1");
            user.awaitStored("a", NatsPeer.LIMIT);
            assertThat(other.keyValueManagement().getBucketNames()).containsExactly(BUCKET);
        }
    }

    @Test
    void valuesOutliveTheServerInItsFiles() throws Exception {
        NatsServer server = serverWithJetStream();
        User a = new User(server);
        a.put("ban.x", "1");
        a.awaitEntries("ban.x", "1");
        try (Connection connection = Nats.connect(server.address())) {
            assertThat(stream(connection).getConfiguration().getStorageType())
                    .isEqualTo(StorageType.File);
        }
        server.kill();
        a.put("ban.y", "2");
        server.restart();
        User late = new User(server);
        a.awaitEntries("ban.x", "1", "ban.y", "2");
        late.awaitEntries("ban.x", "1", "ban.y", "2");
    }

    @Test
    void deletedBucketIsMadeAnewAndDeliveredAgain() throws Exception {
        NatsServer server = serverWithJetStream();
        User a = new User(server);
        a.put("ban.x", "1");
        a.awaitEntries("ban.x", "1");
        try (Connection connection = Nats.connect(server.address())) {
            connection.keyValueManagement().delete(BUCKET);
        }
        a.awaitEntries();
        a.put("ban.x", "2");
        a.awaitEntries("ban.x", "2");
    }

    @Test
    void reportsServerWithoutJetStreamOnceAndStoresWhenItHasIt() throws Exception {
        NatsServer server = server();
        User a = new User(server);
        a.put("ban.x", "1");
        a.await("the report", NatsPeer.LIMIT, () -> !a.events.isEmpty());
        assertThat(a.events.getFirst())
                .isInstanceOfSatisfying(
                        BucketEvent.Unavailable.class,
                        it -> assertThat(it.cause()).contains("JetStream"));
        // The bus itself goes on.
        User b = new User(server);
        b.peer.bus.subscribe("x");
        a.peer.awaitConnected(1);
        b.peer.awaitConnected(1);
        a.peer.publishUntilReceived(b.peer, "x", 1);
        a.drain();
        assertThat(a.events).hasSize(1);
        assertThat(a.bucket.isPending("ban.x")).isTrue();
    }

    @Test
    void survivesTheLossOfItsLeader() throws Exception {
        List<NatsServer> servers = NatsServer.startCluster(folder);
        open.addAll(servers);
        User a = new User(servers.toArray(NatsServer[]::new));
        User b = new User(servers.toArray(NatsServer[]::new));
        a.awaitLoaded();
        a.put("ban.x", "1");
        a.awaitStored("ban.x", ELECTION_LIMIT);
        String leader;
        try (Connection connection = Nats.connect(servers.getFirst().address())) {
            StreamInfo stream = stream(connection);
            assertThat(stream.getConfiguration().getReplicas()).isEqualTo(3);
            leader = requireNonNull(requireNonNull(stream.getClusterInfo()).getLeader());
        }
        servers.get(Integer.parseInt(leader.substring(1))).kill();
        a.put("ban.y", "2");
        a.awaitStored("ban.y", ELECTION_LIMIT);
        b.await("both", ELECTION_LIMIT, () -> b.entries.equals(Map.of("ban.x", "1", "ban.y", "2")));
    }
}
