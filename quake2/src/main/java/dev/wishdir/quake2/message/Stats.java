package dev.wishdir.quake2.message;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/** The 32 values of a player's status bar; immutable. See docs/protocols/quake2.md, 3.2. */
public final class Stats {
    /** Number of values. */
    public static final int COUNT = 32;

    /** Index of the health; the player is dead at 0 and below. */
    public static final int HEALTH = 1;

    /** Index of the overlays: 1 layout, 2 inventory. */
    public static final int LAYOUTS = 13;

    public static final Stats ZERO = new Stats(new short[COUNT]);

    private final short[] values;

    private Stats(short[] values) {
        this.values = values;
    }

    /** A value, signed 16 bits. */
    public int get(int index) {
        return values[index];
    }

    /** These stats with another value, truncated to 16 bits. */
    public Stats with(int index, int value) {
        short[] changed = values.clone();
        changed[index] = (short) value;
        return new Stats(changed);
    }

    /** A bit set for each index at which the values differ. */
    int changed(Stats base) {
        int bits = 0;
        for (int i = 0; i < COUNT; i++) {
            bits |= values[i] == base.values[i] ? 0 : 1 << i;
        }
        return bits;
    }

    /** These stats with the values of others at the indices whose bits are set. */
    Stats replaced(int bits, Stats others) {
        if (bits == 0) {
            return this;
        }
        short[] mixed = values.clone();
        for (int i = 0; i < COUNT; i++) {
            mixed[i] = (bits >>> i & 1) == 0 ? mixed[i] : others.values[i];
        }
        return new Stats(mixed);
    }

    /** The values other than zero, by decimal index. */
    Map<String, Integer> fields() {
        SequencedMap<String, Integer> fields = new LinkedHashMap<>();
        for (int i = 0; i < COUNT; i++) {
            if (values[i] != 0) {
                fields.put(Integer.toString(i), (int) values[i]);
            }
        }
        return fields;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Stats that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return fields().toString();
    }
}
