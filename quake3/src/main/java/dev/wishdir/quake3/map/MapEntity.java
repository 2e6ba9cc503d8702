package dev.wishdir.quake3.map;

import dev.wishdir.idtech.Axes;
import dev.wishdir.idtech.Bsp46;
import dev.wishdir.motion.Vec3f;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An entity of a map's entity text, with typed access to its values. */
public record MapEntity(Map<String, String> keys) {
    private static final float UP = -1;
    private static final float DOWN = -2;

    public String classname() {
        return text("classname");
    }

    /** The value of a key; empty if the entity does not have it. */
    public String text(String key) {
        return keys.getOrDefault(key, "");
    }

    public float number(String key, float fallback) {
        return Bsp46.number(keys, key).orElse(fallback);
    }

    /** A time in milliseconds, which the map gives in seconds. */
    public int millis(String key, float fallback) {
        return (int) (number(key, fallback) * 1000);
    }

    public Optional<Vec3f> vector(String key) {
        return Bsp46.vector(keys, key);
    }

    public Vec3f origin() {
        return vector("origin").orElse(Vec3f.ZERO);
    }

    /** Pitch, yaw and roll in degrees; an {@code angle} is a yaw. */
    public Vec3f angles() {
        return vector("angles").orElseGet(() -> new Vec3f(0, number("angle", 0), 0));
    }

    /** The direction of its angle: a yaw, or -1 for up and -2 for down. */
    public Vec3f direction() {
        Vec3f angles = angles();
        if (angles.x() == 0 && angles.z() == 0 && angles.y() == UP) {
            return new Vec3f(0, 0, 1);
        }
        if (angles.x() == 0 && angles.z() == 0 && angles.y() == DOWN) {
            return new Vec3f(0, 0, -1);
        }
        return Axes.of(angles).forward();
    }

    /** Whether a bit of its {@code spawnflags} is set. */
    public boolean flag(int bit) {
        return ((int) number("spawnflags", 0) & bit) != 0;
    }

    /** Whether the entity exists in free-for-all games. */
    boolean isInFreeForAll() {
        String games = text("gametype");
        return number("notfree", 0) == 0
                && number("notq3a", 0) == 0
                && (games.isEmpty() || games.contains("ffa"));
    }

    /** Whether the entity exists in capture the flag, among whose relatives is {@code ctfelim}. */
    boolean isInCtf() {
        String games = text("gametype");
        return number("notteam", 0) == 0
                && number("notq3a", 0) == 0
                && (games.isEmpty() || List.of(games.split("[, ]+")).contains("ctf"));
    }
}
