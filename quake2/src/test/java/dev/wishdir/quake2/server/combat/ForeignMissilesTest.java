package dev.wishdir.quake2.server.combat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.TestMissiles;
import dev.wishdir.game.level.HttpDownloads;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.PrecacheTable;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.server.view.ConfigStrings;
import dev.wishdir.quake2.server.view.FlagEntities;
import dev.wishdir.quake2.server.view.FrameEntities;
import dev.wishdir.quake2.server.view.ItemEntities;
import dev.wishdir.quake2.server.view.MissileEntities;
import dev.wishdir.quake2.server.view.RunningLevel;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.Optional;

class ForeignMissilesTest {
    private static final long MILLI = 1_000_000;

    private final Arena arena = new Arena(Level.BOX, 8);
    private final MissileEntities table = new MissileEntities();

    @ParameterizedTest
    @CsvSource({
        "PISTOL, " + PrecacheTable.BOLT,
        "MACHINE_GUN, " + PrecacheTable.BOLT,
        "RIFLE, " + PrecacheTable.BOLT,
        "ROCKET, " + PrecacheTable.ROCKET,
        "GRENADE, " + PrecacheTable.GRENADE,
        "BFG, " + PrecacheTable.BFG_BALL
    })
    void fliesAsTheNearestOfTheGame(DamageMeans means, String model) throws IOException {
        Missile missile = TestMissiles.launch(arena, "bedrock", means);
        ConfigStrings strings = new ConfigStrings(_ -> {});
        RunningLevel level =
                new RunningLevel(
                        arena,
                        new HttpDownloads(),
                        strings,
                        new ItemEntities(arena.match().items()),
                        new FlagEntities(arena, strings),
                        0,
                        new Quake2MapCatalog(Optional.empty()).load(""));
        ForeignMissiles foreign = new ForeignMissiles(arena.match(), table, level);
        foreign.advance();
        foreign.advance();
        int number = table.number(missile).orElseThrow();
        assertThat(table.numbers().cardinality()).isOne();
        FrameEntities frame = level.frameEntities();
        arena.advance(100 * MILLI);
        foreign.advance();
        frame.begin();
        table.compose(frame);
        EntityState state = frame.entity(number);
        assertThat(state.model()).isEqualTo(level.precache().model(model));
        assertThat(state.origin()).isEqualTo(ShotSpace.eighths(new Vec3(64, 0, 64)));
        for (int millis = 350; millis <= 1_100; millis += 250) {
            arena.advance(millis * MILLI);
        }
        foreign.advance();
        assertThat(table.numbers().isEmpty()).isTrue();
    }
}
