package dev.wishdir.blocks.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Arenas that no game could build in time, or no client could load. */
@Tag("slow")
class BuildLimitsTest {
    /** An arena of a pattern of letters above a floor. */
    private static Path arena(Path folder, int side, int layers, String pattern)
            throws IOException {
        StringBuilder text =
                new StringBuilder(
                        """
                        wishdir-arena 1
                        name dense
                        title Dense
                        size %1$d %1$d %2$d
                        ground 1
                        block # brick
                        block _ stone half
                        block * lamp
                        spawn 0 0 0 90
                        layer 0
                        """
                                .formatted(side, layers));
        text.append(("#".repeat(side) + "\n").repeat(side));
        for (int layer = 1; layer < layers; layer++) {
            text.append("layer ").append(layer).append('\n');
            for (int y = 0; y < side; y++) {
                for (int x = 0; x < side; x++) {
                    boolean spawn = Math.abs(x - side / 2) < 3 && Math.abs(y - side / 2) < 3;
                    char letter = pattern.charAt((x + 3 * y + 5 * layer) % pattern.length());
                    text.append(spawn ? '.' : letter);
                }
                text.append('\n');
            }
        }
        return Files.writeString(folder.resolve("dense.txt"), text);
    }

    @ParameterizedTest
    @CsvSource({
        "256, 40, .#._, 'more than 40000 visible faces, allowed are 40000'",
        "256, 40, ......*, 'lamps, allowed are 4096'",
    })
    void refusesArenaPastLimit(int side, int layers, String pattern, String why, @TempDir Path here)
            throws IOException {
        Path file = arena(here, side, layers, pattern);
        assertThatThrownBy(() -> ArenaCatalog.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("arena dense has ")
                .hasMessageContaining(why);
    }

    /** Even slabs have few faces, and each of these a large surface. */
    @Test
    void refusesArenaWithTooLargeSurface(@TempDir Path here) throws IOException {
        StringBuilder text =
                new StringBuilder(
                        """
                        wishdir-arena 1
                        name slabs
                        title Slabs
                        size 256 256 32
                        ground 1
                        block # brick
                        spawn 0 0 0 90
                        """);
        for (int layer = 0; layer < 32; layer++) {
            text.append("layer ").append(layer).append('\n');
            String row = (layer % 3 == 0 ? "#" : ".").repeat(256);
            text.append((row + "\n").repeat(256));
        }
        Path file = Files.writeString(here.resolve("slabs.txt"), text);
        assertThatThrownBy(() -> ArenaCatalog.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("lit points on its surface, allowed are 2000000");
    }

    @Test
    void takesArenaOfFewFaces(@TempDir Path here) throws IOException {
        assertThat(ArenaCatalog.read(arena(here, 32, 8, "......#")).name()).isEqualTo("dense");
    }

    @Test
    void keepsShippedArenasBelowLimits() throws IOException {
        for (String name : ArenaCatalog.SHIPPED) {
            BuildLimits.check(ArenaCatalog.shipped(name));
        }
    }
}
