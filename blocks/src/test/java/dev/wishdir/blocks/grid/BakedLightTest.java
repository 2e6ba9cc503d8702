package dev.wishdir.blocks.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.ArenaCatalog;

import org.junit.jupiter.api.Test;

class BakedLightTest {
    private static final BakedLight LIGHT = ArenaCatalog.shipped("hall").light();

    private static float brightness(int x, int y, int z) {
        Face floor = new Face(Material.STONE, 2, 1, 2 * z, 2 * x, 2 * y, 2 * x + 2, 2 * y + 2);
        float[] light = LIGHT.middle(floor);
        return light[0] + light[1] + light[2];
    }

    @Test
    void letsSunThroughRoof() {
        float most = 0;
        for (int x = -22; x < 22; x += 2) {
            for (int y = -22; y < 22; y += 2) {
                most = Math.max(most, brightness(x, y, 0));
            }
        }
        assertThat(most).isGreaterThan(2.5f);
        assertThat(brightness(-18, -22, 0)).as("below the gallery").isBetween(0.4f, 2f);
    }

    @Test
    void lightsFloorBelowLamp() {
        Face lamp = new Face(Material.LAMP, 2, -1, 8, -42, -42, -40, -40);
        assertThat(LIGHT.middle(lamp)[0]).isGreaterThan(1);
        assertThat(brightness(-21, -21, 0)).isGreaterThan(brightness(-18, -22, 0));
    }

    @Test
    void samplesCornersEveryHalfMetre() {
        Face floor = new Face(Material.STONE, 2, 1, 0, -20, -20, -16, -14);
        float[] corners = LIGHT.corners(floor);
        assertThat(corners).hasSize(3 * 5 * 7);
        for (float light : corners) {
            assertThat(light).isBetween(0.05f, 3f);
        }
    }
}
