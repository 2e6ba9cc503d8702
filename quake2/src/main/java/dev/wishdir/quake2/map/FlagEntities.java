package dev.wishdir.quake2.map;

import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.idtech.MapEntities;
import dev.wishdir.idtech.PlaneWorld;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The flags of a map and the spawn points of its teams, as the game's own add-on has them. */
final class FlagEntities {
    private static final int RED = 1;
    private static final int BLUE = 2;

    private FlagEntities() {}

    /** The bases of both teams; empty if a team has no flag. */
    static Optional<FlagBases> bases(List<Map<String, String>> entities, PlaneWorld world) {
        return base(entities, world, RED)
                .flatMap(
                        red -> base(entities, world, BLUE).map(blue -> FlagBases.ofMap(red, blue)));
    }

    private static Optional<FlagBases.Base> base(
            List<Map<String, String>> entities, PlaneWorld world, int team) {
        return entities.stream()
                .filter(entity ->
                        entity.getOrDefault("classname", "").equals("item_flag_team" + team))
                .flatMap(flag -> MapEntities.vector(flag, "origin").stream())
                .flatMap(origin -> MapItems.place(origin, world).stream())
                .findFirst()
                .map(flag ->
                        new FlagBases.Base(
                                flag,
                                Quake2MapCatalog.places(entities, "info_player_team" + team)));
    }
}
