package dev.wishdir.bedrock.server.movement;

import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.validation.MovementValidator;
import dev.wishdir.arena.validation.MovementValidator.Violation;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

/**
 * The position of one player as the server accepts it:
 * docs/protocols/bedrock.md#movement-authority. Validates each movement by the game's physics in
 * the level, from the last position that the server set; an input covers one tick.
 */
final class MovementAuthority {
    private static final double TICK = 1.0 / BedrockMotion.TICKS_PER_SECOND;

    private final MovementValidator validator;
    private boolean isTeleporting;

    /**
     * @param start the position of the player now
     */
    MovementAuthority(long now, Level level, Vec3 start) {
        validator = new MovementValidator(BedrockBody.LIMITS, level);
        validator.accept(now, start);
    }

    /** The last position of the feet that was accepted or set. */
    Vec3 position() {
        return validator.position();
    }

    /** The speed that the body may have now, metres a second. */
    double speed(long now) {
        return validator.speed(now);
    }

    /** Sets the position; no movement is accepted until {@link #confirmTeleport}. */
    void teleportTo(long now, Vec3 at) {
        validator.teleportTo(now, at);
        isTeleporting = true;
    }

    /** Whether a position was set at which the client has not arrived. */
    boolean isTeleporting() {
        return isTeleporting;
    }

    /** The client has arrived; meanwhile its body could have walked and stood. */
    void confirmTeleport(long now) {
        isTeleporting = false;
        validator.rested(now);
    }

    /**
     * A jump pad throws the player.
     *
     * @param metres additional distance and height by the throw
     */
    void allowThrow(long now, double metres) {
        validator.allowThrow(now, metres);
    }

    /** Accepts a position in spite of a violation: the client has the authority. */
    void accept(long now, Vec3 at) {
        validator.accept(now, at);
    }

    /**
     * Validates a position that a client reports, and accepts it without a violation.
     *
     * @param input whether it comes with the input of one tick
     * @return the violation; null for none
     */
    @Nullable Violation validate(long now, Vec3 at, boolean input) {
        return input ? validator.validate(now, at, TICK) : validator.validate(now, at);
    }
}
