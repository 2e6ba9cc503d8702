package dev.wishdir.net.loop;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Recent lateness of a loop's thread. A busy machine does not run a thread that is ready; what
 * peers sent meanwhile is then received later, and together. Used by one thread.
 */
public final class LoopLateness {
    /** A turn that was late is remembered for this long. */
    static final long MEMORY_NANOS = 1_000_000_000;

    /** A shorter delay is that of any turn. */
    static final long MIN_LATE_NANOS = 20_000_000;

    private record LateTurn(long deadline, long at) {
        long nanos() {
            return at - deadline;
        }
    }

    private final Deque<LateTurn> turns = new ArrayDeque<>();

    /**
     * Counts a turn, or a datagram that came before it.
     *
     * @param now on the cycle's clock
     * @param deadline at which a turn was due
     */
    public void observe(long now, long deadline) {
        if (now - deadline < MIN_LATE_NANOS) {
            return;
        }
        if (!turns.isEmpty() && turns.getLast().deadline == deadline) {
            turns.removeLast();
        }
        turns.addLast(new LateTurn(deadline, now));
        forget(now);
    }

    private void forget(long now) {
        while (!turns.isEmpty() && now - turns.getFirst().at > MEMORY_NANOS) {
            turns.removeFirst();
        }
    }

    /** By how much the turns of the last second were late, all together: delays add up. */
    public long nanos(long now) {
        forget(now);
        long sum = 0;
        for (LateTurn turn : turns) {
            sum += turn.nanos();
        }
        return sum;
    }
}
