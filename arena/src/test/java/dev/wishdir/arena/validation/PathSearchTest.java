package dev.wishdir.arena.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.reach.BodyReachability;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Random;

@DisplayName("R12 a path that a body can have taken")
@Tag("slow")
class PathSearchTest {
    private static final BodyDimensions BODY = new BodyDimensions("some", 0.6, 1.8, 0.5625, 1.25);
    private static final double RISE = 1.75;

    /** Two rooms of 7 by 8 m, 4 m high, with a wall from y = -4 to 4 between them. */
    private static CollisionSpace rooms(String middle, String upper) throws Exception {
        String floor = "#".repeat(16) + "\n";
        return ArenaText.read(
                        "wishdir-arena 1\nname t\nsize 16 8 6\nground 1\nblock # stone\n"
                                + "block _ stone half\nspawn -4 0 0 0\nlayer 0\n"
                                + floor.repeat(8)
                                + "layers 1-2\n"
                                + middle
                                + "layers 3-5\n"
                                + upper)
                .space();
    }

    private static final String WALL = ".......##.......\n";
    private static final String OPEN = "................\n";
    private static final Vec3 WEST = new Vec3(-4, -3, 0);
    private static final Vec3 EAST = new Vec3(4, -3, 0);

    private static PathSearch.Result search(
            CollisionSpace space, Vec3 from, Vec3 to, double longest) {
        return search(space, from, to, 0, RISE, longest);
    }

    private static PathSearch.Result search(
            CollisionSpace space,
            Vec3 from,
            Vec3 to,
            double climbed,
            double climb,
            double longest) {
        return PathSearch.search(space, from, to, climbed, climb, longest, PathSearch.MAX_STEPS);
    }

    @Test
    void findsNoPathThroughAWall() throws Exception {
        CollisionSpace space = rooms(WALL.repeat(8), WALL.repeat(8));
        PathSearch.Result found = search(space, WEST, EAST, 266);
        assertThat(found.length()).isEmpty();
        assertThat(found.steps()).isBetween(100, PathSearch.MAX_STEPS);
    }

    @Test
    void findsThePathAroundAWallIfItIsShortEnough() throws Exception {
        String gap = WALL.repeat(1).replace('#', '.') + WALL.repeat(7);
        CollisionSpace space = rooms(gap, gap);
        // The gap is at y = 3 to 4.
        assertThat(search(space, WEST, EAST, 16).length().orElseThrow()).isBetween(11.0, 16.0);
        assertThat(search(space, WEST, EAST, 9).length()).isEmpty();
    }

    @Test
    void climbsNoWallThatIsHigherThanAJump() throws Exception {
        CollisionSpace space = rooms(WALL.repeat(8), OPEN.repeat(8));
        assertThat(search(space, WEST, EAST, 266).length()).isEmpty();
        assertThat(search(space, WEST, EAST, 0, 2.5, 266).length()).isPresent();
        assertThat(search(space, WEST, EAST, 2, 2.5, 266).length()).isPresent();
    }

    @Test
    void fallsThroughNoFloorOfHalfABlock() throws Exception {
        CollisionSpace space =
                rooms("________________\n".repeat(8), "________________\n".repeat(8));
        Vec3 up = new Vec3(-4, -3, 3.5);
        assertThat(search(space, up, WEST, 266).length()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"flat", "hills", "hall"})
    void findsEveryPathThatABodyWalks(String name) {
        BlockArena arena = ArenaCatalog.shipped(name);
        BodyReachability reachability = new BodyReachability(arena, BODY);
        List<Vec3> places = reachability.placesWithReturn();
        Random random = new Random(12);
        Vec3 from = arena.spawns().stream().map(Movement::position).findFirst().orElseThrow();
        int searched = 0;
        for (int i = 0; i < 100; i++) {
            Vec3 to = places.get(random.nextInt(places.size()));
            List<Vec3> way = reachability.path(from, to);
            double length = 0;
            boolean walks = !way.isEmpty();
            for (int k = 1; k < way.size(); k++) {
                Vec3 step = way.get(k).minus(way.get(k - 1));
                walks &= step.horizontal() < 1 && step.z() <= RISE;
                length += step.horizontal();
            }
            if (walks) {
                // Half metres along the axes, and what a body may be held up by.
                double longest = 15 + length;
                PathSearch.Result found = search(arena.space(), way.getFirst(), to, longest);
                assertThat(found.length())
                        .as("%s to %s in %s m, %s", way.getFirst(), to, length, found)
                        .isPresent();
                assertThat(found.length().orElseThrow()).isLessThanOrEqualTo(longest);
                searched++;
                from = to;
            }
        }
        assertThat(searched).isGreaterThan(20);
    }
}
