package dev.wishdir.bench;

import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.map.Quake3MapCatalog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The generated arena for another server: all who are in it see each other. */
final class GeneratedPak {
    private GeneratedPak() {}

    /**
     * Writes it as a pk3 file.
     *
     * @param folder is made where it is not
     * @return the name of its map
     */
    static String write(Path folder) throws IOException {
        Quake3Map map = new Quake3MapCatalog(Optional.empty()).load("");
        Quake3Map.Offer offer = map.offer().orElseThrow();
        Files.createDirectories(folder);
        Files.write(folder.resolve(offer.pak().name() + ".pk3"), offer.file().toArray());
        return map.name();
    }
}
