package dev.wishdir.cluster;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;
import static dev.wishdir.cluster.agreement.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.agreement.TestCluster.Participant;
import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.cluster.nats.NatsServer;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.recorder.Recorder;
import dev.wishdir.record.recorder.RecorderListener;
import dev.wishdir.record.recorder.RecorderSettings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A recorder of any node records the whole arena. */
class NodeRecordingTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir Path folder;

    private final TestCluster cluster = new TestCluster(1);
    private final Server a = cluster.start();
    private final Server b = cluster.start();

    private static final class FailingListener implements RecorderListener {
        @Override
        public void onFailure(IOException why) {
            throw new AssertionError(why);
        }

        @Override
        public void onResumed(Path file) {}
    }

    private static final class Subject implements Recorder.Subject {
        @Override
        public RecordingInfo info(Instant started) {
            return new RecordingInfo("test", "b", "flat", started);
        }

        @Override
        public Supplier<Optional<String>> arenaText() {
            return Optional::empty;
        }
    }

    private Recorder record(Server server) throws IOException {
        Recorder recorder =
                Recorder.start(
                        RecordingFolder.open(folder),
                        RecorderSettings.in(folder),
                        server.now(),
                        Instant.parse("2026-11-26T12:00:00Z"),
                        new Subject(),
                        new RecordedState(Map.of(), Map.of()),
                        new FailingListener());
        server.arena.addListener(recorder);
        return recorder;
    }

    /** Movements with native bytes, in order: whose, and what. */
    private static String line(ArenaEvent.Moved moved) {
        Player player = moved.player();
        return moved.id()
                + " "
                + player.nativeMovement().form()
                + " "
                + player.nativeMovement().bytes().hex();
    }

    @Test
    void recordsPlayersOfAllNodesWithNodeAndNativeBytes() throws IOException {
        Path file;
        List<String> shown = new ArrayList<>();
        Participant anna;
        int annasNode;
        try (Recorder recorder = record(b)) {
            b.arena.addListener(event -> {
                if (event instanceof ArenaEvent.Moved moved) {
                    shown.add(line(moved));
                }
            });
            anna = a.join("quake3", "anna");
            annasNode = a.node.number();
            Participant bob = b.join("quake2", "bob");
            cluster.run(SECOND);
            long written = 0;
            for (int i = 0; i < 40; i++) {
                anna.counter = i;
                a.move(anna, i, 2 * i);
                b.move(bob, -i, i);
                if (i == 20) {
                    anna.player.say(a.now(), "hello");
                }
                cluster.run(100 * MILLI);
                recorder.advance(b.now());
                if (i % 8 == 7) {
                    // The disk is not in virtual time.
                    long before = written;
                    NatsServer.await("a chunk", LIMIT, () -> recorder.status().bytes() > before);
                    written = recorder.status().bytes();
                }
            }
            a.leave(anna);
            cluster.run(100 * MILLI);
            recorder.close();
            assertThat(recorder.status().lostEvents()).isZero();
        }
        try (Stream<Path> files = Files.list(folder)) {
            file = files.filter(it -> it.toString().endsWith(".mcap")).findFirst().orElseThrow();
        }
        List<String> recorded = new ArrayList<>();
        List<ArenaEvent> ofAnna = new ArrayList<>();
        PlayerId id = new PlayerId(annasNode, anna.player.id().number());
        try (Recording recording = Recording.open(file)) {
            EventCursor cursor = recording.events();
            while (cursor.next()) {
                if (cursor.event() instanceof ArenaEvent.Moved moved) {
                    recorded.add(line(moved));
                } else if (cursor.event() instanceof ArenaEvent.OfPlayer of && of.id().equals(id)) {
                    ofAnna.add(of);
                }
            }
        }
        assertThat(recorded).isEqualTo(shown);
        assertThat(recorded).anyMatch(line -> line.startsWith(id + " test/1 27"));
        assertThat(ofAnna)
                .hasExactlyElementsOfTypes(
                        ArenaEvent.Joined.class,
                        ArenaEvent.Spawned.class,
                        ArenaEvent.Chat.class,
                        ArenaEvent.Despawned.class,
                        ArenaEvent.Left.class);
    }
}
