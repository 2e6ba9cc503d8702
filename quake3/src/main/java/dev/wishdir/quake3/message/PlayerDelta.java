package dev.wishdir.quake3.message;

import dev.wishdir.wire.BitWire;

/**
 * The difference of a player state from its base.
 *
 * @param fields by {@link PlayerField}
 * @param slots the four arrays of {@link PlayerArray} one after the other, 16 values each
 */
public record PlayerDelta(Delta fields, Delta slots) {
    /** Nothing changed. */
    public static final PlayerDelta NONE = new PlayerDelta(Delta.NONE, Delta.NONE);

    private static final PlayerField[] FIELDS = PlayerField.values();
    private static final PlayerArray[] ARRAYS = PlayerArray.values();
    private static final int SLOTS = ARRAYS.length * PlayerArray.LENGTH;

    /** Walks a delta. */
    public static PlayerDelta wire(BitWire w, PlayerDelta m) {
        int count = w.bounded("count", w.u8("count", m.fields.length()), FIELDS.length);
        boolean reading = w.reading();
        int[] values = new int[reading ? count : 0];
        long mask = 0;
        for (int i = 0; i < count; i++) {
            PlayerField field = FIELDS[i];
            w.begin(field.label());
            if (w.bit("changed", m.fields.has(i))) {
                int value = m.fields.get(i);
                value =
                        field.isFloat()
                                ? FieldCodecs.real(w, value)
                                : field.isSigned()
                                        ? w.signed("value", value, field.width())
                                        : w.bits("value", value, field.width());
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
        Delta slots = slots(w, m.slots);
        return reading
                ? new PlayerDelta(mask == 0 ? Delta.NONE : new Delta(mask, values), slots)
                : m;
    }

    private static Delta slots(BitWire w, Delta m) {
        if (!w.bit("arrays", !m.isEmpty())) {
            return Delta.NONE;
        }
        int[] values = new int[SLOTS];
        long mask = 0;
        for (PlayerArray array : ARRAYS) {
            int first = array.ordinal() * PlayerArray.LENGTH;
            int changed = (int) (m.mask() >>> first) & 0xFFFF;
            w.pushScope(array.name());
            if (w.bit("changed", changed != 0)) {
                changed = w.bits("mask", changed, PlayerArray.LENGTH);
                mask |= (changed & 0xFFFFL) << first;
                for (int i = 0; i < PlayerArray.LENGTH; i++) {
                    if ((changed >> i & 1) != 0) {
                        values[first + i] = w.signed("slot", m.get(first + i), array.width());
                    }
                }
            }
            w.popScope();
        }
        return mask == 0 ? Delta.NONE : new Delta(mask, values);
    }
}
