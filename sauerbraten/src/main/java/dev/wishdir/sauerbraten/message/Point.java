package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;

import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Wire;

/** A point of the world, sixteenths of a unit. */
public record Point(int x, int y, int z) implements Fields.Tuple {
    /** The corner of the world. */
    public static final Point BLANK = new Point(0, 0, 0);

    /** The nearest point to a place, units. */
    public static Point of(Vec3 units) {
        return new Point(
                (int) Math.round(units.x() * 16),
                (int) Math.round(units.y() * 16),
                (int) Math.round(units.z() * 16));
    }

    /** Its place, units. */
    public Vec3 units() {
        return new Vec3(x, y, z).times(1 / 16.0);
    }

    public static Point wire(Wire w, Point m) {
        return new Point(coordinate(w, "x", m.x), coordinate(w, "y", m.y), coordinate(w, "z", m.z));
    }

    /** A point in the scope of its own name. */
    static Point wire(Wire w, String name, Point m) {
        w.pushScope(name);
        Point point = wire(w, m);
        w.popScope();
        return point;
    }

    static int coordinate(Wire w, String name, int value) {
        int read = integer(w, name, value);
        if (w.tracing()) {
            w.annotate(read / 16.0 + " units");
        }
        return read;
    }
}
