package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;

import dev.wishdir.wire.Wire;

/** A direction as a vector of length 100. */
public record Heading(int x, int y, int z) implements Fields.Tuple {
    public static final Heading BLANK = new Heading(0, 0, 0);

    static Heading wire(Wire w, String name, Heading m) {
        w.pushScope(name);
        Heading heading =
                new Heading(hundredth(w, "x", m.x), hundredth(w, "y", m.y), hundredth(w, "z", m.z));
        w.popScope();
        return heading;
    }

    private static int hundredth(Wire w, String name, int value) {
        int read = integer(w, name, value);
        if (w.tracing()) {
            w.annotate(String.valueOf(read / 100.0));
        }
        return read;
    }
}
