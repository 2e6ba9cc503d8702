package dev.wishdir.quake3.map;

import dev.wishdir.world.MalformedMapException;
import dev.wishdir.world.blocks.Arenas;
import dev.wishdir.world.blocks.BlockArena;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The maps that can be played: the generated one, and those of the operator's game folder. */
public final class Levels {
    /** Far more than any stock map has. */
    private static final int LONGEST_MAP = 64 << 20;

    private final Optional<Path> folder;
    private final BlockArena arena;

    /**
     * The even arena, and the operator's maps.
     *
     * @param folder where the operator's maps are
     */
    public Levels(Optional<Path> folder) {
        this(folder, Arenas.FLAT);
    }

    /**
     * @param folder where the operator's maps are
     * @param arena what the generated map is built from
     */
    public Levels(Optional<Path> folder, BlockArena arena) {
        this.folder = folder;
        this.arena = arena;
    }

    /**
     * The map that is generated from an arena.
     *
     * @throws IOException if the game can't have it
     */
    public static Level of(BlockArena arena) throws IOException {
        return BlockMap.build(arena);
    }

    /**
     * Loads a map.
     *
     * @param name empty for the generated one
     * @throws IOException if there is no such map or it is broken; the message says what to do
     */
    public Level load(String name) throws IOException {
        if (name.isEmpty() || name.equals(BlockMap.name(arena))) {
            return of(arena);
        }
        if (!name.matches("[A-Za-z0-9_-]{1,40}")) {
            throw new IOException("'" + name + "' is no name of a map");
        }
        if (folder.isEmpty()) {
            throw new IOException(
                    "there is no map '"
                            + name
                            + "': no game is installed; name its folder with --quake3-data");
        }
        PakFolder paks = PakFolder.read(folder.get());
        String file = "maps/" + name + ".bsp";
        byte[] bsp =
                paks.file(file, LONGEST_MAP)
                        .orElseThrow(() ->
                                new IOException(
                                        "there is no map '"
                                                + name
                                                + "': no pk3 file in "
                                                + paks.folder()
                                                + " holds "
                                                + file));
        try {
            return Level.read(name, bsp, Optional.empty());
        } catch (MalformedMapException e) {
            throw new IOException("the map '" + name + "' is broken: " + e.getMessage(), e);
        }
    }
}
