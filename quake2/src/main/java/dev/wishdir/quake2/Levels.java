package dev.wishdir.quake2;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The maps that can be played: the generated one, and those of the operator's game folder. */
final class Levels {
    private final Optional<GameFolder> folder;

    /**
     * @param folder where the operator's maps are
     */
    Levels(Optional<Path> folder) {
        this.folder = folder.map(GameFolder::new);
    }

    /**
     * Loads a map.
     *
     * @param name empty for the generated one
     * @throws IOException if there is no such map or it is broken; the message says what to do
     */
    Level load(String name) throws IOException {
        if (name.isEmpty() || name.equals(BoxMap.NAME)) {
            return level(BoxMap.NAME, BoxMap.file());
        }
        if (!name.matches("[A-Za-z0-9_-]{1,40}")) {
            throw new IOException("'" + Roster.text(name, 40) + "' is no name of a map");
        }
        if (folder.isEmpty()) {
            throw new IOException(
                    "there is no map '" + name + "': name the game's folder with --quake2-data");
        }
        return level(name, folder.get().read("maps/" + name + ".bsp"));
    }

    private static Level level(String name, Bytes file) throws IOException {
        try {
            Bsp38 bsp = new Bsp38(file);
            if (bsp.spawns().isEmpty()) {
                throw new IOException("map " + name + " has no place for players to appear");
            }
            return new Level(
                    name,
                    Roster.text(bsp.setting("message", name), 63),
                    file,
                    Roster.text(bsp.setting("sky", "unit1_"), 63),
                    bsp.inlineModels(),
                    bsp.areaBytes(),
                    bsp.spawns(),
                    new Pmove(new Solids(bsp.tree()), 0));
        } catch (MalformedPacketException e) {
            throw new IOException("map " + name + " is broken: " + e.getMessage(), e);
        }
    }
}
