package dev.wishdir.record.file;

import dev.wishdir.record.message.RecordingOptions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Keeps of short recordings only what is near a movement violation, in files of its own. The short
 * ones are deleted as soon as no violation can need them.
 */
public final class ViolationClips {
    /** Time that is kept before and after a violation. */
    public static final long MARGIN_NANOS = 30_000_000_000L;

    /** Length of the short recordings. */
    public static final long SEGMENT_NANOS = 60_000_000_000L;

    private record Segment(Path path, long start, long end) {}

    private record Span(long start, long end) {}

    private final RecordingFolder folder;
    private final RecordingOptions options;
    private final Deque<Segment> segments = new ArrayDeque<>();

    /** Of this object's lock: the recorder notes while another thread writes clips. */
    private final Deque<Span> spans = new ArrayDeque<>();

    public ViolationClips(RecordingFolder folder, RecordingOptions options) {
        this.folder = folder;
        this.options = options;
    }

    /** Notes a violation, nanoseconds since 1970; times do not decrease. Thread-safe. */
    public synchronized void note(long time) {
        Span span = new Span(time - MARGIN_NANOS, time + MARGIN_NANOS);
        Span last = spans.peekLast();
        if (last != null && span.start <= last.end) {
            spans.removeLast();
            span = new Span(last.start, span.end);
        }
        spans.add(span);
    }

    /** Takes over a short recording that is complete. */
    public void add(Path path) throws IOException {
        try (Recording recording = Recording.open(path)) {
            segments.add(new Segment(path, recording.startNanos(), recording.endNanos()));
        }
        cut(segments.getLast().end);
    }

    /** Writes the clips that end before a time, and deletes what none needs any more. */
    private void cut(long time) throws IOException {
        for (Optional<Span> span = ended(time); span.isPresent(); span = ended(time)) {
            write(span.get());
        }
        long needed = Math.min(time - MARGIN_NANOS, firstStart());
        while (!segments.isEmpty() && segments.getFirst().end < needed) {
            Files.deleteIfExists(segments.removeFirst().path);
        }
    }

    private synchronized Optional<Span> ended(long time) {
        return !spans.isEmpty() && spans.getFirst().end < time
                ? Optional.of(spans.removeFirst())
                : Optional.empty();
    }

    private synchronized long firstStart() {
        return spans.isEmpty() ? Long.MAX_VALUE : spans.getFirst().start;
    }

    private void write(Span span) throws IOException {
        List<Segment> parts = new ArrayList<>();
        for (Segment segment : segments) {
            if (segment.end >= span.start && segment.start < span.end) {
                parts.add(segment);
            }
        }
        if (parts.isEmpty()) {
            return;
        }
        long start = Math.max(span.start, parts.getFirst().start);
        Path target = folder.newFile(Instant.ofEpochSecond(0, start), "violation");
        RecordingWriter writer = open(parts.getFirst().path, start, target);
        try (writer) {
            boolean begun = false;
            for (Segment part : parts) {
                try (Recording recording = Recording.open(part.path)) {
                    EventCursor cursor = recording.events(span.start, span.end);
                    if (!begun) {
                        writer.begin(cursor.state());
                        begun = true;
                    }
                    while (cursor.next()) {
                        writer.onEvent(cursor.event());
                    }
                }
            }
        } catch (UncheckedIOException e) {
            throw new IOException("cannot write " + target, e.getCause());
        }
        RecordingFolder.restrict(target, "rw-r-----");
        folder.complete(target);
    }

    private RecordingWriter open(Path source, long start, Path target) throws IOException {
        try (Recording recording = Recording.open(source)) {
            RecordingInfo info = recording.info();
            return RecordingWriter.create(
                    target,
                    new RecordingInfo(
                            info.software(),
                            info.server(),
                            info.arena(),
                            Instant.ofEpochSecond(0, start)),
                    recording.arenaText(),
                    options);
        }
    }

    /** Writes the clips of what there is, and deletes the short recordings. */
    public void close() throws IOException {
        cut(Long.MAX_VALUE);
    }
}
