package dev.wishdir.arena.race;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A ghost that walks the path of the best run again and again. It is a player of a recording: it
 * does not block, and cannot be hit.
 */
public final class RaceGhost {
    /** Adds a player without a viewer, as {@code Arena.mirror}. */
    @FunctionalInterface
    public interface Mirror {
        Body mirror(long now, PlayerId id, String game, String name);
    }

    /** The handle of the ghost in the arena. */
    public interface Body {
        PlayerId id();

        void spawn(long now, Movement movement);

        void move(long now, Movement movement, NativeMovement nativeMovement);

        void despawn(long now);

        void leave(long now, LeaveReason reason);
    }

    /** Begins the name of the ghost. */
    private static final String MARK = "~";

    /** Numbers above those of the players of recordings that are replayed. */
    private static final int FIRST_NUMBER = 1 << 30;

    private static final long PAUSE_NANOS = 3_000_000_000L;

    private final Mirror mirror;
    private int lastNumber = FIRST_NUMBER;
    private @Nullable RacePath path;
    private @Nullable Body body;

    /** Beginning of the path. */
    private long began;

    private int next;

    RaceGhost(Mirror mirror) {
        this.mirror = mirror;
    }

    /** Shows another path, or none. */
    void show(long now, @Nullable RacePath shown) {
        if (Objects.equals(shown, path)) {
            return;
        }
        leave(now);
        path = shown;
        if (shown != null && !shown.steps().isEmpty()) {
            body =
                    mirror.mirror(
                            now,
                            new PlayerId(PlayerId.GHOST_NODE, ++lastNumber),
                            shown.game(),
                            MARK + shown.name());
            begin(now + PAUSE_NANOS);
        }
    }

    private void begin(long at) {
        began = at;
        next = 0;
    }

    /** Removes the ghost of an operator's kick until another path is shown. */
    void dismiss(long now, PlayerId id) {
        if (body != null && body.id().equals(id)) {
            leave(now);
        }
    }

    private void leave(long now) {
        Body left = body;
        body = null;
        if (left != null) {
            left.leave(now, LeaveReason.LEFT);
        }
    }

    /**
     * Walks.
     *
     * @return when to call again
     */
    long advance(long now) {
        RacePath walked = path;
        Body ghost = body;
        if (walked == null || ghost == null) {
            return Long.MAX_VALUE;
        }
        while (next < walked.steps().size()) {
            RacePath.Step step = walked.steps().get(next);
            long at = began + step.nanos();
            if (at > now) {
                return at;
            }
            if (next == 0) {
                ghost.spawn(now, step.movement());
            }
            ghost.move(now, step.movement(), NativeMovement.Stored.NONE);
            next++;
        }
        ghost.despawn(now);
        begin(now + PAUSE_NANOS);
        return began;
    }
}
