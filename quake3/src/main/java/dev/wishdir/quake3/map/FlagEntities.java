package dev.wishdir.quake3.map;

import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake3.movement.Quake3Motion;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The flags of a map and the spawn points of its teams, as they are in capture the flag. */
final class FlagEntities {
    private FlagEntities() {}

    /** The bases of both teams; empty if a team has no flag. */
    static Optional<FlagBases> bases(List<Map<String, String>> entities, BrushWorld world) {
        List<MapEntity> all =
                entities.stream().map(MapEntity::new).filter(MapEntity::isInCtf).toList();
        return base(all, world, "red")
                .flatMap(red -> base(all, world, "blue").map(blue -> FlagBases.ofMap(red, blue)));
    }

    private static Optional<FlagBases.Base> base(
            List<MapEntity> entities, BrushWorld world, String team) {
        List<Movement> spawns = spawns(entities, "team_CTF_" + team + "spawn");
        return of(entities, "team_CTF_" + team + "flag").stream()
                .flatMap(flag -> MapItems.place(flag, world).stream())
                .findFirst()
                .map(flag ->
                        new FlagBases.Base(
                                flag,
                                spawns.isEmpty()
                                        ? spawns(entities, "team_CTF_" + team + "player")
                                        : spawns));
    }

    private static List<MapEntity> of(List<MapEntity> entities, String classname) {
        return entities.stream().filter(it -> it.classname().equals(classname)).toList();
    }

    private static List<Movement> spawns(List<MapEntity> entities, String classname) {
        return of(entities, classname).stream()
                .flatMap(spawn ->
                        spawn.vector("origin").stream()
                                .map(at ->
                                        Movement.at(
                                                Quake3Motion.feet(at.x(), at.y(), at.z()),
                                                Angles.wrap360(spawn.angles().y()))))
                .toList();
    }
}
