package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

import java.util.List;

/** Three integers of the wire: a position in eighths of a unit, or pitch, yaw and roll. */
public record Triple(int x, int y, int z) {
    public static final Triple ZERO = new Triple(0, 0, 0);

    /** A triple that shares one object for zero, the most frequent value. */
    static Triple of(int x, int y, int z) {
        return (x | y | z) == 0 ? ZERO : new Triple(x, y, z);
    }

    /** The components that are sent from this triple, the others from a base. */
    Triple over(Triple base, boolean hasX, boolean hasY, boolean hasZ) {
        return hasX || hasY || hasZ
                ? new Triple(hasX ? x : base.x, hasY ? y : base.y, hasZ ? z : base.z)
                : base;
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

    /** The components in order. */
    public List<Integer> list() {
        return List.of(x, y, z);
    }

    @Override
    public String toString() {
        return x + " " + y + " " + z;
    }
}
