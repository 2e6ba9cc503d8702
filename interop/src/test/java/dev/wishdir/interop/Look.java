package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A game's picture of the hall, taken at the foot of the western stairs.
 *
 * @param self whoever looks
 * @param eyes where his eyes are, metres
 * @param view how wide he looks, degrees
 */
record Look(BufferedImage picture, Movement self, Vec3 eyes, double view) {
    /** What is to be seen, none of it near an edge of anything. */
    private static final Map<String, Vec3> PLACES =
            Map.of(
                    "floor", new Vec3(-17.2, 7.5, 0),
                    "stairs", new Vec3(-16, 6.5, 0.5),
                    "wall", new Vec3(-23, 1, 2.5));

    /** Pixels to each side of a place that are looked at. */
    private static final int AROUND = 2;

    /** By how much two colours differ that players tell apart, of 255. */
    private static final double APART = 12;

    /** How much the brightness of a face spreads that has no letters on it, of 255. */
    private static final double PLAIN = 30;

    /** Checks that floor, stairs and wall differ, and nothing is written on them. */
    void check() {
        List<Color> colors = new ArrayList<>();
        PLACES.forEach((name, place) -> {
            int[] at = pixel(place);
            assertThat(at[0]).as(name).isBetween(AROUND, picture.getWidth() - AROUND - 1);
            assertThat(at[1]).as(name).isBetween(AROUND, picture.getHeight() - AROUND - 1);
            assertThat(spread(at))
                    .as("spread of the %s at %d, %d", name, at[0], at[1])
                    .isLessThan(PLAIN);
            Color color = mean(at);
            for (Color other : colors) {
                assertThat(distance(color, other)).as(name).isGreaterThan(APART);
            }
            colors.add(color);
        });
    }

    private int[] pixel(Vec3 place) {
        double yaw = Math.toRadians(self.yaw());
        double pitch = Math.toRadians(self.pitch());
        Vec3 way = place.minus(eyes);
        double ahead = way.x() * Math.cos(yaw) + way.y() * Math.sin(yaw);
        double right = way.x() * Math.sin(yaw) - way.y() * Math.cos(yaw);
        double depth = ahead * Math.cos(pitch) + way.z() * Math.sin(pitch);
        double up = way.z() * Math.cos(pitch) - ahead * Math.sin(pitch);
        double scale = picture.getWidth() / 2.0 / Math.tan(Math.toRadians(view / 2));
        return new int[] {
            (int) (picture.getWidth() / 2.0 + right / depth * scale),
            (int) (picture.getHeight() / 2.0 - up / depth * scale)
        };
    }

    private List<Color> around(int[] at) {
        List<Color> colors = new ArrayList<>();
        for (int y = at[1] - AROUND; y <= at[1] + AROUND; y++) {
            for (int x = at[0] - AROUND; x <= at[0] + AROUND; x++) {
                colors.add(new Color(picture.getRGB(x, y)));
            }
        }
        return colors;
    }

    private Color mean(int[] at) {
        List<Color> all = around(at);
        return new Color(
                (int) all.stream().mapToInt(Color::getRed).average().orElseThrow(),
                (int) all.stream().mapToInt(Color::getGreen).average().orElseThrow(),
                (int) all.stream().mapToInt(Color::getBlue).average().orElseThrow());
    }

    private double spread(int[] at) {
        double mean = brightness(mean(at));
        double squares =
                around(at).stream()
                        .mapToDouble(each -> Math.pow(brightness(each) - mean, 2))
                        .average()
                        .orElseThrow();
        return Math.sqrt(squares);
    }

    private static double brightness(Color color) {
        return (color.getRed() + color.getGreen() + color.getBlue()) / 3.0;
    }

    private static double distance(Color a, Color b) {
        return Math.sqrt(
                Math.pow(a.getRed() - b.getRed(), 2)
                        + Math.pow(a.getGreen() - b.getGreen(), 2)
                        + Math.pow(a.getBlue() - b.getBlue(), 2));
    }
}
