package dev.wishdir.app.replay;

import dev.wishdir.app.arena.RecordedArena;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.SeekableFile;
import dev.wishdir.app.record.ConvertedCapture;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.mcap.McapException;
import dev.wishdir.record.mcap.McapRepair;
import dev.wishdir.wire.ExceptionMessage;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A recording that is complete: the file itself, or a temporary one, which is deleted at the end: a
 * completed copy of one that was cut or still grows, or what a capture or demo was converted to.
 */
final class PlayableRecording implements AutoCloseable {
    private final Path file;
    private final Temporary temporary;
    private final Optional<BlockArena> arena;
    private final List<String> notices;

    /** A resource that is deleted at the end. */
    @FunctionalInterface
    private interface Temporary {
        void delete() throws IOException;
    }

    private PlayableRecording(
            Path file, Temporary temporary, Optional<BlockArena> arena, List<String> notices) {
        this.file = file;
        this.temporary = temporary;
        this.arena = arena;
        this.notices = List.copyOf(notices);
    }

    /**
     * Opens a recording, a capture or a demo.
     *
     * @param err receives what could not be read of a capture or demo
     * @throws CommandFailedException if it cannot be read, is neither of them, or is empty
     */
    static PlayableRecording open(Path file, PrintWriter err) throws CommandFailedException {
        try {
            return open(file, SeekableFile.of(file), err);
        } catch (NoSuchFileException e) {
            throw new CommandFailedException(
                    "there is no file "
                            + file
                            + ": give a recording, such as one that serve --record has written",
                    e);
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot play " + file + ": " + ExceptionMessage.of(e), e);
        }
    }

    private static PlayableRecording open(Path name, Path file, PrintWriter err)
            throws IOException, CommandFailedException {
        try {
            return open(name, file, () -> {});
        } catch (McapException e) {
            if (e.reason() != McapException.Reason.NOT_MCAP) {
                throw e;
            }
        }
        ConvertedCapture converted = converted(name, file, err);
        try {
            return open(name, converted.file(), converted::close);
        } catch (IOException | CommandFailedException | RuntimeException e) {
            converted.close();
            throw e;
        }
    }

    private static ConvertedCapture converted(Path name, Path file, PrintWriter err)
            throws IOException, CommandFailedException {
        try {
            return ConvertedCapture.of(file, err);
        } catch (CommandFailedException e) {
            throw new CommandFailedException(
                    "cannot play " + name + ": not a recording, and " + e.getMessage(), e);
        }
    }

    private static PlayableRecording open(Path name, Path file, Temporary temporary)
            throws IOException, CommandFailedException {
        List<String> notices = new ArrayList<>();
        try (Recording recording = Recording.open(file)) {
            if (recording.endNanos() == 0) {
                throw new CommandFailedException(
                        name + " is an empty recording: it has no movements and no events");
            }
            RecordedArena played = RecordedArena.of(recording);
            Optional<BlockArena> arena = played.arena();
            if (arena.isEmpty()) {
                notices.add(
                        "Only the bounds of what was seen are drawn: " + played.problem() + ".");
            }
            if (recording.isComplete()) {
                return new PlayableRecording(file, temporary, arena, notices);
            }
            notices.add(
                    "The recording was cut, or is still being written: it is played as far as it is"
                            + " whole.");
            Path folder = Files.createTempDirectory("wishdir-replay");
            Path copy = completed(file, folder);
            return new PlayableRecording(
                    copy,
                    () -> {
                        Files.deleteIfExists(copy);
                        Files.deleteIfExists(folder);
                    },
                    arena,
                    notices);
        }
    }

    private static Path completed(Path file, Path folder) throws IOException {
        Path copy = folder.resolve("recording.mcap");
        try {
            Files.copy(file, copy);
            McapRepair.repair(copy);
            return copy;
        } catch (IOException e) {
            Files.deleteIfExists(copy);
            Files.deleteIfExists(folder);
            throw e;
        }
    }

    /** The complete file. */
    Path file() {
        return file;
    }

    /** The arena of its players. */
    Optional<BlockArena> arena() {
        return arena;
    }

    /** Notices about it for users. */
    List<String> notices() {
        return notices;
    }

    /** Deletes the temporary file, if there is one. */
    @Override
    public void close() throws CommandFailedException {
        try {
            temporary.delete();
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot delete the temporary file " + file + ": " + ExceptionMessage.of(e), e);
        }
    }
}
