package dev.wishdir.bedrock.protocol.transport;

import dev.wishdir.net.loop.DatagramHandler;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Queue;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;

/**
 * Schedule of the sessions that have something to do. A session's turn comes on request and at its
 * deadline, so that an idle session costs nothing.
 */
public final class TurnSchedule {
    private static final long FAILURE_RETRY_NANOS = 1_000_000_000L;

    private final Queue<Turn> requested = new ArrayDeque<>();
    private final TreeSet<Turn> waiting =
            new TreeSet<>(
                    Comparator.comparingLong((Turn turn) -> turn.deadline)
                            .thenComparingLong(turn -> turn.number));
    private long created;

    /** The turns of one session. */
    public final class Turn {
        private final LongUnaryOperator work;
        private final long number;
        private long deadline = DatagramHandler.NEVER;
        private boolean isRequested;
        private boolean isCancelled;

        private Turn(LongUnaryOperator work, long number) {
            this.work = work;
            this.number = number;
        }

        /** Requests a turn now, whatever the deadline. */
        public void request() {
            if (!isRequested && !isCancelled) {
                isRequested = true;
                requested.add(this);
            }
        }

        /** Ends the turns of this session. */
        public void cancel() {
            isCancelled = true;
            waiting.remove(this);
        }

        private void run(long now) {
            if (isCancelled) {
                return;
            }
            long next = now + FAILURE_RETRY_NANOS;
            try {
                next = work.applyAsLong(now);
            } finally {
                // What the turn itself requested, it has done.
                isRequested = false;
                reschedule(next);
            }
        }

        private void reschedule(long next) {
            if (isCancelled || next == deadline) {
                return;
            }
            waiting.remove(this);
            deadline = next;
            if (next != DatagramHandler.NEVER) {
                waiting.add(this);
            }
        }
    }

    /**
     * Adds a session, whose first turn is requested.
     *
     * @param work does what the time demands; takes the time, returns the next deadline,
     *     nanoseconds
     */
    public Turn add(LongUnaryOperator work) {
        Turn turn = new Turn(work, created++);
        turn.request();
        return turn;
    }

    /**
     * Runs the requested turns and those whose deadline has come, each at most once.
     *
     * @return when to call again, nanoseconds
     */
    public long advance(long now) {
        for (Turn turn : waiting) {
            if (turn.deadline > now) {
                break;
            }
            turn.request();
        }
        // A turn may request the turn of another session, which then follows in the next call.
        for (int left = requested.size(); left > 0; left--) {
            requested.remove().run(now);
        }
        if (!requested.isEmpty()) {
            return now;
        }
        return waiting.isEmpty() ? DatagramHandler.NEVER : waiting.first().deadline;
    }
}
