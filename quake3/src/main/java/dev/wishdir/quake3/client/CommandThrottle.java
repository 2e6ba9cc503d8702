package dev.wishdir.quake3.client;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a client says or asks its game for: servers throw away what comes too soon. */
final class CommandThrottle {
    private static final Logger LOG = LoggerFactory.getLogger(CommandThrottle.class);

    /** Servers throw away what comes sooner than a second after the last. */
    private static final long COMMAND_INTERVAL_NANOS = 1_100_000_000L;

    private static final int MAX_QUEUED = 16;

    private final Deque<String> waiting = new ArrayDeque<>();
    private long next;

    /** Asks for something, as soon as the server listens; not more than a few at once. */
    void add(String text) {
        if (waiting.size() < MAX_QUEUED) {
            waiting.addLast(text);
        } else {
            LOG.debug("too much to say or ask for at once: {} is dropped", text);
        }
    }

    /** Something was sent that the server takes for one of them. */
    void sent(long now) {
        next = now + COMMAND_INTERVAL_NANOS;
    }

    /** Whether nothing waits and the server would listen. */
    boolean areFree(long now) {
        return waiting.isEmpty() && now >= next;
    }

    /** The next one to send, if it is time. */
    @Nullable String poll(long now) {
        String text = now < next ? null : waiting.pollFirst();
        if (text != null) {
            sent(now);
        }
        return text;
    }
}
