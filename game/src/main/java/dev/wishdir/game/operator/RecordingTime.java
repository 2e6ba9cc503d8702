package dev.wishdir.game.operator;

import java.util.Locale;

/** Times of a recording as operators write them: seconds from its start. */
public final class RecordingTime {
    private static final int SECONDS_PER_UNIT = 60;

    private RecordingTime() {}

    /**
     * Reads {@code 90}, {@code 90.5}, {@code 1:30} or {@code 0:01:30}.
     *
     * @return seconds
     * @throws IllegalArgumentException if it is not a time
     */
    public static double parse(String text) {
        if (!text.matches("([0-9]{1,4}:){0,2}[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a time: give seconds as 90.5, or minutes as 1:30");
        }
        double seconds = 0;
        for (String part : text.split(":")) {
            seconds = seconds * SECONDS_PER_UNIT + Double.parseDouble(part);
        }
        return seconds;
    }

    /**
     * Reads {@code 2} or {@code 0.5}.
     *
     * @throws IllegalArgumentException if it is not a number
     */
    public static double decimal(String text) {
        if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            throw new IllegalArgumentException("'" + text + "' is not a number such as 0.5");
        }
        return Double.parseDouble(text);
    }

    /** As {@link #parse} reads it: {@code 1:30.0}. */
    public static String format(double seconds) {
        long tenths = Math.round(seconds * 10);
        return String.format(
                Locale.ROOT,
                "%d:%02d.%d",
                tenths / 10 / SECONDS_PER_UNIT,
                tenths / 10 % SECONDS_PER_UNIT,
                tenths % 10);
    }
}
