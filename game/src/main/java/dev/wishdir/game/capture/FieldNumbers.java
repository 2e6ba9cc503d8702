package dev.wishdir.game.capture;

import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** Numbers in the fields of a dissector's lines. */
public final class FieldNumbers {
    private FieldNumbers() {}

    /** A number; 0 if the field is missing or another type. */
    public static double number(@Nullable Object field) {
        return field instanceof Number number ? number.doubleValue() : 0;
    }

    /** Three finite numbers. */
    public static Optional<Vec3> vector(@Nullable Object field) {
        if (!(field instanceof List<?> parts)
                || parts.size() != 3
                || !parts.stream().allMatch(Number.class::isInstance)) {
            return Optional.empty();
        }
        Vec3 vector = new Vec3(number(parts.get(0)), number(parts.get(1)), number(parts.get(2)));
        return vector.isFinite() ? Optional.of(vector) : Optional.empty();
    }
}
