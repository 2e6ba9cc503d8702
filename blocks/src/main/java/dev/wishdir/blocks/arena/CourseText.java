package dev.wishdir.blocks.arena;

import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The lines of a race course in the text of an arena: {@code start X Y Z SIZE-X SIZE-Y SIZE-Z}. */
final class CourseText {
    /** The numbers of a line: the middle of the ground, and the size. */
    static final int NUMBERS = 6;

    /** The first word of a line. */
    private enum Kind {
        START,
        CHECKPOINT,
        FINISH;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record Box(Kind kind, int line, Bounds bounds) {}

    private final List<Box> boxes = new ArrayList<>();

    /** Whether a line begins with one of its words. */
    static boolean isWord(String word) {
        return kind(word) != null;
    }

    private static @Nullable Kind kind(String word) {
        for (Kind kind : Kind.values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        return null;
    }

    /**
     * Adds a line.
     *
     * @param line counted from 1
     * @param at its {@link #NUMBERS}
     * @throws MalformedArenaException if the box has no size, or its kind is already there
     */
    void add(String word, int line, double[] at) throws MalformedArenaException {
        Kind kind = kind(word);
        if (kind == null) {
            throw new IllegalArgumentException("no line of a course begins with '" + word + "'");
        }
        if (!(at[3] > 0 && at[4] > 0 && at[5] > 0)) {
            throw new MalformedArenaException(
                    line, 1, "the size of a " + word + " must be above 0");
        }
        if (kind != Kind.CHECKPOINT && boxes.stream().anyMatch(box -> box.kind == kind)) {
            throw new MalformedArenaException(line, 1, "the arena has a " + word + " already");
        }
        boxes.add(
                new Box(
                        kind,
                        line,
                        RaceCourse.box(
                                new Vec3(at[0], at[1], at[2]), new Vec3(at[3], at[4], at[5]))));
    }

    /**
     * The course; empty if the arena has none.
     *
     * @throws MalformedArenaException if a part is missing, outside of the arena, or in solid
     *     blocks
     */
    Optional<RaceCourse> build(BlockGrid blocks) throws MalformedArenaException {
        if (boxes.isEmpty()) {
            return Optional.empty();
        }
        for (Box box : boxes) {
            check(box, blocks);
        }
        Box start = only(Kind.START);
        Box finish = only(Kind.FINISH);
        List<Bounds> checkpoints =
                boxes.stream().filter(box -> box.kind == Kind.CHECKPOINT).map(Box::bounds).toList();
        try {
            return Optional.of(new RaceCourse(start.bounds, checkpoints, finish.bounds));
        } catch (IllegalArgumentException e) {
            throw new MalformedArenaException(
                    boxes.getLast().line, 1, String.valueOf(e.getMessage()));
        }
    }

    private Box only(Kind kind) throws MalformedArenaException {
        for (Box box : boxes) {
            if (box.kind == kind) {
                return box;
            }
        }
        throw new MalformedArenaException(
                boxes.getFirst().line, 1, "the race course has no " + kind.word());
    }

    private static void check(Box box, BlockGrid blocks) throws MalformedArenaException {
        Bounds all =
                new Bounds(
                        new Vec3(blocks.minX(), blocks.minY(), blocks.minZ()),
                        new Vec3(blocks.maxX(), blocks.maxY(), blocks.maxZ()));
        if (!all.contains(box.bounds.min()) || !all.contains(box.bounds.max())) {
            throw new MalformedArenaException(
                    box.line, 1, "the " + box.kind.word() + " reaches out of the arena");
        }
        if (!hasRoom(box.bounds, blocks)) {
            throw new MalformedArenaException(
                    box.line, 1, "the " + box.kind.word() + " is in solid blocks");
        }
    }

    /** Whether any half block in the box is not solid. */
    private static boolean hasRoom(Bounds box, BlockGrid blocks) {
        for (int h = (int) Math.floor(2 * box.min().z()); h < 2 * box.max().z(); h++) {
            for (int y = (int) Math.floor(box.min().y()); y < box.max().y(); y++) {
                for (int x = (int) Math.floor(box.min().x()); x < box.max().x(); x++) {
                    if (!blocks.isSolid(x, y, h)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Passes the first word of each line of a course, and its place and size. */
    static void forEachLine(RaceCourse course, BiConsumer<String, List<Vec3>> line) {
        line.accept(Kind.START.word(), numbers(course.start()));
        course.checkpoints().forEach(box -> line.accept(Kind.CHECKPOINT.word(), numbers(box)));
        line.accept(Kind.FINISH.word(), numbers(course.finish()));
    }

    private static List<Vec3> numbers(Bounds box) {
        Vec3 ground = new Vec3(box.center().x(), box.center().y(), box.min().z());
        return List.of(ground, box.max().minus(box.min()));
    }
}
