package dev.wishdir.sauerbraten.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.OptionalInt;

class MapCopyTest {
    private static final long SECOND = 1_000_000_000;

    private boolean sending;
    private final MapCopy copy = new MapCopy(() -> sending);

    @Test
    void isElsewhereUntilLoaded() {
        assertThat(copy.isElsewhere(0)).isFalse();
        copy.startFetch(0);
        assertThat(copy.isElsewhere(9 * SECOND)).isTrue();
        assertThat(copy.onLoaded()).isTrue();
        assertThat(copy.isElsewhere(9 * SECOND)).isFalse();
        assertThat(copy.onLoaded()).isFalse();
    }

    @Test
    void loadsForTenSecondsAfterLastByte() {
        sending = true;
        copy.startFetch(0);
        assertThat(copy.isElsewhere(60 * SECOND)).isTrue();
        sending = false;
        assertThat(copy.isElsewhere(70 * SECOND - 1)).isTrue();
        assertThat(copy.isElsewhere(70 * SECOND)).isFalse();
        assertThat(copy.isFetching()).isTrue();
    }

    @Test
    void waitsForFetchUntilDeadline() {
        sending = true;
        copy.awaitFetch(5 * SECOND);
        assertThat(copy.isElsewhere(5 * SECOND - 1)).isTrue();
        assertThat(copy.isElsewhere(5 * SECOND)).isFalse();
        assertThat(copy.isFetching()).isFalse();
        assertThat(copy.onLoaded()).isFalse();
    }

    @Test
    void forgetsChecksumWithMap() {
        copy.setCrc(OptionalInt.of(5));
        copy.onPushed();
        copy.onMapChange();
        assertThat(copy.crc()).isEmpty();
        assertThat(copy.isPushed()).isFalse();
    }

    @Test
    void isModifiedUntilRestored() {
        assertThat(copy.markModified()).isTrue();
        assertThat(copy.markModified()).isFalse();
        copy.onRestored(3);
        assertThat(copy.restoredAt()).isEqualTo(3);
        assertThat(copy.markModified()).isTrue();
    }
}
