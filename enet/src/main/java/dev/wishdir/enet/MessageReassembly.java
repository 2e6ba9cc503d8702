package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.wire.Bytes;

import java.util.HashMap;
import java.util.Map;

/**
 * Fragment reassembly of one message, or a whole message that waits for its turn. Only received
 * bytes take memory, never the length that a fragment claims.
 *
 * <p>All fragments but the last have the same length, so that a fragment's number determines its
 * offset; fragments that would overlap or leave a gap are refused.
 */
final class MessageReassembly {
    /**
     * Heap of an incomplete message without its fragments, bytes: its map and its entry in another.
     */
    static final int BASE_HEAP = 216;

    /** Heap of a fragment besides its payload, bytes: a map entry and the array. */
    static final int FRAGMENT_HEAP = 96;

    /** Heap of a waiting whole message besides its payload, bytes. */
    static final int WHOLE_HEAP = 160;

    /** Heap of an unreliable message that waits for a reliable one besides its payload, bytes. */
    static final int UNRELIABLE_HEAP = 232;

    private final int count;
    private final int total;
    private final int fragmentLength;
    private final Map<Integer, Bytes> fragments;
    private int retained;
    private int firstMissing;

    private MessageReassembly(
            int count, int total, int fragmentLength, Map<Integer, Bytes> fragments) {
        this.count = count;
        this.total = total;
        this.fragmentLength = fragmentLength;
        this.fragments = fragments;
    }

    /** The heap of a payload with the given overhead, bytes. */
    static int heap(int overhead, Bytes bytes) {
        return overhead + (bytes.length() + 7 & ~7);
    }

    /** A message that was not fragmented. */
    static MessageReassembly whole(Bytes payload) {
        MessageReassembly whole =
                new MessageReassembly(1, payload.length(), payload.length(), Map.of(0, payload));
        whole.retained = heap(WHOLE_HEAP, payload);
        return whole;
    }

    /** An empty reassembly for the message of a fragment. */
    static MessageReassembly of(Fragment fragment) {
        MessageReassembly empty =
                new MessageReassembly(
                        fragment.count(),
                        fragment.total(),
                        fragmentLength(fragment),
                        new HashMap<>());
        empty.retained = BASE_HEAP;
        return empty;
    }

    /** The common fragment length that this fragment implies; -1 if it is inconsistent. */
    private static int fragmentLength(Fragment f) {
        int length = f.payload().length();
        int last = f.count() - 1;
        if (f.num() < last) {
            return f.offset() == (long) f.num() * length
                            && (long) last * length < f.total()
                            && (long) f.count() * length >= f.total()
                    ? length
                    : -1;
        }
        if (f.offset() + length != f.total()) {
            return -1;
        }
        if (last == 0) {
            return f.total();
        }
        int fragmentLength = f.offset() / last;
        return f.offset() == (long) fragmentLength * last && length <= fragmentLength
                ? fragmentLength
                : -1;
    }

    /** Whether a fragment matches this message: same count, total and fragment length. */
    boolean accepts(Fragment f) {
        return fragmentLength >= 0
                && f.count() == count
                && f.total() == total
                && fragmentLength(f) == fragmentLength;
    }

    boolean has(int num) {
        return fragments.containsKey(num);
    }

    void add(Fragment fragment) {
        fragments.put(fragment.num(), fragment.payload());
        retained += heap(FRAGMENT_HEAP, fragment.payload());
    }

    boolean complete() {
        return fragments.size() == count;
    }

    /** The number of sequence numbers that the message takes. */
    int count() {
        return count;
    }

    /** The number of the first missing fragment. */
    int firstMissing() {
        while (fragments.containsKey(firstMissing)) {
            firstMissing++;
        }
        return firstMissing;
    }

    /** The retained heap, bytes. */
    int retainedBytes() {
        return retained;
    }

    /** The message, once {@link #complete}. */
    Bytes message() {
        if (count == 1) {
            return fragments.getOrDefault(0, Bytes.EMPTY);
        }
        byte[] message = new byte[total];
        fragments.forEach((num, bytes) -> bytes.copyTo(message, num * fragmentLength));
        return Bytes.wrap(message);
    }
}
