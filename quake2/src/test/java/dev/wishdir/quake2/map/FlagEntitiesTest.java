package dev.wishdir.quake2.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.idtech.PlaneWorld;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.Quake2Captures;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class FlagEntitiesTest {
    private static final PlaneWorld WORLD = Quake2Captures.world("q2combat.bsp");

    private static Map<String, String> entity(String classname, String origin) {
        return Map.of("classname", classname, "origin", origin, "angle", "90");
    }

    @Test
    void readsFlagsThatStandOnTheFloorAndSpawnsOfTeams() {
        FlagBases bases =
                FlagEntities.bases(
                                List.of(
                                        entity("item_flag_team1", "64 0 40"),
                                        entity("item_flag_team2", "-64 32 40"),
                                        entity("info_player_team2", "-96 32 24"),
                                        entity("info_player_deathmatch", "0 0 24")),
                                WORLD)
                        .orElseThrow();
        assertThat(bases.red().flag().distance(new Vec3(2, 0, 0))).isLessThan(0.05);
        assertThat(bases.blue().flag().distance(new Vec3(-2, 1, 0))).isLessThan(0.05);
        assertThat(bases.red().spawns()).isEmpty();
        assertThat(bases.blue().spawns()).hasSize(1);
        assertThat(bases.blue().spawns()).extracting(Movement::yaw).containsExactly(90.0);
    }

    @Test
    void hasNoBasesWithOneFlagOrInASolid() {
        assertThat(FlagEntities.bases(List.of(entity("item_flag_team1", "0 0 40")), WORLD))
                .isEmpty();
        assertThat(
                        FlagEntities.bases(
                                List.of(
                                        entity("item_flag_team1", "0 0 40"),
                                        entity("item_flag_team2", "0 0 -8")),
                                WORLD))
                .isEmpty();
    }
}
