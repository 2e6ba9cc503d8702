package dev.wishdir.quake2.message;

/**
 * What a client knows of an entity.
 *
 * <p>See docs/protocols/quake2.md, 3.3.
 *
 * @param model model index, or {@link #PLAYER_MODEL}
 * @param frame of the model's animation
 * @param skin for a player: its slot, and its weapon from bit 8
 * @param origin eighths of a unit
 * @param angles pitch, yaw, roll in 256ths of a turn, 0..255
 * @param oldOrigin where it was, or the other end of a beam; eighths of a unit
 * @param sound index of the sound that it makes all the time
 * @param event what happened to it in this frame alone
 * @param solid 0 for nothing to run into, 31 for a brush model, else its box
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
    /** The event of somebody who comes out of a teleporter: clients show no way there. */
    public static final int TELEPORTS = 6;

    /** The model of the player's skin, or its weapon's. */
    public static final int PLAYER_MODEL = 255;

    /** All zero. */
    public static final EntityState ZERO =
            new EntityState(0, 0, 0, 0, 0, 0, 0, 0, Triple.ZERO, Triple.ZERO, Triple.ZERO, 0, 0, 0);

    /** The same with something that happens to it in this frame. */
    public EntityState with(int event) {
        return new EntityState(
                model, model2, model3, model4, frame, skin, effects, renderfx, origin, angles,
                origin, sound, event, solid);
    }

    /** The same as another of the model's frames shows it. */
    public EntityState posed(int modelFrame) {
        return new EntityState(
                model,
                model2,
                model3,
                model4,
                modelFrame,
                skin,
                effects,
                renderfx,
                origin,
                angles,
                oldOrigin,
                sound,
                event,
                solid);
    }

    /** The same that stops nobody. */
    public EntityState passable() {
        return new EntityState(
                model, model2, model3, model4, frame, skin, effects, renderfx, origin, angles,
                oldOrigin, sound, event, 0);
    }

    /** What becomes of this in a frame that does not mention it. */
    public EntityState unmentioned() {
        return event == 0 && oldOrigin.equals(origin)
                ? this
                : new EntityState(
                        model, model2, model3, model4, frame, skin, effects, renderfx, origin,
                        angles, origin, sound, 0, solid);
    }

    /** This without what happened to it in its frame alone. */
    public EntityState withoutEvent() {
        return event == 0
                ? this
                : new EntityState(
                        model, model2, model3, model4, frame, skin, effects, renderfx, origin,
                        angles, oldOrigin, sound, 0, solid);
    }

    /** The {@code solid} of a box. Units from the entity's origin: to each side, down, up. */
    public static int solid(int side, int down, int up) {
        return Math.clamp((up + 32) / 8, 1, 63) << 10
                | Math.clamp(down / 8, 1, 31) << 5
                | Math.clamp(side / 8, 1, 31);
    }
}
