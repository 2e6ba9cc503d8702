package dev.wishdir.quake2.message;

/**
 * The state of an entity (entity_state).
 *
 * <p>See docs/protocols/quake2.md, 3.3.
 *
 * @param model model index, or {@link #PLAYER_MODEL}
 * @param frame animation frame of the model
 * @param skin for a player: its slot, and its weapon from bit 8
 * @param origin eighths of a unit
 * @param angles pitch, yaw, roll in 256ths of a turn, 0..255
 * @param oldOrigin the previous origin, or the other end of a beam; eighths of a unit
 * @param sound index of its looping sound
 * @param event happens only in this frame
 * @param solid 0 for not solid, 31 for a brush model, else its box
 */
public record EntityState(
        int model,
        int model2,
        int model3,
        int model4,
        int frame,
        int skin,
        int effects,
        int renderfx,
        Triple origin,
        Triple angles,
        Triple oldOrigin,
        int sound,
        int event,
        int solid) {
    /**
     * The event of a player that leaves a teleporter: clients do not interpolate to the new origin.
     */
    public static final int TELEPORTS = 6;

    /** The model of the player's skin, or its weapon's. */
    public static final int PLAYER_MODEL = 255;

    /** The bit of the effects of a player with quad damage. */
    public static final int QUAD = 0x8000;

    /** The bit of the effects of an entity that glows in the colours of its renderfx. */
    public static final int COLOUR_SHELL = 0x100;

    /** The bits of the effects of who carries the red flag, and the blue one: a trail and light. */
    public static final int RED_FLAG = 0x40000;

    public static final int BLUE_FLAG = 0x80000;

    /** Bits of the renderfx. */
    public static final int RED_SHELL = 0x400;

    public static final int BLUE_SHELL = 0x1000;

    private static final int FIRST_DEATH_FRAME = 173;
    private static final int LAST_DEATH_FRAME = 197;

    public static final EntityState ZERO =
            new EntityState(0, 0, 0, 0, 0, 0, 0, 0, Triple.ZERO, Triple.ZERO, Triple.ZERO, 0, 0, 0);

    /** Whether there is an entity: one without a model does not exist. */
    public boolean exists() {
        return model != 0;
    }

    /** Whether it is the body of a player that died: without a weapon, in a frame of its fall. */
    public boolean isDeadPlayer() {
        return model == PLAYER_MODEL
                && model2 == 0
                && frame >= FIRST_DEATH_FRAME
                && frame <= LAST_DEATH_FRAME;
    }

    /** This state with an event, and the current origin as the old one. */
    public EntityState with(int event) {
        return new EntityState(
                model, model2, model3, model4, frame, skin, effects, renderfx, origin, angles,
                origin, sound, event, solid);
    }

    /** This state at another place, to which it moved from the current one. */
    public EntityState moved(Triple place) {
        return new EntityState(
                model, model2, model3, model4, frame, skin, effects, renderfx, place, angles,
                origin, sound, event, solid);
    }

    /**
     * This state with another weapon in hand.
     *
     * @param weapon its number
     * @param loopSound index of the sound that it makes all the time, 0 for none
     */
    public EntityState carrying(int weapon, int loopSound) {
        int armed = skin & 0xFF | weapon << 8;
        return new EntityState(
                model, model2, model3, model4, frame, armed, effects, renderfx, origin, angles,
                oldOrigin, loopSound, event, solid);
    }

    /** This state with more bits of effects. */
    public EntityState withEffects(int more) {
        int all = effects | more;
        return new EntityState(
                model, model2, model3, model4, frame, skin, all, renderfx, origin, angles,
                oldOrigin, sound, event, solid);
    }

    /** This state of a body that lies dead, without a weapon. */
    public EntityState dead(int pose) {
        Triple level = new Triple(0, angles.y(), 0);
        return new EntityState(
                model, 0, model3, model4, pose, skin, 0, renderfx, origin, level, origin, 0, 0, 0);
    }

    /** This state with another animation frame. */
    public EntityState posed(int pose) {
        return new EntityState(
                model, model2, model3, model4, pose, skin, effects, renderfx, origin, angles,
                oldOrigin, sound, event, solid);
    }

    /** This state, not solid. */
    public EntityState passable() {
        return new EntityState(
                model, model2, model3, model4, frame, skin, effects, renderfx, origin, angles,
                oldOrigin, sound, event, 0);
    }

    /** This state in a later frame that has no delta of it. */
    public EntityState unmentioned() {
        return event == 0 && oldOrigin.equals(origin)
                ? this
                : new EntityState(
                        model, model2, model3, model4, frame, skin, effects, renderfx, origin,
                        angles, origin, sound, 0, solid);
    }

    /** This state without its event. */
    public EntityState withoutEvent() {
        return event == 0
                ? this
                : new EntityState(
                        model, model2, model3, model4, frame, skin, effects, renderfx, origin,
                        angles, oldOrigin, sound, 0, solid);
    }

    /** Encodes a box as {@code solid}. Distances from the origin to each side, down, up, units. */
    public static int solid(int side, int down, int up) {
        return Math.clamp((up + 32) / 8, 1, 63) << 10
                | Math.clamp(down / 8, 1, 31) << 5
                | Math.clamp(side / 8, 1, 31);
    }
}
