package dev.wishdir.quake3.server.view;

import dev.wishdir.motion.Vec3f;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Directions of events: the nearest of 162, that of both Quakes, by its number. */
public final class DirectionByte {
    private static final List<Vec3f> DIRECTIONS = read();

    private DirectionByte() {}

    private static List<Vec3f> read() {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                Objects.requireNonNull(
                                        DirectionByte.class.getResourceAsStream("directions.csv"),
                                        "directions.csv"),
                                StandardCharsets.US_ASCII))) {
            return lines.lines()
                    .map(line -> line.split(","))
                    .map(each ->
                            new Vec3f(
                                    Float.parseFloat(each[0]),
                                    Float.parseFloat(each[1]),
                                    Float.parseFloat(each[2])))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("directions.csv can't be read", e);
        }
    }

    /** The number of the nearest direction; of two as near, the first. */
    public static int of(Vec3f direction) {
        int nearest = 0;
        float most = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < DIRECTIONS.size(); i++) {
            float dot = direction.dot(DIRECTIONS.get(i));
            if (dot > most) {
                most = dot;
                nearest = i;
            }
        }
        return nearest;
    }

    static Vec3f direction(int number) {
        return DIRECTIONS.get(number);
    }
}
