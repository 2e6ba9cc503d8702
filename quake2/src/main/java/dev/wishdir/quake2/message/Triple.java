package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

import java.util.List;

/**
 * Three numbers of the wire that belong together: a place in eighths of a unit, or pitch, yaw and
 * roll.
 */
public record Triple(int x, int y, int z) {
    public static final Triple ZERO = new Triple(0, 0, 0);

    /** Three numbers, which most often are none but zeros. */
    static Triple of(int x, int y, int z) {
        return (x | y | z) == 0 ? ZERO : new Triple(x, y, z);
    }

    /** These numbers as far as they are told, those of another where not; the other if none is. */
    Triple over(Triple other, boolean hasX, boolean hasY, boolean hasZ) {
        return hasX || hasY || hasZ
                ? new Triple(hasX ? x : other.x, hasY ? y : other.y, hasZ ? z : other.z)
                : other;
    }

    /** Three signed shorts. */
    static Triple i16(Wire w, String name, Triple value) {
        w.begin(name);
        Triple triple =
                new Triple(w.i16le("x", value.x), w.i16le("y", value.y), w.i16le("z", value.z));
        w.end(triple);
        return triple;
    }

    /** Three signed bytes. */
    static Triple i8(Wire w, String name, Triple value) {
        w.begin(name);
        Triple triple = new Triple(w.i8("x", value.x), w.i8("y", value.y), w.i8("z", value.z));
        w.end(triple);
        return triple;
    }

    /** The numbers in order. */
    public List<Integer> list() {
        return List.of(x, y, z);
    }

    @Override
    public String toString() {
        return x + " " + y + " " + z;
    }
}
