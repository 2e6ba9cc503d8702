package dev.wishdir.wire;

import java.util.stream.LongStream;

/**
 * Number of seeds and repeats of tests with random input. {@code -Dwishdir.effort=10} multiplies
 * it, {@code -Dwishdir.seed=7} runs only one seed.
 */
public final class TestEffort {
    private static final int FACTOR = Math.max(1, Integer.getInteger("wishdir.effort", 1));

    private TestEffort() {}

    /**
     * @param count repeats that reach each branch, which {@code mvn verify -Pfull} runs
     * @return repeats of this run
     */
    public static int times(int count) {
        return Math.multiplyExact(count, FACTOR);
    }

    /**
     * @param first seed, the others follow it
     * @param count seeds that reach each branch
     * @return seeds of this run
     */
    public static LongStream seeds(long first, int count) {
        return given(LongStream.range(first, first + times(count)));
    }

    /**
     * @param seeds of a test whose length grows with the effort
     * @return these, or the one of the command line
     */
    public static LongStream given(LongStream seeds) {
        Long only = Long.getLong("wishdir.seed");
        return only == null ? seeds : LongStream.of(only);
    }
}
