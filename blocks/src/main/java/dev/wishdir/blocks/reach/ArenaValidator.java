package dev.wishdir.blocks.reach;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.blocks.arena.RaceCourse;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * Finds the places of an arena that bodies cannot reach or leave, with {@link BodyReachability}.
 */
public final class ArenaValidator {
    /** Maximum places that are listed of one kind of problem and one game. */
    private static final int MAX_FINDINGS = 5;

    /**
     * The height that the bodies of all games can jump, metres; higher ledges are not reachability.
     */
    private static final double COMMON_JUMP_METRES = 1;

    /** The box of an item, which lies on the ground. */
    private static final double ITEM_WIDTH_METRES = 0.5;

    /** Largest height of an item above the ground. */
    private static final double ITEM_GROUND_METRES = 0.1;

    /** Spawn points of which all are nearer to each other are one heap of players. */
    private static final double HEAP_METRES = 12;

    /** Flags stand at least this far from each other. */
    private static final double MIN_FLAG_METRES = 8;

    /** The factor by which the way from one flag to the other may be longer than the way back. */
    private static final double MAX_WAY_FACTOR = 1.1;

    private final BlockArena arena;
    private final List<String> problems = new ArrayList<>();

    private ArenaValidator(BlockArena arena) {
        this.arena = arena;
    }

    /** The problems of an arena, a sentence each; empty if it has none. */
    public static List<String> problems(BlockArena arena, List<BodyDimensions> bodies) {
        return new ArenaValidator(arena).problems(bodies);
    }

    /** The spawn points that are in a solid for a game, a sentence each. */
    public static List<String> spawnProblems(BlockArena arena, List<BodyDimensions> bodies) {
        List<String> problems = new ArrayList<>();
        CollisionSpace space = arena.space();
        for (int i = 0; i < arena.spawns().size(); i++) {
            Vec3 at = arena.spawns().get(i).position();
            for (BodyDimensions body : bodies) {
                if (!space.fits(at, body.width(), body.height())) {
                    problems.add(
                            String.format(
                                    Locale.ROOT,
                                    "spawn %d at %s is in something solid for %s",
                                    i + 1,
                                    format(at),
                                    body.game()));
                }
            }
        }
        return problems;
    }

    /**
     * Whether players of a fight would spawn in a heap, as all spawn points are near each other.
     */
    public static boolean spawnsInHeap(BlockArena arena) {
        List<Vec3> places = arena.spawns().stream().map(Movement::position).toList();
        return places.stream()
                .allMatch(one -> places.stream().allMatch(it -> it.distance(one) < HEAP_METRES));
    }

    private List<String> problems(List<BodyDimensions> bodies) {
        problems.addAll(spawnProblems(arena, bodies));
        if (!problems.isEmpty()) {
            return problems;
        }
        checkLadders();
        List<BodyReachability> all =
                bodies.stream().map(body -> new BodyReachability(arena, body)).toList();
        BitSet anywhere = new BitSet();
        for (BodyReachability reachability : all) {
            check(reachability);
            BodyDimensions body = reachability.body();
            boolean leaps = body.jump() > COMMON_JUMP_METRES;
            anywhere.or(
                    leaps
                            ? reachability.jumping(COMMON_JUMP_METRES).reached()
                            : reachability.reached());
        }
        checkItems(all);
        for (int i = 0; i < arena.moveTriggers().size(); i++) {
            MoveTrigger trigger = arena.moveTriggers().get(i);
            for (BodyReachability reachability : all) {
                if (!reachability.isUsable(trigger)) {
                    problems.add(
                            String.format(
                                    Locale.ROOT,
                                    "%s cannot be taken from %s to %s: something is in the way",
                                    reachability.body().game(),
                                    format(trigger.place()),
                                    format(trigger.target())));
                }
            }
        }
        for (BodyReachability reachability : all) {
            BitSet missing = (BitSet) anywhere.clone();
            missing.andNot(reachability.nearReached());
            addProblems(reachability, missing, "cannot get to where others can");
        }
        arena.course().ifPresent(course -> checkCourse(course, all));
        arena.bases().ifPresent(bases -> checkFlags(bases, all));
        return problems;
    }

    /** Finds items that are outside, in a solid or in the air, or that a body can't touch. */
    private void checkItems(List<BodyReachability> all) {
        for (PlacedItem item : arena.items()) {
            checkPlace("the item " + item.kind(), item.place(), all);
        }
    }

    /** Finds out whether something on the ground is where bodies of all games can touch it. */
    private void checkPlace(String name, Vec3 place, List<BodyReachability> all) {
        CollisionSpace space = arena.space();
        String what = name + " at " + format(place);
        Vec3 below = place.minus(new Vec3(0, 0, ITEM_GROUND_METRES));
        if (!arena.bounds().contains(place)) {
            problems.add(what + " is outside the arena");
        } else if (!space.fits(place, ITEM_WIDTH_METRES, ITEM_WIDTH_METRES)) {
            problems.add(what + " is in something solid");
        } else if (space.fits(below, ITEM_WIDTH_METRES, ITEM_WIDTH_METRES)) {
            problems.add(what + " is in the air");
        } else {
            for (BodyReachability reachability : all) {
                if (!reachability.touches(place)) {
                    problems.add(what + " can't be reached by " + reachability.body().game());
                }
            }
        }
    }

    /** Finds flags that can't be played, or not by both teams alike. */
    private void checkFlags(FlagBases bases, List<BodyReachability> all) {
        Vec3 red = bases.red().flag();
        Vec3 blue = bases.blue().flag();
        int before = problems.size();
        checkPlace("the red flag", red, all);
        checkPlace("the blue flag", blue, all);
        if (red.distance(blue) < MIN_FLAG_METRES) {
            problems.add(
                    String.format(
                            Locale.ROOT,
                            "the flags are %.1f m from each other, must be at least %.0f m",
                            red.distance(blue),
                            MIN_FLAG_METRES));
        }
        checkSpawns("red", bases.red(), bases.blue());
        checkSpawns("blue", bases.blue(), bases.red());
        if (problems.size() == before) {
            all.forEach(reachability -> checkWays(reachability, red, blue));
        }
    }

    private void checkSpawns(String team, FlagBases.Base own, FlagBases.Base other) {
        boolean hasSpawn =
                arena.spawns().stream()
                        .filter(spawn -> !other.spawns().contains(spawn))
                        .map(Movement::position)
                        .anyMatch(at -> at.distance(own.flag()) < at.distance(other.flag()));
        if (!hasSpawn) {
            problems.add(
                    "no spawn of the " + team + " team is nearer to its flag than to the other's");
        }
    }

    private void checkWays(BodyReachability reachability, Vec3 red, Vec3 blue) {
        double there = reachability.path(red, blue).size() / 2.0;
        double back = reachability.path(blue, red).size() / 2.0;
        if (Math.max(there, back) > MAX_WAY_FACTOR * Math.min(there, back)) {
            problems.add(
                    String.format(
                            Locale.ROOT,
                            "%s walks %.1f m from the red flag to the blue one, and %.1f m back:"
                                    + " must differ by at most 10 %%",
                            reachability.body().game(),
                            there,
                            back));
        }
    }

    /** Finds the parts of a race course that players of a game cannot walk to. */
    private void checkCourse(RaceCourse course, List<BodyReachability> all) {
        for (BodyReachability reachability : all) {
            int box = reachability.firstUnreachable(course.boxes());
            if (box >= 0) {
                String part =
                        box == 0
                                ? "the start"
                                : box <= course.checkpoints().size()
                                        ? "check point " + box
                                        : "the finish";
                problems.add(
                        String.format(
                                Locale.ROOT,
                                "%s cannot walk to %s of the race course",
                                reachability.body().game(),
                                part));
            }
        }
    }

    /** Finds ladders without a wall: players of Quake II climb a wall, not the air before it. */
    private void checkLadders() {
        BlockGrid blocks = arena.blocks();
        for (int z = blocks.minZ(); z < blocks.maxZ(); z++) {
            for (int y = blocks.minY(); y < blocks.maxY(); y++) {
                for (int x = blocks.minX(); x < blocks.maxX(); x++) {
                    if (blocks.material(x, y, z) == Material.LADDER
                            && blocks.wall(x, y, z).isEmpty()) {
                        problems.add(
                                String.format(
                                        Locale.ROOT,
                                        "the ladder at %d %d %d has no full block next to it",
                                        x,
                                        y,
                                        z));
                    }
                }
            }
        }
    }

    private void check(BodyReachability reachability) {
        int first = -1;
        BitSet returns = new BitSet();
        for (int i = 0; i < arena.spawns().size(); i++) {
            if (!reachability.hasGround(i)) {
                Vec3 at = arena.spawns().get(i).position();
                problems.add(
                        String.format(
                                Locale.ROOT,
                                "spawn %d at %s has no ground for %s",
                                i + 1,
                                format(at),
                                reachability.body().game()));
            } else if (first < 0) {
                first = i;
                returns = reachability.placesBefore(first);
            } else if (!reachability.isAmong(returns, i)) {
                problems.add(
                        String.format(
                                Locale.ROOT,
                                "%s cannot get from spawn %d to spawn %d",
                                reachability.body().game(),
                                i + 1,
                                first + 1));
            }
        }
        if (first >= 0) {
            BitSet stuck = (BitSet) reachability.reached().clone();
            stuck.andNot(returns);
            addProblems(reachability, stuck, "gets stuck");
        }
    }

    private void addProblems(BodyReachability reachability, BitSet places, String what) {
        int count = places.cardinality();
        int shown = 0;
        for (int at = places.nextSetBit(0);
                at >= 0 && shown < MAX_FINDINGS;
                at = places.nextSetBit(at + 1)) {
            boolean apart =
                    at == places.nextSetBit(0) || shown * count < MAX_FINDINGS * rank(places, at);
            if (apart) {
                problems.add(
                        String.format(
                                Locale.ROOT,
                                "%s %s: %s (of %d places)",
                                reachability.body().game(),
                                what,
                                format(reachability.place(at)),
                                count));
                shown++;
            }
        }
    }

    /** The number of places before {@code at}, to list places far apart. */
    private static int rank(BitSet places, int at) {
        return places.get(0, at).cardinality();
    }

    private static String format(Vec3 at) {
        return at.x() + " " + at.y() + " " + at.z();
    }
}
