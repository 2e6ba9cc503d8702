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

    /** Changes since {@code from}. */
    public PlayerDelta since(PlayerState from) {
        return new PlayerDelta(
                Delta.between(from.fields, fields, FIELDS),
                Delta.between(from.slots, slots, SLOTS));
    }

    /** This state with a delta applied. */
    public PlayerState apply(PlayerDelta delta) {
        return new PlayerState(delta.fields().appliedTo(fields), delta.slots().appliedTo(slots));
    }

    /** This state with another value of a field, truncated to its bits on the wire. */
    public PlayerState with(PlayerField field, int value) {
        int[] changed = fields.clone();
        changed[field.ordinal()] = truncated(field, value);
        return new PlayerState(changed, slots);
    }

    /** This state with another value of a field that is a real number. */
    public PlayerState withReal(PlayerField field, double value) {
        return with(field, FieldCodecs.real((float) value));
    }

    /** This state with another value of an array, clamped to its bits on the wire. */
    public PlayerState with(PlayerArray array, int slot, int value) {
        int[] changed = slots.clone();
        changed[slot(array, slot)] = clamped(array, value);
        return new PlayerState(fields, changed);
    }

    /** One value that no field holds would end the snapshots of all viewers. */
    private static int truncated(PlayerField field, int value) {
        int shift = field.isFloat() ? 0 : Integer.SIZE - field.width();
        return field.isSigned() ? value << shift >> shift : value << shift >>> shift;
    }

    private static int clamped(PlayerArray array, int value) {
        return array == PlayerArray.POWERUPS
                ? value
                : Math.clamp(value, Short.MIN_VALUE, Short.MAX_VALUE);
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
            fields[field.ordinal()] = truncated(field, value);
            return this;
        }

        /** Sets a float. */
        public Builder real(PlayerField field, double value) {
            fields[field.ordinal()] = FieldCodecs.real((float) value);
            return this;
        }

        /** Sets a value of an array, clamped to its bits on the wire. */
        public Builder set(PlayerArray array, int slot, int value) {
            slots[slot(array, slot)] = clamped(array, value);
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
