package dev.wishdir.record.recorder;

import dev.wishdir.record.message.RecordingOptions;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Settings of where and for how long a server's recordings are kept.
 *
 * @param folder created if it is missing; one server at a time
 * @param options what a recording contains
 * @param maxFileAge a new file begins after this time
 * @param maxFileBytes a new file begins after this size
 * @param maxAge files that ended longer ago are deleted
 * @param maxTotalBytes the oldest files are deleted above this size
 * @param minFreeBytes no file begins with less free space on the file system
 * @param keep which parts are kept
 */
public record RecorderSettings(
        Path folder,
        RecordingOptions options,
        Duration maxFileAge,
        long maxFileBytes,
        Duration maxAge,
        long maxTotalBytes,
        long minFreeBytes,
        Keep keep) {
    public static final Duration DEFAULT_MAX_FILE_AGE = Duration.ofHours(1);
    public static final long DEFAULT_MAX_FILE_BYTES = 256L << 20;
    public static final Duration DEFAULT_MAX_AGE = Duration.ofDays(30);
    public static final long DEFAULT_MAX_TOTAL_BYTES = 10L << 30;
    public static final long DEFAULT_MIN_FREE_BYTES = 1L << 30;

    /**
     * @throws IllegalArgumentException if an age or a size is not positive
     */
    public RecorderSettings {
        if (!maxFileAge.isPositive()
                || !maxAge.isPositive()
                || maxFileBytes <= 0
                || maxTotalBytes <= 0
                || minFreeBytes < 0) {
            throw new IllegalArgumentException(
                    "ages and sizes of recordings must be positive, are "
                            + List.of(
                                    maxFileAge, maxFileBytes, maxAge, maxTotalBytes, minFreeBytes));
        }
    }

    /** Parts of a recording that are kept. */
    public enum Keep {
        ALL,
        /** The 30 s before and after each movement violation. */
        VIOLATIONS
    }

    /** The default settings for a folder. */
    public static RecorderSettings in(Path folder) {
        return new RecorderSettings(
                folder,
                RecordingOptions.DEFAULT,
                DEFAULT_MAX_FILE_AGE,
                DEFAULT_MAX_FILE_BYTES,
                DEFAULT_MAX_AGE,
                DEFAULT_MAX_TOTAL_BYTES,
                DEFAULT_MIN_FREE_BYTES,
                Keep.ALL);
    }
}
