package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.raknet.AckPacket.Range;
import dev.wishdir.raknet.ReceivedDatagrams.Arrival;

import org.junit.jupiter.api.Test;

class ReceivedDatagramsTest {
    private static final long SECOND = 1_000_000_000L;

    private final ReceivedDatagrams datagrams = new ReceivedDatagrams(0);

    private Arrival add(int number) {
        return datagrams.add(0, number, true);
    }

    @Test
    void acknowledgesInRanges() {
        for (int number : new int[] {0, 1, 3, 2, 7, 7}) {
            add(number);
        }
        assertThat(datagrams.hasReports()).isTrue();
        assertThat(datagrams.takeAcks()).containsExactly(new Range(0, 3), new Range(7, 7));
        assertThat(datagrams.takeAcks()).isEmpty();
    }

    @Test
    void reportsGapOnceAndNotAtOnce() {
        add(0);
        add(4);
        assertThat(datagrams.takeMissing()).isEmpty();
        add(2);
        assertThat(datagrams.takeMissing()).containsExactly(new Range(1, 1), new Range(3, 3));
        assertThat(datagrams.takeMissing()).isEmpty();
        datagrams.takeAcks();
        assertThat(datagrams.hasReports()).isFalse();
    }

    @Test
    void recognisesRepeatedNumbers() {
        assertThat(add(5)).isEqualTo(Arrival.NEW);
        assertThat(add(5)).isEqualTo(Arrival.REPEATED);
        assertThat(add(3)).isEqualTo(Arrival.NEW);
    }

    @Test
    void ignoresNumbersOutsideWindow() {
        assertThat(add(ReceivedDatagrams.WINDOW)).isEqualTo(Arrival.IMPLAUSIBLE);
        assertThat(add(ReceivedDatagrams.WINDOW - 1)).isEqualTo(Arrival.NEW);
        assertThat(add(2 * ReceivedDatagrams.WINDOW - 1)).isEqualTo(Arrival.NEW);
        assertThat(add(ReceivedDatagrams.WINDOW)).isEqualTo(Arrival.NEW);
        assertThat(add(ReceivedDatagrams.WINDOW - 1)).isEqualTo(Arrival.IMPLAUSIBLE);
        assertThat(add(0xFFFFFF)).isEqualTo(Arrival.IMPLAUSIBLE);
    }

    @Test
    void acceptsUnsupportedNumberFarAheadOnlyAfterSilence() {
        assertThat(datagrams.isNear(63)).isTrue();
        assertThat(datagrams.isNear(64)).isFalse();
        assertThat(datagrams.add(SECOND, 63, false)).isEqualTo(Arrival.NEW);
        assertThat(datagrams.add(SECOND, 128, false)).isEqualTo(Arrival.IMPLAUSIBLE);
        assertThat(datagrams.add(5 * SECOND, 128, false)).isEqualTo(Arrival.IMPLAUSIBLE);
        assertThat(datagrams.add(6 * SECOND, 128, false)).isEqualTo(Arrival.NEW);
        assertThat(datagrams.add(6 * SECOND, 1000, true)).isEqualTo(Arrival.NEW);
    }

    @Test
    void splitsRangesThatWrap() {
        for (int i = 0; i < RakNet.INDEX_MASK; i++) {
            add(i);
        }
        datagrams.takeAcks();
        add(RakNet.INDEX_MASK);
        add(0);
        assertThat(datagrams.takeAcks())
                .containsExactly(new Range(RakNet.INDEX_MASK, RakNet.INDEX_MASK), new Range(0, 0));
    }
}
