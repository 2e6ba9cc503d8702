package dev.wishdir.record.recorder;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.file.ViolationClips;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.message.RecordingEncoder;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Records an arena while it runs. The arena's thread appends to a buffer in memory; a thread of the
 * recorder compresses and writes it within a second, so that a crash loses about the last second.
 *
 * <p>The disk never delays the arena. If it is slower than what happens, events are left out and
 * counted, and the recording continues with a snapshot. If writing fails, the file is completed as
 * far as it is whole, and a new one is tried every 10 s.
 */
public final class Recorder implements ArenaListener, AutoCloseable {
    /** Interval between a failure and the next attempt. */
    public static final long RETRY_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * Maximum time for which events wait in memory before they are handed over: less than a second,
     * as the recorder needs time to write them.
     */
    static final long MAX_CHUNK_NANOS = RecordingWriter.MAX_CHUNK_NANOS;

    /** Interval at which a recorder without a free buffer looks for one. */
    private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Subject of the recorder; called on the arena's thread. */
    public interface Subject {
        /** Information about a file that begins at a time. */
        RecordingInfo info(Instant started);

        /**
         * The text of the arena that is played, if there is one; the supplier is called on the
         * recorder's thread.
         */
        Supplier<Optional<String>> arenaText();

        /** The flags of the match that is played, red first; none by default. */
        default List<FlagStatus> flags() {
            return List.of();
        }
    }

    private final RecorderSettings settings;
    private final long clockOffsetNanos;
    private final Subject subject;
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
            Subject subject,
            RecorderThread thread) {
        this.settings = settings;
        this.clockOffsetNanos = clockOffsetNanos;
        this.subject = subject;
        this.thread = thread;
        encoder = new RecordingEncoder(settings.options(), clockOffsetNanos, this::append);
        encoder.setFlagSource(subject::flags);
    }

    /**
     * Begins to record; on the arena's thread.
     *
     * @param folder closed with the recorder
     * @param now of the arena's clock, nanoseconds
     * @param wallClock the time that corresponds to {@code now}; later steps of the wall clock have
     *     no effect
     * @param state of the arena now
     */
    public static Recorder start(
            RecordingFolder folder,
            RecorderSettings settings,
            long now,
            Instant wallClock,
            Subject subject,
            RecordedState state,
            RecorderListener listener) {
        FileSequence files = new FileSequence(folder, settings);
        return start(settings, now, wallClock, subject, state, new RecorderThread(files, listener));
    }

    static Recorder start(
            RecorderSettings settings,
            long now,
            Instant wallClock,
            Subject subject,
            RecordedState state,
            RecorderThread thread) {
        long offset =
                TimeUnit.SECONDS.toNanos(wallClock.getEpochSecond()) + wallClock.getNano() - now;
        Recorder recorder = new Recorder(settings, offset, subject, thread);
        recorder.encoder.begin(state);
        recorder.resume(now);
        return recorder;
    }

    /** State of the recorder; on any thread. */
    public RecorderStatus status() {
        return thread.status();
    }

    @Override
    public void onEvent(ArenaEvent event) {
        if (event instanceof ArenaEvent.RoundStarted && isArenaChanged(event.time())) {
            // The first round of an arena belongs to the file of that arena.
            handOver(event.time());
        }
        if (current.isEmpty()) {
            encoder.skip(event);
            thread.countLost(1);
            return;
        }
        RecorderThread.Buffer buffer = current.get();
        if (!buffer.hasContent()) {
            chunkDue = event.time() + MAX_CHUNK_NANOS;
        }
        encoder.add(event);
        buffer.countEvent();
        if (event instanceof ArenaEvent.MovementViolation) {
            buffer.noteViolation(event.time() + clockOffsetNanos);
        }
        if (buffer.size() >= RecordingWriter.CHUNK_BYTES) {
            handOver(event.time());
        }
    }

    private boolean isArenaChanged(long now) {
        return current.isPresent() && !info(now).arena().equals(arena);
    }

    private RecordingInfo info(long now) {
        return subject.info(Instant.ofEpochSecond(0, now + clockOffsetNanos));
    }

    private void append(int channel, long time, byte[] data, int offset, int length) {
        current.ifPresent(buffer -> buffer.add(channel, time, data, offset, length));
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
        } else if (now >= Math.min(fileDue, chunkDue) && hasContent()) {
            handOver(now);
        } else if (now >= fileDue) {
            // Nothing has happened in this file: it continues.
            fileDue = now + maxFileNanos();
        }
        if (current.isEmpty()) {
            return resumeAt;
        }
        return hasContent() ? Math.min(fileDue, chunkDue) : fileDue;
    }

    private boolean hasContent() {
        return current.map(RecorderThread.Buffer::hasContent).orElse(false);
    }

    private void handOver(long now) {
        encoder.flush();
        current.ifPresent(thread::write);
        current = Optional.empty();
        RecorderStatus status = thread.status();
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
        RecordingInfo info = info(now);
        boolean begins = now >= fileDue || !info.arena().equals(arena) || isFileFull();
        if (begins) {
            current.get().begin(new FileStart(info, subject.arenaText()));
            arena = info.arena();
            fileDue = now + maxFileNanos();
            filesBegun++;
        }
        // A file begins at once: what that takes is then over when the first movements are due.
        chunkDue = begins ? now : now + MAX_CHUNK_NANOS;
        if (begins || afterLoss) {
            encoder.restart(now);
        }
    }

    /** Whether the newest file that this thread began has failed or reached its size. */
    private boolean isFileFull() {
        RecorderStatus status = thread.status();
        return status.files() == filesBegun
                && (!status.failure().isEmpty() || status.bytes() >= settings.maxFileBytes());
    }

    private long maxFileNanos() {
        return settings.keep() == RecorderSettings.Keep.VIOLATIONS
                ? ViolationClips.SEGMENT_NANOS
                : settings.maxFileAge().toNanos();
    }

    /** Writes what waits, for at most 20 s, and completes the file. On the arena's thread. */
    @Override
    public void close() {
        encoder.flush();
        thread.close(current);
        current = Optional.empty();
    }
}
