package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

import java.util.List;

/** The colour over a player's view, each part 0..255. */
public record Blend(int red, int green, int blue, int alpha) {
    public static final Blend NONE = new Blend(0, 0, 0, 0);

    static Blend wire(Wire w, Blend b) {
        w.begin("blend");
        Blend blend =
                new Blend(
                        w.u8("red", b.red),
                        w.u8("green", b.green),
                        w.u8("blue", b.blue),
                        w.u8("alpha", b.alpha));
        w.end(blend);
        return blend;
    }

    List<Integer> list() {
        return List.of(red, green, blue, alpha);
    }
}
