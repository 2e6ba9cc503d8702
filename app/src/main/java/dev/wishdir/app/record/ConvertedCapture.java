package dev.wishdir.app.record;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.SeekableFile;
import dev.wishdir.record.file.RecordingWriter;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A temporary recording of a capture or demo, for commands that read recordings. */
public final class ConvertedCapture implements AutoCloseable {
    private final Path folder;

    private ConvertedCapture(Path folder) {
        this.folder = folder;
    }

    /**
     * Converts a capture or demo of any game, as {@code record --from}.
     *
     * @param err receives what could not be read
     * @throws CommandFailedException if it is neither, or the temporary file cannot be written
     */
    public static ConvertedCapture of(Path capture, PrintWriter err)
            throws IOException, CommandFailedException {
        ConvertedCapture converted =
                new ConvertedCapture(Files.createTempDirectory("wishdir-capture"));
        try {
            converted.convert(capture, err);
            return converted;
        } catch (IOException | CommandFailedException | RuntimeException e) {
            converted.close();
            throw e;
        }
    }

    private void convert(Path capture, PrintWriter err) throws IOException, CommandFailedException {
        try (RecordingWriter writer =
                RecordCommand.create(file(), "", RecordCommand.start(capture))) {
            RecordCommand.EventCount count = new RecordCommand.EventCount(writer);
            CaptureConverter converter = new CaptureConverter(Games.ALL, List.of(), count);
            Optional<String> problem = converter.convertReadable(capture);
            if (problem.isPresent() && count.isEmpty()) {
                throw new CommandFailedException(problem.get());
            }
            problem.ifPresent(text -> err.println(SeekableFile.named(text)));
            err.println(SeekableFile.named(capture + ": " + count.text() + converter.leftOut()));
        } catch (UncheckedIOException e) {
            throw RecordCommand.unwritable(file(), e);
        }
    }

    /** The recording, until it is closed. */
    public Path file() {
        return folder.resolve("capture.mcap");
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file());
        Files.deleteIfExists(folder);
    }
}
