package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.combat.Missile;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.ShotSpace;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.OptionalInt;

/** The missiles that fly, as entities with numbers above those of the players. */
public final class MissileEntities {
    /** Further ones fly unseen. */
    private static final int MAX_SHOWN = FrameEntities.MAX_MISSILES;

    private static final int FIRST = FrameEntities.MAX_PLAYERS + FrameEntities.MAX_FLAGS + 1;

    /**
     * Look of a missile.
     *
     * @param model index
     * @param effects trail and light, bits
     * @param sound index, 0 for none
     */
    public record Look(int model, int effects, int sound) {}

    private final @Nullable Missile[] missiles = new Missile[MAX_SHOWN];
    private final EntityState[] states = new EntityState[MAX_SHOWN];
    private final BitSet numbers = new BitSet();

    /**
     * Shows a missile from the next frame on, if there is room.
     *
     * @param start units
     */
    public void add(Missile missile, Vec3 start, Look look) {
        for (int i = 0; i < MAX_SHOWN; i++) {
            if (missiles[i] == null) {
                missiles[i] = missile;
                Triple origin = ShotSpace.eighths(start);
                states[i] =
                        new EntityState(
                                look.model,
                                0,
                                0,
                                0,
                                0,
                                0,
                                look.effects,
                                0,
                                origin,
                                ShotSpace.angles8(missile.state().velocity()),
                                origin,
                                look.sound,
                                0,
                                0);
                numbers.set(FIRST + i);
                return;
            }
        }
    }

    /** Shows a missile in another way, with a frame of its model. */
    public void change(Missile missile, Look look, int frame) {
        number(missile)
                .ifPresent(number -> {
                    EntityState state = states[number - FIRST];
                    states[number - FIRST] =
                            new EntityState(
                                    look.model,
                                    0,
                                    0,
                                    0,
                                    frame,
                                    0,
                                    look.effects,
                                    0,
                                    state.origin(),
                                    state.angles(),
                                    state.oldOrigin(),
                                    look.sound,
                                    0,
                                    0);
                });
    }

    /** The entity number of a missile; empty if it is not shown. */
    public OptionalInt number(Missile missile) {
        for (int i = 0; i < MAX_SHOWN; i++) {
            if (missile.equals(missiles[i])) {
                return OptionalInt.of(FIRST + i);
            }
        }
        return OptionalInt.empty();
    }

    /** Removes a missile that has ended. */
    public void remove(Missile missile) {
        for (int i = 0; i < MAX_SHOWN; i++) {
            if (missile.equals(missiles[i])) {
                missiles[i] = null;
                numbers.clear(FIRST + i);
            }
        }
    }

    /** The entity numbers of the missiles. */
    public BitSet numbers() {
        return numbers;
    }

    /** Puts all missiles into the next frame: each flies from its old place to its new one. */
    public void compose(FrameEntities frameEntities) {
        for (int i = 0; i < MAX_SHOWN; i++) {
            Missile missile = missiles[i];
            if (missile != null) {
                states[i] =
                        states[i].moved(
                                ShotSpace.eighths(missile.state().place().times(ShotSpace.SCALE)));
                frameEntities.put(FIRST + i, states[i]);
            }
        }
    }
}
