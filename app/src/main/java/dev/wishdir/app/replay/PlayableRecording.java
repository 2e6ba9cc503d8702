package dev.wishdir.app.replay;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.blocks.ArenaText;
import dev.wishdir.blocks.BlockArena;
import dev.wishdir.blocks.MalformedArenaException;
import dev.wishdir.record.Recording;
import dev.wishdir.record.mcap.McapRepair;
import dev.wishdir.wire.ExceptionMessage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A recording that is complete: the file itself, or a completed copy of one that was cut or still
 * grows, which is deleted at the end.
 */
final class PlayableRecording implements AutoCloseable {
    private final Path file;
    private final Optional<Path> copyFolder;
    private final Optional<BlockArena> arena;
    private final List<String> notices;

    private PlayableRecording(
            Path file,
            Optional<Path> copyFolder,
            Optional<BlockArena> arena,
            List<String> notices) {
        this.file = file;
        this.copyFolder = copyFolder;
        this.arena = arena;
        this.notices = List.copyOf(notices);
    }

    /**
     * Opens a recording.
     *
     * @throws CommandFailedException if it cannot be read, is not a recording, or is empty
     */
    static PlayableRecording open(Path file) throws CommandFailedException {
        List<String> notices = new ArrayList<>();
        try (Recording recording = Recording.open(file)) {
            if (recording.endNanos() == 0) {
                throw new CommandFailedException(
                        file + " is an empty recording: it has no movements and no events");
            }
            Optional<BlockArena> arena = arena(recording, notices);
            if (recording.isComplete()) {
                return new PlayableRecording(file, Optional.empty(), arena, notices);
            }
            notices.add(
                    "The recording was cut, or is still being written: it is played as far as it is"
                            + " whole.");
            Path folder = Files.createTempDirectory("wishdir-replay");
            return new PlayableRecording(
                    completed(file, folder), Optional.of(folder), arena, notices);
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

    /** The arena of the attachment; a notice if it cannot be drawn. */
    private static Optional<BlockArena> arena(Recording recording, List<String> notices)
            throws IOException {
        Optional<String> text = recording.arenaText();
        try {
            if (text.isPresent()) {
                return Optional.of(ArenaText.read(text.get()));
            }
            notices.add("The recording has no arena: only the bounds of the level are drawn.");
        } catch (MalformedArenaException e) {
            notices.add("The arena in the recording cannot be drawn: " + e.getMessage());
        }
        return Optional.empty();
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

    /** What its players play in. */
    Optional<BlockArena> arena() {
        return arena;
    }

    /** What users should know of it. */
    List<String> notices() {
        return notices;
    }

    /** Deletes the copy. */
    @Override
    public void close() throws CommandFailedException {
        if (copyFolder.isEmpty()) {
            return;
        }
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(copyFolder.get());
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot delete the temporary file " + file + ": " + ExceptionMessage.of(e), e);
        }
    }
}
