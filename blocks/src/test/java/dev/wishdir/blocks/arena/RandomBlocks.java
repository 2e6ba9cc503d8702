package dev.wishdir.blocks.arena;

import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Random;

/** Arenas of any blocks, by seed. */
public final class RandomBlocks {
    private RandomBlocks() {}

    public static BlockArena arena(long seed) {
        Random random = new Random(seed);
        int width = 2 + 2 * random.nextInt(8);
        int depth = 2 + 2 * random.nextInt(8);
        int height = 2 + random.nextInt(8);
        int ground = random.nextInt(height);
        BlockGrid.Builder blocks = new BlockGrid.Builder(width, depth, height, ground);
        double full = random.nextDouble();
        Material[] materials = Material.values();
        for (int x = -width / 2; x < width / 2; x++) {
            for (int y = -depth / 2; y < depth / 2; y++) {
                for (int z = -ground; z < height - ground; z++) {
                    if (random.nextDouble() < full) {
                        Material material = materials[random.nextInt(materials.length)];
                        boolean half = material.hasHalf() && random.nextBoolean();
                        blocks.set(x, y, z, material, half);
                    }
                }
            }
        }
        blocks.clear(0, 0, 0);
        Movement spawn = Movement.at(new Vec3(0.5, 0.5, 0), random.nextInt(360));
        return new BlockArena(
                "random", "Random " + seed, BlockArena.Sun.USUAL, blocks.build(), List.of(spawn));
    }
}
