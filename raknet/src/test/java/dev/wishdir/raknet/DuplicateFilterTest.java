package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DuplicateFilterTest {
    private final DuplicateFilter filter = new DuplicateFilter();

    @Test
    void recognisesDuplicatesInAnyOrder() {
        for (int index : new int[] {0, 2, 5, 1}) {
            assertThat(filter.isNew(index)).isTrue();
            filter.add(index);
        }
        for (int index : new int[] {0, 1, 2, 5}) {
            assertThat(filter.isNew(index)).isFalse();
        }
        for (int index : new int[] {3, 4, 6}) {
            assertThat(filter.isNew(index)).isTrue();
        }
    }

    @Test
    void boundsWindowFromFirstMissing() {
        filter.add(0);
        assertThat(filter.isTooFar(DuplicateFilter.WINDOW)).isFalse();
        assertThat(filter.isTooFar(DuplicateFilter.WINDOW + 1)).isTrue();
        // The one before the first, and so a duplicate.
        assertThat(filter.isTooFar(RakNet.INDEX_MASK)).isFalse();
        assertThat(filter.isNew(RakNet.INDEX_MASK)).isFalse();
        assertThat(filter.isNear(64)).isTrue();
        assertThat(filter.isNear(65)).isFalse();
    }

    @Test
    void keepsWindowAfterWrapOfIndices() {
        for (int i = 0; i < RakNet.INDEX_MASK; i++) {
            filter.add(i);
        }
        assertThat(filter.isNew(RakNet.INDEX_MASK)).isTrue();
        filter.add(0);
        assertThat(filter.isNew(0)).isFalse();
        assertThat(filter.isNew(1)).isTrue();
        assertThat(filter.isNew(RakNet.INDEX_MASK)).isTrue();
        assertThat(filter.isNew(RakNet.INDEX_MASK - 1)).isFalse();
    }
}
