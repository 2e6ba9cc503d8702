package dev.wishdir.blocks.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.util.List;

class TopDownImageTest {
    /** A floor of the sky in the void of a converted map, with a roof over some of it. */
    private static BlockGrid.Builder emptySky() {
        BlockGrid.Builder builder = new BlockGrid.Builder(40, 30, 8, 1);
        for (int x = -20; x < 20; x++) {
            for (int y = -15; y < 15; y++) {
                builder.set(x, y, -1, Material.SKY, false);
                if (x < -10) {
                    for (int z = 0; z < 7; z++) {
                        builder.set(x, y, z, Material.STONE, false);
                    }
                }
            }
        }
        return builder;
    }

    private static TopDownImage imageOf(BlockGrid.Builder builder) {
        return new TopDownImage(
                new BlockArena(
                        "a",
                        "A",
                        BlockArena.Sun.USUAL,
                        builder.build(),
                        List.of(Movement.at(Vec3.ZERO, 0))));
    }

    @Test
    void cropsToFloorsAndTheirWalls() {
        BlockGrid.Builder builder = emptySky();
        for (int x = -5; x < 4; x++) {
            builder.set(x, 2, -1, Material.TILE, false).set(x, 9, 0, Material.BRICK, false);
        }
        TopDownImage image = imageOf(builder);
        assertThat(image.built()).isEqualTo(new TopDownImage.Area(-6, 1, 5, 11));

        int[][] all = image.picture(2);
        int[][] built = image.picture(2, image.built());
        assertThat(all).hasDimensions(60, 80);
        assertThat(built).hasDimensions(20, 22);
        for (int row = 0; row < 20; row++) {
            for (int column = 0; column < 22; column++) {
                assertThat(built[row][column]).isEqualTo(all[row + 8][column + 28]);
            }
        }
    }

    @Test
    void keepsAllOfArenaWithoutFloor() {
        TopDownImage image = imageOf(emptySky());
        assertThat(image.built()).isEqualTo(image.all());
    }
}
