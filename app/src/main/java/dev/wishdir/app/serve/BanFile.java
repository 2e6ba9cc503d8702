package dev.wishdir.app.serve;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.game.Ban;
import dev.wishdir.game.BanList;
import dev.wishdir.game.Bans;
import dev.wishdir.game.UnsharedBan;
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
import java.util.function.Consumer;

/**
 * The file of bans: one {@link Ban#line} each, besides empty lines, comments ({@code #}), and what
 * a cluster {@linkplain UnsharedBan#line does not have} yet. It is replaced atomically: a new
 * version is written to another file, forced to the disk and renamed. After a crash of the machine
 * or the program, the file is the old or the new version.
 */
final class BanFile implements Consumer<BanList>, AutoCloseable {
    private static final String HEAD =
            """
            # Bans. Wishdir rewrites this file at each ban. Before you edit it, stop the server; or send it SIGHUP
            # afterwards. Each line is: ADDRESS[,ADDRESS|ACCOUNT…] END "AUTHOR" "NAME" "REASON",
            # where END is forever or a time such as 2030-01-31T12:00:00Z.
            """;

    private static final String UNSHARED =
            """
            # Changed here, and not stored by the cluster yet: unshared SINCE ADDRESS[,ADDRESS|ACCOUNT…]. What has no line of
            # its own above was removed.
            """;

    private final Path file;
    private final FileOperations files;
    private final Consumer<String> problems;
    private final BanList known;
    private final BackgroundWriter<BanList> writer;

    /** The content that was last read or written; null if there was no file. */
    private byte @Nullable [] content;

    /**
     * Reads the file.
     *
     * @param problems receives errors of later writes, on another thread
     * @throws CommandFailedException if it cannot be read or has a malformed line; it is not
     *     changed then
     */
    BanFile(Path file, FileOperations files, Consumer<String> problems)
            throws CommandFailedException {
        this.file = file;
        this.files = files;
        this.problems = problems;
        writer = new BackgroundWriter<>("bans", file, this::write, problems);
        known = read();
    }

    private BanList read() throws CommandFailedException {
        try {
            byte[] found = readBytes();
            BanList list = found == null ? BanList.EMPTY : parse(found);
            content = found;
            return list;
        } catch (IOException e) {
            throw new CommandFailedException(
                    "--bans: cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads the file again, after all pending writes.
     *
     * @return the bans; empty if the file has not changed since it was last read or written
     * @throws CommandFailedException if it cannot be read or has a malformed line; nothing changes
     *     then
     */
    Optional<BanList> readAgain() throws CommandFailedException {
        try {
            return writer.submit(
                            () -> {
                                byte[] before = content;
                                BanList list = read();
                                return Arrays.equals(before, content)
                                        ? Optional.<BanList>empty()
                                        : Optional.of(list);
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

    /** The bans that were read; changes to them are written to the file. */
    Bans bans() {
        return new Bans(InstantSource.system(), known, this);
    }

    private byte @Nullable [] readBytes() throws IOException {
        try {
            return files.read(file);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private BanList parse(byte[] bytes) throws CommandFailedException {
        String text;
        try {
            text = TextFile.decode(file.toString(), bytes);
        } catch (IOException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
        List<Ban> bans = new ArrayList<>();
        List<UnsharedBan> unshared = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String entry = line.strip();
            if (entry.isEmpty() || entry.startsWith("#")) {
                continue;
            }
            try {
                if (UnsharedBan.isLine(entry)) {
                    unshared.add(UnsharedBan.parse(entry));
                } else {
                    bans.add(Ban.parse(entry));
                }
            } catch (IllegalArgumentException e) {
                throw new CommandFailedException(
                        file
                                + ", line "
                                + number
                                + ": "
                                + e.getMessage()
                                + "; correct or remove it",
                        e);
            }
        }
        return new BanList(bans, unshared);
    }

    /** Schedules a write of all bans; a later call replaces one that is still pending. */
    @Override
    public void accept(BanList list) {
        writer.accept(list);
    }

    /**
     * Replaces the content of the file.
     *
     * @throws IOException if it cannot be replaced; its content is unchanged then
     */
    void write(BanList list) throws IOException {
        saveForeignChanges();
        StringBuilder text = new StringBuilder(HEAD);
        list.bans().forEach(ban -> text.append(ban.line()).append('\n'));
        if (!list.unshared().isEmpty()) {
            text.append(UNSHARED);
            list.unshared().forEach(ban -> text.append(ban.line()).append('\n'));
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        files.replace(file, bytes);
        content = bytes;
    }

    /** Copies the file aside if another program or the operator has changed it meanwhile. */
    private void saveForeignChanges() throws IOException {
        byte[] found = readBytes();
        if (found != null && !Arrays.equals(found, content)) {
            Path copy = file.resolveSibling(file.getFileName() + ".changed");
            files.replace(copy, found);
            problems.accept(
                    file
                            + " was changed while the server was running: the changes were saved to"
                            + " "
                            + copy
                            + " and are not in force");
        }
    }

    /** Waits for pending writes, at most 10 s. */
    @Override
    public void close() {
        writer.close();
    }
}
