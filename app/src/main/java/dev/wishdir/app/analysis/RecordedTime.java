package dev.wishdir.app.analysis;

import dev.wishdir.record.Recording;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.time.DateTimeException;
import java.time.Instant;

/** A time in recordings: seconds after the start of each, or a time of day with date. */
sealed interface RecordedTime {
    /** Nanoseconds since 1970 in a recording. */
    long nanos(Recording recording);

    /** Seconds after the start. */
    record Elapsed(double seconds) implements RecordedTime {
        @Override
        public long nanos(Recording recording) {
            return recording.startNanos() + Math.round(seconds * 1e9);
        }
    }

    /** A moment, as {@code 2026-11-25T20:15:00Z}. */
    record Moment(Instant at) implements RecordedTime {
        @Override
        public long nanos(Recording recording) {
            return at.getEpochSecond() * 1_000_000_000 + at.getNano();
        }
    }

    /** Parses either form. */
    final class Converter implements ITypeConverter<RecordedTime> {
        @Override
        public RecordedTime convert(String text) {
            try {
                if (text.matches("\\d{1,9}(\\.\\d+)?")) {
                    return new Elapsed(Double.parseDouble(text));
                }
                Instant at = Instant.parse(text);
                if (at.getEpochSecond() < 0 || at.getEpochSecond() > MAX_SECONDS) {
                    throw new TypeConversionException("'" + text + "' is not from 1970 to 2200");
                }
                return new Moment(at);
            } catch (DateTimeException e) {
                throw new TypeConversionException(
                        "'"
                                + text
                                + "' is neither seconds after the start nor a time such as"
                                + " 2026-11-25T20:15:00Z");
            }
        }
    }

    /** The end of 2199, which nanoseconds in a long can still count. */
    long MAX_SECONDS = 7_258_118_400L;
}
