package dev.wishdir.quake3.map;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.game.level.MapChanger;
import dev.wishdir.idtech.Brush;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.idtech.Bsp46;
import dev.wishdir.idtech.MalformedMapException;
import dev.wishdir.quake3.movement.Pmove;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The maps that the server can play: a generated one, and those of the game folder. */
public final class Quake3MapCatalog implements MapChanger.Catalog<Quake3Map> {
    /** Maximum length of a map file; far more than any stock map has. */
    private static final int MAX_MAP_BYTES = 64 << 20;

    private static final String GAME = "quake3";

    /** Entity classes whose models never move. */
    private static final Set<String> STANDING = Set.of("func_static");

    private final Optional<Path> folder;
    private final BlockArena arena;

    /**
     * A catalog of the flat arena and the operator's maps.
     *
     * @param folder the game folder with the operator's maps
     */
    public Quake3MapCatalog(Optional<Path> folder) {
        this(folder, ArenaCatalog.FLAT);
    }

    /**
     * @param folder the game folder with the operator's maps
     * @param arena from which the generated map is built
     */
    public Quake3MapCatalog(Optional<Path> folder, BlockArena arena) {
        this.folder = folder;
        this.arena = arena;
    }

    /**
     * The map that is generated from an arena, whatever the arena was made from.
     *
     * @throws IOException if the game can't represent it
     */
    public static Quake3Map generated(BlockArena arena) throws IOException {
        return Bsp46Compiler.build(arena);
    }

    /**
     * The map of an arena for clients: the one that the arena was made from, or a generated one.
     *
     * @throws IOException if the game can't represent it
     */
    @Override
    public Quake3Map of(BlockArena arena) throws IOException {
        Optional<String> original = arena.original(GAME);
        return original.isPresent() ? stock(original.get()).insteadOf(arena) : generated(arena);
    }

    /**
     * Loads a map.
     *
     * @param name empty for the map of the arena
     * @throws IOException if there is no such map or it is broken; the message says what to do
     */
    @Override
    public Quake3Map load(String name) throws IOException {
        return name.isEmpty() || name.equals(arena.mapName()) ? of(arena) : stock(name);
    }

    private Quake3Map stock(String name) throws IOException {
        if (!isName(name)) {
            throw new IOException("'" + name + "' is not a name of a map");
        }
        if (folder.isEmpty()) {
            throw new IOException(
                    "there is no map '"
                            + name
                            + "': no game is installed; name its folder with option data");
        }
        PakSearchPath paks = PakSearchPath.read(folder.get());
        byte[] bsp =
                paks.file(path(name), MAX_MAP_BYTES)
                        .orElseThrow(() ->
                                new IOException(
                                        "there is no map '"
                                                + name
                                                + "': no pk3 file in "
                                                + paks.folder()
                                                + " holds "
                                                + path(name)));
        try {
            return Quake3Map.read(name, bsp, Optional.empty());
        } catch (MalformedMapException e) {
            throw new IOException("the map '" + name + "' is broken: " + e.getMessage(), e);
        }
    }

    private static boolean isName(String name) {
        return name.matches("[A-Za-z0-9_-]{1,40}");
    }

    private static String path(String name) {
        return "maps/" + name + ".bsp";
    }

    /** The file of a map in the operator's paks; empty if no pak contains it. */
    public Optional<byte[]> file(String name) throws IOException {
        return folder.isEmpty() || !isName(name)
                ? Optional.empty()
                : PakSearchPath.read(folder.get()).file(path(name), MAX_MAP_BYTES);
    }

    /**
     * A map from which blocks can be made.
     *
     * @param body dimensions for which the map was made
     * @throws IOException if the file is broken
     */
    public static StockMap stock(String name, byte[] file, BodyDimensions body) throws IOException {
        try {
            Quake3Map level = Quake3Map.read(name, file, Optional.empty());
            Bsp46 map = level.map();
            List<Brush> brushes = map.standing(STANDING);
            List<StockMap.TriggerArea> carriers = MoveTriggers.of(level);
            return new StockMap(
                    body.game(),
                    name,
                    level.title(),
                    body,
                    brushes,
                    Pmove.MASK,
                    Quake3MapCatalog::isLadder,
                    point -> map.leafs().area(point) < 0,
                    level.space(new BrushWorld(brushes)),
                    level.played().spawns(),
                    carriers,
                    MapItems.of(level.entities(), level.world()),
                    FlagEntities.bases(map.entities(), level.world()),
                    StockMap.unsupported(
                            brushes,
                            level.entities().stream().map(MapEntity::keys).toList(),
                            carriers));
        } catch (MalformedMapException e) {
            throw new IOException("the map '" + name + "' is broken: " + e.getMessage(), e);
        }
    }

    /** Whether a brush is a ladder, as generated maps have them. */
    private static boolean isLadder(Brush brush) {
        return (brush.contents() & Pmove.PLAIN_WATER) != 0
                && brush.sides().stream()
                        .allMatch(side -> (side.surface() & Bsp46Compiler.LADDER) != 0);
    }
}
