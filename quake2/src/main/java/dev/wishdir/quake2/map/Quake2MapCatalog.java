package dev.wishdir.quake2.map;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.game.level.MapChanger;
import dev.wishdir.idtech.Box;
import dev.wishdir.idtech.Bsp38;
import dev.wishdir.idtech.IntermissionView;
import dev.wishdir.idtech.MalformedMapException;
import dev.wishdir.idtech.MapEntities;
import dev.wishdir.idtech.MapSpace;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.movement.Pmove;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The available maps: those generated from arenas, and those in the operator's game folder. See
 * docs/protocols/quake2.md, 7.
 */
public final class Quake2MapCatalog implements MapChanger.Catalog<Quake2Map> {
    /** Units: an origin has 16 bits for eighths of them. */
    private static final float MAX_COORDINATE = 4096;

    /** The flag of an area that another entity switches on. */
    private static final int START_OFF = 1;

    private static final String GAME = "quake2";
    private static final int SOLID = 1;

    private final Optional<GameFolder> folder;
    private final BlockArena arena;

    /**
     * The flat arena, and the operator's maps.
     *
     * @param folder with the operator's maps
     */
    public Quake2MapCatalog(Optional<Path> folder) {
        this(folder, ArenaCatalog.FLAT);
    }

    /**
     * @param folder with the operator's maps
     * @param arena from which the generated map is built
     */
    public Quake2MapCatalog(Optional<Path> folder, BlockArena arena) {
        this.folder = folder.map(GameFolder::new);
        this.arena = arena;
    }

    /**
     * Loads a map.
     *
     * @param name empty for the generated one
     * @throws IOException if there is no such map or it is malformed; the message says what to do
     */
    @Override
    public Quake2Map load(String name) throws IOException {
        return name.isEmpty() || name.equals(arena.mapName()) ? of(arena) : stock(name);
    }

    private Quake2Map stock(String name) throws IOException {
        if (!isName(name)) {
            throw new IOException(
                    "'" + name + "' is not a map name: use 1 to 40 letters, digits, _ and -");
        }
        if (folder.isEmpty()) {
            throw new IOException(
                    "there is no map '" + name + "': set the game's folder with option data");
        }
        return level(name, folder.get().read(path(name)), Optional.empty());
    }

    private static boolean isName(String name) {
        return name.matches("[A-Za-z0-9_-]{1,40}");
    }

    private static String path(String name) {
        return "maps/" + name + ".bsp";
    }

    /** The file of a map in the operator's folder; empty if there is none. */
    public Optional<Bytes> file(String name) throws IOException {
        return folder.isEmpty() || !isName(name) ? Optional.empty() : folder.get().find(path(name));
    }

    /**
     * The map generated from an arena, whatever the arena was made from.
     *
     * @throws IOException if the game can't have it
     */
    public static Quake2Map generated(BlockArena arena) throws IOException {
        byte[] file = arena.compiled("bsp", () -> Bsp38Compiler.file(arena).toArray());
        return level(arena.mapName(), Bytes.wrap(file), Optional.of(arena));
    }

    /**
     * The map that this game's clients play for an arena: the original from which it was made, or a
     * generated one.
     *
     * @throws IOException if the game can't have it
     */
    @Override
    public Quake2Map of(BlockArena arena) throws IOException {
        Optional<String> original = arena.original(GAME);
        return original.isPresent() ? stock(original.get()).asOriginalOf(arena) : generated(arena);
    }

    /**
     * Parses a map for conversion to blocks.
     *
     * @param body dimensions of the bodies for which it was made
     * @throws IOException if the file is malformed
     */
    public static StockMap stock(String name, byte[] file, BodyDimensions body) throws IOException {
        try {
            Bsp38 bsp = Bsp38.read(file);
            List<Movement> spawns = spawns(bsp);
            if (spawns.isEmpty()) {
                throw noSpawnPoints(name);
            }
            List<StockMap.TriggerArea> carriers = MoveTriggers.carriers(bsp);
            return new StockMap(
                    body.game(),
                    name,
                    setting(bsp, "message", name),
                    body,
                    bsp.standing(),
                    Pmove.STOPS_PLAYERS,
                    brush -> (brush.contents() & Pmove.LADDER) != 0,
                    point -> (bsp.world().contents(point) & SOLID) != 0,
                    space(bsp),
                    spawns,
                    carriers,
                    MapItems.of(bsp.entities(), bsp.world()),
                    Optional.empty(),
                    StockMap.unsupported(bsp.standing(), bsp.entities(), carriers));
        } catch (MalformedMapException e) {
            throw malformed(name, e);
        }
    }

    private static Quake2Map level(String name, Bytes file, Optional<BlockArena> blocks)
            throws IOException {
        try {
            Bsp38 bsp = Bsp38.read(file.toArray());
            List<Movement> spawns = spawns(bsp);
            if (spawns.isEmpty()) {
                throw noSpawnPoints(name);
            }
            return new Quake2Map(
                    name,
                    setting(bsp, "message", name),
                    file,
                    setting(bsp, "sky", "unit1_"),
                    Math.max(0, bsp.models() - 1),
                    Math.clamp((bsp.areas() + 7) / 8, 1, 32),
                    bounds(bsp.bounds()),
                    space(bsp),
                    spawns,
                    IntermissionView.of(bsp.entities()),
                    new Pmove(bsp.world()),
                    MoveTriggers.of(bsp),
                    MapItems.of(bsp.entities(), bsp.world()),
                    FlagEntities.bases(bsp.entities(), bsp.world()),
                    blocks);
        } catch (MalformedMapException e) {
            throw malformed(name, e);
        }
    }

    private static IOException noSpawnPoints(String name) {
        return new IOException(
                "map "
                        + name
                        + " has no spawn points (info_player_deathmatch or info_player_start)");
    }

    private static IOException malformed(String name, MalformedMapException cause) {
        return new IOException("map " + name + " is broken: " + cause.getMessage(), cause);
    }

    private static CollisionSpace space(Bsp38 bsp) {
        List<Bounds> hurtAreas =
                bsp.entities().stream()
                        .filter(entity -> "trigger_hurt".equals(entity.get("classname")))
                        .filter(entity -> !startsOff(entity))
                        .flatMap(entity -> bsp.box(entity.getOrDefault("model", "")).stream())
                        .filter(Box::isOrdered)
                        .map(Quake2MapCatalog::bounds)
                        .toList();
        return new MapSpace(
                bsp.world(), Quake2Motion.SCALE, Pmove.STOPS_PLAYERS, Pmove.LADDER, hurtAreas);
    }

    /** Whether another entity switches an area on. */
    private static boolean startsOff(Map<String, String> entity) {
        float flags = MapEntities.number(entity.getOrDefault("spawnflags", "0")).orElse(0f);
        return ((int) flags & START_OFF) != 0;
    }

    /** The bounds of the map in metres, as far as origins on the wire reach. */
    private static Bounds bounds(Box box) {
        return new Bounds(corner(box.mins()), corner(box.maxs()));
    }

    private static Vec3 corner(Vec3f at) {
        return new Vec3(
                Math.clamp(at.x(), -MAX_COORDINATE, MAX_COORDINATE) / Quake2Motion.SCALE,
                Math.clamp(at.y(), -MAX_COORDINATE, MAX_COORDINATE) / Quake2Motion.SCALE,
                Math.clamp(at.z(), -MAX_COORDINATE, MAX_COORDINATE) / Quake2Motion.SCALE);
    }

    /** A setting of the map, or a default. */
    private static String setting(Bsp38 bsp, String key, String defaultValue) {
        List<Map<String, String>> entities = bsp.entities();
        return entities.isEmpty()
                ? defaultValue
                : entities.getFirst().getOrDefault(key, defaultValue);
    }

    /** The spawn points: those of deathmatch, or of a single player. */
    private static List<Movement> spawns(Bsp38 bsp) {
        List<Movement> spawns = places(bsp.entities(), "info_player_deathmatch");
        return spawns.isEmpty() ? places(bsp.entities(), "info_player_start") : spawns;
    }

    /** The places of entities of a class. */
    static List<Movement> places(List<Map<String, String>> entities, String className) {
        List<Movement> places = new ArrayList<>();
        for (Map<String, String> entity : entities) {
            Optional<Vec3f> origin = MapEntities.vector(entity, "origin");
            if (className.equals(entity.get("classname")) && origin.isPresent()) {
                Vec3f at = origin.get();
                float angle = MapEntities.number(entity.getOrDefault("angle", "0")).orElse(0f);
                places.add(Quake2Motion.placed(at.x(), at.y(), at.z(), angle));
            }
        }
        return places;
    }
}
