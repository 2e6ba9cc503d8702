package dev.wishdir.blocks.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

class ArenaTextTest {
    private static final String SHED =
            """
            wishdir-arena 1
            // a shed
            name shed
            title A shed
            size 4 2 3
            ground 1
            block # brick
            block _ wood half
            spawn -1.5 0.5 0 90

            layer 0
            ####
            ####
            layers 1-2
            #._.
            #..#
            """;

    @Test
    void readsWrittenArena() throws MalformedArenaException {
        BlockArena arena = ArenaText.read(SHED);
        BlockGrid blocks = arena.blocks();
        assertThat(arena.title()).isEqualTo("A shed");
        assertThat(arena.spawns()).containsExactly(Movement.at(new Vec3(-1.5, 0.5, 0), 90));
        assertThat(blocks.material(-2, 0, -1)).isEqualTo(Material.BRICK);
        assertThat(blocks.material(0, 0, 1)).isEqualTo(Material.WOOD);
        assertThat(blocks.filled(0, 0, 1)).isEqualTo(1);
        assertThat(blocks.material(-1, 0, 0)).isNull();
        assertThat(blocks.filled(1, -1, 0)).as("south is below").isEqualTo(2);
        assertThat(blocks.filled(1, 0, 0)).isZero();
        assertThat(blocks.filled(2, 0, 0)).as("outside").isEqualTo(2);
    }

    @Test
    void readsAnyArenaBack() throws MalformedArenaException {
        for (int seed = 0; seed < 100; seed++) {
            BlockArena arena = RandomBlocks.arena(seed);
            assertThat(ArenaText.read(ArenaText.write(arena))).isEqualTo(arena);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills", "flat", "circuit", "forts"})
    void readsShippedArenasBack(String name) throws MalformedArenaException {
        BlockArena arena = ArenaCatalog.shipped(name);
        assertThat(arena.name()).isEqualTo(name);
        assertThat(ArenaText.read(ArenaText.write(arena))).isEqualTo(arena);
    }

    @Test
    void readsItemsBack() throws MalformedArenaException {
        String text =
                SHED.replace(
                        "layer 0",
                        "item mega-health -1.5 0.5 0\nitem weapon-rocket 0.5 -0.5 0 2.5\nlayer 0");
        BlockArena arena = ArenaText.read(text);
        assertThat(arena.items())
                .containsExactly(
                        new PlacedItem(ItemKind.MEGA_HEALTH, new Vec3(-1.5, 0.5, 0)),
                        new PlacedItem(
                                ItemKind.WEAPON_ROCKET,
                                new Vec3(0.5, -0.5, 0),
                                Duration.ofMillis(2_500),
                                ""));
        assertThat(ArenaText.read(ArenaText.write(arena))).isEqualTo(arena);
    }

    @Test
    void limitsItems() {
        String many = "item health 0 0 0\n".repeat(PlacedItem.MAX_ITEMS + 1);
        assertThatExceptionOfType(MalformedArenaException.class)
                .isThrownBy(() -> ArenaText.read(SHED.replace("layer 0", many + "layer 0")))
                .withMessageContaining("at most 256 items");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wishdir-arena 1|wishdir arena 1|line 1, column 1|begins with",
                "wishdir-arena 1|wishdir-arena 4|line 1, column 1|form 4, of a newer release",
                "// a shed|what is this|line 2, column 1|'what'",
                "name shed|name Shed|line 3, column 6|a name has",
                "name shed|//|line 17, column 1|no name",
                "size 4 2 3|size 4 2|line 5, column 9|a number",
                "size 4 2 3|size 4 2 3 3|line 5, column 12|too many",
                "size 4 2 3|size 4 2000 3|line 11, column 1|depth",
                "size 4 2 3|size 5 2 3|line 11, column 1|even",
                "size 4 2 3|size 4 2 4|line 17, column 1|layer 3",
                "ground 1|ground 3|line 11, column 1|ground",
                "block # brick|block # bricks|line 7, column 9|'bricks'",
                "block # brick|block ## brick|line 7, column 7|letter",
                "block # brick|block . brick|line 7, column 7|letter",
                "block # brick|block _ brick|line 8, column 7|already",
                "block _ wood half|block _ glass half|line 8, column 15|no half",
                "block _ wood half|block _ water|line 8, column 9|form 1 has no water",
                "block _ wood half|block _ ladder|line 8, column 9|'wishdir-arena 2'",
                "block _ wood half|block _ wood halved|line 8, column 14|too many",
                "spawn -1.5 0.5 0 90|spawn -1.5 x 0 90|line 9, column 12|number",
                "spawn -1.5 0.5 0 90|spawn -1.5 1e9 0 90|line 9, column 12|number",
                "spawn -1.5 0.5 0 90|//|line 17, column 1|no spawn",
                "spawn -1.5|'item healt 0 0 0\nspawn -1.5'|line 9, column 6|one of small-health",
                "spawn -1.5|'item\nspawn -1.5'|line 9, column 5|kind of item",
                "spawn -1.5|'item health 0 0\nspawn -1.5'|line 9, column 16|number",
                "spawn -1.5|'item health 0 0 x\nspawn -1.5'|line 9, column 17|number",
                "spawn -1.5|'item health 0 0 0 0.5\nspawn -1.5'|line 9, column 19|1 s to 1 h",
                "spawn -1.5|'item health 0 0 0 -5\nspawn -1.5'|line 9, column 19|1 s to 1 h",
                "spawn -1.5|'item health 0 0 0 3601\nspawn -1.5'|line 9, column 19|1 s to 1 h",
                "spawn -1.5|'item health 0 0 0 5 5\nspawn -1.5'|line 9, column 21|too many",
                "layer 0|layer 1|line 11, column 7|layer 0",
                "layers 1-2|layers 1-9|line 14, column 8|layer 1",
                "layers 1-2|layers one|line 14, column 8|number",
                "#..#|#..|line 16, column 4|4 letters",
                "#..#|#..##|line 16, column 5|4 letters",
                "#..#|#.x#|line 16, column 3|'x'",
            })
    void namesLineAndColumnOfErrors(String good, String bad, String where, String says) {
        assertThat(SHED).contains(good);
        assertThatExceptionOfType(MalformedArenaException.class)
                .isThrownBy(() -> ArenaText.read(SHED.replace(good, bad)))
                .withMessageContainingAll(where, says);
    }

    @Test
    void readsFlagsAndSpawnsOfTeamsBack() throws MalformedArenaException {
        String text =
                SHED.replace("wishdir-arena 1", "wishdir-arena 3")
                        .replace(
                                "layer 0",
                                "spawn 0 0.5 0 90 blue\nspawn 0 -0.5 0 90 red\n"
                                        + "flag blue 1 0.5 0\nflag red -1 0.5 0.25\nlayer 0");
        BlockArena arena = ArenaText.read(text);
        assertThat(arena.bases())
                .contains(
                        new FlagBases(
                                new FlagBases.Base(
                                        new Vec3(-1, 0.5, 0.25),
                                        List.of(Movement.at(new Vec3(0, -0.5, 0), 90))),
                                new FlagBases.Base(
                                        new Vec3(1, 0.5, 0),
                                        List.of(Movement.at(new Vec3(0, 0.5, 0), 90)))));
        assertThat(arena.spawns()).hasSize(3);
        String written = ArenaText.write(arena);
        assertThat(written).startsWith("wishdir-arena 3\n");
        assertThat(ArenaText.read(written)).isEqualTo(arena);
        assertThat(arena).isNotEqualTo(arena.withBases(Optional.empty()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArenaText.read(SHED).withBases(arena.bases()))
                .withMessageStartingWith("the arena has no spawn point of a base at ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "flag red 0 0 0|line 18, column 1|only red has a flag: write both, or none",
                "flag red 0 0 0,flag red 0 0 0|line 10, column 6|a flag of red already",
                "flag green 0 0 0|line 9, column 6|expected a team, red or blue",
                "flag|line 9, column 5|expected a team, red or blue",
                "flag red 0 0|line 9, column 13|number",
                "flag red 0 0 0 0|line 9, column 16|too many",
                "spawn 0 0 0 0 red|line 18, column 1|the arena has no flags",
                "spawn 0 0 0 0 free|line 9, column 15|expected a team, red or blue",
                "spawn 0 0 0 0 red 0|line 9, column 19|too many",
                "spawn 0 0 0 0 red,spawn 0 0 0 0 blue|line 10, column 15|the other team already",
            })
    void namesLineAndColumnOfErrorsOfFlags(String lines, String where, String says) {
        String text = SHED.replace("wishdir-arena 1", "wishdir-arena 3");
        String added = lines.replace(',', '\n') + "\nspawn -1.5";
        assertThatExceptionOfType(MalformedArenaException.class)
                .isThrownBy(() -> ArenaText.read(text.replace("spawn -1.5", added)))
                .withMessageContaining(says)
                .withMessageContaining(lines.contains(",") ? "line 10" : where);
        assertThatExceptionOfType(MalformedArenaException.class)
                .isThrownBy(() -> ArenaText.read(SHED.replace("spawn -1.5", added)))
                .withMessageContaining(lines.startsWith("flag") ? "form 1 has no teams" : "");
    }

    @Test
    void requiresForm2ForWaterAndLadders() throws MalformedArenaException {
        String wet =
                SHED.replace("wishdir-arena 1", "wishdir-arena 2")
                        .replace("size 4", "block ~ water\nblock H ladder\nsize 4")
                        .replace("#._.\n#..#", "#H~_\n#..#")
                        .replace("layers 1-2", "layer 1")
                        .concat("layer 2\n#.~~\n#..#\n");
        BlockGrid blocks = ArenaText.read(wet).blocks();
        assertThat(blocks.medium(-1, 0, 0)).isEqualTo(Medium.LADDER);
        assertThat(blocks.wall(-1, 0, 0)).contains(BlockGrid.Side.WEST);
        assertThat(blocks.medium(0, 0, 1)).isEqualTo(Medium.WATER);
        assertThat(blocks.filled(0, 0, 0)).isZero();
        assertThat(blocks.medium(1, 0, 0)).as("half a block").isEqualTo(Medium.AIR);
        assertThat(blocks.medium(1, 0, 1)).as("under water").isEqualTo(Medium.WATER);
        assertThat(blocks).hasToString("4 x 2 x 3 blocks, 3 of water, 1 of ladder");
        assertThat(ArenaText.write(ArenaText.read(wet))).startsWith("wishdir-arena 2\n");
        assertThat(ArenaText.write(ArenaText.read(SHED))).startsWith("wishdir-arena 1\n");
        assertThatExceptionOfType(MalformedArenaException.class)
                .isThrownBy(() -> ArenaText.read(wet.replace("~ water", "~ water half")))
                .withMessageContaining("no half water");
    }

    @Test
    void readsMoveTriggers() throws MalformedArenaException {
        String lines = "teleporter -1.5 0.5 0 0.5 -0.5 0 270\npad 0.5 -0.5 0 -1 0.5 2\n";
        BlockArena arena = ArenaText.read(SHED.replace("layer 0", lines + "layer 0"));
        assertThat(arena.moveTriggers())
                .containsExactly(
                        new MoveTrigger.Teleporter(
                                new Vec3(-1.5, 0.5, 0), Movement.at(new Vec3(0.5, -0.5, 0), 270)),
                        new MoveTrigger.JumpPad(new Vec3(0.5, -0.5, 0), new Vec3(-1, 0.5, 2)));
        assertThat(ArenaText.read(ArenaText.write(arena))).isEqualTo(arena);
        assertThat(ArenaText.read(SHED)).isNotEqualTo(arena);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "teleporter 0 0 0 1 1 0|column 23|number",
                "teleporter 0 0 0 1 1 0 90 1|column 27|too many",
                "teleporter 0 0 here 1 1 0 90|column 16|number",
                "pad 0 0 0 1 1|column 14|number",
                "pad 0 0 0 1 1 3 4|column 17|too many",
                "pad 0 0 1 1 1 1|column 15|upwards",
            })
    void namesLineAndColumnOfTriggerErrors(String passage, String column, String says) {
        assertThatExceptionOfType(MalformedArenaException.class)
                .isThrownBy(() -> ArenaText.read(SHED.replace("ground 1", "ground 1\n" + passage)))
                .withMessageContainingAll("line 7, " + column, says);
    }

    @Test
    void readsOrRefusesAnyText() {
        Random random = new Random(5);
        int refused = 0;
        for (int i = 0; i < 3000; i++) {
            StringBuilder text = new StringBuilder(SHED);
            for (int n = 0; n < 1 + i % 4; n++) {
                int at = random.nextInt(text.length());
                if (random.nextBoolean()) {
                    text.setCharAt(at, (char) (32 + random.nextInt(95)));
                } else {
                    text.setLength(Math.max(1, at));
                }
            }
            try {
                ArenaText.read(text.toString());
            } catch (MalformedArenaException e) {
                refused++;
                assertThat(e.line()).isBetween(1, 17);
            }
        }
        assertThat(refused).isGreaterThan(1000);
    }

    private static String racing(String... course) {
        return SHED.replace("spawn", String.join("\n", course) + "\nspawn");
    }

    @Test
    void readsRaceCourse() throws MalformedArenaException {
        BlockArena arena =
                ArenaText.read(
                        racing(
                                "start -0.5 0.5 0 0.5 1 2",
                                "checkpoint 0 0 0.5 1 2 1",
                                "checkpoint 0.5 0.5 0 0.5 1 2",
                                "finish 0.5 -0.5 0 1 0.5 1"));
        RaceCourse course = arena.course().orElseThrow();
        assertThat(course.start())
                .isEqualTo(new Bounds(new Vec3(-0.75, 0, 0), new Vec3(-0.25, 1, 2)));
        assertThat(course.checkpoints()).hasSize(2);
        assertThat(course.boxes()).hasSize(4).startsWith(course.start()).endsWith(course.finish());
        assertThat(ArenaText.read(ArenaText.write(arena))).isEqualTo(arena);
        assertThat(ArenaText.read(SHED).course()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "start 0 0 0 1 1 1|line 9, column 1: the race course has no finish",
                "finish 0 0 0 1 1 1|line 9, column 1: the race course has no start",
                "checkpoint 0 0 0 1 1 1|line 9, column 1: the race course has no start",
                "start 0 0 0 0 1 1|line 9, column 1: the size of a start must be above 0",
                "start 0 0 0 1 -1 1|line 9, column 1: the size of a start must be above 0",
                "start 1.5 0 0 2 1 1|line 9, column 1: the start reaches out of the arena",
                "start 0 0 1 1 1 2|line 9, column 1: the start reaches out of the arena",
                "start 0 0 -1 1 1 1|line 9, column 1: the start is in solid blocks",
                "start 0 0 0 1 1|line 9, column 16: expected a number of less than 10000",
                "start 0 0 0 1 1 1 1|line 9, column 19: '1' is one word too many",
            })
    void refusesMalformedCourse(String line, String message) {
        assertThatExceptionOfType(MalformedArenaException.class)
                .isThrownBy(() -> ArenaText.read(racing(line)))
                .withMessage(message);
    }

    @Test
    void refusesSecondStartAndOverlappingFinish() {
        String start = "start 0 0 0 1 1 1";
        assertThatExceptionOfType(MalformedArenaException.class)
                .isThrownBy(() -> ArenaText.read(racing(start, start)))
                .withMessage("line 10, column 1: the arena has a start already");
        assertThatExceptionOfType(MalformedArenaException.class)
                .isThrownBy(() -> ArenaText.read(racing(start, "finish 0 0 0.5 1 1 1")))
                .withMessage("line 10, column 1: the start and the finish overlap");
    }

    @Test
    void refusesTooManyCheckpoints() {
        String[] lines = new String[RaceCourse.MAX_CHECKPOINTS + 3];
        Arrays.fill(lines, "checkpoint 0 0 0 1 1 1");
        lines[0] = "start -0.5 0.5 0 0.5 0.5 1";
        lines[1] = "finish 0.5 -0.5 0 0.5 0.5 1";
        assertThatExceptionOfType(MalformedArenaException.class)
                .isThrownBy(() -> ArenaText.read(racing(lines)))
                .withMessageContaining("a course has at most 32 check points, not 33");
    }
}
