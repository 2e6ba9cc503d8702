package dev.wishdir.quake2.netchan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReliableSenderTest {
    private static final int MAX_BYTES = 100;
    private static final long SECOND = 1_000_000_000;

    private final ReliableSender sender = new ReliableSender(MAX_BYTES, 30 * SECOND);

    /** Sends the block of a packet, if there is one. */
    private byte[] send(int packet) {
        byte[] block = sender.next(packet);
        if (block.length > 0) {
            sender.sent(packet + 1);
        }
        return block;
    }

    private void queue(int... bytes) {
        for (int b : bytes) {
            assertThat(sender.queue(new byte[] {(byte) b}, 1)).isTrue();
        }
    }

    @Test
    void sendsAllQueuedDataAsOneBlock() {
        queue(1, 2);
        assertThat(sender.nextBytes()).isEqualTo(2);
        assertThat(send(1)).containsExactly(1, 2);
        queue(3);
        assertThat(send(2)).as("one block is in flight").isEmpty();
        assertThat(sender.nextBytes()).isZero();
        assertThat(sender.retainedBytes()).isEqualTo(3);
        assertThat(sender.acknowledge(1, true)).isTrue();
        assertThat(send(3)).containsExactly(3);
        assertThat(sender.acknowledge(3, false)).as("the bit toggles").isTrue();
        assertThat(sender.isQuiet()).isTrue();
    }

    @Test
    void resendsALostBlock() {
        queue(7);
        send(1);
        sender.acknowledge(2, false);
        assertThat(sender.mustResend()).as("may be on its way").isFalse();
        sender.acknowledge(3, false);
        assertThat(sender.mustResend()).isTrue();
        assertThat(sender.nextBytes()).isEqualTo(1);
        assertThat(send(4)).containsExactly(7);
        assertThat(sender.mustResend()).isFalse();
    }

    @Test
    void rejectsAnAcknowledgementFromBeforeTheBlock() {
        sender.acknowledge(4, false);
        queue(7);
        send(5);
        assertThat(sender.acknowledge(4, true)).isFalse();
        assertThat(sender.isQuiet()).isFalse();
        assertThat(sender.acknowledged()).isEqualTo(4);
        assertThat(sender.acknowledge(5, true)).isTrue();
        assertThat(sender.acknowledged()).isEqualTo(5);
        assertThat(sender.isQuiet()).isTrue();
    }

    @Test
    void hasRoomForOneBlock() {
        assertThat(sender.queue(new byte[MAX_BYTES], MAX_BYTES)).isTrue();
        assertThat(sender.room()).isZero();
        assertThat(sender.queue(new byte[1], 1)).isFalse();
        send(1);
        assertThat(sender.room()).isEqualTo(MAX_BYTES);
    }

    @Test
    void findsAPeerThatDoesNotAcknowledge() {
        queue(7);
        send(1);
        for (int second = 0; second < 30; second++) {
            assertThat(sender.isNotAcknowledging(second * SECOND)).isFalse();
        }
        assertThat(sender.isNotAcknowledging(30 * SECOND)).isTrue();
    }
}
