package dev.wishdir.raknet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reassembly of split messages from their parts: docs/protocols/raknet.md#splitting. */
final class SplitReassembly {
    /** Heap of an incomplete message without its parts, bytes: two maps and an entry. */
    private static final int MESSAGE_HEAP = 224;

    /** Heap of a part besides its payload, bytes: a map entry and the array. */
    private static final int PART_HEAP = 96;

    private static final class Split {
        final int count;
        final long started;
        final Map<Integer, Bytes> parts = new HashMap<>();
        int bytes;
        int heap = MESSAGE_HEAP;

        Split(int count, long started) {
            this.count = count;
            this.started = started;
        }

        Bytes joined() {
            byte[] whole = new byte[bytes];
            int at = 0;
            for (int i = 0; i < count; i++) {
                Bytes part = parts.getOrDefault(i, Bytes.EMPTY);
                part.copyTo(whole, at);
                at += part.length();
            }
            return Bytes.wrap(whole);
        }
    }

    private final RakNetLimits limits;
    private final ReassemblyBudget budget;
    private final Map<Integer, Split> splits = new HashMap<>();

    SplitReassembly(RakNetLimits limits, ReassemblyBudget budget) {
        this.limits = limits;
        this.budget = budget;
    }

    /**
     * Checks that a part can be added.
     *
     * @throws MalformedPacketException if it breaks a limit or contradicts earlier parts
     */
    void check(Frame part) {
        Split split = splits.get(part.splitId());
        if (split == null) {
            if (part.splitCount() < 2 || part.splitCount() > limits.maxSplitParts()) {
                throw RakNet.violation(
                        "split count",
                        "is " + part.splitCount() + ", must be 2.." + limits.maxSplitParts());
            }
            if (splits.size() >= limits.maxPendingSplits()) {
                throw RakNet.violation(
                        "split id", "opens more than " + limits.maxPendingSplits() + " messages");
            }
        } else if (part.splitCount() != split.count) {
            throw RakNet.violation(
                    "split count", "changes from " + split.count + " to " + part.splitCount());
        }
        if (part.splitIndex() < 0 || part.splitIndex() >= part.splitCount()) {
            throw RakNet.violation(
                    "split index", "is " + part.splitIndex() + " of " + part.splitCount());
        }
        budget.check(
                (split == null ? MESSAGE_HEAP : 0)
                        + ReassemblyBudget.heap(PART_HEAP, part.payload()));
    }

    /**
     * Adds a part that was checked.
     *
     * @return the message if this was its last missing part
     */
    Optional<Bytes> add(long now, Frame part) {
        Split split = splits.get(part.splitId());
        if (split == null) {
            split = new Split(part.splitCount(), now);
            splits.put(part.splitId(), split);
            budget.reserve(MESSAGE_HEAP);
        }
        if (split.parts.putIfAbsent(part.splitIndex(), part.payload()) != null) {
            return Optional.empty();
        }
        int heap = ReassemblyBudget.heap(PART_HEAP, part.payload());
        budget.reserve(heap);
        split.heap += heap;
        split.bytes += part.payload().length();
        if (split.parts.size() < split.count) {
            return Optional.empty();
        }
        splits.remove(part.splitId());
        budget.release(split.heap);
        return Optional.of(split.joined());
    }

    /** Whether a message has been incomplete since before the given time, nanoseconds. */
    boolean isStalled(long since) {
        for (Split split : splits.values()) {
            if (split.started < since) {
                return true;
            }
        }
        return false;
    }
}
