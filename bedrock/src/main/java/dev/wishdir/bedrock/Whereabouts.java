package dev.wishdir.bedrock;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Plausibility;
import dev.wishdir.motion.Plausibility.Verdict;
import dev.wishdir.motion.Vec3;

import java.util.Optional;

/**
 * Where the server believes a player to be. Each movement is held against how a body of the game
 * walks, jumps and falls; one that is impossible is taken back, and nothing is believed until the
 * client has gone where it was put.
 */
final class Whereabouts {
    /** How a movement was taken: believed, taken back to a place, or passed over meanwhile. */
    record Ruling(boolean believed, Optional<Vec3> putBack) {}

    private static final Ruling BELIEVED = new Ruling(true, Optional.empty());
    private static final Ruling PASSED_OVER = new Ruling(false, Optional.empty());
    private static final long CORRECTION_TIME = 2_000_000_000L;
    private static final double OUTSIDE = 0.75;
    private static final double ALLOWED_OFF = 1;

    private final Bounds bounds;
    private final Plausibility pace =
            new Plausibility(BedrockMotion.FASTEST, BedrockMotion.ALLOWANCE);
    private final Plausibility climb =
            new Plausibility(BedrockMotion.FASTEST_CLIMB, BedrockMotion.ALLOWANCE);
    private Vec3 position;
    private double climbed;
    private boolean corrected;
    private long correctedAt;

    Whereabouts(Bounds bounds, Vec3 start) {
        this.bounds = bounds;
        position = start;
    }

    /** The feet, where they were last believed to be or were put. */
    Vec3 position() {
        return position;
    }

    /**
     * Judges where a client says that it is.
     *
     * @param confirmed whether it says too that it has gone where it was put
     */
    Ruling judge(long now, Vec3 at, boolean confirmed) {
        if (corrected) {
            if (!confirmed && at.distance(position) > ALLOWED_OFF) {
                return now - correctedAt > CORRECTION_TIME ? putBack(now, position) : PASSED_OVER;
            }
            corrected = false;
            pace.reset();
            climb.reset();
        }
        climbed += Math.max(0, at.z() - position.z());
        Verdict paced = pace.judge(now, new Vec3(at.x(), at.y(), 0));
        Verdict rose = climb.judge(now, new Vec3(0, 0, climbed));
        if (paced == Verdict.TOO_FAR || rose == Verdict.TOO_FAR) {
            return putBack(now, position);
        }
        Vec3 inside = bounds.clamp(at);
        if (at.distance(inside) > OUTSIDE) {
            return putBack(now, inside);
        }
        // Its ground is even and at height 0, whatever map the other games play: it can't stand
        // higher than it jumps.
        if (at.z() > BedrockMotion.HIGHEST) {
            return putBack(now, new Vec3(at.x(), at.y(), 0));
        }
        position = at;
        return BELIEVED;
    }

    private Ruling putBack(long now, Vec3 to) {
        corrected = true;
        correctedAt = now;
        position = to;
        climbed = 0;
        return new Ruling(false, Optional.of(to));
    }
}
