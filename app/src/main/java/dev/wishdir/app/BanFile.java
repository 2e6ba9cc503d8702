package dev.wishdir.app;

import dev.wishdir.game.Ban;
import dev.wishdir.game.Bans;
import dev.wishdir.wire.TextFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The file of bans: a {@link Ban#line} each, between lines that are empty or begin with {@code #}.
 * It is never seen half written: what is new is written beside it, is on the disk, and only then
 * takes its name. Whenever the machine or the program stops, the file is the old one or the new.
 */
final class BanFile implements Consumer<List<Ban>>, AutoCloseable {
    private static final String HEAD =
            """
            # Who may not join. Wishdir writes this file anew with each ban; after a change by hand
            # send SIGHUP to the server, or stop it before. Each line is: ADDRESS[,ADDRESS|ACCOUNT…] END "AUTHOR" "NAME" "REASON",
            # where END is forever or such as 2030-01-31T12:00:00Z.
            """;

    private final Path file;
    private final FileOperations files;
    private final Consumer<String> troubles;
    private final List<Ban> known;
    private final AtomicReference<@Nullable List<Ban>> waiting = new AtomicReference<>();
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().name("bans").daemon().factory());

    /** What is in the file, as far as this knows; null where there is none. */
    private byte @Nullable [] content;

    /**
     * Reads what is there.
     *
     * @param troubles hears what went wrong with a later write, on another thread
     * @throws CommandFailedException if the file can't be read, or has a line that is no ban; it is
     *     left as it is
     */
    BanFile(Path file, FileOperations files, Consumer<String> troubles)
            throws CommandFailedException {
        this.file = file;
        this.files = files;
        this.troubles = troubles;
        known = read();
    }

    private List<Ban> read() throws CommandFailedException {
        try {
            byte[] found = found();
            List<Ban> bans = found == null ? List.of() : parse(found);
            content = found;
            return bans;
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot read the bans in " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads the file again, behind what waits to be written: what was changed in it is known then.
     *
     * @return the bans, where it was changed since it was read or written last
     * @throws CommandFailedException if it can't be read, or has a line that is no ban; nothing
     *     changes then
     */
    Optional<List<Ban>> readAgain() throws CommandFailedException {
        try {
            return writer.submit(
                            () -> {
                                byte[] before = content;
                                List<Ban> bans = read();
                                return Arrays.equals(before, content)
                                        ? Optional.<List<Ban>>empty()
                                        : Optional.of(bans);
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

    /** The bans of before, of which each change is kept from now on. */
    Bans bans() {
        return new Bans(InstantSource.system(), known, this);
    }

    /** The bans of before. */
    List<Ban> known() {
        return known;
    }

    private byte @Nullable [] found() throws IOException {
        try {
            return files.read(file);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private List<Ban> parse(byte[] bytes) throws CommandFailedException {
        String text;
        try {
            text = TextFile.decode(file.toString(), bytes);
        } catch (IOException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
        List<Ban> bans = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String ban = line.strip();
            if (ban.isEmpty() || ban.startsWith("#")) {
                continue;
            }
            try {
                bans.add(Ban.parse(ban));
            } catch (IllegalArgumentException e) {
                throw new CommandFailedException(
                        file + ", line " + number + ": " + e.getMessage() + "; mend or remove it",
                        e);
            }
        }
        return bans;
    }

    /** Has these written, soon; of several the last. */
    @Override
    public void accept(List<Ban> bans) {
        if (waiting.getAndSet(bans) == null) {
            writer.execute(this::writeWaiting);
        }
    }

    private void writeWaiting() {
        List<Ban> bans = waiting.getAndSet(null);
        if (bans == null) {
            return;
        }
        try {
            write(bans);
        } catch (IOException e) {
            troubles.accept(
                    "bans can't be written to "
                            + file
                            + ", and are forgotten when the server ends: "
                            + e);
        }
    }

    /**
     * Makes the file be of these bans.
     *
     * @throws IOException if it can't; the file is then what it was
     */
    void write(List<Ban> bans) throws IOException {
        keepOthers();
        StringBuilder text = new StringBuilder(HEAD);
        bans.forEach(ban -> text.append(ban.line()).append('\n'));
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        put(file, bytes);
        content = bytes;
    }

    /** What somebody else wrote into the file meanwhile is not lost. */
    private void keepOthers() throws IOException {
        byte[] found = found();
        if (found != null && !Arrays.equals(found, content)) {
            Path aside = beside(file, ".changed");
            put(aside, found);
            troubles.accept(
                    file
                            + " was changed while the server runs; that is in "
                            + aside
                            + " now, and is not in force");
        }
    }

    private void put(Path where, byte[] bytes) throws IOException {
        Path fresh = beside(where, ".new");
        files.write(fresh, bytes);
        files.force(fresh);
        files.rename(fresh, where);
        Path folder = where.toAbsolutePath().getParent();
        if (folder != null) {
            files.forceFolder(folder);
        }
    }

    private static Path beside(Path file, String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }

    /** Waits for what is to be written. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(10, TimeUnit.SECONDS)) {
                troubles.accept("bans could not be written to " + file + " in 10 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
