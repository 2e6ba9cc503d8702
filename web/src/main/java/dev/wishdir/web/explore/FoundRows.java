package dev.wishdir.web.explore;

import java.util.function.IntToLongFunction;

/**
 * The numbers of the lines that pass a filter, in order.
 *
 * @param base number of earlier lines that passed the filter and have left the index
 * @param row the number of each line, for 0 to {@code size - 1}
 */
record FoundRows(long base, int size, IntToLongFunction row) {
    long get(int index) {
        return row.applyAsLong(index);
    }

    /** The index of the first line with this number or a later one; the size if there is none. */
    int indexOf(long number) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (get(middle) < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The lines before this number. */
    FoundRows until(long number) {
        return new FoundRows(base, indexOf(number), row);
    }
}
