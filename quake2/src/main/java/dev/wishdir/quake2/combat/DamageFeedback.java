package dev.wishdir.quake2.combat;

import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.message.Blend;

/**
 * Feedback to a player about hits: a red view, a flash of the status bar, and a kick of the view,
 * from what it lost within one of the game's ten frames a second.
 */
public final class DamageFeedback {
    private static final int FLASH_HEALTH = 1;
    private static final int FLASH_ARMOUR = 2;

    /** Frames for which the view is kicked. */
    private static final int KICK_FRAMES = 5;

    private static final double MIN_ALPHA = 0.2;
    private static final double MAX_ALPHA = 0.6;
    private static final double ALPHA_PER_POINT = 0.01;
    private static final double ALPHA_PER_FRAME = 0.06;
    private static final int MIN_POINTS = 10;
    private static final int MAX_KICK = 50;
    private static final double KICK_DEGREES = 0.3;

    private static final double QUAD_ALPHA = 0.08;

    private static final double PICKUP_ALPHA = 0.25;
    private static final double PICKUP_ALPHA_PER_FRAME = 0.1;
    private static final double PICKUP_RED = 0.85;
    private static final double PICKUP_GREEN = 0.7;
    private static final double PICKUP_BLUE = 0.3;

    private final ItemEffects items = new ItemEffects();
    private double pickupAlpha;
    private double blood;
    private double armour;
    private Vec3 from = Vec3.ZERO;
    private double alpha;
    private double red;
    private double white;
    private int flashes;
    private double pitch;
    private double roll;
    private int kickLeft;

    /** Forgets everything: a new life. */
    public void clear() {
        blood = 0;
        armour = 0;
        alpha = 0;
        pickupAlpha = 0;
        items.clear();
        flashes = 0;
        kickLeft = 0;
    }

    /**
     * Counts a hit.
     *
     * @param towards direction from the player to where it came from, of any length
     */
    public void onHit(double bloodPoints, double armourPoints, Vec3 towards) {
        blood += bloodPoints;
        armour += armourPoints;
        double length = towards.length();
        from = length == 0 ? Vec3.ZERO : towards.times(1 / length);
    }

    /** A shot kicks the view of its player for as long as a hit does, from this frame on. */
    public void onKick(double pitchDegrees, double rollDegrees) {
        pitch = pitchDegrees;
        roll = rollDegrees;
        // The end of this frame counts one down.
        kickLeft = KICK_FRAMES + 1;
    }

    /** Effects of items on the player. */
    public ItemEffects items() {
        return items;
    }

    /** The player took an item. */
    public void onPickup() {
        pickupAlpha = PICKUP_ALPHA;
    }

    /**
     * Ends a frame.
     *
     * @param health that is left
     * @param axes of the view
     * @return whether anything was lost in it
     */
    public boolean endFrame(double health, ViewAxes axes) {
        alpha = Math.max(0, alpha - ALPHA_PER_FRAME);
        pickupAlpha = Math.max(0, pickupAlpha - PICKUP_ALPHA_PER_FRAME);
        kickLeft = Math.max(0, kickLeft - 1);
        double lost = blood + armour;
        flashes = (blood > 0 ? FLASH_HEALTH : 0) | (armour > 0 ? FLASH_ARMOUR : 0);
        if (lost <= 0) {
            return false;
        }
        alpha =
                Math.clamp(
                        alpha + Math.max(lost, MIN_POINTS) * ALPHA_PER_POINT, MIN_ALPHA, MAX_ALPHA);
        red = blood / lost;
        white = armour / lost;
        double kick =
                Math.min(MAX_KICK, Math.max(lost / 2, health > 0 ? lost * 100 / health : MAX_KICK));
        pitch = -KICK_DEGREES * kick * from.dot(axes.forward());
        roll = KICK_DEGREES * kick * from.dot(axes.right());
        kickLeft = KICK_FRAMES;
        blood = 0;
        armour = 0;
        return true;
    }

    /** Parts of the status bar that flash in this frame: 1 health, 2 armour. */
    public int flashes() {
        return flashes;
    }

    /** Degrees by which the view is kicked down. */
    public double pitch() {
        return pitch * Math.min(kickLeft, KICK_FRAMES) / KICK_FRAMES;
    }

    /** Degrees by which the view is kicked to the side. */
    public double roll() {
        return roll * Math.min(kickLeft, KICK_FRAMES) / KICK_FRAMES;
    }

    /** The colour over the view: each lies over those before it. */
    public Blend blend() {
        Tint tint =
                Tint.NONE
                        .under(0, 0, 1, QuadDamage.isVisible(items.quadFrames()) ? QUAD_ALPHA : 0)
                        .under(Math.min(1, red + white), white, white, alpha)
                        .under(PICKUP_RED, PICKUP_GREEN, PICKUP_BLUE, pickupAlpha);
        return tint.alpha == 0
                ? Blend.NONE
                : new Blend(
                        (int) (255 * tint.red),
                        (int) (255 * tint.green),
                        (int) (255 * tint.blue),
                        (int) (255 * tint.alpha));
    }

    /** A colour, 0 to 1. */
    private record Tint(double red, double green, double blue, double alpha) {
        static final Tint NONE = new Tint(0, 0, 0, 0);

        /** This under another colour. */
        Tint under(double r, double g, double b, double a) {
            double all = alpha + (1 - alpha) * a;
            double share = all == 0 ? 0 : alpha / all;
            return new Tint(
                    red * share + r * (1 - share),
                    green * share + g * (1 - share),
                    blue * share + b * (1 - share),
                    all);
        }
    }
}
