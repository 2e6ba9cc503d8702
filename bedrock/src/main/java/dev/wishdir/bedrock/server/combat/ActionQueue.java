package dev.wishdir.bedrock.server.combat;

import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.net.loop.DatagramHandler;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/**
 * Queue of a client's actions with its weapon until the input of their tick has come: only then its
 * view and place are known.
 */
public final class ActionQueue {
    /** A client sends the input of the same tick right after it. */
    private static final long MAX_WAIT_NANOS = 3 * BedrockMotion.TICK_NANOS;

    private record PendingAction(long at, LongConsumer action) {}

    private final Deque<PendingAction> queue = new ArrayDeque<>();

    /**
     * Keeps an action until the next movement.
     *
     * @param action receives the time at which it is carried out
     */
    void add(long now, LongConsumer action) {
        queue.add(new PendingAction(now, action));
    }

    /** Carries out all that waited for the movement which the client has sent now. */
    public void onMoved(long now) {
        while (!queue.isEmpty()) {
            queue.remove().action.accept(now);
        }
    }

    /**
     * Carries out what has waited for too long.
     *
     * @return when to call again, nanoseconds
     */
    public long advance(long now) {
        while (!queue.isEmpty() && now - queue.getFirst().at >= MAX_WAIT_NANOS) {
            queue.remove().action.accept(now);
        }
        return queue.isEmpty() ? DatagramHandler.NEVER : queue.getFirst().at + MAX_WAIT_NANOS;
    }
}
