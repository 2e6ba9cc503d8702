package dev.wishdir.world.blocks;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.world.Space;

import java.util.List;

/**
 * An arena of blocks, the same in every game; each game builds its own map from it.
 *
 * @param name lower-case letters, digits, _ and -: names of files are made of it
 * @param title what players read
 * @param sun where the sun stands
 * @param spawns where bodies may appear, and where they look; at least one
 */
public record BlockArena(
        String name, String title, Sun sun, Blocks blocks, List<Movement> spawns) {
    /**
     * Where the sun stands.
     *
     * @param azimuth canonical degrees: 0 in the east, 90 in the north
     * @param height degrees above the horizon
     */
    public record Sun(int azimuth, int height) {
        /** In the south-west, of an afternoon. */
        public static final Sun USUAL = new Sun(215, 52);
    }

    public BlockArena {
        spawns = List.copyOf(spawns);
        if (!name.matches("[a-z0-9_-]{1,24}") || spawns.isEmpty()) {
            throw new IllegalArgumentException("an arena needs a name and a place to appear");
        }
    }

    /** Where a body may be, metres. */
    public Bounds bounds() {
        return blocks.room();
    }

    /** What is solid of it. */
    public Space space() {
        return new BlockSpace(blocks);
    }
}
