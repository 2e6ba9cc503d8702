package dev.wishdir.motion;

/**
 * Judges a player's reported positions: how far can a body have come since the last one?
 *
 * <p>It is a verdict for the operator and the arena, not a physics: a budget of distance fills at
 * the fastest legal speed, up to a second's worth, so that a burst after a silence is no offence
 * while a steady excess is found however small the steps. Not thread-safe; one a player.
 */
public final class Plausibility {
    /** What a step was. */
    public enum Verdict {
        /** Within the budget. */
        PLAUSIBLE,
        /** Many positions at once after a silence, each within the budget of the silence. */
        BURST,
        /** Further than any body of this game moves. */
        TOO_FAR
    }

    private final double speed;
    private final double allowance;
    private double budget;
    private long last = Long.MIN_VALUE;
    private Vec3 at = Vec3.ZERO;
    private double step;
    private double allowed;

    /**
     * @param speed the fastest that a body of the game moves over some time, metres a second
     * @param allowance what a single step may add to that, metres: quanta, steps, jump pads
     */
    public Plausibility(double speed, double allowance) {
        this.speed = speed;
        this.allowance = allowance;
    }

    /** Forgets the past: after a spawn or teleport any place is plausible. */
    public void reset() {
        last = Long.MIN_VALUE;
    }

    /**
     * Judges a position reported at a moment.
     *
     * @param now nanoseconds of any monotonic clock
     */
    public Verdict judge(long now, Vec3 position) {
        if (last == Long.MIN_VALUE) {
            last = now;
            at = position;
            budget = allowance;
            step = 0;
            allowed = budget;
            return Verdict.PLAUSIBLE;
        }
        double seconds = Math.max(0, now - last) / 1e9;
        double before = budget;
        budget = Math.min(budget + seconds * speed, speed + allowance);
        step = position.distance(at);
        allowed = budget;
        last = now;
        at = position;
        budget -= step;
        if (budget < 0) {
            budget = 0;
            return Verdict.TOO_FAR;
        }
        return seconds < 0.002 && step > 0 && before > speed / 2
                ? Verdict.BURST
                : Verdict.PLAUSIBLE;
    }

    /** How far the last judged position was from the one before, metres. */
    public double step() {
        return step;
    }

    /** How far that might have been, metres: the budget at that moment. */
    public double allowed() {
        return allowed;
    }
}
