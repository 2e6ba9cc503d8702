package dev.wishdir.idtech;

import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Vec3f;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The view that a map's author has chosen for the time between two rounds.
 *
 * @param eye units
 * @param angles pitch, yaw and roll, degrees; the pitch is positive downwards
 */
public record IntermissionView(Vec3f eye, Vec3f angles) {
    private static final String CLASS = "info_player_intermission";

    /** The view of a map: from its first {@value #CLASS}, to the target of that if it has one. */
    public static Optional<IntermissionView> of(List<Map<String, String>> entities) {
        return entities.stream()
                .filter(entity -> CLASS.equals(entity.get("classname")))
                .flatMap(entity ->
                        MapEntities.vector(entity, "origin").stream()
                                .map(eye ->
                                        new IntermissionView(
                                                eye,
                                                target(entities, entity)
                                                        .map(it -> towards(it.minus(eye)))
                                                        .orElseGet(() -> angles(entity)))))
                .findFirst();
    }

    private static Optional<Vec3f> target(
            List<Map<String, String>> entities, Map<String, String> entity) {
        String name = entity.getOrDefault("target", "");
        return entities.stream()
                .filter(it -> !name.isEmpty() && name.equals(it.get("targetname")))
                .findFirst()
                .flatMap(it -> MapEntities.vector(it, "origin"));
    }

    private static Vec3f towards(Vec3f way) {
        double pitch = -Math.toDegrees(Math.atan2(way.z(), Math.hypot(way.x(), way.y())));
        return new Vec3f((float) pitch, (float) Angles.yaw(way.x(), way.y()), 0);
    }

    private static Vec3f angles(Map<String, String> entity) {
        return MapEntities.vector(entity, "angles")
                .orElseGet(() -> {
                    String yaw = entity.getOrDefault("angle", "0");
                    return new Vec3f(0, MapEntities.number(yaw).orElse(0f), 0);
                });
    }
}
