package dev.wishdir.app.serve;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.event.EventOptions;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.record.recorder.RecorderSettings;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The options about a server's recordings: folder, contents, files, what is kept. */
final class RecordOptions {
    /** A switch that is written {@code on} or {@code off}. */
    enum Switch {
        ON,
        OFF
    }

    @Option(
            names = "--record",
            paramLabel = "FOLDER",
            description =
                    "Record everything that happens into MCAP files in this folder."
                            + " docs/recordings.md describes what is done with them.")
    private @Nullable Path folder;

    @Option(
            names = "--record-keep",
            paramLabel = "all|violations",
            description =
                    "What is kept of the recordings: all, or only the 30 seconds before and after"
                            + " each impossible movement (default ${DEFAULT-VALUE}).",
            defaultValue = "all")
    private RecorderSettings.Keep keep = RecorderSettings.Keep.ALL;

    @Option(
            names = "--record-file-size",
            paramLabel = "SIZE",
            converter = EventOptions.Size.class,
            description =
                    "Begin a new file after this size, such as 100M (default ${DEFAULT-VALUE}).",
            defaultValue = "256M")
    private long fileSize;

    @Option(
            names = "--record-file-age",
            paramLabel = "TIME",
            converter = EventOptions.Age.class,
            description =
                    "Begin a new file after this time, such as 10m (default ${DEFAULT-VALUE}). A"
                            + " new file also begins with another map.",
            defaultValue = "1h")
    private Duration fileAge = Duration.ZERO;

    @Option(
            names = "--record-max-age",
            paramLabel = "TIME",
            converter = EventOptions.Age.class,
            description =
                    "Delete recordings of this folder that ended longer ago (default"
                            + " ${DEFAULT-VALUE}). To keep one, rename it.",
            defaultValue = "30d")
    private Duration maxAge = Duration.ZERO;

    @Option(
            names = "--record-max-size",
            paramLabel = "SIZE",
            converter = EventOptions.Size.class,
            description =
                    "Delete the oldest recordings of this folder above this total size (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "10G")
    private long maxSize;

    @Option(
            names = "--record-min-free",
            paramLabel = "SIZE",
            converter = EventOptions.Size.class,
            description =
                    "Begin no file with less free space on the disk (default ${DEFAULT-VALUE}).",
            defaultValue = "1G")
    private long minFree;

    @Option(
            names = "--record-native",
            paramLabel = "on|off",
            description =
                    "Whether recordings have the bytes of each game's own protocol, for exact"
                            + " replays (default ${DEFAULT-VALUE}). Without them, files are half as"
                            + " large.",
            defaultValue = "on")
    private Switch nativeBytes = Switch.ON;

    @Option(
            names = "--record-chat",
            paramLabel = "on|off",
            description =
                    "Whether recordings have the chat to all and the server's announcements"
                        + " (default ${DEFAULT-VALUE}). Private messages and addresses are never"
                        + " recorded.",
            defaultValue = "on")
    private Switch chat = Switch.ON;

    @Option(
            names = "--record-names",
            paramLabel = "on|off",
            description =
                    "Whether recordings have the names of players (default ${DEFAULT-VALUE});"
                            + " otherwise their numbers, no announcements and no words of kicks.",
            defaultValue = "on")
    private Switch names = Switch.ON;

    @Option(
            names = "--record-viewer",
            description =
                    "Also record topics that Foxglove and Rerun draw in 3D without settings. Files"
                            + " are half as large again.")
    private boolean viewer;

    /** The settings; empty if nothing is recorded. */
    Optional<RecorderSettings> settings() {
        return Optional.ofNullable(folder)
                .map(path ->
                        new RecorderSettings(
                                path,
                                new RecordingOptions(
                                        nativeBytes == Switch.ON,
                                        chat == Switch.ON,
                                        names == Switch.ON,
                                        viewer),
                                fileAge.isZero() ? Duration.ofDays(36_500) : fileAge,
                                fileSize == 0 ? Long.MAX_VALUE : fileSize,
                                maxAge.isZero() ? Duration.ofDays(36_500) : maxAge,
                                maxSize == 0 ? Long.MAX_VALUE : maxSize,
                                minFree,
                                keep));
    }

    /**
     * Opens the folder.
     *
     * @throws CommandFailedException if nothing can be recorded there
     */
    static RecordingFolder open(RecorderSettings settings) throws CommandFailedException {
        try {
            RecordingFolder opened = RecordingFolder.open(settings.folder());
            try {
                opened.checkFree(settings.minFreeBytes());
                return opened;
            } catch (IOException e) {
                try (opened) {
                    throw e;
                }
            }
        } catch (IOException e) {
            throw new CommandFailedException("--record: " + e.getMessage(), e);
        }
    }

    /**
     * Checks whether {@link #open} would succeed, without a change.
     *
     * @throws CommandFailedException if it would not
     */
    void check() throws CommandFailedException {
        Path path = folder;
        if (path != null && !(Files.isDirectory(path) && Files.isWritable(path))) {
            EventOptions.checkWritable("--record: cannot create ", path);
        }
    }
}
