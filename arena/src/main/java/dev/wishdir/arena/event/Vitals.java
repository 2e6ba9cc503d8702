package dev.wishdir.arena.event;

/**
 * Health and armour of a body, on a scale on which a player of most games starts with 100.
 *
 * @param health not above 0 if the body is dead
 * @param armour points that are left
 * @param absorption the share of damage that the armour takes while it lasts, 0 to 1
 */
public record Vitals(double health, double armour, double absorption) {
    /** A body without a life. */
    public static final Vitals NONE = new Vitals(0, 0, 0);

    /**
     * @throws IllegalArgumentException if a number is not finite, or out of range
     */
    public Vitals {
        if (!Double.isFinite(health) || !(armour >= 0 && armour < Double.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "health "
                            + health
                            + " and armour "
                            + armour
                            + " must be finite, armour not"
                            + " below 0");
        }
        if (!(absorption >= 0 && absorption <= 1)) {
            throw new IllegalArgumentException("absorption must be 0 to 1, is " + absorption);
        }
    }

    /** These after damage, of which the armour takes a part. */
    public Vitals after(double damage, double absorbed) {
        return new Vitals(health - (damage - absorbed), armour - absorbed, absorption);
    }
}
