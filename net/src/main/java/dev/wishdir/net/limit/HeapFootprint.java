package dev.wishdir.net.limit;

/**
 * Estimated heap sizes on a 64-bit JVM, shared by all {@link MemoryConsumer}s. Overheads count: a
 * queue of one-byte messages takes a hundred times its payload.
 */
public final class HeapFootprint {
    /**
     * Bytes of an object of up to ten fields, with its place in a list, deque or priority queue.
     */
    public static final int OBJECT = 64;

    /** Bytes of a hash map's entry with its boxed key. */
    public static final int ENTRY = 96;

    private HeapFootprint() {}

    /** Bytes of a byte array. */
    public static long bytes(int length) {
        return 16L + length + 7 & ~7L;
    }
}
