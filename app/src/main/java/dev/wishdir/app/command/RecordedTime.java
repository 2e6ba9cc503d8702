package dev.wishdir.app.command;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time in a recording, as it is typed.
 *
 * @param nanos since 1970, or since the start of the recording
 * @param isOffset whether it is since the start
 */
public record RecordedTime(long nanos, boolean isOffset) {
    private static final Pattern OFFSET =
            Pattern.compile("(?:(?:(\\d{1,6}):)?(\\d{1,6}):)?(\\d{1,6}(?:\\.\\d{1,9})?)");

    private static final long MINUTE_SECONDS = 60;
    private static final long HOUR_SECONDS = 3600;

    /** Parses {@code 90}, {@code 1:30}, {@code 1:02:03.5} or {@code 2026-11-25T20:00:00Z}. */
    public static final class Converter implements ITypeConverter<RecordedTime> {
        @Override
        public RecordedTime convert(String text) {
            Matcher typed = OFFSET.matcher(text);
            if (typed.matches()) {
                long seconds =
                        number(typed.group(1)) * HOUR_SECONDS
                                + number(typed.group(2)) * MINUTE_SECONDS;
                long nanos = new BigDecimal(typed.group(3)).movePointRight(9).longValueExact();
                return new RecordedTime(seconds * 1_000_000_000 + nanos, true);
            }
            try {
                Instant at = Instant.parse(text);
                if (at.isBefore(Instant.EPOCH)) {
                    throw new DateTimeException("before 1970");
                }
                return new RecordedTime(
                        Math.addExact(
                                Math.multiplyExact(at.getEpochSecond(), 1_000_000_000L),
                                at.getNano()),
                        false);
            } catch (DateTimeException | ArithmeticException _) {
                throw new TypeConversionException(
                        "'"
                                + text
                                + "' is not a time: seconds from the start such as 90, 1:30 or"
                                + " 1:02:03.5, or a time of day such as 2026-11-25T20:00:00Z");
            }
        }

        private static long number(@Nullable String digits) {
            return digits == null ? 0 : Long.parseLong(digits);
        }
    }

    /**
     * Nanoseconds since 1970.
     *
     * @param start of the recording, nanoseconds since 1970
     */
    public long since1970(long start) {
        return isOffset ? start + nanos : nanos;
    }
}
