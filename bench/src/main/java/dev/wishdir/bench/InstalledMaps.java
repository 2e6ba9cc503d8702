package dev.wishdir.bench;

import dev.wishdir.quake3.map.PakSearchPath;

import java.io.IOException;
import java.nio.file.Path;

/** A map out of the game's data, where they are installed. */
final class InstalledMaps {
    private static final int MAX_MAP_BYTES = 64 << 20;

    private InstalledMaps() {}

    /**
     * The bytes of a map.
     *
     * @param name as players call it
     * @throws IOException if no game is installed here, or it has no such map
     */
    static byte[] read(String name) throws IOException {
        Path folder =
                PakSearchPath.usual()
                        .orElseThrow(() ->
                                new IOException("there is no OpenArena and no Quake III here"));
        return PakSearchPath.read(folder)
                .file("maps/" + name + ".bsp", MAX_MAP_BYTES)
                .orElseThrow(() -> new IOException(folder + " has no map " + name));
    }
}
