package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import dev.wishdir.motion.Vec3;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.Map;

/**
 * The bodies on a picture of a page: each has its game's colour where the page's camera sees it.
 */
final class DrawnBodies {
    /** The hue of each game's bodies, degrees. */
    private static final Map<String, Double> HUES =
            Map.of("sauerbraten", 34.0, "quake2", 107.0, "quake3", 356.0, "bedrock", 207.0);

    private static final double MAX_HUE_APART = 25;

    /** A fainter or darker colour may be that of sky, grid or wall. */
    private static final double MIN_SATURATION = 0.3;

    private static final double MIN_BRIGHTNESS = 0.3;

    /** Pixels to each side of the feet. */
    private static final int SIDE = 6;

    /** The script's object that has the page's camera: wishdir or explorer. */
    private final String page;

    private final Chromium browser;

    /** A body is at least so high, pixels. */
    private final int high;

    DrawnBodies(Chromium browser, String page, int high) {
        this.browser = browser;
        this.page = page;
        this.high = high;
    }

    /**
     * Fails unless a body is seen at a place.
     *
     * @param feet metres
     */
    void check(BufferedImage picture, String game, Vec3 feet) throws IOException {
        int[] at = pixel(feet);
        int found = 0;
        for (int y = at[1] - high; y < at[1]; y++) {
            for (int x = at[0] - SIDE; x <= at[0] + SIDE; x++) {
                if (x >= 0 && y >= 0 && x < picture.getWidth() && y < picture.getHeight()) {
                    found += isOf(game, new Color(picture.getRGB(x, y))) ? 1 : 0;
                }
            }
        }
        // A line of a trail or a way has one or two pixels a row, a body more.
        assertThat(found)
                .as("pixels of %s above %d, %d, where %s is", game, at[0], at[1], feet)
                .isGreaterThan(3 * high);
    }

    private static boolean isOf(String game, Color color) {
        float[] hsb = Color.RGBtoHSB(color.getRed(), color.getGreen(), color.getBlue(), null);
        double apart = Math.abs(hsb[0] * 360 - requireNonNull(HUES.get(game)));
        return Math.min(apart, 360 - apart) < MAX_HUE_APART
                && hsb[1] > MIN_SATURATION
                && hsb[2] > MIN_BRIGHTNESS;
    }

    /** Where the page's camera has a place on the browser's picture. */
    private int[] pixel(Vec3 place) {
        JsonObject told =
                browser.value(
                                "(() => { const { left, top, width, height } ="
                                        + " document.getElementById('scene')"
                                        + ".getBoundingClientRect(); return { left, top, width,"
                                        + " height, matrix: "
                                        + page
                                        + ".matrix }; })()")
                        .getAsJsonObject();
        JsonArray matrix = told.getAsJsonArray("matrix");
        double[] clip = new double[4];
        for (int i = 0; i < 4; i++) {
            clip[i] =
                    matrix.get(i).getAsDouble() * place.x()
                            + matrix.get(4 + i).getAsDouble() * place.y()
                            + matrix.get(8 + i).getAsDouble() * place.z()
                            + matrix.get(12 + i).getAsDouble();
        }
        double x = clip[0] / clip[3];
        double y = clip[1] / clip[3];
        assertThat(clip[3]).as("depth of " + place).isPositive();
        assertThat(x).as("x of " + place + " on the picture, from -1 to 1").isBetween(-1.0, 1.0);
        assertThat(y).as("y of " + place + " on the picture, from -1 to 1").isBetween(-1.0, 1.0);
        return new int[] {
            (int) (number(told, "left") + (x + 1) / 2 * number(told, "width")),
            (int) (number(told, "top") + (1 - y) / 2 * number(told, "height"))
        };
    }

    private static double number(JsonObject told, String name) {
        return told.get(name).getAsDouble();
    }
}
