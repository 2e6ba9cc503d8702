package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.junit.jupiter.api.Test;

class SplitReassemblyTest {
    private final ReassemblyBudget budget = new ReassemblyBudget(10_000);
    private final SplitReassembly splits = new SplitReassembly(RakNetLimits.SERVER, budget);

    private static Frame part(int count, int id, int index, String payload) {
        return new Frame(
                Reliability.RELIABLE.ordinal() << 5 | Frame.SPLIT_FLAG,
                0,
                0,
                0,
                0,
                count,
                id,
                index,
                Bytes.ofHex(payload));
    }

    @Test
    void joinsPartsInAnyOrder() {
        assertThat(splits.add(0, part(3, 7, 2, "05"))).isEmpty();
        assertThat(splits.add(0, part(2, 8, 0, "0A"))).isEmpty();
        assertThat(splits.add(0, part(3, 7, 0, "0102"))).isEmpty();
        assertThat(splits.add(0, part(3, 7, 0, "FFFF"))).isEmpty();
        assertThat(splits.add(0, part(3, 7, 1, "0304"))).contains(Bytes.ofHex("0102030405"));
        assertThat(splits.add(0, part(2, 8, 1, "0B"))).contains(Bytes.ofHex("0A0B"));
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void refusesContradictionsAndChangesNothing() {
        splits.add(0, part(3, 7, 0, "01"));
        int reserved = budget.bytes();
        for (Frame part :
                new Frame[] {
                    part(4, 7, 1, "02"),
                    part(3, 7, 3, "02"),
                    part(3, 7, -1, "02"),
                    part(1, 8, 0, "02"),
                    part(RakNetLimits.SERVER.maxSplitParts() + 1, 8, 0, "02")
                }) {
            assertThatThrownBy(() -> splits.check(part))
                    .isInstanceOf(MalformedPacketException.class);
        }
        assertThat(budget.bytes()).isEqualTo(reserved);
    }

    @Test
    void boundsIncompleteMessagesAndTheirHeap() {
        for (int id = 0; id < RakNetLimits.SERVER.maxPendingSplits(); id++) {
            splits.check(part(2, id, 0, "01"));
            splits.add(0, part(2, id, 0, "01"));
        }
        assertThatThrownBy(() -> splits.check(part(2, 99, 0, "01"))).hasMessageContaining("opens");
        assertThatThrownBy(() -> splits.check(part(2, 0, 1, "00".repeat(10_000))))
                .hasMessageContaining("10000 bytes");
    }

    @Test
    void reportsStalledMessage() {
        splits.add(100, part(2, 1, 0, "01"));
        assertThat(splits.isStalled(100)).isFalse();
        assertThat(splits.isStalled(101)).isTrue();
        splits.add(100, part(2, 1, 1, "01"));
        assertThat(splits.isStalled(101)).isFalse();
    }
}
