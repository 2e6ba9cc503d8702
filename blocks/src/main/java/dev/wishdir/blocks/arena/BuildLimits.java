package dev.wishdir.blocks.arena;

import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Face;
import dev.wishdir.blocks.grid.Material;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Limits of an arena, so that each game builds a map from it in seconds and its clients can load
 * it. Checked when an arena is read, in a fraction of a second, before any map is built.
 */
public final class BuildLimits {
    /** Quake II maps have at most 65,535 faces, and some of these faces are split in two. */
    static final int MAX_FACES = 40_000;

    /**
     * Corners of half metres of faces, each of which is lit; equals half a million square metres.
     */
    static final int MAX_LIT_POINTS = 2_000_000;

    static final int MAX_LAMPS = 4_096;

    private BuildLimits() {}

    /**
     * Rejects an arena that exceeds a limit.
     *
     * @throws IOException the message says which limit, what is allowed and what to do
     */
    public static void check(BlockArena arena) throws IOException {
        int lamps = lamps(arena.blocks());
        if (lamps > MAX_LAMPS) {
            throw exceeded(arena, lamps + " lamps", MAX_LAMPS, "use fewer");
        }
        List<Face> faces = Face.of(arena.blocks(), Face.MAX_HALF_METRES, MAX_FACES);
        if (faces.size() > MAX_FACES) {
            throw exceeded(
                    arena,
                    "more than " + MAX_FACES + " visible faces",
                    MAX_FACES,
                    "fill hidden spaces, and use larger even surfaces of one material");
        }
        long points = 0;
        for (Face face : faces) {
            points += (face.maxU() - face.minU() + 1L) * (face.maxV() - face.minV() + 1);
        }
        if (points > MAX_LIT_POINTS) {
            throw exceeded(
                    arena,
                    points + " lit points on its surface",
                    MAX_LIT_POINTS,
                    "fill hidden spaces, or make it smaller");
        }
    }

    private static int lamps(BlockGrid blocks) {
        int lamps = 0;
        for (int z = blocks.minZ(); z < blocks.maxZ(); z++) {
            for (int y = blocks.minY(); y < blocks.maxY(); y++) {
                for (int x = blocks.minX(); x < blocks.maxX(); x++) {
                    lamps += blocks.material(x, y, z) == Material.LAMP ? 1 : 0;
                }
            }
        }
        return lamps;
    }

    private static IOException exceeded(BlockArena arena, String what, int allowed, String remedy) {
        return new IOException(
                String.format(
                        Locale.ROOT,
                        "arena %s has %s, allowed are %d: %s",
                        arena.name(),
                        what,
                        allowed,
                        remedy));
    }
}
