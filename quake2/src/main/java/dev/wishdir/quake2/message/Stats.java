package dev.wishdir.quake2.message;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The 32 numbers that a player's status bar shows; immutable. See docs/protocols/quake2.md, 3.2.
 */
public final class Stats {
    /** How many there are. */
    public static final int COUNT = 32;

    /** The index of the health; 0 and below is dead. */
    public static final int HEALTH = 1;

    /** The index of what is drawn over the view: 1 the layout, 2 the inventory. */
    public static final int LAYOUTS = 13;

    /** All zero. */
    public static final Stats ZERO = new Stats(new short[COUNT]);

    private final short[] values;

    private Stats(short[] values) {
        this.values = values;
    }

    /** The number at an index, signed 16 bits. */
    public int get(int index) {
        return values[index];
    }

    /** With another number at an index; it is cut to 16 bits. */
    public Stats with(int index, int value) {
        short[] changed = values.clone();
        changed[index] = (short) value;
        return new Stats(changed);
    }

    /** A bit for each index where these differ from others. */
    int changed(Stats base) {
        int bits = 0;
        for (int i = 0; i < COUNT; i++) {
            bits |= values[i] == base.values[i] ? 0 : 1 << i;
        }
        return bits;
    }

    /** These, with those of others at the indices whose bits are set. */
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

    /** Those that are not zero, by decimal index. */
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
