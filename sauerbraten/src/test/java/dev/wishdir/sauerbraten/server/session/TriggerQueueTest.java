package dev.wishdir.sauerbraten.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.sauerbraten.message.MovementMessage;

import org.junit.jupiter.api.Test;

class TriggerQueueTest {
    private static final long INTERVAL = 30_000_000;
    private static final MovementMessage FIRST = new MovementMessage.JumpPad(1, 1);
    private static final MovementMessage SECOND = new MovementMessage.JumpPad(1, 2);

    private final TriggerQueue queue = new TriggerQueue();

    @Test
    void takesNewestUseOnceAnInterval() {
        queue.set(FIRST);
        assertThat(queue.takeDue(1000)).contains(FIRST);
        assertThat(queue.isEmpty()).isTrue();
        queue.set(FIRST);
        queue.set(SECOND);
        assertThat(queue.due()).isEqualTo(1000 + INTERVAL);
        assertThat(queue.takeDue(1000 + INTERVAL - 1)).isEmpty();
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.takeDue(1000 + INTERVAL)).contains(SECOND);
        assertThat(queue.takeDue(1000 + 9 * INTERVAL)).isEmpty();
    }

    @Test
    void forgetsUseOfDeadBody() {
        queue.set(FIRST);
        queue.clear();
        assertThat(queue.takeDue(1000)).isEmpty();
    }
}
