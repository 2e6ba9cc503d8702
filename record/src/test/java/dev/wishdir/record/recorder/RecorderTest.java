package dev.wishdir.record.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.ViolationClips;
import dev.wishdir.record.mcap.Chunk;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.message.RecordingOptions;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

@Timeout(60)
@Tag("slow")
class RecorderTest {
    private static final Instant WALL = Instant.parse("2026-11-25T23:59:50Z");
    private static final long WALL_NANOS = WALL.getEpochSecond() * 1_000_000_000;
    private static final long ARENA_START = -5_000_000_000L;

    @TempDir Path folder;

    private final List<ArenaEvent> happened = new ArrayList<>();
    private final List<String> reports = new ArrayList<>();
    private final RecorderListener listener =
            new RecorderListener() {
                @Override
                public void onFailure(IOException why) {
                    reports.add("failure: " + why.getMessage());
                }

                @Override
                public void onResumed(Path file) {
                    reports.add("resumed");
                }
            };

    private ArenaScript script = new ArenaScript(0, ARENA_START);
    private @Nullable RecorderThread thread;
    private @Nullable Recorder recorder;
    private String arena = "hall";

    private void start(RecorderSettings settings, ChunkSink sink, long seed) {
        RecorderThread writing = new RecorderThread(sink, listener);
        thread = writing;
        Recorder.Subject subject =
                new Recorder.Subject() {
                    @Override
                    public RecordingInfo info(Instant started) {
                        return new RecordingInfo("test", "server", arena, started);
                    }

                    @Override
                    public Supplier<Optional<String>> arenaText() {
                        return Optional::empty;
                    }
                };
        Recorder begun =
                Recorder.start(settings, ARENA_START, WALL, subject, RecordedState.EMPTY, writing);
        recorder = begun;
        script = new ArenaScript(seed, ARENA_START, happened::add, begun);
    }

    private void start(RecorderSettings settings, long seed) throws IOException {
        start(
                settings,
                new FileSequence(RecordingFolder.open(folder), settings, Runnable::run),
                seed);
    }

    private RecorderSettings settings(
            Duration fileAge, long fileBytes, RecorderSettings.Keep keep) {
        return new RecorderSettings(
                folder,
                RecordingOptions.DEFAULT,
                fileAge,
                fileBytes,
                Duration.ofDays(1000),
                1L << 40,
                0,
                keep);
    }

    private Recorder recorder() {
        return requireNonNull(recorder);
    }

    @AfterEach
    void close() {
        if (recorder != null) {
            recorder.close();
        }
    }

    /** Runs the arena in virtual time, but not faster than the recorder's thread writes. */
    private void run(int steps) {
        for (int i = 0; i < steps; i++) {
            script.run(1);
            recorder().advance(script.now());
            while (!requireNonNull(thread).isIdle()) {
                Thread.onSpinWait();
            }
        }
    }

    private List<Path> files(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> path.toString().endsWith(suffix)).sorted().toList();
        }
    }

    /** The events of files that follow one another. */
    private static List<ArenaEvent> read(List<Path> files) throws IOException {
        List<ArenaEvent> events = new ArrayList<>();
        RecordedState state = RecordedState.EMPTY;
        for (Path file : files) {
            try (Recording recording = Recording.open(file)) {
                assertThat(recording.isComplete()).isTrue();
                EventCursor cursor = recording.events();
                assertThat(cursor.state().players().keySet())
                        .as("each file begins with the state at the end of the one before")
                        .isEqualTo(state.players().keySet());
                while (cursor.next()) {
                    events.add(cursor.event());
                }
                assertThat(cursor.skipped()).isZero();
                state = cursor.state();
            }
        }
        return events;
    }

    private static long recorded(long arenaTime) {
        return (arenaTime - ARENA_START + WALL_NANOS) / 1000 * 1000;
    }

    private static List<String> titles(List<ArenaEvent> events) {
        return events.stream()
                .filter(event -> !(event instanceof ArenaEvent.Whisper))
                .map(RecorderTest::title)
                .toList();
    }

    private static String title(ArenaEvent event) {
        long time = event.time() < WALL_NANOS / 2 ? recorded(event.time()) : event.time();
        PlayerId id = event instanceof ArenaEvent.OfPlayer of ? of.id() : new PlayerId(0, 0);
        return time + " " + event.getClass().getSimpleName() + " " + id;
    }

    @Test
    void recordsEverythingAcrossFiles() throws IOException {
        start(settings(Duration.ofSeconds(7), 1L << 40, RecorderSettings.Keep.ALL), 1);
        run(4000);
        recorder().close();
        assertThat(files(".mcap")).hasSize(5);
        assertThat(files(".mcap").getFirst().getFileName())
                .hasToString("2026-11-25T23-59-50Z-hall.mcap");
        assertThat(files(".part")).isEmpty();
        assertThat(titles(read(files(".mcap")))).isEqualTo(titles(happened));
        assertThat(recorder().status().lostEvents()).isZero();
        assertThat(reports).isEmpty();
    }

    @Test
    void beginsNewFileAtSizeAndAtNewArena() throws IOException {
        start(settings(Duration.ofHours(1), 30_000, RecorderSettings.Keep.ALL), 2);
        run(2000);
        int bySize = recorder().status().files();
        assertThat(bySize).isBetween(3, 20);
        arena = "hills";
        run(300);
        recorder().close();
        assertThat(files("Z-hills.mcap")).isNotEmpty();
        assertThat(titles(read(files(".mcap")))).isEqualTo(titles(happened));
    }

    @Test
    void beginsFileOfNewArenaWithItsRound() throws IOException {
        start(settings(Duration.ofHours(1), 1L << 40, RecorderSettings.Keep.ALL), 2);
        run(300);
        arena = "hills";
        script.run(1);
        recorder()
                .onEvent(
                        new ArenaEvent.RoundStarted(
                                script.now(), MatchMode.FFA, Duration.ofMinutes(10), 0));
        run(100);
        recorder().close();
        assertThat(read(files("Z-hall.mcap")))
                .isNotEmpty()
                .noneMatch(ArenaEvent.RoundStarted.class::isInstance);
        assertThat(read(files("Z-hills.mcap"), true).getFirst())
                .isInstanceOf(ArenaEvent.RoundStarted.class);
    }

    @Test
    void writesWithinSecond() throws IOException {
        start(settings(Duration.ofHours(1), 1L << 40, RecorderSettings.Keep.ALL), 3);
        run(1000);
        try (Recording growing = Recording.open(files(".part").getFirst())) {
            assertThat(growing.isComplete()).isFalse();
            long now = recorded(script.now());
            assertThat(now - growing.endNanos()).isLessThan(1_200_000_000L);
            EventCursor cursor = growing.events();
            List<ArenaEvent> events = new ArrayList<>();
            while (cursor.next()) {
                events.add(cursor.event());
            }
            run(500);
            assertThat(cursor.next()).isFalse();
            assertThat(growing.refresh()).isTrue();
            while (cursor.next()) {
                events.add(cursor.event());
            }
            assertThat(titles(events))
                    .hasSizeGreaterThan(1000)
                    .isEqualTo(titles(happened).subList(0, events.size()));
            assertThat(recorded(script.now()) - events.getLast().time()).isLessThan(1_200_000_000L);
        }
    }

    @Test
    void keepsOnlyWhatIsNearViolations() throws IOException {
        start(settings(Duration.ofHours(1), 1L << 40, RecorderSettings.Keep.VIOLATIONS), 4);
        script.withoutCheats();
        run(9_000);
        script.cheat();
        long first = recorded(script.now());
        run(2_000);
        script.cheat();
        long second = recorded(script.now());
        run(12_000);
        assertThat(files(".mcap")).as("files of a minute that nothing needs").hasSizeLessThan(4);
        recorder().close();
        List<Path> clips = files(".mcap");
        assertThat(clips).hasSize(1).allMatch(path -> path.toString().contains("Z-violation"));
        List<ArenaEvent> near =
                happened.stream()
                        .filter(event ->
                                recorded(event.time()) >= first - ViolationClips.MARGIN_NANOS)
                        .filter(event ->
                                recorded(event.time()) < second + ViolationClips.MARGIN_NANOS)
                        .toList();
        assertThat(near).hasSizeLessThan(happened.size() / 2);
        assertThat(titles(read(clips, true))).isEqualTo(titles(near));
    }

    /** The events of files of which the first begins with players. */
    private static List<ArenaEvent> read(List<Path> files, boolean begun) throws IOException {
        List<ArenaEvent> events = new ArrayList<>();
        for (Path file : files) {
            try (Recording recording = Recording.open(file)) {
                assertThat(recording.isComplete()).isEqualTo(begun);
                EventCursor cursor = recording.events();
                while (cursor.next()) {
                    events.add(cursor.event());
                }
            }
        }
        return events;
    }

    @Test
    @DisplayName("M4 a slow disk does not delay the arena")
    void leavesOutEventsWhenDiskIsSlow() throws IOException {
        CountDownLatch slow = new CountDownLatch(1);
        RecorderSettings settings =
                settings(Duration.ofHours(1), 1L << 40, RecorderSettings.Keep.ALL);
        FileSequence files = new FileSequence(RecordingFolder.open(folder), settings);
        start(
                settings,
                new ForwardingSink(files) {
                    @Override
                    public void write(long now, Chunk chunk) throws IOException {
                        try {
                            slow.await();
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                        super.write(now, chunk);
                    }
                },
                5);
        for (int i = 0; i < 2000; i++) {
            script.run(1);
            recorder().advance(script.now());
        }
        long lost = recorder().status().lostEvents();
        assertThat(lost).isPositive().isLessThan(happened.size());
        slow.countDown();
        run(1000);
        recorder().close();
        List<ArenaEvent> read = read(files(".mcap"), true);
        assertThat(titles(read).subList(0, 200)).isEqualTo(titles(happened).subList(0, 200));
        List<String> end =
                titles(happened).subList(titles(happened).size() - 200, titles(happened).size());
        assertThat(titles(read).subList(read.size() - 200, read.size())).isEqualTo(end);
        assertThat(reports).isEmpty();
    }

    /** A killed process loses what was not written, however slow the disk is. */
    @Test
    void writesWhileDiskDoesNotAnswer() throws IOException {
        Queue<Runnable> unanswered = new ConcurrentLinkedQueue<>();
        RecorderSettings settings =
                settings(Duration.ofSeconds(7), 1L << 40, RecorderSettings.Keep.ALL);
        start(
                settings,
                new FileSequence(RecordingFolder.open(folder), settings, unanswered::add),
                11);
        run(1100);
        assertThat(unanswered).isNotEmpty();
        List<Path> growing = files(".part");
        assertThat(growing).as("one that waits to be completed, and the next").hasSize(2);
        try (Recording newest = Recording.open(growing.getLast())) {
            assertThat(recorded(script.now()) - newest.endNanos()).isLessThan(1_200_000_000L);
        }
        for (Runnable task = unanswered.poll(); task != null; task = unanswered.poll()) {
            task.run();
        }
        assertThat(files(".mcap")).hasSize(1);
        recorder().close();
        assertThat(titles(read(files(".mcap")))).isEqualTo(titles(happened));
        assertThat(recorder().status().lostEvents()).isZero();
    }

    @Test
    void reportsFailureToCompleteFile() throws IOException {
        RecorderSettings settings =
                settings(Duration.ofSeconds(7), 1L << 40, RecorderSettings.Keep.ALL);
        Queue<Runnable> unanswered = new ConcurrentLinkedQueue<>();
        start(
                settings,
                new FileSequence(RecordingFolder.open(folder), settings, unanswered::add),
                12);
        run(1100);
        Path ended = files(".part").getFirst();
        Path name = folder.resolve(RecordingFolder.title(ended) + ".mcap");
        Files.createDirectories(name.resolve("in the way"));
        for (Runnable task = unanswered.poll(); task != null; task = unanswered.poll()) {
            task.run();
        }
        run(200);
        assertThat(reports).hasSize(1).allMatch(report -> report.contains(name.toString()));
    }

    @Test
    @DisplayName("M4 a recorder continues after a failing disk")
    void continuesInNewFileAfterFailure() throws IOException {
        RecorderSettings settings =
                settings(Duration.ofHours(1), 1L << 40, RecorderSettings.Keep.ALL);
        FileSequence files = new FileSequence(RecordingFolder.open(folder), settings);
        boolean[] full = {false};
        start(
                settings,
                new ForwardingSink(files) {
                    @Override
                    public void begin(FileStart start) throws IOException {
                        if (full[0]) {
                            throw new IOException("still full");
                        }
                        super.begin(start);
                    }

                    @Override
                    public void write(long now, Chunk chunk) throws IOException {
                        if (full[0]) {
                            throw new IOException("No space left on device");
                        }
                        super.write(now, chunk);
                    }
                },
                6);
        run(1000);
        full[0] = true;
        run(17_000);
        assertThat(recorder().status().failure()).contains("still full");
        assertThat(recorder().status().file()).isEmpty();
        assertThat(reports).containsExactly("failure: No space left on device");
        full[0] = false;
        run(9_000);
        assertThat(recorder().status().failure()).isEmpty();
        assertThat(reports).containsExactly("failure: No space left on device", "resumed");
        assertThat(recorder().status().lostEvents()).isPositive();
        recorder().close();
        assertThat(files(".mcap")).hasSize(2);
        List<ArenaEvent> read = read(files(".mcap"), true);
        assertThat(titles(read).subList(0, 500)).isEqualTo(titles(happened).subList(0, 500));
        assertThat(titles(read).getLast()).isEqualTo(titles(happened).getLast());
    }

    @Test
    void reportsDefectAndContinues() throws IOException {
        RecorderSettings settings =
                settings(Duration.ofHours(1), 1L << 40, RecorderSettings.Keep.ALL);
        FileSequence files = new FileSequence(RecordingFolder.open(folder), settings);
        boolean[] defect = {true};
        start(
                settings,
                new ForwardingSink(files) {
                    @Override
                    public void write(long now, Chunk chunk) throws IOException {
                        if (defect[0]) {
                            throw new IllegalStateException("defect");
                        }
                        super.write(now, chunk);
                    }
                },
                9);
        run(600);
        assertThat(reports).containsExactly("failure: defect in the recorder");
        assertThat(recorder().status().failure()).contains("defect in the recorder");
        defect[0] = false;
        run(9_000);
        assertThat(reports).containsExactly("failure: defect in the recorder", "resumed");
        recorder().close();
        assertThat(titles(read(files(".mcap"), true)).getLast())
                .isEqualTo(titles(happened).getLast());
    }

    @Test
    void completesFilesOfKilledProcess() throws IOException {
        start(settings(Duration.ofHours(1), 1L << 40, RecorderSettings.Keep.ALL), 7);
        run(2000);
        Path part = files(".part").getFirst();
        byte[] killed = Files.readAllBytes(part);
        recorder().close();
        Files.delete(files(".mcap").getFirst());
        Files.write(part, Arrays.copyOf(killed, killed.length - 100));
        Files.write(folder.resolve("2026-01-01T00-00-00Z-empty.mcap.part"), new byte[3]);
        Files.write(folder.resolve("other.mcap.part"), new byte[3]);
        RecordingFolder.open(folder).close();
        assertThat(files(".part")).containsExactly(folder.resolve("other.mcap.part"));
        List<ArenaEvent> read = read(files(".mcap"));
        assertThat(titles(read))
                .hasSizeGreaterThan(1000)
                .isEqualTo(titles(happened).subList(0, read.size()));
    }

    @Test
    void deletesOldestOfItsOwnFiles() throws IOException {
        for (int day = 10; day < 20; day++) {
            Path file = folder.resolve("2026-11-" + day + "T00-00-00Z-hall.mcap");
            Files.write(file, new byte[1000]);
            Instant ended = Instant.parse("2026-11-" + day + "T01:00:00Z");
            Files.setLastModifiedTime(file, FileTime.from(ended));
        }
        Files.move(
                folder.resolve("2026-11-10T00-00-00Z-hall.mcap"),
                folder.resolve("keep-2026-11-10T00-00-00Z-hall.mcap"));
        Files.write(folder.resolve("notes.txt"), new byte[5000]);
        try (RecordingFolder opened = RecordingFolder.open(folder)) {
            opened.deleteOld(Instant.parse("2026-11-20T00:00:00Z"), Duration.ofDays(6), 1L << 40);
            assertThat(files("hall.mcap").stream().map(it -> it.getFileName().toString()))
                    .containsExactly(
                            "2026-11-14T00-00-00Z-hall.mcap",
                            "2026-11-15T00-00-00Z-hall.mcap",
                            "2026-11-16T00-00-00Z-hall.mcap",
                            "2026-11-17T00-00-00Z-hall.mcap",
                            "2026-11-18T00-00-00Z-hall.mcap",
                            "2026-11-19T00-00-00Z-hall.mcap",
                            "keep-2026-11-10T00-00-00Z-hall.mcap");
            opened.deleteOld(Instant.parse("2026-11-20T00:00:00Z"), Duration.ofDays(60), 2500);
            assertThat(files("hall.mcap").stream().map(it -> it.getFileName().toString()))
                    .containsExactly(
                            "2026-11-18T00-00-00Z-hall.mcap",
                            "2026-11-19T00-00-00Z-hall.mcap",
                            "keep-2026-11-10T00-00-00Z-hall.mcap");
        }
        assertThat(folder.resolve("notes.txt")).exists();
    }

    @Test
    void refusesFolderOfAnotherServerAndFullDisk() throws IOException {
        try (RecordingFolder first = RecordingFolder.open(folder)) {
            assertThatThrownBy(() -> RecordingFolder.open(folder))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another server records into " + folder);
            assertThatThrownBy(() -> first.checkFree(Long.MAX_VALUE))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("MiB free");
        }
        RecordingFolder.open(folder).close();
    }

    @Test
    void neverReusesName() throws IOException {
        Instant at = Instant.parse("2026-11-25T10:00:00Z");
        try (RecordingFolder opened = RecordingFolder.open(folder)) {
            Path first = opened.newFile(at, "../Ärger \u0000/x");
            assertThat(first.getFileName()).hasToString("2026-11-25T10-00-00Z--rger-x.mcap.part");
            Files.createFile(first);
            Path second = opened.newFile(at, "../Ärger \u0000/x");
            assertThat(second.getFileName())
                    .hasToString("2026-11-25T10-00-00Z--rger-x_002.mcap.part");
            Path whole = opened.complete(first);
            assertThat(opened.newFile(at, "../Ärger \u0000/x")).isEqualTo(second);
            Files.createFile(second);
            assertThat(opened.complete(second).getFileName().toString())
                    .as("files of one second sort in the order in which they began")
                    .isGreaterThan(whole.getFileName().toString());
        }
    }

    /** A thread that is out of memory once, and goes on. */
    @Test
    void recordsAgainAfterError() throws Exception {
        List<Throwable> thrown = new ArrayList<>();
        CountDownLatch again = new CountDownLatch(1);
        ChunkSink sink =
                new ChunkSink() {
                    @Override
                    public void begin(FileStart start) {
                        if (thrown.isEmpty()) {
                            OutOfMemoryError error = new OutOfMemoryError("on purpose");
                            thrown.add(error);
                            throw error;
                        }
                        again.countDown();
                    }

                    @Override
                    public void write(long now, Chunk chunk) {}

                    @Override
                    public void noteViolation(long time) {}

                    @Override
                    public void end() {}

                    @Override
                    public Optional<Path> path() {
                        return Optional.empty();
                    }

                    @Override
                    public long bytes() {
                        return 0;
                    }

                    @Override
                    public void close() {}
                };
        CountDownLatch failed = new CountDownLatch(1);
        RecorderThread writing =
                new RecorderThread(
                        sink,
                        new RecorderListener() {
                            @Override
                            public void onFailure(IOException why) {
                                failed.countDown();
                                throw new IllegalStateException("on purpose");
                            }

                            @Override
                            public void onResumed(Path file) {}
                        });
        RecordingInfo info = new RecordingInfo("test", "server", "flat", Instant.EPOCH);
        for (int i = 0; i < 2; i++) {
            RecorderThread.Buffer buffer = writing.poll().orElseThrow();
            buffer.begin(new FileStart(info, Optional::empty));
            writing.write(buffer);
            if (i == 0) {
                assertThat(failed.await(10, TimeUnit.SECONDS)).isTrue();
            }
        }
        assertThat(again.await(10, TimeUnit.SECONDS)).isTrue();
        writing.close(Optional.empty());
        assertThat(writing.status().failure()).isEmpty();
    }

    private static class ForwardingSink implements ChunkSink {
        private final ChunkSink target;

        ForwardingSink(ChunkSink target) {
            this.target = target;
        }

        @Override
        public void begin(FileStart start) throws IOException {
            target.begin(start);
        }

        @Override
        public void write(long now, Chunk chunk) throws IOException {
            target.write(now, chunk);
        }

        @Override
        public void noteViolation(long time) {
            target.noteViolation(time);
        }

        @Override
        public void end() throws IOException {
            target.end();
        }

        @Override
        public Optional<Path> path() {
            return target.path();
        }

        @Override
        public long bytes() {
            return target.bytes();
        }

        @Override
        public void close() throws IOException {
            target.close();
        }
    }
}
