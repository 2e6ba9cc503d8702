package dev.wishdir.wire;

import java.util.Objects;
import java.util.function.Supplier;

/** Measures what heap objects really take. */
public final class Heap {
    /** What was made, and the bytes that it keeps from being collected. */
    public record Taken<T>(T made, long bytes) {}

    private Heap() {}

    /** Makes something twice and measures the second. */
    public static <T> Taken<T> taken(Supplier<T> make) {
        // The first loads the classes.
        Objects.requireNonNull(make.get());
        long before = used();
        T made = make.get();
        return new Taken<>(made, used() - before);
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
