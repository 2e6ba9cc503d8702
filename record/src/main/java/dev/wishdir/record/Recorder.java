package dev.wishdir.record;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Records an arena while it runs. The arena's thread appends to a buffer in memory; a thread of the
 * recorder compresses and writes it once a second, so that a crash loses about the last second.
 *
 * <p>The disk never delays the arena. If it is slower than what happens, events are left out and
 * counted, and the recording continues with a snapshot. If writing fails, the file is completed as
 * far as it is whole, and a new one is tried each minute.
 */
public final class Recorder implements ArenaListener, AutoCloseable {
    /** Interval between a failure and the next attempt. */
    static final long RETRY_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Maximum time for which events wait in memory before they are handed over. */
    static final long MAX_CHUNK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Interval at which a recorder without a free buffer looks for one. */
    private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Receives what an operator should know; called on the recorder's thread. */
    public interface Listener {
        /** Writing failed; nothing is recorded until {@link #onResumed}. Called once until then. */
        void onFailure(IOException why);

        /** A new file has begun after a failure. */
        void onResumed(Path file);
    }

    /**
     * What the recorder does now.
     *
     * @param file the file that grows; empty if there is none
     * @param bytes its size
     * @param files number of files that were begun since the start
     * @param lostEvents number of events since the start that were not recorded
     * @param failure why nothing is recorded; empty if all is well
     */
    public record Status(
            Optional<Path> file, long bytes, int files, long lostEvents, String failure) {}

    private final RecorderSettings settings;
    private final long clockOffsetNanos;
    private final Function<Instant, FileSequence.Start> starts;
    private final RecordingEncoder encoder;
    private final RecorderThread thread;
    private Optional<RecorderThread.Buffer> current = Optional.empty();
    private long chunkDue;
    private long fileDue = Long.MIN_VALUE;
    private long resumeAt = Long.MIN_VALUE;
    private int filesBegun;
    private String arena = "";

    private Recorder(
            RecorderSettings settings,
            long clockOffsetNanos,
            Function<Instant, FileSequence.Start> starts,
            RecorderThread thread) {
        this.settings = settings;
        this.clockOffsetNanos = clockOffsetNanos;
        this.starts = starts;
        this.thread = thread;
        encoder = new RecordingEncoder(settings.options(), this::append);
    }

    /**
     * Begins to record.
     *
     * @param now of the arena's clock, nanoseconds
     * @param wallClock the time that corresponds to {@code now}; later steps of the wall clock have
     *     no effect
     * @param info what the file that begins at a time is of; called on the arena's thread
     * @param arenaText the text of the arena that is played, if it is known; called on the arena's
     *     thread
     * @throws IOException if the folder cannot be used
     */
    public static Recorder start(
            RecorderSettings settings,
            long now,
            Instant wallClock,
            Function<Instant, RecordingInfo> info,
            Supplier<Optional<String>> arenaText,
            Listener listener)
            throws IOException {
        RecordingFolder folder = RecordingFolder.open(settings.folder());
        try {
            folder.checkFree(settings.minFreeBytes());
        } catch (IOException e) {
            try (folder) {
                throw e;
            }
        }
        return start(
                settings,
                now,
                wallClock,
                at -> new FileSequence.Start(info.apply(at), arenaText.get()),
                new RecorderThread(new FileSequence(folder, settings), listener));
    }

    static Recorder start(
            RecorderSettings settings,
            long now,
            Instant wallClock,
            Function<Instant, FileSequence.Start> starts,
            RecorderThread thread) {
        long offset =
                TimeUnit.SECONDS.toNanos(wallClock.getEpochSecond()) + wallClock.getNano() - now;
        Recorder recorder = new Recorder(settings, offset, starts, thread);
        recorder.resume(now);
        return recorder;
    }

    /** What the recorder does now; on any thread. */
    public Status status() {
        return thread.status();
    }

    @Override
    public void onEvent(ArenaEvent event) {
        if (current.isEmpty()) {
            encoder.skip(event);
            thread.countLost(1);
            return;
        }
        RecorderThread.Buffer buffer = current.get();
        if (buffer.events == 0) {
            chunkDue = event.time() + MAX_CHUNK_NANOS;
        }
        long time = event.time() + clockOffsetNanos;
        encoder.add(time, event);
        buffer.events++;
        if (event instanceof ArenaEvent.MovementViolation) {
            buffer.violations.add(time);
        }
        if (buffer.chunk.size() >= RecordingWriter.CHUNK_BYTES) {
            handOver(event.time());
        }
    }

    private void append(Topic topic, long time, byte[] data, int offset, int length) {
        current.ifPresent(buffer -> buffer.chunk.add(topic.channel(), time, data, offset, length));
    }

    /**
     * Hands over what has waited long enough; a duty of the arena's thread.
     *
     * @return when to call again
     */
    public long advance(long now) {
        if (current.isEmpty()) {
            if (now >= resumeAt) {
                resume(now);
            }
        } else if (now >= fileDue || now >= chunkDue && current.get().events > 0) {
            handOver(now);
        }
        if (current.isEmpty()) {
            return resumeAt;
        }
        return current.get().events > 0 ? Math.min(fileDue, chunkDue) : fileDue;
    }

    private void handOver(long now) {
        encoder.flush();
        current.ifPresent(thread::write);
        current = Optional.empty();
        Status status = thread.status();
        if (status.failure().isEmpty() || status.files() < filesBegun) {
            resume(now);
        } else {
            resumeAt = now + RETRY_INTERVAL_NANOS;
        }
    }

    /** Continues with a free buffer, in a new file where one is due. */
    private void resume(long now) {
        boolean afterLoss = resumeAt != Long.MIN_VALUE;
        current = thread.poll();
        if (current.isEmpty()) {
            resumeAt = now + POLL_INTERVAL_NANOS;
            return;
        }
        resumeAt = Long.MIN_VALUE;
        chunkDue = now + MAX_CHUNK_NANOS;
        Instant at = Instant.ofEpochSecond(0, now + clockOffsetNanos);
        FileSequence.Start start = starts.apply(at);
        boolean begins = now >= fileDue || !start.info().arena().equals(arena) || isFileFull();
        if (begins) {
            current.get().start = Optional.of(start);
            arena = start.info().arena();
            fileDue = now + maxFileNanos();
            filesBegun++;
        }
        if (begins || afterLoss) {
            encoder.restart(now + clockOffsetNanos);
        }
    }

    /** Whether the newest file that this thread began has failed or reached its size. */
    private boolean isFileFull() {
        Status status = thread.status();
        return status.files() == filesBegun
                && (!status.failure().isEmpty() || status.bytes() >= settings.maxFileBytes());
    }

    private long maxFileNanos() {
        return settings.keep() == RecorderSettings.Keep.VIOLATIONS
                ? ViolationClips.SEGMENT_NANOS
                : settings.maxFileAge().toNanos();
    }

    /** Writes what waits, for at most 5 s, and completes the file. On the arena's thread. */
    @Override
    public void close() {
        encoder.flush();
        thread.close(current);
        current = Optional.empty();
    }
}
