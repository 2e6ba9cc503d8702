package dev.wishdir.arena.event;

import java.util.Locale;

/** Rule that a movement or a shot can break: a code for programs, and the text for people. */
public enum ViolationRule {
    /** It got farther than a body can in the time. */
    DISTANCE("distance", "m"),
    /** It is higher above the ground than a body can jump. */
    JUMP_HEIGHT("height", "m"),
    /** It was in the air for longer than a jump lasts. */
    AIR_TIME("time in the air", "s"),
    /** It is outside the level. */
    OUT_OF_BOUNDS("distance out of bounds", "m"),
    /** It is below the level. */
    UNDERGROUND("depth underground", "m"),
    /** It is in something solid. */
    IN_SOLID("distance into a wall", "m"),
    /**
     * Something solid is between it and where the body was, and no path around it is short enough.
     */
    THROUGH_SOLID("distance through a wall", "m"),
    /** The client is not where the server put it. */
    TELEPORT_OFFSET("distance from the teleport target", "m"),
    /** More movements came than time has passed for. */
    MOVEMENT_COUNT("movements at once", ""),
    /** The movements cover more time than has passed. */
    CLOCK_AHEAD("time ahead of the clock", "ms"),
    /** Two shots were closer together than the gun allows, by the client's own clock. */
    SHOT_RATE("time since the last shot", "ms"),
    /** The shot ended farther away than the gun reaches. */
    SHOT_RANGE("range of a shot", "m"),
    /** The shot did not begin at the player's body. */
    SHOT_ORIGIN("distance of a shot from its player", "m"),
    /** Something solid is between the shooter and the victim. */
    SHOT_THROUGH_SOLID("shot through a wall", "m"),
    /** The shot hit with more rays than the gun has. */
    RAY_COUNT("rays that hit", ""),
    /** The hit is not where the victim was. */
    HIT_DISTANCE("distance of a hit from its victim", "m"),
    /** The projectile flew for longer or shorter than it can. */
    FLIGHT_TIME("flight of a projectile", "ms"),
    /** The client took an item that is not where its player was. */
    ITEM_DISTANCE("distance of a taken item", "m"),
    /** The client claimed a flag that is not where its player was. */
    FLAG_DISTANCE("distance of a claimed flag", "m"),
    /** The client claimed flags too often. */
    FLAG_CLAIMS("flags claimed in a second", ""),
    /** The player dropped a flag next to its own team, which returned it at once, repeatedly. */
    FLAG_HANDOVER("flags handed over", "");

    private static final int MAX_DIGITS = 6;

    private final String noun;
    private final String unit;

    ViolationRule(String noun, String unit) {
        this.noun = noun;
        this.unit = unit;
    }

    /** Whether it is about shots, items or flags; else it is about movement. */
    public boolean isOfShot() {
        return compareTo(SHOT_RATE) >= 0;
    }

    /** Whether it compares a place that a client claims with where the server knows bodies. */
    public boolean isOfPlace() {
        return switch (this) {
            case SHOT_ORIGIN, SHOT_THROUGH_SOLID, HIT_DISTANCE, ITEM_DISTANCE, FLAG_DISTANCE ->
                    true;
            default -> false;
        };
    }

    /** The unit of its values; empty for a count. */
    public String unit() {
        return unit;
    }

    /**
     * As players and logs read it: {@code distance 30.0 m, limit 12.5 m}, with more digits if the
     * two would look the same.
     */
    public String describe(double measured, double allowed) {
        int digits = digits();
        while (digits < MAX_DIGITS && format(measured, digits).equals(format(allowed, digits))) {
            digits++;
        }
        return noun + " " + format(measured, digits) + ", limit " + format(allowed, digits);
    }

    /** A value with its unit: {@code 12.5 m}. */
    public String format(double value) {
        return format(value, digits());
    }

    private int digits() {
        return unit.isEmpty() ? 0 : 1;
    }

    private String format(double value, int digits) {
        return (String.format(Locale.ROOT, "%." + digits + "f", value) + " " + unit).strip();
    }

    /** As events and JSON logs have it: {@code jump-height}. It stays when a text is reworded. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
