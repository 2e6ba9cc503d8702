package dev.wishdir.bench;

import dev.wishdir.quake3.map.PakFolder;

import java.io.IOException;
import java.nio.file.Path;

/** A map out of the game's data, where they are installed. */
final class StockMap {
    private static final int LONGEST = 64 << 20;

    private StockMap() {}

    /**
     * The bytes of a map.
     *
     * @param name as players call it
     * @throws IOException if no game is installed here, or it has no such map
     */
    static byte[] read(String name) throws IOException {
        Path folder =
                PakFolder.usual()
                        .orElseThrow(() ->
                                new IOException("there is no OpenArena and no Quake III here"));
        return PakFolder.read(folder)
                .file("maps/" + name + ".bsp", LONGEST)
                .orElseThrow(() -> new IOException(folder + " has no map " + name));
    }
}
