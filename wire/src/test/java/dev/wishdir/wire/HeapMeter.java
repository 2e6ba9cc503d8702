package dev.wishdir.wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** Measures what heap objects really take. */
public final class HeapMeter {
    /** What was made, and the bytes that it keeps from being collected. */
    public record Taken<T>(T made, long bytes) {}

    /** How often something is made to be measured. */
    public static final int TAKES = 4;

    private HeapMeter() {}

    /**
     * Makes something {@link #TAKES} times and takes the middle of all but the first: the first
     * loads the classes, and what other threads free or take meanwhile falls into one of them.
     */
    public static <T> Taken<T> taken(Supplier<T> make) {
        List<Taken<T>> all = new ArrayList<>();
        Objects.requireNonNull(make.get());
        long before = used();
        for (int i = 0; i < TAKES - 1; i++) {
            T made = make.get();
            long after = used();
            all.add(new Taken<>(made, after - before));
            before = after;
        }
        all.sort(Comparator.comparingLong(Taken::bytes));
        return all.get(all.size() / 2);
    }

    /** The second collection takes what was only reachable by references that the first cleared. */
    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 2; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
