package dev.wishdir.net.limit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

class HeapFootprintTest {
    private static final int COUNT = 100_000;

    private record Queued(long a, long b, int c, int d, int e, int f, Object g, Object h) {}

    private static double allocated(Runnable work) {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadAllocatedBytes();
        work.run();
        return (double) (thread.getCurrentThreadAllocatedBytes() - before) / COUNT;
    }

    @Test
    @DisplayName("G14: an array is counted as what it takes")
    void measuresArrays() {
        for (int length : new int[] {0, 1, 8, 9, 1400}) {
            byte[][] kept = new byte[COUNT][];
            double each =
                    allocated(() -> {
                        for (int i = 0; i < COUNT; i++) {
                            kept[i] = new byte[length];
                        }
                    });
            assertThat(HeapFootprint.bytes(length)).isBetween((long) each, (long) each + 8);
        }
    }

    @Test
    @DisplayName("G14: and so are objects and entries")
    void measuresObjects() {
        byte[] shared = new byte[1];
        Queue<Queued> queue = new ArrayDeque<>(COUNT + 1);
        double each =
                allocated(() -> {
                    for (int i = 0; i < COUNT; i++) {
                        queue.add(new Queued(i, i, i, i, i, i, shared, shared));
                    }
                });
        // With its place in the deque.
        assertThat(queue).hasSize(COUNT);
        assertThat(each + 4).isBetween(HeapFootprint.OBJECT / 2.0, (double) HeapFootprint.OBJECT);
        Map<Integer, Object> map = LinkedHashMap.newLinkedHashMap(COUNT);
        double entry =
                allocated(() -> {
                    for (int i = 0; i < COUNT; i++) {
                        map.put(i + 1000, shared);
                    }
                });
        assertThat(map).hasSize(COUNT);
        assertThat(entry).isBetween(HeapFootprint.ENTRY / 2.0, (double) HeapFootprint.ENTRY);
    }
}
