package dev.wishdir.world.blocks;

import dev.wishdir.motion.Vec3;
import dev.wishdir.world.CollisionSpace;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Where an arena is bad to walk in, as far as {@link BodyReachability} knows. */
public final class ArenaValidator {
    /** The most that is said of one kind and game. */
    private static final int MAX_FINDINGS = 5;

    /** The height that all games jump, metres: higher ledges do not count as ways. */
    private static final double COMMON_JUMP_METRES = 1;

    private final BlockArena arena;
    private final List<String> problems = new ArrayList<>();

    private ArenaValidator(BlockArena arena) {
        this.arena = arena;
    }

    /** What is bad, a sentence each; nothing where the arena is good. */
    public static List<String> problems(BlockArena arena, List<BodyDimensions> bodies) {
        return new ArenaValidator(arena).problems(bodies);
    }

    /** The spawn points that are in something solid for a game, a sentence each. */
    public static List<String> spawnProblems(BlockArena arena, List<BodyDimensions> bodies) {
        List<String> problems = new ArrayList<>();
        CollisionSpace space = arena.space();
        for (int i = 0; i < arena.spawns().size(); i++) {
            Vec3 at = arena.spawns().get(i).position();
            for (BodyDimensions body : bodies) {
                if (!space.fits(at, body.width(), body.height())) {
                    problems.add(
                            "spawn %d at %s is in something solid for %s"
                                    .formatted(i + 1, said(at), body.game()));
                }
            }
        }
        return problems;
    }

    private List<String> problems(List<BodyDimensions> bodies) {
        problems.addAll(spawnProblems(arena, bodies));
        if (!problems.isEmpty()) {
            return problems;
        }
        lean();
        List<BodyReachability> all =
                bodies.stream().map(body -> new BodyReachability(arena, body)).toList();
        BitSet anywhere = new BitSet();
        for (BodyReachability ways : all) {
            check(ways);
            BodyDimensions body = ways.body();
            boolean leaps = body.jump() > COMMON_JUMP_METRES;
            anywhere.or(
                    leaps
                            ? new BodyReachability(arena, body.jumping(COMMON_JUMP_METRES))
                                    .reached()
                            : ways.reached());
        }
        for (int i = 0; i < arena.moveTriggers().size(); i++) {
            MoveTrigger trigger = arena.moveTriggers().get(i);
            for (BodyReachability ways : all) {
                if (!ways.isUsable(trigger)) {
                    problems.add(
                            "%s cannot be taken from %s to %s: something is in the way"
                                    .formatted(
                                            ways.body().game(),
                                            said(trigger.place()),
                                            said(trigger.target())));
                }
            }
        }
        for (BodyReachability ways : all) {
            BitSet missing = (BitSet) anywhere.clone();
            missing.andNot(ways.nearReached());
            say(ways, missing, "cannot get to where others can");
        }
        return problems;
    }

    /** Players of Quake II climb a wall, not the air before it. */
    private void lean() {
        BlockGrid blocks = arena.blocks();
        for (int z = blocks.minZ(); z < blocks.maxZ(); z++) {
            for (int y = blocks.minY(); y < blocks.maxY(); y++) {
                for (int x = blocks.minX(); x < blocks.maxX(); x++) {
                    if (blocks.material(x, y, z) == Material.LADDER
                            && blocks.wall(x, y, z).isEmpty()) {
                        problems.add(
                                "the ladder at %d %d %d has no full block next to it"
                                        .formatted(x, y, z));
                    }
                }
            }
        }
    }

    private void check(BodyReachability ways) {
        int first = -1;
        for (int i = 0; i < arena.spawns().size(); i++) {
            if (!ways.hasGround(i)) {
                Vec3 at = arena.spawns().get(i).position();
                problems.add(
                        "spawn %d at %s has no ground for %s"
                                .formatted(i + 1, said(at), ways.body().game()));
            } else if (first < 0) {
                first = i;
            } else if (!ways.isConnected(i, first)) {
                problems.add(
                        "%s cannot get from spawn %d to spawn %d"
                                .formatted(ways.body().game(), i + 1, first + 1));
            }
        }
        if (first >= 0) {
            say(ways, ways.deadEnds(first), "gets stuck");
        }
    }

    private void say(BodyReachability ways, BitSet places, String what) {
        int count = places.cardinality();
        int shown = 0;
        for (int at = places.nextSetBit(0);
                at >= 0 && shown < MAX_FINDINGS;
                at = places.nextSetBit(at + 1)) {
            boolean apart =
                    at == places.nextSetBit(0) || shown * count < MAX_FINDINGS * rank(places, at);
            if (apart) {
                problems.add(
                        "%s %s: %s (of %d places)"
                                .formatted(ways.body().game(), what, said(ways.place(at)), count));
                shown++;
            }
        }
    }

    /** How many places come before one, to show some that are apart. */
    private static int rank(BitSet places, int at) {
        return places.get(0, at).cardinality();
    }

    private static String said(Vec3 at) {
        return at.x() + " " + at.y() + " " + at.z();
    }
}
