package dev.wishdir.record.mcap;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The chunks of a file in order of time. Immutable. */
final class ChunkTable {
    private final List<ChunkIndex> chunks;

    /** The latest time of each chunk and all before it. */
    private final long[] ends;

    ChunkTable(Collection<ChunkIndex> chunks) {
        List<ChunkIndex> sorted = new ArrayList<>(chunks);
        sorted.sort(
                Comparator.comparingLong(ChunkIndex::startNanos)
                        .thenComparingLong(ChunkIndex::offset));
        this.chunks = List.copyOf(sorted);
        ends = new long[sorted.size()];
        long end = 0;
        for (int i = 0; i < ends.length; i++) {
            end = Math.max(end, sorted.get(i).endNanos());
            ends[i] = end;
        }
    }

    ChunkIndex get(int index) {
        return chunks.get(index);
    }

    /** The latest time of a chunk and all before it. */
    long end(int index) {
        return ends[index];
    }

    /** The first chunk that ends at a time or after it, or the number of chunks. */
    int firstEndingFrom(long time) {
        int low = 0;
        int high = ends.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The first chunk that starts after a time, or the number of chunks. */
    int firstStartingAfter(long time) {
        int low = 0;
        int high = ends.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (chunks.get(middle).startNanos() <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
