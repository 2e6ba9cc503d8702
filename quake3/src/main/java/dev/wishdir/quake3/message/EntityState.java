package dev.wishdir.quake3.message;

import java.util.Arrays;

/** The state of an entity as clients receive it: a value per {@link EntityField}. Immutable. */
public final class EntityState {
    /** Bits of an entity number. */
    public static final int NUMBER_BITS = 10;

    /** Maximum number of clients; entities below this number are players. */
    public static final int MAX_CLIENTS = 64;

    /** The number that stands for no entity, and ends the list of a snapshot. */
    public static final int NONE = (1 << NUMBER_BITS) - 1;

    /** The number of the world. */
    public static final int WORLD = NONE - 1;

    private static final int FIELDS = EntityField.values().length;

    /** All fields zero: the base of a baseline. */
    public static final EntityState ZERO = new EntityState(new int[FIELDS], 0);

    private static final int[] SPENT = {};

    private static final int CLIENT_NUM = EntityField.CLIENT_NUM.ordinal();

    /**
     * All values, with 0 in place of {@code clientNum}: the states of a player in the slots of
     * different clients share the array.
     */
    private final int[] values;

    private final int clientNum;

    private EntityState(int[] values, int clientNum) {
        this.values = values;
        this.clientNum = clientNum;
    }

    /** Creates a state that takes over the array. */
    private static EntityState of(int[] all) {
        int clientNum = all[CLIENT_NUM];
        all[CLIENT_NUM] = 0;
        return new EntityState(all, clientNum);
    }

    /** The value of a number, or the bits of a float. */
    public int get(EntityField field) {
        return field == EntityField.CLIENT_NUM ? clientNum : values[field.ordinal()];
    }

    private int[] all() {
        int[] all = values.clone();
        all[CLIENT_NUM] = clientNum;
        return all;
    }

    /** The value of a float. */
    public float real(EntityField field) {
        return Float.intBitsToFloat(values[field.ordinal()]);
    }

    /** Changes since {@code from}. */
    public Delta since(EntityState from) {
        return clientNum == from.clientNum
                ? Delta.between(from.values, values, values.length)
                : Delta.between(from.all(), all(), values.length);
    }

    /** This state with a delta applied. */
    public EntityState apply(Delta delta) {
        if (delta.isEmpty()) {
            return this;
        }
        int[] changed = all();
        delta.applyTo(changed);
        return of(changed);
    }

    /**
     * This state with another value of a field, truncated to its bits on the wire; the same object
     * if the value is equal.
     */
    public EntityState with(EntityField field, int number) {
        int value = truncated(field, number);
        if (get(field) == value) {
            return this;
        }
        if (field == EntityField.CLIENT_NUM) {
            return new EntityState(values, value);
        }
        int[] changed = values.clone();
        changed[field.ordinal()] = value;
        return new EntityState(changed, clientNum);
    }

    /** One value that no field holds would end the snapshots of all viewers. */
    private static int truncated(EntityField field, int value) {
        int shift = field.isFloat() ? 0 : Integer.SIZE - field.width();
        return value << shift >>> shift;
    }

    /**
     * Whether another state differs at most in {@code clientNum}. Deltas between pairs of such
     * states are equal.
     */
    public boolean hasSameValues(EntityState other) {
        return Arrays.equals(values, other.values);
    }

    /**
     * An identity hash of the values, equal for states that differ by {@link #with} in {@code
     * clientNum} only.
     */
    public int valuesIdentity() {
        return System.identityHashCode(values);
    }

    /** A builder that starts with all fields zero. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof EntityState that
                        && clientNum == that.clientNum
                        && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values) * 31 + clientNum;
    }

    @Override
    public String toString() {
        return since(ZERO).toString();
    }

    /** Builds an {@link EntityState}. */
    public static final class Builder {
        private int[] values = new int[FIELDS];

        private Builder() {}

        /** Sets a number, truncated to its bits on the wire. */
        public Builder set(EntityField field, int value) {
            values[field.ordinal()] = truncated(field, value);
            return this;
        }

        /** Sets a float. */
        public Builder real(EntityField field, double value) {
            values[field.ordinal()] = FieldCodecs.real((float) value);
            return this;
        }

        /** Builds the state; the builder can't be used afterwards. */
        public EntityState build() {
            EntityState built = of(values);
            values = SPENT;
            return built;
        }
    }
}
