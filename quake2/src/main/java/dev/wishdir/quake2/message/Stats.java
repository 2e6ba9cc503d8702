package dev.wishdir.quake2.message;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/** The 32 values of a player's status bar; immutable. See docs/protocols/quake2.md, 3.2. */
public final class Stats {
    /** Number of values. */
    public static final int COUNT = 32;

    /** Index of the picture of the health. */
    public static final int HEALTH_ICON = 0;

    /** Index of the health; the player is dead at 0 and below. */
    public static final int HEALTH = 1;

    /** Index of the picture of the ammunition; 0 hides it and its number. */
    public static final int AMMO_ICON = 2;

    public static final int AMMO = 3;

    /** Index of the picture of the armour; 0 hides it and its number. */
    public static final int ARMOUR_ICON = 4;

    public static final int ARMOUR = 5;

    /** Index of the picture of the chosen item; 0 for none. */
    public static final int SELECTED_ICON = 6;

    /** Index of the picture of what was picked up; 0 for none. */
    public static final int PICKUP_ICON = 7;

    /** Index of the name of what was picked up: the number of a configstring. */
    public static final int PICKUP_STRING = 8;

    /** Index of the picture of what works for a time; 0 for none. */
    public static final int TIMER_ICON = 9;

    /** Index of the seconds for which that still works. */
    public static final int TIMER = 10;

    /** Index of the number of the chosen item. */
    public static final int SELECTED_ITEM = 12;

    /** Index of the overlays: 1 layout, 2 inventory. */
    public static final int LAYOUTS = 13;

    public static final int FRAGS = 14;

    /** Index of what flashes in this frame: 1 health, 2 armour. */
    public static final int FLASHES = 15;

    /** Index of the picture of the flag that the player carries; 0 for none. */
    public static final int FLAG_ICON = 18;

    /** Index of the state of the red flag: the number of a configstring, 0 for no flags. */
    public static final int RED_FLAG = 19;

    /** Index of the state of the blue flag. */
    public static final int BLUE_FLAG = 20;

    /** Index of the flags that the red team captured. */
    public static final int RED_CAPTURES = 21;

    /** Index of the flags that the blue team captured. */
    public static final int BLUE_CAPTURES = 22;

    public static final Stats ZERO = new Stats(new short[COUNT]);

    private final short[] values;

    private Stats(short[] values) {
        this.values = values;
    }

    /** A value, signed 16 bits. */
    public int get(int index) {
        return values[index];
    }

    /** These stats with another value, clamped to signed 16 bits. */
    public Stats with(int index, int value) {
        short[] changed = values.clone();
        changed[index] = (short) Math.clamp(value, Short.MIN_VALUE, Short.MAX_VALUE);
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
