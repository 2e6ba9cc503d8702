package dev.wishdir.idtech;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Maps of few bytes that claim much: what is built of them is bounded by their length. */
class MapHostileInputTest {
    private static final int PATCH = 2;
    private static final int MANY = 50_000;

    private static void refused(MapFile map, String why) {
        assertThatExceptionOfType(MalformedMapException.class)
                .isThrownBy(() -> Bsp46.read(map.bytes()))
                .withMessageContaining(why);
    }

    private static MapFile box() {
        return new MapFile().sides().brush(0, 6).model(0, 0, 0, 1);
    }

    private static MapFile patch(int vertices, float high) {
        return new MapFile()
                .vertices(vertices, high)
                .surface(PATCH, 0, vertices, vertices)
                .model(0, 1, 0, 0);
    }

    @Test
    void readsSmallestMaps() {
        assertThat(Bsp46.read(box().bytes()).models().getFirst().brushes()).hasSize(1);
        assertThat(Bsp46.read(patch(3, 40).bytes()).models().getFirst().brushes())
                .isNotEmpty()
                .allMatch(Brush::facet);
    }

    @Test
    void boundsModelsThatShareEmptyBrushes() {
        refused(
                new MapFile()
                        .brush(0, 0)
                        .times(MapFile.BRUSHES, MANY)
                        .model(0, 0, 0, MANY)
                        .times(MapFile.MODELS, MANY),
                "models share their brushes");
    }

    @Test
    void boundsModelsThatShareFlatSurfaces() {
        refused(
                new MapFile()
                        .surface(1, 0, 0, 0)
                        .times(MapFile.SURFACES, MANY)
                        .model(0, MANY, 0, 0)
                        .times(MapFile.MODELS, MANY),
                "models share their surfaces");
    }

    @Test
    void boundsSharedSidesAndPoints() {
        refused(
                new MapFile().sides().brush(0, 6).times(MapFile.BRUSHES, MANY).model(0, 0, 0, MANY),
                "brushes share their sides");
        refused(
                new MapFile()
                        .vertices(3, 40)
                        .surface(PATCH, 0, 3, 3)
                        .times(MapFile.SURFACES, MANY)
                        .model(0, MANY, 0, 0),
                "patches share their points");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 3",
        "-1, 3",
        "1, 3",
        "4, 3",
        "3, 131",
        "2147483647, 2147483647",
        "65537, 65537",
        "-2147483647, 3"
    })
    void refusesPatchOfWrongSize(int width, int height) {
        refused(
                new MapFile().vertices(3, 40).surface(PATCH, 0, width, height).model(0, 1, 0, 0),
                "a patch of " + width + " by " + height);
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "0, -1", "0, 2", "1, 1", "2147483647, 1", "1, 2147483647"})
    void refusesRunPastLump(int first, int count) {
        refused(new MapFile().sides().brush(0, 6).model(0, 0, first, count), "brushes from");
        refused(new MapFile().surface(1, 0, 0, 0).model(first, count, 0, 0), "surfaces from");
        refused(new MapFile().sides().brush(6 * first, 6 * count).model(0, 0, 0, 1), "");
        refused(
                new MapFile()
                        .vertices(3, 40)
                        .surface(PATCH, first < 0 ? first : first + 1, 3, 3)
                        .model(0, 1, 0, 0),
                "vertices from");
    }

    @ParameterizedTest
    @ValueSource(floats = {2_000, 20_000, 1e7f, 3e38f})
    void boundsFacetsOfBentPatches(float high) {
        MapFile map = new MapFile();
        for (int i = 0; i < 200; i++) {
            map.vertices(3, high).surface(PATCH, 9 * i, 3, 3);
        }
        map.model(0, 200, 0, 0);
        try {
            assertThat(Bsp46.read(map.bytes()).models().getFirst().brushes())
                    .hasSizeLessThanOrEqualTo(1 << 16);
        } catch (MalformedMapException e) {
            assertThat(e.getMessage()).containsAnyOf("facets", "subdivision", "finite");
        }
    }

    @Test
    void refusesEntitiesWithoutNumberOrEnd() {
        refused(box().entities("{}".repeat(8_193)), "more than 8192 blocks");
        refused(box().entities("{ \"classname\" \"worldspawn"), "quoted");
        refused(box().entities("{".repeat(100_000)), "}");
    }
}
