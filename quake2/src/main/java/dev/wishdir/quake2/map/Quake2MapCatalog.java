package dev.wishdir.quake2.map;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.movement.PlayerPhysics;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.Box;
import dev.wishdir.world.Bsp38;
import dev.wishdir.world.CollisionSpace;
import dev.wishdir.world.MalformedMapException;
import dev.wishdir.world.MapEntities;
import dev.wishdir.world.Vec3f;
import dev.wishdir.world.blocks.ArenaCatalog;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.BodyDimensions;
import dev.wishdir.world.blocks.StockMap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The maps that can be played: the generated one, and those of the operator's game folder. See
 * docs/protocols/quake2.md, 7.
 */
public final class Quake2MapCatalog {
    /** Units: an origin has 16 bits for eighths of them. */
    private static final float MAX_COORDINATE = 4096;

    private static final String GAME = "quake2";
    private static final int SOLID = 1;

    private final Optional<GameFolder> folder;
    private final BlockArena arena;

    /**
     * The even arena, and the operator's maps.
     *
     * @param folder where the operator's maps are
     */
    public Quake2MapCatalog(Optional<Path> folder) {
        this(folder, ArenaCatalog.FLAT);
    }

    /**
     * @param folder where the operator's maps are
     * @param arena what the generated map is built from
     */
    public Quake2MapCatalog(Optional<Path> folder, BlockArena arena) {
        this.folder = folder.map(GameFolder::new);
        this.arena = arena;
    }

    /**
     * Loads a map.
     *
     * @param name empty for the generated one
     * @throws IOException if there is no such map or it is broken; the message says what to do
     */
    public Quake2Map load(String name) throws IOException {
        return name.isEmpty() || name.equals(Bsp38Compiler.name(arena)) ? of(arena) : stock(name);
    }

    private Quake2Map stock(String name) throws IOException {
        if (!isName(name)) {
            throw new IOException(
                    "that is no name of a map: it has letters, digits, _ and - alone");
        }
        if (folder.isEmpty()) {
            throw new IOException(
                    "there is no map '" + name + "': name the game's folder with --quake2-data");
        }
        return level(name, folder.get().read(path(name)), Optional.empty());
    }

    private static boolean isName(String name) {
        return name.matches("[A-Za-z0-9_-]{1,40}");
    }

    private static String path(String name) {
        return "maps/" + name + ".bsp";
    }

    /** The file of a map that is in the operator's folder; nothing where there is none. */
    public Optional<Bytes> file(String name) throws IOException {
        return folder.isEmpty() || !isName(name) ? Optional.empty() : folder.get().find(path(name));
    }

    /**
     * The map that is generated from an arena, whatever it was made of.
     *
     * @throws IOException if the game can't have it
     */
    public static Quake2Map generated(BlockArena arena) throws IOException {
        byte[] file = arena.made("bsp", () -> Bsp38Compiler.file(arena).toArray());
        return level(Bsp38Compiler.name(arena), Bytes.wrap(file), Optional.of(arena));
    }

    /**
     * What the game's clients play of an arena: the map of which it was made, or one that is
     * generated.
     *
     * @throws IOException if the game can't have it
     */
    public Quake2Map of(BlockArena arena) throws IOException {
        Optional<String> original = arena.original(GAME);
        return original.isPresent() ? stock(original.get()).insteadOf(arena) : generated(arena);
    }

    /**
     * A map of which blocks can be made.
     *
     * @param body for which it was made
     * @throws IOException where the file is broken
     */
    public static StockMap stock(String name, byte[] file, BodyDimensions body) throws IOException {
        try {
            Bsp38 bsp = Bsp38.read(file);
            List<Movement> spawns = spawns(bsp);
            if (spawns.isEmpty()) {
                throw new IOException("map " + name + " has no place for players to appear");
            }
            List<StockMap.Carrier> carriers = MoveTriggers.carriers(bsp);
            return new StockMap(
                    body.game(),
                    name,
                    setting(bsp, "message", name),
                    body,
                    bsp.standing(),
                    PlayerPhysics.STOPS_PLAYERS,
                    brush -> (brush.contents() & PlayerPhysics.LADDER) != 0,
                    point -> (bsp.world().contents(point) & SOLID) != 0,
                    space(bsp),
                    spawns,
                    carriers,
                    StockMap.lacking(bsp.standing(), bsp.entities(), carriers));
        } catch (MalformedMapException e) {
            throw new IOException("map " + name + " is broken: " + e.getMessage(), e);
        }
    }

    private static Quake2Map level(String name, Bytes file, Optional<BlockArena> blocks)
            throws IOException {
        try {
            Bsp38 bsp = Bsp38.read(file.toArray());
            List<Movement> spawns = spawns(bsp);
            if (spawns.isEmpty()) {
                throw new IOException("map " + name + " has no place for players to appear");
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
                    PlayerPhysics.in(bsp.world()),
                    MoveTriggers.of(bsp),
                    blocks);
        } catch (MalformedMapException e) {
            throw new IOException("map " + name + " is broken: " + e.getMessage(), e);
        }
    }

    private static CollisionSpace space(Bsp38 bsp) {
        return CollisionSpace.of(
                bsp.world(), Quake2Motion.SCALE, PlayerPhysics.STOPS_PLAYERS, PlayerPhysics.LADDER);
    }

    /** A box of the map in metres, as far as origins on the wire reach. */
    private static Bounds bounds(Box box) {
        return new Bounds(corner(box.mins()), corner(box.maxs()));
    }

    private static Vec3 corner(Vec3f at) {
        return new Vec3(
                Math.clamp(at.x(), -MAX_COORDINATE, MAX_COORDINATE) / Quake2Motion.SCALE,
                Math.clamp(at.y(), -MAX_COORDINATE, MAX_COORDINATE) / Quake2Motion.SCALE,
                Math.clamp(at.z(), -MAX_COORDINATE, MAX_COORDINATE) / Quake2Motion.SCALE);
    }

    /** A setting of the map, or another text where it has none. */
    private static String setting(Bsp38 bsp, String key, String otherwise) {
        List<Map<String, String>> entities = bsp.entities();
        return entities.isEmpty() ? otherwise : entities.getFirst().getOrDefault(key, otherwise);
    }

    /** Where players appear: the places of a deathmatch, or of a single player. */
    private static List<Movement> spawns(Bsp38 bsp) {
        List<Movement> spawns = places(bsp, "info_player_deathmatch");
        return spawns.isEmpty() ? places(bsp, "info_player_start") : spawns;
    }

    private static List<Movement> places(Bsp38 bsp, String kind) {
        List<Movement> places = new ArrayList<>();
        for (Map<String, String> entity : bsp.entities()) {
            Optional<Vec3f> origin = MapEntities.vector(entity, "origin");
            if (kind.equals(entity.get("classname")) && origin.isPresent()) {
                Vec3f at = origin.get();
                float angle = MapEntities.number(entity.getOrDefault("angle", "0")).orElse(0f);
                places.add(Quake2Motion.placed(at.x(), at.y(), at.z(), angle));
            }
        }
        return places;
    }
}
