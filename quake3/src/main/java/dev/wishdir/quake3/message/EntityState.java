package dev.wishdir.quake3.message;

import java.util.Arrays;

/** Everything that clients are told of one entity: a value a {@link EntityField}. Immutable. */
public final class EntityState {
    /** Entity numbers have so many bits. */
    public static final int NUMBER_BITS = 10;

    /** The slots of clients; entities below this number are players. */
    public static final int MAX_CLIENTS = 64;

    /** The number that stands for no entity, and ends the list of a snapshot. */
    public static final int NONE = (1 << NUMBER_BITS) - 1;

    /** The number of the world. */
    public static final int WORLD = NONE - 1;

    /** All fields zero: what a baseline is against. */
    public static final EntityState ZERO = new EntityState(new int[EntityField.values().length]);

    private final int[] values;

    private EntityState(int[] values) {
        this.values = values;
    }

    /** A number; of a float its bits. */
    public int get(EntityField field) {
        return values[field.ordinal()];
    }

    /** A float. */
    public float real(EntityField field) {
        return Float.intBitsToFloat(values[field.ordinal()]);
    }

    /** What changed since {@code from}. */
    public Delta since(EntityState from) {
        return Delta.between(from.values, values, values.length);
    }

    /** This state with a delta applied. */
    public EntityState apply(Delta delta) {
        if (delta.isEmpty()) {
            return this;
        }
        int[] changed = values.clone();
        delta.applyTo(changed);
        return new EntityState(changed);
    }

    /** This state with a number in a field; the same where it is there already. */
    public EntityState with(EntityField field, int value) {
        if (get(field) == value) {
            return this;
        }
        int[] changed = values.clone();
        changed[field.ordinal()] = value;
        return new EntityState(changed);
    }

    /** A builder that starts with all fields zero. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof EntityState that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return since(ZERO).toString();
    }

    /** Makes an {@link EntityState}. */
    public static final class Builder {
        private final int[] values = new int[EntityField.values().length];

        private Builder() {}

        /** Sets a number. */
        public Builder set(EntityField field, int value) {
            values[field.ordinal()] = value;
            return this;
        }

        /** Sets a float. */
        public Builder real(EntityField field, double value) {
            values[field.ordinal()] = Fields.real((float) value);
            return this;
        }

        public EntityState build() {
            return new EntityState(values.clone());
        }
    }
}
