package dev.wishdir.quake2;

import dev.wishdir.idtech.Bsp38;
import dev.wishdir.idtech.PlaneWorld;
import dev.wishdir.inspect.capture.Captures;

import java.util.List;

/** Captures of two other engines' clients and servers. */
public final class Quake2Captures {
    public static final Captures FILES = Captures.in("captures");

    public static final List<String> NAMES =
            List.of(
                    "01a-oob-yquake2",
                    "01b-oob-q2pro",
                    "02-yq2server-yq2client",
                    "03-yq2server-two-clients",
                    "04-yq2server-loss",
                    "05-q2proserver-q2proclient",
                    "06-q2proserver-yq2client",
                    "07-mapchange-kick-shutdown",
                    "08-download",
                    "09-longrun-sequences",
                    "10-trace-yq2server-box1",
                    "11-trace-q2proserver-box1");

    private Quake2Captures() {}

    public static boolean isServer(int port) {
        return port == 27910 || port == 27912 || port == 27914;
    }

    /** What players run into on one of the captures' maps. */
    public static PlaneWorld world(String map) {
        return Bsp38.read(FILES.file(map).toArray()).world();
    }
}
