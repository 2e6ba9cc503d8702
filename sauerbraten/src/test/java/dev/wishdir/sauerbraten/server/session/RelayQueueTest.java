package dev.wishdir.sauerbraten.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

class RelayQueueTest {
    private final RelayQueue queue = new RelayQueue();

    @Test
    void takesMessagesInOrder() {
        queue.add(Bytes.wrap(new byte[] {1, 2}), true);
        queue.add(Bytes.wrap(new byte[] {3}), false);
        assertThat(queue.bytes()).isEqualTo(3);
        assertThat(queue.reliableCount()).isEqualTo(1);
        assertThat(queue.take()).isEqualTo(Bytes.wrap(new byte[] {1, 2, 3}));
        assertThat(queue.bytes()).isZero();
        assertThat(queue.reliableCount()).isZero();
        assertThat(queue.take()).isEqualTo(Bytes.EMPTY);
    }
}
