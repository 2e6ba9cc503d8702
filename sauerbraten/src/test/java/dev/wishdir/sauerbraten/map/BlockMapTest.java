package dev.wishdir.sauerbraten.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.wire.Reader;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How an arena looks to the game's clients, as far as its file says. */
@Tag("slow")
class BlockMapTest {
    /** The even colour of what clients show where the default texture has no file; measured. */
    private static final double[] BASE = {36, 137.2, 41.3};

    /** Red, green and blue that the client shows for each variant of the texture, 0 to 255. */
    private static List<double[]> colours(Ogz map) {
        Reader r = new Reader(map.geometry());
        r.i32le("defaults", 0);
        List<double[]> colours = new ArrayList<>();
        for (int i = 2; i < map.numvslots(); i++) {
            r.i32le("changed", 0);
            r.i32le("previous", 0);
            r.f32le("scale", 0);
            double[] colour = new double[3];
            for (int c = 0; c < 3; c++) {
                colour[c] = r.f32le("colour", 0) * BASE[c];
            }
            colours.add(colour);
        }
        return colours;
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills"})
    void lightsFinelyWithoutGlare(String name) {
        Ogz map = OgzCompiler.build(ArenaCatalog.shipped(name));
        List<double[]> colours = colours(map);
        assertThat(colours).as("materials by levels of light").hasSizeBetween(100, 2_000);
        assertThat(colours)
                .as("sunlit surfaces keep their colour")
                .noneMatch(colour -> Arrays.stream(colour).min().orElseThrow() > 235);
        double[] brightness =
                colours.stream()
                        .mapToDouble(colour -> Arrays.stream(colour).sum() / 3)
                        .sorted()
                        .toArray();
        double dark = brightness[brightness.length / 10];
        double bright = brightness[brightness.length * 9 / 10];
        assertThat(bright - dark).as("contrast").isBetween(70.0, 200.0);
        assertThat(map.file().length()).isLessThan(256 << 10);
    }

    @Test
    void hasSkyAndSunOfTheArena() {
        BlockArena hall = ArenaCatalog.shipped("hall");
        assertThat(OgzCompiler.build(hall).vars())
                .contains(
                        number("atmo", 1),
                        number("fullbright", 1),
                        number("sunlightyaw", Math.floorMod(90 - hall.sun().azimuth(), 360)),
                        number("sunlightpitch", hall.sun().height()))
                .extracting(EditMessage.EditVar::name)
                .contains("sunlight", "ambient", "fog", "fogcolour");
    }

    private static EditMessage.EditVar number(String name, int value) {
        return new EditMessage.EditVar(name, new EditMessage.IntValue(value));
    }
}
