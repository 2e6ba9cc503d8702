package dev.wishdir.bedrock.server.movement;

import dev.wishdir.motion.Vec3;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Teleports that a client was sent and has not confirmed. A confirmation has no number, only a
 * place, and the network may hold up several teleports that the client then carries out in turn.
 */
final class PendingTeleports {
    /** Maximum distance from the destination at which a client has arrived, metres. */
    static final double MAX_OFFSET_METRES = 1;

    private static final long RETRY_NANOS = 2_000_000_000L;

    /** Longest time for which the network can hold up a teleport and its confirmation. */
    private static final long MAX_AGE_NANOS = 30_000_000_000L;

    private static final int MAX_PENDING = 16;

    private record Teleport(long at, Vec3 to) {}

    private final Deque<Teleport> pending = new ArrayDeque<>();
    private long last = Long.MIN_VALUE / 2;

    /** The client is sent a teleport. */
    void add(long now, Vec3 to) {
        last = now;
        if (pending.size() == MAX_PENDING) {
            pending.removeFirst();
        }
        pending.add(new Teleport(now, to));
    }

    /** Whether the last one was sent so long ago that it is to be sent again. */
    boolean isRetryDue(long now) {
        return now - last >= RETRY_NANOS;
    }

    /**
     * The client has carried out a teleport, and so all before it.
     *
     * @param place where it says to be then
     * @return how long ago it was sent, nanoseconds; empty if it was sent none to there, without
     *     effect
     */
    OptionalLong confirm(long now, Vec3 place) {
        pending.removeIf(teleport -> now - teleport.at > MAX_AGE_NANOS);
        Optional<Teleport> confirmed =
                pending.stream().filter(teleport -> isNear(teleport, place)).findFirst();
        if (confirmed.isEmpty()) {
            return OptionalLong.empty();
        }
        while (!pending.removeFirst().equals(confirmed.get())) {
            // It was carried out before.
        }
        return OptionalLong.of(now - confirmed.get().at);
    }

    private static boolean isNear(Teleport teleport, Vec3 place) {
        return teleport.to.distance(place) <= MAX_OFFSET_METRES;
    }
}
