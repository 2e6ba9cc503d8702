package dev.wishdir.app.command;

import java.util.Locale;

/** A fault of a link that an operator can set, in the unit of its option. */
public enum Fault {
    /** Milliseconds. */
    DELAY(10_000, "milliseconds"),
    /** Milliseconds. */
    JITTER(10_000, "milliseconds"),
    /** Percent. */
    LOSS(100, "percent"),
    /** Percent. */
    DUPLICATE(100, "percent"),
    /** Percent. */
    REORDER(100, "percent"),
    /** Kilobytes of 1000 bytes per second; 0 for no limit. */
    RATE(1_000_000, "KB/s");

    private final int max;
    private final String unit;

    Fault(int max, String unit) {
        this.max = max;
        this.unit = unit;
    }

    /** The name in options and lines: {@code loss}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The maximum, in {@link #unit}. */
    public int max() {
        return max;
    }

    public String unit() {
        return unit;
    }

    /**
     * @throws IllegalArgumentException if a value is out of range; the message names the range
     */
    double check(double value) {
        if (!(value >= 0 && value <= max)) {
            throw new IllegalArgumentException(
                    label() + " must be from 0 to " + max + " " + unit + ", is " + value);
        }
        return value;
    }
}
