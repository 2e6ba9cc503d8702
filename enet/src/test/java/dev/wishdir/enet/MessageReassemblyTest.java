package dev.wishdir.enet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

class MessageReassemblyTest {
    private static Fragment fragment(int count, int num, int total, int offset, String payload) {
        return new Fragment(1, count, num, total, offset, Bytes.ofHex(payload));
    }

    @Test
    void joinsFragmentsInAnyOrder() {
        Fragment last = fragment(3, 2, 5, 4, "05");
        MessageReassembly message = MessageReassembly.of(last);
        int empty = message.retainedBytes();
        message.add(last);
        assertThat(message.firstMissing()).isZero();
        message.add(fragment(3, 0, 5, 0, "0102"));
        assertThat(message.firstMissing()).isEqualTo(1);
        assertThat(message.has(0)).isTrue();
        assertThat(message.has(1)).isFalse();
        assertThat(message.complete()).isFalse();
        message.add(fragment(3, 1, 5, 2, "0304"));
        assertThat(message.complete()).isTrue();
        assertThat(message.message()).isEqualTo(Bytes.ofHex("0102030405"));
        assertThat(message.retainedBytes()).isGreaterThan(empty);
    }

    @Test
    void refusesFragmentsThatContradict() {
        MessageReassembly message = MessageReassembly.of(fragment(3, 0, 5, 0, "0102"));
        assertThat(message.accepts(fragment(3, 1, 5, 2, "0304"))).isTrue();
        assertThat(message.accepts(fragment(4, 1, 5, 2, "0304"))).as("count").isFalse();
        assertThat(message.accepts(fragment(3, 1, 6, 2, "0304"))).as("total").isFalse();
        assertThat(message.accepts(fragment(3, 1, 5, 1, "0304"))).as("overlap").isFalse();
        assertThat(message.accepts(fragment(3, 1, 5, 3, "0304"))).as("gap").isFalse();
        assertThat(message.accepts(fragment(3, 2, 5, 3, "0405"))).as("last").isFalse();
    }

    @Test
    void keepsWholeMessage() {
        MessageReassembly message = MessageReassembly.whole(Bytes.ofHex("0102"));
        assertThat(message.complete()).isTrue();
        assertThat(message.count()).isEqualTo(1);
        assertThat(message.message()).isEqualTo(Bytes.ofHex("0102"));
    }
}
