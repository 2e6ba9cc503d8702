package dev.wishdir.record.recorder;

import dev.wishdir.record.mcap.Chunk;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** The thread that compresses and writes what a recorder hands over, in a fixed set of buffers. */
final class RecorderThread {
    private static final Logger LOG = LoggerFactory.getLogger(RecorderThread.class);

    /** Number of buffers: one is filled, and two wait or are written. */
    static final int BUFFERS = 3;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

    /** Buffer that goes from the arena's thread to this one, and back. */
    static final class Buffer {
        private final Chunk chunk = new Chunk();
        private final List<Long> violations = new ArrayList<>();
        private Optional<FileStart> start = Optional.empty();
        private int events;
        private boolean last;

        /** Lets a file begin with this buffer. */
        void begin(FileStart file) {
            start = Optional.of(file);
        }

        /** Appends a message. */
        void add(int channel, long time, byte[] data, int offset, int length) {
            chunk.add(channel, time, data, offset, length);
        }

        /** Counts an event whose messages were, or will be, appended. */
        void countEvent() {
            events++;
        }

        /** Notes a movement violation, at nanoseconds since 1970. */
        void noteViolation(long time) {
            violations.add(time);
        }

        /** Size of the messages, bytes. */
        int size() {
            return chunk.size();
        }

        /** Whether there is something to write. */
        boolean hasContent() {
            return events > 0 || start.isPresent();
        }

        private void clear() {
            chunk.clear();
            violations.clear();
            start = Optional.empty();
            events = 0;
        }
    }

    private final BlockingQueue<Buffer> free = new ArrayBlockingQueue<>(BUFFERS);
    private final BlockingQueue<Buffer> filled = new ArrayBlockingQueue<>(BUFFERS + 1);
    private final ChunkSink files;
    private final RecorderListener listener;
    private final Thread thread;
    private volatile RecorderStatus status = new RecorderStatus(Optional.empty(), 0, 0, 0, "");

    RecorderThread(ChunkSink files, RecorderListener listener) {
        this.files = files;
        this.listener = listener;
        for (int i = 0; i < BUFFERS; i++) {
            free.add(new Buffer());
        }
        thread = Thread.ofPlatform().daemon().name("recorder").start(this::run);
    }

    RecorderStatus status() {
        return status;
    }

    /** An empty buffer; none if all wait to be written. */
    Optional<Buffer> poll() {
        return Optional.ofNullable(free.poll());
    }

    /** Queues a buffer; never waits, as there is place for all. */
    void write(Buffer buffer) {
        filled.add(buffer);
    }

    /** Whether all buffers but the one that is filled are written. */
    boolean isIdle() {
        return free.size() >= BUFFERS - 1;
    }

    synchronized void countLost(long events) {
        RecorderStatus s = status;
        status =
                new RecorderStatus(
                        s.file(), s.bytes(), s.files(), s.lostEvents() + events, s.failure());
    }

    private synchronized void setStatus(int begun, String failure) {
        status =
                new RecorderStatus(
                        files.path(),
                        files.bytes(),
                        status.files() + begun,
                        status.lostEvents(),
                        failure);
    }

    private void run() {
        try {
            boolean last = false;
            while (!last) {
                Buffer buffer = filled.take();
                last = buffer.last;
                perform(buffer);
                buffer.clear();
                free.offer(buffer);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        try {
            files.close();
        } catch (IOException e) {
            listener.onFailure(e);
        }
    }

    private void perform(Buffer buffer) {
        boolean failed = !status.failure().isEmpty();
        if (failed && buffer.start.isEmpty()) {
            countLost(buffer.events);
            return;
        }
        int begun = buffer.start.isPresent() ? 1 : 0;
        try {
            if (buffer.start.isPresent()) {
                files.begin(buffer.start.get());
            }
            buffer.violations.forEach(files::noteViolation);
            files.write(System.nanoTime(), buffer.chunk);
            setStatus(begun, "");
            if (failed) {
                files.path().ifPresent(listener::onResumed);
            }
        } catch (IOException e) {
            fail(buffer, begun, failed, e);
        } catch (RuntimeException | Error e) {
            // A defect, or too little memory, must not end the thread: nothing would be recorded
            // and nothing reported.
            fail(buffer, begun, failed, new IOException("defect in the recorder", e));
        }
    }

    private void fail(Buffer buffer, int begun, boolean failedBefore, IOException why) {
        countLost(buffer.events);
        endAfterFailure();
        setStatus(begun, why.toString());
        if (!failedBefore) {
            try {
                listener.onFailure(why);
            } catch (RuntimeException | Error e) {
                LOG.error("defect in the recorder's listener", e);
            }
        }
    }

    private void endAfterFailure() {
        try {
            files.end();
        } catch (IOException | RuntimeException | Error _) {
            // The failure before is what is reported; the file is repaired at the next start.
        }
    }

    /** Writes what waits, a last buffer after it, for at most 20 s; then completes the file. */
    void close(Optional<Buffer> lastBuffer) {
        Buffer last = lastBuffer.orElseGet(Buffer::new);
        last.last = true;
        filled.add(last);
        try {
            if (!thread.join(CLOSE_TIMEOUT)) {
                thread.interrupt();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
