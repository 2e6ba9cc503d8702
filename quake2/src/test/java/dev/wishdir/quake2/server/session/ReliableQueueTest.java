package dev.wishdir.quake2.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.HeapMeter;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/** What waits for room in the netchan. */
@Tag("slow")
class ReliableQueueTest {
    @Test
    @DisplayName("G14 what an outbox says that it holds is the heap that it takes")
    void accountsForActualHeap() {
        for (int length : new int[] {1, 30, 1300}) {
            HeapMeter.Taken<List<ReliableQueue>> boxes =
                    HeapMeter.taken(() ->
                            IntStream.range(0, 100)
                                    .mapToObj(_ -> {
                                        ReliableQueue queue = new ReliableQueue();
                                        while (queue.add(new byte[length])) {}
                                        return queue;
                                    })
                                    .toList());
            double held = boxes.made().stream().mapToLong(ReliableQueue::retainedBytes).sum();
            assertThat(held / boxes.bytes()).as("of %d", length).isBetween(0.5, 2.0);
            assertThat(boxes.made().getFirst().retainedBytes())
                    .isLessThanOrEqualTo(ReliableQueue.MAX_HEAP_BYTES);
            assertThat(boxes.made().getFirst().isCongested()).isTrue();
        }
        assertThat(new ReliableQueue().isCongested()).isFalse();
    }
}
