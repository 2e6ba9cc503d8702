package dev.wishdir.quake3.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The flags of maps, and the spawn points of teams. */
@Tag("slow")
class FlagEntitiesTest {
    private static final Path DATA = Path.of("/usr/share/games/openarena/baseoa");

    @TempDir Path folder;

    private static TestMap room() {
        return new TestMap("0 0 24")
                .entity("classname", "team_CTF_redflag", "origin", "-320 0 100")
                .entity("classname", "team_CTF_blueplayer", "origin", "256 64 24", "angle", "180")
                .entity("classname", "team_CTF_redplayer", "origin", "0 128 24")
                .entity("classname", "team_CTF_redspawn", "origin", "-256 64 24", "angle", "90")
                .entity("classname", "team_CTF_redspawn", "origin", "0 0 24", "notteam", "1");
    }

    private Optional<FlagBases> bases(TestMap map) throws IOException {
        return map.levels(folder).load(TestMap.NAME).played().bases();
    }

    @Test
    void readsFlagsOnGroundAndSpawnsOfTeams() throws IOException {
        TestMap map =
                room().entity(
                                "classname",
                                "team_CTF_blueflag",
                                "origin",
                                "64 0 20",
                                "gametype",
                                "dd, ctfelim")
                        .entity(
                                "classname",
                                "team_CTF_blueflag",
                                "origin",
                                "320 0 20",
                                "gametype",
                                "oneflag, ctf");
        FlagBases bases = bases(map).orElseThrow();
        assertThat(bases.red().flag().distance(new Vec3(-10, 0, 0))).isLessThan(0.01);
        assertThat(bases.blue().flag().distance(new Vec3(10, 0, 0))).isLessThan(0.01);
        assertThat(bases.red().spawns()).containsExactly(Movement.at(new Vec3(-8, 2, 0), 90));
        assertThat(bases.blue().spawns())
                .as("without respawns those of the start")
                .containsExactly(Movement.at(new Vec3(8, 2, 0), 180));
    }

    @Test
    void givesSpawnOfBothTeamsToRed() throws IOException {
        String[] spawn = {"classname", "team_CTF_bluespawn", "origin", "-256 64 24", "angle", "90"};
        TestMap map =
                room().entity("classname", "team_CTF_blueflag", "origin", "320 0 20").entity(spawn);
        FlagBases bases = bases(map).orElseThrow();
        assertThat(bases.red().spawns()).hasSize(1);
        assertThat(bases.blue().spawns()).isEmpty();
    }

    @Test
    void hasNoBasesWithOneFlag() throws IOException {
        assertThat(bases(room())).isEmpty();
    }

    /** Two maps have two flags a team, of which one is of another mode. */
    @ParameterizedTest
    @CsvSource({
        "oa_bases3, 4,     -14,  98,    -14, 6",
        "ctf_gate1, 44.38, -16, -58.38, -6.13, 7",
    })
    void readsFlagsOfStockMaps(
            String map, double redX, double redY, double blueX, double blueY, int spawns)
            throws IOException {
        assumeTrue(
                Files.exists(DATA.resolve("pak1-maps.pk3"))
                        || "true".equals(System.getenv("WISHDIR_REQUIRE_PEERS")),
                "stock maps need the Debian package openarena-data");
        FlagBases bases =
                new Quake3MapCatalog(Optional.of(DATA)).load(map).played().bases().orElseThrow();
        assertThat(bases.red().flag().x()).isCloseTo(redX, within(0.01));
        assertThat(bases.red().flag().y()).isCloseTo(redY, within(0.01));
        assertThat(bases.blue().flag().x()).isCloseTo(blueX, within(0.01));
        assertThat(bases.blue().flag().y()).isCloseTo(blueY, within(0.01));
        assertThat(bases.red().spawns()).hasSize(spawns);
        assertThat(bases.blue().spawns()).hasSize(spawns);
    }

    @Test
    void stockMapsOfFreeForAllHaveNone() throws IOException {
        assumeTrue(
                Files.exists(DATA.resolve("pak1-maps.pk3"))
                        || "true".equals(System.getenv("WISHDIR_REQUIRE_PEERS")),
                "stock maps need the Debian package openarena-data");
        assertThat(new Quake3MapCatalog(Optional.of(DATA)).load("aggressor").played().bases())
                .isEmpty();
    }
}
