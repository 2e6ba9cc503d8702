package dev.wishdir.quake3.movement;

import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.quake3.message.EntityDelta;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.Huffman;
import dev.wishdir.wire.BitReader;
import dev.wishdir.wire.BitWriter;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.util.Optional;

/**
 * The native movement of this game: the entity of a player. Its bytes are the delta of the entity
 * from an all-zero one, as in snapshots; its {@code clientNum} is that at the server that created
 * it.
 */
public record Quake3Movement(EntityState state) implements NativeMovement {
    /** One form for all protocols of the family, which have the same entities. */
    public static final String FORM = "quake3/entity";

    /** Upper bound of the bytes of an entity. */
    private static final int MAX_BYTES = 1_024;

    private static final int PLAYER = 1;

    /** The highest weapon and event numbers that all clients of the family know. */
    private static final int MAX_WEAPONS = 10;

    private static final int MAX_EVENTS = 76;
    private static final int EVENT = 0xFF;
    private static final int EVENT_BITS = 0x3FF;

    private static final int DIRECTIONS = 8;

    @Override
    public String form() {
        return FORM;
    }

    @Override
    public Bytes bytes() {
        BitWriter w = new BitWriter(Huffman.CODE, MAX_BYTES);
        EntityDelta.wire(w, 0, new EntityDelta(0, false, state.since(EntityState.ZERO)));
        return Bytes.wrap(w.toByteArray());
    }

    /**
     * The entity of a movement in this game's form. Empty for movements of other games, and for an
     * entity with values that clients do not know, as these end a client.
     */
    public static Optional<EntityState> state(NativeMovement movement) {
        if (movement instanceof Quake3Movement own) {
            return Optional.of(own.state);
        }
        if (!movement.form().equals(FORM)) {
            return Optional.empty();
        }
        try {
            EntityDelta read =
                    EntityDelta.wire(
                            new BitReader(Huffman.CODE, movement.bytes().toArray()),
                            0,
                            EntityDelta.removed(0));
            return Optional.of(EntityState.ZERO.apply(read.changes()))
                    .filter(Quake3Movement::isShowable);
        } catch (MalformedPacketException _) {
            return Optional.empty();
        }
    }

    private static boolean isShowable(EntityState state) {
        float direction = state.real(EntityField.ANGLES2_1);
        int event = state.get(EntityField.EVENT);
        return state.get(EntityField.E_TYPE) == PLAYER
                && direction >= 0
                && direction < DIRECTIONS
                && direction == (int) direction
                && state.get(EntityField.WEAPON) <= MAX_WEAPONS
                && (state.get(EntityField.POWERUPS) & ~Quake3Motion.QUAD_BIT) == 0
                && (event & ~EVENT_BITS) == 0
                && (event & EVENT) <= MAX_EVENTS;
    }
}
