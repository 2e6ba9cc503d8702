package dev.wishdir.quake3.map;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.level.MapChanger;
import dev.wishdir.idtech.Box;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.idtech.Bsp46;
import dev.wishdir.idtech.IntermissionView;
import dev.wishdir.idtech.MalformedMapException;
import dev.wishdir.idtech.MapSpace;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.movement.Pmove;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.wire.Bytes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A map as the server plays it.
 *
 * @param name the client loads {@code maps/NAME.bsp}
 * @param title shown to players while they load the map
 * @param map solids and entities of the file
 * @param world the static solids
 * @param spawns at least one
 * @param intermission the view between two rounds; empty where each player keeps its own
 * @param offer the file that a client without the map may download
 * @param bounds in which bodies can be, metres
 * @param blocks the arena that it was generated from, or that was made from it
 */
public record Quake3Map(
        String name,
        String title,
        Bsp46 map,
        BrushWorld world,
        List<Spawn> spawns,
        Optional<IntermissionView> intermission,
        Optional<Offer> offer,
        Bounds bounds,
        Optional<BlockArena> blocks)
        implements MapChanger.GameMap {
    /** Entity classes of spawn points; the first one that the map has is used. */
    private static final List<String> SPAWN_CLASSES =
            List.of(
                    "info_player_deathmatch",
                    "info_player_start",
                    "team_CTF_redspawn",
                    "team_CTF_bluespawn");

    /** The flag of an entity that another one switches on. */
    private static final int START_OFF = 1;

    /** Spawn point of a player: units, degrees. */
    public record Spawn(Vec3f origin, double yaw) {}

    /**
     * A pk3 file for clients to download.
     *
     * @param pak name and checksums of the file
     */
    public record Offer(Bytes file, Pak pak) {}

    /**
     * Reads a map.
     *
     * @throws MalformedMapException if the file is not an IBSP 46, or has no spawn points
     */
    static Quake3Map read(String name, byte[] bsp, Optional<Offer> offer) {
        Bsp46 map = Bsp46.read(bsp);
        List<Spawn> spawns =
                SPAWN_CLASSES.stream()
                        .map(spawnClass -> spawns(map, spawnClass))
                        .filter(found -> !found.isEmpty())
                        .findFirst()
                        .orElseThrow(() ->
                                new MalformedMapException(
                                        0, "it has no spawn points (info_player_deathmatch)"));
        String title =
                map.entities().isEmpty()
                        ? ""
                        : map.entities().getFirst().getOrDefault("message", "");
        return new Quake3Map(
                name,
                title,
                map,
                map.solids(0),
                spawns,
                IntermissionView.of(map.entities()),
                offer,
                bounds(map),
                Optional.empty());
    }

    /** The box around the world's solids. */
    private static Bounds bounds(Bsp46 map) {
        Box box = map.models().getFirst().bounds();
        if (!box.isOrdered()) {
            throw new MalformedMapException(0, "the bounds of its world are inverted");
        }
        return new Bounds(metres(box.mins()), metres(box.maxs()));
    }

    private static Vec3 metres(Vec3f units) {
        return new Vec3(units.x(), units.y(), units.z()).times(1 / Quake3Motion.SCALE);
    }

    /** This map as generated from an arena, whose bounds do not include the walls. */
    Quake3Map of(BlockArena arena) {
        return new Quake3Map(
                name,
                title,
                map,
                world,
                spawns,
                intermission,
                offer,
                arena.bounds(),
                Optional.of(arena));
    }

    /** This map as the origin of an arena: clients of this game play it instead of the blocks. */
    Quake3Map insteadOf(BlockArena arena) {
        return new Quake3Map(
                name, title, map, world, spawns, intermission, offer, bounds, Optional.of(arena));
    }

    private boolean isGenerated() {
        return offer.isPresent();
    }

    /** The level for the arena. */
    public dev.wishdir.arena.event.Level played() {
        List<dev.wishdir.arena.event.Level.File> files =
                offer
                        .map(each ->
                                new dev.wishdir.arena.event.Level.File(
                                        each.pak().name() + ".pk3", each.file()))
                        .stream()
                        .toList();
        return blocks.filter(_ -> isGenerated())
                .map(arena -> dev.wishdir.arena.event.Level.of(arena).with(files))
                .orElseGet(() ->
                        new dev.wishdir.arena.event.Level(
                                        name, bounds, space(), spawnMovements(), files)
                                .withItems(
                                        blocks.map(BlockArena::items)
                                                .orElseGet(() -> MapItems.of(entities(), world)))
                                .withBases(FlagEntities.bases(map.entities(), world)));
    }

    /** The spawn points in a match with flags: with those of the teams. */
    public List<Spawn> flagSpawns() {
        List<Spawn> all = new ArrayList<>(spawns);
        FlagEntities.bases(map.entities(), world)
                .ifPresent(bases ->
                        Stream.of(bases.red(), bases.blue())
                                .flatMap(base -> base.spawns().stream())
                                .map(Quake3Map::spawn)
                                .filter(spawn -> !all.contains(spawn))
                                .forEach(all::add));
        return List.copyOf(all);
    }

    private static Spawn spawn(Movement at) {
        Vec3 origin =
                at.position().times(Quake3Motion.SCALE).plus(new Vec3(0, 0, Quake3Motion.FEET));
        return new Spawn(
                new Vec3f((float) origin.x(), (float) origin.y(), (float) origin.z()), at.yaw());
    }

    /** The static solids that stop a player's body, and what hurts it. */
    CollisionSpace space() {
        return space(world);
    }

    /** As {@link #space()}, with other solids. */
    MapSpace space(BrushWorld solids) {
        return new MapSpace(solids, Quake3Motion.SCALE, Pmove.MASK, 0, hurtAreas());
    }

    /** The areas that hurt from the start. */
    private List<Bounds> hurtAreas() {
        return entities().stream()
                .filter(entity -> entity.classname().equals("trigger_hurt"))
                .filter(entity -> !entity.flag(START_OFF))
                .flatMap(entity -> area(entity).stream())
                .toList();
    }

    /** The box of an entity with a model, metres; empty if it has none. */
    Optional<Bounds> area(MapEntity entity) {
        return map.model(entity.keys())
                .map(model -> map.models().get(model).bounds())
                .filter(Box::isOrdered)
                .map(box ->
                        new Bounds(
                                metres(box.mins().plus(entity.origin())),
                                metres(box.maxs().plus(entity.origin()))));
    }

    private List<Movement> spawnMovements() {
        return spawns.stream()
                .map(spawn ->
                        Movement.at(
                                Quake3Motion.feet(
                                        spawn.origin().x(), spawn.origin().y(), spawn.origin().z()),
                                Angles.wrap360(spawn.yaw())))
                .toList();
    }

    /** The entities that exist in free-for-all games. */
    public List<MapEntity> entities() {
        return entities(map);
    }

    /** The first entity of a class with this target name. */
    public Optional<MapEntity> named(String classname, String targetname) {
        return entities().stream()
                .filter(entity ->
                        !targetname.isEmpty()
                                && entity.classname().equals(classname)
                                && entity.text("targetname").equals(targetname))
                .findFirst();
    }

    private static List<MapEntity> entities(Bsp46 map) {
        return map.entities().stream()
                .map(MapEntity::new)
                .filter(MapEntity::isInFreeForAll)
                .toList();
    }

    private static List<Spawn> spawns(Bsp46 map, String spawnClass) {
        List<Spawn> spawns = new ArrayList<>();
        for (MapEntity entity : entities(map)) {
            if (spawnClass.equals(entity.classname())) {
                entity.vector("origin")
                        .ifPresent(origin -> spawns.add(new Spawn(origin, entity.angles().y())));
            }
        }
        return List.copyOf(spawns);
    }
}
