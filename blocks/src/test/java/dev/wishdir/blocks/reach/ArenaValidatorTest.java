package dev.wishdir.blocks.reach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.MalformedArenaException;

import org.junit.jupiter.api.Test;

import java.util.List;

class ArenaValidatorTest {
    private static final BodyDimensions WIDE = new BodyDimensions("wide", 1.025, 1.875, 0.5, 1);
    private static final BodyDimensions SLIM = new BodyDimensions("slim", 0.6, 1.8, 0.5, 1);
    private static final List<BodyDimensions> BODIES = List.of(WIDE, SLIM);

    private static List<String> problems(String spawn, String... layers)
            throws MalformedArenaException {
        StringBuilder text =
                new StringBuilder("wishdir-arena 3\nname t\nsize 10 4 " + layers.length)
                        .append("\nground 1\nblock # stone\nblock _ stone half\n")
                        .append("block ~ water\nblock H ladder\nspawn ")
                        .append(spawn)
                        .append('\n');
        for (int i = 0; i < layers.length; i++) {
            text.append("layer ").append(i).append('\n').append(layers[i].replace('/', '\n'));
            text.append('\n');
        }
        return ArenaValidator.problems(ArenaText.read(text.toString()), BODIES);
    }

    private static final String FULL = "##########/##########/##########/##########";
    private static final String EMPTY = "........../........../........../..........";

    @Test
    void acceptsEvenRoom() throws MalformedArenaException {
        assertThat(problems("-3 0 0 0", FULL, EMPTY, EMPTY, EMPTY)).isEmpty();
    }

    @Test
    void refusesItemsThatCannotBeTaken() throws MalformedArenaException {
        String wall = "....##..../....##..../....##..../....##....";
        String start = "-3 0 0 0\n";
        assertThat(problems(start + "item health -3 1 0", FULL, wall, wall, wall)).isEmpty();
        assertThat(problems(start + "item health 3 0 0", FULL, wall, wall, wall))
                .contains(
                        "the item health at 3.0 0.0 0.0 can't be reached by wide",
                        "the item health at 3.0 0.0 0.0 can't be reached by slim");
        assertThat(problems(start + "item health -3 0 0.5", FULL, wall, wall, wall))
                .containsExactly("the item health at -3.0 0.0 0.5 is in the air");
        assertThat(problems(start + "item health 0 0 0", FULL, wall, wall, wall))
                .containsExactly("the item health at 0.0 0.0 0.0 is in something solid");
        assertThat(problems(start + "item health 30 0 0", FULL, wall, wall, wall))
                .containsExactly("the item health at 30.0 0.0 0.0 is outside the arena");
    }

    @Test
    void refusesFlagsThatCannotBePlayed() throws MalformedArenaException {
        String wall = "....##..../....##..../....##..../....##....";
        String ends = "-3 0 0 0\nspawn 3 0 0 180\n";
        String flags = "flag red -4 0 0\nflag blue 4 0 0";
        assertThat(problems(ends + flags, FULL, EMPTY, EMPTY, EMPTY)).isEmpty();
        assertThat(problems("-3 0 0 0\n" + flags, FULL, wall, wall, wall))
                .contains(
                        "the blue flag at 4.0 0.0 0.0 can't be reached by wide",
                        "the blue flag at 4.0 0.0 0.0 can't be reached by slim");
        assertThat(
                        problems(
                                ends + "flag red -4 0 0.5\nflag blue 4 0 -0.5",
                                FULL,
                                EMPTY,
                                EMPTY,
                                EMPTY))
                .containsExactly(
                        "the red flag at -4.0 0.0 0.5 is in the air",
                        "the blue flag at 4.0 0.0 -0.5 is outside the arena");
        assertThat(problems(ends + "flag red -4 0 0\nflag blue 3.5 0 0", FULL, EMPTY, EMPTY, EMPTY))
                .containsExactly("the flags are 7.5 m from each other, must be at least 8 m");
        assertThat(problems("-3 0 0 0\n" + flags, FULL, EMPTY, EMPTY, EMPTY))
                .containsExactly(
                        "no spawn of the blue team is nearer to its flag than to the other's");
        assertThat(problems("-3 0 0 0\nspawn 3 0 0 180 red\n" + flags, FULL, EMPTY, EMPTY, EMPTY))
                .containsExactly(
                        "no spawn of the blue team is nearer to its flag than to the other's");
    }

    @Test
    void refusesFlagsWithLongerWayBack() throws MalformedArenaException {
        // A ledge of two metres with stairs at the far side: down is straight, up around.
        String ledge = "##......../##......../##_......./##_.......";
        String upper = "##......../##......../#_......../#_........";
        String flags = "-4 1 2 0\nspawn 4 1 0 180\nflag red -4 1.5 2\nflag blue 4 1.5 0";
        assertThat(problems(flags, FULL, ledge, upper, EMPTY, EMPTY, EMPTY))
                .hasSize(2)
                .allMatch(line ->
                        line.matches(
                                "(wide|slim) walks [\\d.]+ m from the red flag to the blue one,"
                                        + " and 1\\d[\\d.]+ m back: must differ by at most 10 %"));
    }

    @Test
    void refusesSpawnInSolid() throws MalformedArenaException {
        assertThat(problems("-3 0 -0.5 0", FULL, EMPTY, EMPTY))
                .anyMatch(line -> line.contains("spawn 1 at -3.0 0.0 -0.5 is in something solid"));
    }

    @Test
    void refusesUnreachableSpawn() throws MalformedArenaException {
        String wall = "....##..../....##..../....##..../....##....";
        assertThat(problems("-3 0 0 0\nspawn 3 0 0 0", FULL, wall, wall, wall))
                .contains("wide cannot get from spawn 2 to spawn 1")
                .contains("slim cannot get from spawn 2 to spawn 1");
    }

    @Test
    void refusesNarrowGap() throws MalformedArenaException {
        String gap = "....##..../........../....##..../....##....";
        assertThat(problems("-3 0 0 0", FULL, gap, gap, gap))
                .anyMatch(line -> line.startsWith("wide cannot get to where others can"))
                .noneMatch(line -> line.startsWith("slim"));
    }

    @Test
    void refusesPitWithoutExit() throws MalformedArenaException {
        String pit = "####...###/####...###/####...###/####...###";
        assertThat(problems("-3 0 2 0", FULL, FULL, pit, EMPTY, EMPTY))
                .as("a block deep is jumped out of")
                .isEmpty();
        assertThat(problems("-3 0 2 0", FULL, pit, pit, EMPTY, EMPTY))
                .anyMatch(line -> line.startsWith("wide gets stuck: "))
                .anyMatch(line -> line.startsWith("slim gets stuck: "));
        String stair = "#####..###/####...###/####...###/####...###";
        assertThat(problems("-3 0 2 0", FULL, stair, pit, EMPTY, EMPTY)).isEmpty();
    }

    @Test
    void climbsByWaterAndLadders() throws MalformedArenaException {
        String pool = "####~~~###/####~~~###/####~~~###/####~~~###";
        assertThat(problems("-3 0 3 0", FULL, pool, pool, pool, EMPTY, EMPTY)).isEmpty();
        assertThat(
                        problems(
                                "-3 0 3 0",
                                FULL,
                                pool,
                                pool,
                                "####...###/####...###/####...###/####...###",
                                EMPTY,
                                EMPTY))
                .as("a metre above the water")
                .anyMatch(line -> line.startsWith("slim gets stuck: "));
        String shaft = "####HHH###/####...###/####...###/####...###";
        assertThat(problems("-3 0 3 0", FULL, shaft, shaft, shaft, EMPTY, EMPTY)).isEmpty();
        String alone = "####....##/####..H.##/####....##/####....##";
        assertThat(problems("-3 0 2 0", FULL, alone, EMPTY, EMPTY, EMPTY))
                .anyMatch(line -> line.equals("the ladder at 1 0 0 has no full block next to it"));
    }

    @Test
    void followsMoveTriggers() throws MalformedArenaException {
        String wall = "....##..../....##..../....##..../....##....";
        String there = "-3 0 0 0\nspawn 3 0 0 0\nteleporter -4 0 0 4 0 0 0\n";
        assertThat(problems(there + "teleporter 2 0 0 -3 0 0 0", FULL, wall, wall, wall)).isEmpty();
        assertThat(
                        problems(
                                there + "pad 4 0 0 -3 0 5",
                                FULL,
                                wall,
                                wall,
                                EMPTY,
                                EMPTY,
                                EMPTY,
                                EMPTY,
                                EMPTY))
                .isEmpty();
        assertThat(problems(there, FULL, wall, wall, wall))
                .contains("wide cannot get from spawn 2 to spawn 1");
        assertThat(problems(there + "pad 2 0 0 -3 0 3", FULL, wall, wall, wall, EMPTY, EMPTY))
                .anyMatch(line -> line.startsWith("wide cannot be taken from 2.0 0.0 0.0"));
        assertThat(problems("-3 0 0 0\nteleporter -4 0 0 0 0 0 0", FULL, wall, wall))
                .anyMatch(line -> line.startsWith("slim cannot be taken from -4.0 0.0 0.0"));
    }

    @Test
    void refusesCourseThatCannotBeWalked() throws MalformedArenaException {
        String start = "-3 0 0 0\nstart -3 0 0 2 2 2\n";
        String finish = "finish 4 0 0 2 2 2";
        assertThat(problems(start + "checkpoint 0 0 0 1 4 2\n" + finish, FULL, EMPTY, EMPTY, EMPTY))
                .isEmpty();
        assertThat(problems(start + "checkpoint 0 0 2 1 4 1\n" + finish, FULL, EMPTY, EMPTY, EMPTY))
                .as("in the air")
                .contains("wide cannot walk to check point 1 of the race course")
                .contains("slim cannot walk to check point 1 of the race course");
        String wall = "....##..../....##..../....##..../....##....";
        String doors = "teleporter -4.5 1.5 0 3 1 0 0\nteleporter 3 -1.5 0 -3 0 0 0\n";
        assertThat(
                        problems(
                                start.replace("start", doors + "start") + finish,
                                FULL,
                                wall,
                                wall,
                                wall))
                .as("only by a teleporter")
                .contains("wide cannot walk to the finish of the race course");
    }
}
