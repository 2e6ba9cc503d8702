package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

import java.util.List;

/**
 * Three numbers of the wire that belong together: a place in eighths of a unit, or pitch, yaw and
 * roll.
 */
public record Triple(int x, int y, int z) {
    public static final Triple ZERO = new Triple(0, 0, 0);

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
