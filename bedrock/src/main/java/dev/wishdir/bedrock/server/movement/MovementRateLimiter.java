package dev.wishdir.bedrock.server.movement;

import dev.wishdir.arena.validation.MovementValidator;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.net.limit.TokenBucket;

/**
 * Rate limit of one client's movements: one per tick of the time that has passed.
 *
 * <p>After a silence, in which the network may have held movements up, as many more are allowed for
 * a short time. All times are nanoseconds of the client's clock, which goes on while the server
 * sleeps.
 */
final class MovementRateLimiter {
    /** Maximum number of movements at once. */
    static final int MAX_BURST = (int) (MovementValidator.MAX_LAG_NANOS / BedrockMotion.TICK_NANOS);

    /** A pause in which the network may hold movements up. */
    private static final long MIN_SILENCE_NANOS = 2 * BedrockMotion.TICK_NANOS;

    /** Held-up movements arrive within this time after the silence. */
    private static final long BACKLOG_TIMEOUT_NANOS = 3_000_000_000L;

    private static final double MAX_BACKLOG =
            (double) MovementValidator.MAX_SILENCE_NANOS / BedrockMotion.TICK_NANOS;

    private final TokenBucket bucket =
            new TokenBucket(MAX_BURST, BedrockMotion.TICKS_PER_SECOND + 1);
    private long arrivedAt;

    /** Movements that a silence held up beyond the allowance, and until when they may arrive. */
    private double backlog;

    private long backlogUntil;

    MovementRateLimiter(long time) {
        arrivedAt = time;
    }

    /** Whether one more movement is allowed; if so, it is counted. */
    boolean tryAcquire(long time) {
        long silence = Math.min(time - arrivedAt, MovementValidator.MAX_SILENCE_NANOS);
        if (silence >= MIN_SILENCE_NANOS) {
            double before = time < backlogUntil ? backlog : 0;
            double more =
                    Math.min(bucket.overflow(time), (double) silence / BedrockMotion.TICK_NANOS);
            backlog = Math.min(MAX_BACKLOG, before + more);
            backlogUntil = time + BACKLOG_TIMEOUT_NANOS;
        }
        arrivedAt = time;
        if (bucket.tryAcquire(time)) {
            return true;
        }
        if (backlog < 1 || time >= backlogUntil) {
            return false;
        }
        backlog--;
        return true;
    }

    /** The number of movements that were not allowed. */
    long refused() {
        return bucket.refused();
    }
}
