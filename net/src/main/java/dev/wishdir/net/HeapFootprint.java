package dev.wishdir.net;

/**
 * What things take of the heap on a 64-bit Java, so that all {@link MemoryConsumer}s count alike. A
 * queue of one-byte messages takes a hundred times its payload.
 */
public final class HeapFootprint {
    /** An object of up to ten fields, with its place in a list, a deque or a priority queue. */
    public static final int OBJECT = 64;

    /** An entry of a hash map with its boxed key. */
    public static final int ENTRY = 96;

    private HeapFootprint() {}

    /** An array of bytes. */
    public static long bytes(int length) {
        return 16L + length + 7 & ~7L;
    }
}
