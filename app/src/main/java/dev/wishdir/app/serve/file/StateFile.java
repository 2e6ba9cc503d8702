package dev.wishdir.app.serve.file;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.TextFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A file of text that the server rewrites when its state changes, on a thread of its own. The
 * operator may edit it: it is read again on demand, and an edit that was not read is kept in
 * another file.
 */
public final class StateFile<T> implements AutoCloseable {
    /** Format of a written state. */
    public interface Format<T> {
        /**
         * @throws IllegalArgumentException if it is malformed: the line, and what to do
         */
        T parse(String text);

        String text(T state);
    }

    private final String option;
    private final String what;
    private final Path file;
    private final FileOperations files;
    private final Format<T> format;
    private final Consumer<String> problems;
    private final T initial;
    private final AtomicReference<@Nullable Supplier<T>> pending = new AtomicReference<>();
    private final ExecutorService thread;

    /** The content that was last read or written; null if there was no file. */
    private byte @Nullable [] content;

    /** The state that could not be written; null if none waits. */
    private @Nullable Supplier<T> unwritten;

    private volatile boolean complete = true;

    /**
     * Reads the file.
     *
     * @param option that names the file, for errors: {@code --bans}
     * @param what is written, in the plural, for errors: {@code bans}
     * @param problems receives errors of later writes, on another thread
     * @throws CommandFailedException if it cannot be read or has a malformed line; it is not
     *     changed then
     */
    public StateFile(
            String option,
            String what,
            Path file,
            FileOperations files,
            Format<T> format,
            Consumer<String> problems)
            throws CommandFailedException {
        this.option = option;
        this.what = what;
        this.file = file;
        this.files = files;
        this.format = format;
        this.problems = problems;
        initial = read();
        thread =
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().name(what.replace(' ', '-')).daemon().factory());
    }

    /**
     * Reads lines that are not empty or a comment.
     *
     * @throws IllegalArgumentException with the number of the line that a reader refused
     */
    static void forEachLine(String text, Consumer<String> reader) {
        int number = 0;
        for (String each : text.split("\n", -1)) {
            number++;
            String line = each.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                reader.accept(line);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "line " + number + ": " + e.getMessage() + "; correct or remove it", e);
            }
        }
    }

    private T read() throws CommandFailedException {
        byte[] found;
        try {
            found = readBytes();
        } catch (IOException e) {
            throw new CommandFailedException(option + ": cannot read " + file + ": " + why(e), e);
        }
        try {
            T state = format.parse(found == null ? "" : TextFile.decode(file.toString(), found));
            content = found;
            return state;
        } catch (IOException e) {
            throw new CommandFailedException(ExceptionMessage.of(e), e);
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(file + ", " + e.getMessage(), e);
        }
    }

    private byte @Nullable [] readBytes() throws IOException {
        try {
            return files.read(file);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** The state that was read at the start. */
    public T initial() {
        return initial;
    }

    /**
     * Reads the file again, after all pending writes.
     *
     * @return the state; empty if the file has not changed since it was last read or written
     * @throws CommandFailedException as at the start
     */
    public Optional<T> readAgain() throws CommandFailedException {
        try {
            return thread.submit(
                            () -> {
                                byte[] before = content;
                                T state = read();
                                return Arrays.equals(before, content)
                                        ? Optional.<T>empty()
                                        : Optional.of(state);
                            })
                    .get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new CommandFailedException(
                    String.valueOf((cause == null ? e : cause).getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }

    /**
     * Schedules a write; a later one replaces one that is still pending.
     *
     * @param state makes the state when it is written, on another thread
     */
    public void write(Supplier<T> state) {
        if (pending.getAndSet(state) == null) {
            thread.execute(this::writePending);
        }
    }

    /** Schedules a write of each state that it receives. */
    public Consumer<T> writer() {
        return state -> write(() -> state);
    }

    private void writePending() {
        Supplier<T> newest = pending.getAndSet(null);
        Supplier<T> state = newest == null ? unwritten : newest;
        if (state == null) {
            return;
        }
        try {
            writeNow(state.get());
            unwritten = null;
            complete = true;
        } catch (IOException e) {
            // One line until a write succeeds again.
            if (unwritten == null) {
                problems.accept(
                        what
                                + " cannot be written to "
                                + file
                                + ": "
                                + why(e)
                                + "; tried again at the next change and when the server stops");
            }
            unwritten = state;
            complete = false;
        }
    }

    private static String why(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "its folder does not exist";
            case AccessDeniedException _ -> "no permission";
            default -> ExceptionMessage.of(e);
        };
    }

    /**
     * Replaces the content of the file.
     *
     * @throws IOException if it cannot be replaced
     */
    void writeNow(T state) throws IOException {
        saveForeignChanges();
        byte[] bytes = format.text(state).getBytes(StandardCharsets.UTF_8);
        files.replace(file, bytes);
        content = bytes;
    }

    /** Copies the file aside if another program or the operator has changed it meanwhile. */
    private void saveForeignChanges() throws IOException {
        byte[] found = readBytes();
        if (found != null && !Arrays.equals(found, content)) {
            Path copy = file.resolveSibling(file.getFileName() + ".changed");
            files.replace(copy, found);
            content = found;
            problems.accept(
                    file
                            + " was changed while the server was running: the changes were saved to"
                            + " "
                            + copy
                            + " and are not in force");
        }
    }

    /** Whether all that was to be written is in the file. */
    public boolean isComplete() {
        return complete;
    }

    /** Waits for pending writes, at most 10 s; tries again what could not be written. */
    @Override
    public void close() {
        if (!thread.isShutdown()) {
            thread.execute(this::writePending);
        }
        thread.shutdown();
        try {
            if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
                complete = false;
                problems.accept(what + " were not written to " + file + " within 10 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
