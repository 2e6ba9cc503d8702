package dev.wishdir.record.recorder;

import java.nio.file.Path;
import java.util.Optional;

/**
 * State of a recorder.
 *
 * @param file the file that grows; empty if there is none
 * @param bytes its size
 * @param files number of files that were begun since the start
 * @param lostEvents number of events since the start that were not recorded
 * @param failure why nothing is recorded; empty if all is well
 */
public record RecorderStatus(
        Optional<Path> file, long bytes, int files, long lostEvents, String failure) {}
