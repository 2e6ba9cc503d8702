package dev.wishdir.quake3.message;

import dev.wishdir.wire.BitWire;
import dev.wishdir.wire.BitWriter;

/**
 * The difference of an entity in a snapshot or gamestate from its base.
 *
 * @param number 0..1022
 * @param removed whether the entity was in the base and is gone
 * @param changes empty if the entity is removed or unchanged
 */
public record EntityDelta(int number, boolean removed, Delta changes) {
    private static final EntityField[] FIELDS = EntityField.values();

    /** Upper bound of the bytes of all fields. */
    public static final int MAX_BYTES = 1_024;

    /** A delta for a reader to ignore. */
    static final EntityDelta BLANK = new EntityDelta(0, false, Delta.NONE);

    /** The delta of an entity that is gone. */
    public static EntityDelta removed(int number) {
        return new EntityDelta(number, true, Delta.NONE);
    }

    /** Walks what follows the entity's number. */
    public static EntityDelta wire(BitWire w, int number, EntityDelta m) {
        if (w.bit("removed", m.removed)) {
            return removed(number);
        }
        if (!w.bit("changed", !m.changes.isEmpty())) {
            return new EntityDelta(number, false, Delta.NONE);
        }
        if (m.changes.isEncoded()) {
            m.changes.write(w);
            return m;
        }
        return fields(w, number, m);
    }

    /** Whether its changes have their encoding. */
    public boolean isEncoded() {
        return changes.isEncoded();
    }

    /**
     * This delta with its changes encoded, to be written often.
     *
     * @param scratch of {@link #MAX_BYTES} bytes; its contents are overwritten
     */
    public EntityDelta encoded(BitWriter scratch) {
        if (changes.isEmpty()) {
            return this;
        }
        scratch.reset();
        fields(scratch, number, this);
        return new EntityDelta(number, removed, changes.encoded(scratch));
    }

    private static EntityDelta fields(BitWire w, int number, EntityDelta m) {
        int count = w.bounded("count", w.u8("count", m.changes.length()), FIELDS.length);
        boolean reading = w.reading();
        int[] values = new int[reading ? count : 0];
        long mask = 0;
        for (int i = 0; i < count; i++) {
            EntityField field = FIELDS[i];
            w.begin(field.label());
            if (w.bit("changed", m.changes.has(i))) {
                int value = value(w, field, m.changes.get(i));
                if (reading) {
                    mask |= 1L << i;
                    values[i] = value;
                }
                if (w.tracing()) {
                    w.end(field.isFloat() ? (Object) Float.intBitsToFloat(value) : (Object) value);
                    continue;
                }
            }
            w.end("unchanged");
        }
        if (!reading) {
            return m;
        }
        return new EntityDelta(number, false, mask == 0 ? Delta.NONE : new Delta(mask, values));
    }

    private static int value(BitWire w, EntityField field, int value) {
        if (!w.bit("nonzero", value != 0)) {
            return 0;
        }
        return field.isFloat() ? FieldCodecs.real(w, value) : w.bits("value", value, field.width());
    }
}
