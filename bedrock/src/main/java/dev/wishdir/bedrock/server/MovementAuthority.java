package dev.wishdir.bedrock.server;

import dev.wishdir.arena.Level;
import dev.wishdir.arena.MovementLimits;
import dev.wishdir.arena.MovementValidator;
import dev.wishdir.arena.MovementValidator.Violation;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

/**
 * Where the server believes a player to be: docs/protocols/bedrock.md#movement-authority. Each
 * movement is held against how a body of the game walks, jumps and falls in the level, from where
 * the server put it on; an input covers one tick.
 */
final class MovementAuthority {
    /** How near to where it was put a client is when it has gone there, metres. */
    static final double NEAR = 1;

    /** Sprinting and jumping gets a body ahead by 7.13 m/s; and what clocks differ. */
    static final double MAX_SPEED = 7.5;

    /**
     * A jump leads 1.2522 m up, and its eighth tick is the last that falls slower than {@link
     * MovementLimits#FALLS}: 0.42, 0.33, 0.25, 0.16, 0.08, 0.003, -0.08 and -0.15 m. Its steps are
     * uneven. A body's position is sent with little precision.
     */
    private static final MovementLimits PHYSICS =
            new MovementLimits(
                    BedrockBody.SIZE,
                    0.4,
                    0.25,
                    MAX_SPEED,
                    1.5,
                    1.75,
                    8.0 / BedrockMotion.TICKS_PER_SECOND);

    private static final double TICK = 1.0 / BedrockMotion.TICKS_PER_SECOND;

    private final MovementValidator validator;
    private boolean awaited;

    /**
     * @param start where the player was put, now
     */
    MovementAuthority(long now, Level level, Vec3 start) {
        validator = new MovementValidator(PHYSICS, level);
        validator.accept(now, start);
    }

    /** The feet, where they were last believed to be or were put. */
    Vec3 position() {
        return validator.position();
    }

    /** The player was put somewhere; nothing is believed until it {@link #arrived}. */
    void put(long now, Vec3 at) {
        validator.teleportTo(now, at);
        awaited = true;
    }

    /** Whether the player was put somewhere and has not arrived. */
    boolean isAwaited() {
        return awaited;
    }

    /** The client has gone where it was put; meanwhile it could have walked, and stood. */
    void arrived(long now) {
        awaited = false;
        validator.rested(now);
    }

    /**
     * A jump pad throws it.
     *
     * @param metres how much farther and higher it gets by that than by itself
     */
    void allowThrow(long now, double metres) {
        validator.allowThrow(now, metres);
    }

    /** Believes what was broken: the client decides. */
    void believe(long now, Vec3 at) {
        validator.accept(now, at);
    }

    /**
     * Judges where a client says that it is; where nothing is broken, it is believed.
     *
     * @param input whether it says so by the input of one tick
     * @return what it broke, or null
     */
    @Nullable Violation judge(long now, Vec3 at, boolean input) {
        return input ? validator.validate(now, at, TICK) : validator.validate(now, at);
    }
}
