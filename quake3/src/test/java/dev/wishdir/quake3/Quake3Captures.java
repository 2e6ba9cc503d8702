package dev.wishdir.quake3;

import dev.wishdir.inspect.capture.Captures;

import java.util.List;

/** The captures among the test resources, with maps, vectors and tables. */
public final class Quake3Captures {
    public static final Captures FILES = Captures.in("dev/wishdir/quake3");

    public static final List<String> NAMES =
            List.of(
                    "oa-legacy71-aggressor-2clients",
                    "oa-legacy71-labbox-download",
                    "oa-legacy71-pure-mapchange",
                    "ioq3-modern71-aggressor-2clients",
                    "ioq3-dual-71-68-aggressor",
                    "q3-ctf-duel",
                    "q3-ctf-real-client",
                    "trace-aggressor-float",
                    "trace-labbox-float",
                    "trace-labbox-snap");

    private Quake3Captures() {}
}
