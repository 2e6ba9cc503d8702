package dev.wishdir.cluster.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.cluster.bus.BusEvent;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

class BusQueueTest {
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final BusQueue queue = new BusQueue(wakeUps::incrementAndGet);

    private static BusEvent.Received message(int length) {
        return new BusEvent.Received("s", "", new byte[length]);
    }

    @Test
    void wakesOnlyOnRequestAndOnce() {
        queue.offer(message(1));
        assertThat(wakeUps).hasValue(0);
        assertThat(queue.requestWakeUp()).isFalse();
        assertThat(queue.poll()).isNotNull();
        assertThat(queue.requestWakeUp()).isTrue();
        queue.offer(message(1));
        queue.offer(message(1));
        assertThat(wakeUps).hasValue(1);
    }

    @Test
    void discardsBeyondItsBounds() {
        for (int i = 0; i < BusQueue.MAX_EVENTS + 10; i++) {
            queue.offer(message(1));
        }
        assertThat(queue.discarded()).isEqualTo(10);
        queue.add(new BusEvent.Disconnected("gone"));
        BusEvent last = null;
        for (BusEvent event = queue.poll(); event != null; event = queue.poll()) {
            last = event;
        }
        assertThat(last).isEqualTo(new BusEvent.Disconnected("gone"));
        queue.offer(message(BusQueue.MAX_BYTES));
        queue.offer(message(1));
        assertThat(queue.discarded()).isEqualTo(11);
        queue.poll();
        queue.offer(message(1));
        assertThat(queue.discarded()).isEqualTo(11);
    }

    @Test
    void losesNoWakeUpBetweenThreads() throws Exception {
        int producers = 4;
        long messages = 2_000;
        Semaphore wakes = new Semaphore(0);
        BusQueue shared = new BusQueue(wakes::release);
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < messages; i++) {
                                    shared.offer(message(1));
                                }
                            }));
        }
        int taken = 0;
        while (taken < producers * messages - shared.discarded()) {
            if (shared.poll() != null) {
                taken++;
            } else if (shared.requestWakeUp()) {
                assertThat(wakes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        while (shared.poll() != null) {
            taken++;
        }
        assertThat(taken + shared.discarded()).isEqualTo(producers * messages);
    }
}
