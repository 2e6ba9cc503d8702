package dev.wishdir.quake3.client;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.Deque;

/** Queue of a client's chat and console commands, spaced so that servers do not drop them. */
final class CommandThrottle {
    private static final Logger LOG = LoggerFactory.getLogger(CommandThrottle.class);

    /** Servers drop a command that follows another within a second. */
    private static final long COMMAND_INTERVAL_NANOS = 1_100_000_000L;

    private static final int MAX_QUEUED = 16;

    private final Deque<String> queue = new ArrayDeque<>();
    private long next;

    /** Queues a command; dropped if {@value #MAX_QUEUED} are queued. */
    void add(String text) {
        if (queue.size() < MAX_QUEUED) {
            queue.addLast(text);
        } else {
            LOG.debug("command queue full: dropped {}", text);
        }
    }

    /** Records that a command was sent, also one that was not queued. */
    void sent(long now) {
        next = now + COMMAND_INTERVAL_NANOS;
    }

    /** Whether the queue is empty and a command may be sent now. */
    boolean areFree(long now) {
        return queue.isEmpty() && now >= next;
    }

    /** The next command if it is due, or null. */
    @Nullable String poll(long now) {
        String text = now < next ? null : queue.pollFirst();
        if (text != null) {
            sent(now);
        }
        return text;
    }
}
