package dev.wishdir.record.recorder;

import dev.wishdir.record.file.RecordingInfo;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Beginning of a recorder's file.
 *
 * @param arenaText makes the arena's text, if it is known
 */
record FileStart(RecordingInfo info, Supplier<Optional<String>> arenaText) {}
