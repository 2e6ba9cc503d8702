package dev.wishdir.quake3.message;

import java.util.Arrays;

/**
 * The state of a client's own player, or of the player that it follows. It has a value per {@link
 * PlayerField}, and four arrays of 16. Immutable.
 */
public final class PlayerState {
    /** The arrays, in wire order. */
    public enum Slots {
        STATS(16),
        PERSISTANT(16),
        AMMO(16),
        POWERUPS(32);

        /** The slots of each array. */
        public static final int COUNT = 16;

        private final int width;

        Slots(int width) {
            this.width = width;
        }

        /** The bits of a value, which has a sign. */
        int width() {
            return width;
        }
    }

    private static final int FIELDS = PlayerField.values().length;
    private static final int[] SPENT = {};
    private static final int SLOTS = Slots.values().length * Slots.COUNT;

    /** All zero: what the first snapshot is against. */
    public static final PlayerState ZERO = new PlayerState(new int[FIELDS], new int[SLOTS]);

    private final int[] fields;
    private final int[] slots;

    private PlayerState(int[] fields, int[] slots) {
        this.fields = fields;
        this.slots = slots;
    }

    /** A number; of a float its bits. */
    public int get(PlayerField field) {
        return fields[field.ordinal()];
    }

    /** A float. */
    public float real(PlayerField field) {
        return Float.intBitsToFloat(fields[field.ordinal()]);
    }

    /** A value of an array. */
    public int get(Slots array, int slot) {
        return slots[slot(array, slot)];
    }

    private static int slot(Slots array, int slot) {
        return array.ordinal() * Slots.COUNT + slot;
    }

    /** What changed since {@code from}. */
    public PlayerDelta since(PlayerState from) {
        return new PlayerDelta(
                Delta.between(from.fields, fields, FIELDS),
                Delta.between(from.slots, slots, SLOTS));
    }

    /** This state with a delta applied. */
    public PlayerState apply(PlayerDelta delta) {
        return new PlayerState(delta.fields().appliedTo(fields), delta.slots().appliedTo(slots));
    }

    /** This state with another number in a field. */
    public PlayerState with(PlayerField field, int value) {
        int[] changed = fields.clone();
        changed[field.ordinal()] = value;
        return new PlayerState(changed, slots);
    }

    /** A builder that starts with all zero. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PlayerState that
                && Arrays.equals(fields, that.fields)
                && Arrays.equals(slots, that.slots);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(fields) * 31 + Arrays.hashCode(slots);
    }

    @Override
    public String toString() {
        return since(ZERO).toString();
    }

    /** Makes a {@link PlayerState}. */
    public static final class Builder {
        private int[] fields = new int[FIELDS];
        private int[] slots = new int[SLOTS];

        private Builder() {}

        /** Sets a number, cut to the bits that the wire has for it. */
        public Builder set(PlayerField field, int value) {
            int shift = Integer.SIZE - field.width();
            fields[field.ordinal()] =
                    field.isSigned() ? value << shift >> shift : value << shift >>> shift;
            return this;
        }

        /** Sets a float. */
        public Builder real(PlayerField field, double value) {
            fields[field.ordinal()] = FieldCodecs.real((float) value);
            return this;
        }

        /** Sets a value of an array. */
        public Builder set(Slots array, int slot, int value) {
            slots[slot(array, slot)] = array == Slots.POWERUPS ? value : (short) value;
            return this;
        }

        /** Ends the building: nothing can be set any more. */
        public PlayerState build() {
            PlayerState built = new PlayerState(fields, slots);
            fields = SPENT;
            slots = SPENT;
            return built;
        }
    }
}
