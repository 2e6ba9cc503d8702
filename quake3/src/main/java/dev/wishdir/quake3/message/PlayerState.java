package dev.wishdir.quake3.message;

import java.util.Arrays;

/**
 * The state of a client's own player, or of the player that it follows: a value per {@link
 * PlayerField}, and four arrays of 16. Immutable.
 */
public final class PlayerState {
    private static final int FIELDS = PlayerField.values().length;
    private static final int[] SPENT = {};
    private static final int SLOTS = PlayerArray.values().length * PlayerArray.LENGTH;

    /** All zero: the base of the first snapshot. */
    public static final PlayerState ZERO = new PlayerState(new int[FIELDS], new int[SLOTS]);

    private final int[] fields;
    private final int[] slots;

    private PlayerState(int[] fields, int[] slots) {
        this.fields = fields;
        this.slots = slots;
    }

    /** The value of a number, or the bits of a float. */
    public int get(PlayerField field) {
        return fields[field.ordinal()];
    }

    /** The value of a float. */
    public float real(PlayerField field) {
        return Float.intBitsToFloat(fields[field.ordinal()]);
    }

    /** A value of an array. */
    public int get(PlayerArray array, int slot) {
        return slots[slot(array, slot)];
    }

    private static int slot(PlayerArray array, int slot) {
        return array.ordinal() * PlayerArray.LENGTH + slot;
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

    /** This state with another value of a field. */
    public PlayerState with(PlayerField field, int value) {
        int[] changed = fields.clone();
        changed[field.ordinal()] = value;
        return new PlayerState(changed, slots);
    }

    /** This state with another value of an array. */
    public PlayerState with(PlayerArray array, int slot, int value) {
        int[] changed = slots.clone();
        changed[slot(array, slot)] = value;
        return new PlayerState(fields, changed);
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

    /** Builds a {@link PlayerState}. */
    public static final class Builder {
        private int[] fields = new int[FIELDS];
        private int[] slots = new int[SLOTS];

        private Builder() {}

        /** Sets a number, truncated to its bits on the wire. */
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
        public Builder set(PlayerArray array, int slot, int value) {
            slots[slot(array, slot)] = array == PlayerArray.POWERUPS ? value : (short) value;
            return this;
        }

        /** Builds the state; the builder can't be used afterwards. */
        public PlayerState build() {
            PlayerState built = new PlayerState(fields, slots);
            fields = SPENT;
            slots = SPENT;
            return built;
        }
    }
}
