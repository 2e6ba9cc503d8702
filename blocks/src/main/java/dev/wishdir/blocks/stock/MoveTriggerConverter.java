package dev.wishdir.blocks.stock;

import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.StandingPlaces;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Converts the teleporters and jump pads of a map into those of an arena. */
final class MoveTriggerConverter {
    /** Limited, as each movement of a body tests all of them. */
    private static final int MAX_TRIGGERS = 64;

    /** Maximum distance between a trigger's base in the map and in the arena, metres. */
    private static final double MAX_OFFSET_METRES = 1.5;

    /**
     * The distance at which an original Sauerbraten client touches a teleporter, plus a margin,
     * metres.
     */
    private static final double CLEARANCE_METRES = 2.25;

    /** Maximum distance between the map's exit and the converted one, metres. */
    private static final double MAX_EXIT_METRES = 4;

    private MoveTriggerConverter() {}

    private record Placed(MoveTrigger trigger, Vec3 ground) {
        boolean isTeleporter() {
            return trigger instanceof MoveTrigger.Teleporter;
        }
    }

    /** The triggers of a map, placed so that they cover the floor of their areas. */
    static List<MoveTrigger> convert(List<StockMap.TriggerArea> areas, BlockGrid blocks) {
        Set<Placed> placed = new LinkedHashSet<>();
        for (StockMap.TriggerArea source : areas) {
            boolean throwing = source.trigger() instanceof MoveTrigger.JumpPad;
            double step = throwing ? 2 * MoveTrigger.JumpPad.RADIUS_METRES : 1;
            Bounds area = source.area();
            for (double x : along(area.min().x(), area.max().x(), step)) {
                for (double y : along(area.min().y(), area.max().y(), step)) {
                    Vec3 at = new Vec3(x, y, area.min().z());
                    Vec3 ground = StandingPlaces.nearest(blocks, at);
                    if (ground != null
                            && ground.distance(at) < MAX_OFFSET_METRES
                            && placed.size() < MAX_TRIGGERS) {
                        placed.add(new Placed(source.trigger(), ground));
                    }
                }
            }
        }
        List<Vec3> entrances =
                placed.stream().filter(Placed::isTeleporter).map(Placed::ground).toList();
        return placed.stream()
                .flatMap(each -> convert(blocks, each, entrances).stream())
                .distinct()
                .toList();
    }

    /** Points between two, such that every point between is within half a step of one. */
    private static double[] along(double from, double to, double step) {
        int count = Math.clamp((int) Math.ceil((to - from) / step), 1, MAX_TRIGGERS);
        return IntStream.range(0, count)
                .mapToDouble(i -> from + (i + 0.5) * (to - from) / count)
                .toArray();
    }

    private static Optional<MoveTrigger> convert(
            BlockGrid blocks, Placed placed, List<Vec3> entrances) {
        Vec3 ground = placed.ground();
        return switch (placed.trigger()) {
            case MoveTrigger.JumpPad pad ->
                    Optional.of(pad.apex())
                            .map(apex ->
                                    new Vec3(
                                            StandingPlaces.half(apex.x()),
                                            StandingPlaces.half(apex.y()),
                                            StandingPlaces.half(apex.z())))
                            .filter(apex -> apex.z() > ground.z())
                            .map(apex -> new MoveTrigger.JumpPad(ground, apex));
            case MoveTrigger.Teleporter teleporter ->
                    exit(blocks, teleporter.exit(), entrances)
                            .map(exit -> new MoveTrigger.Teleporter(ground, exit));
        };
    }

    /**
     * The first place in front of the map's exit that does not touch a teleporter. In an arena of
     * blocks bodies touch teleporters from farther away, and would be sent back and forth forever.
     */
    private static Optional<Movement> exit(BlockGrid blocks, Movement exit, List<Vec3> entrances) {
        double yaw = Math.toRadians(exit.yaw());
        Vec3 way = new Vec3(Math.cos(yaw), Math.sin(yaw), 0);
        for (double far = 0; far <= MAX_EXIT_METRES; far += 0.5) {
            Vec3 at = exit.position().plus(way.times(far));
            Vec3 feet = StandingPlaces.nearest(blocks, at);
            if (feet == null || far > 0 && feet.minus(at).horizontal() > 0.5) {
                return Optional.empty();
            }
            if (entrances.stream().allMatch(each -> each.distance(feet) > CLEARANCE_METRES)) {
                return Optional.of(Movement.at(feet, Math.floorMod(Math.round(exit.yaw()), 360)));
            }
        }
        return Optional.empty();
    }
}
