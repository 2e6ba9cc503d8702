package dev.wishdir.world.blocks;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Makes the teleporters and jump pads of an arena of what takes bodies elsewhere in a map. */
final class MoveTriggerConverter {
    /** Each movement of a body looks through all. */
    private static final int MAX_TRIGGERS = 64;

    /** How far from where a map has its ground it may be, metres. */
    private static final double MAX_OFFSET_METRES = 1.5;

    /**
     * From so far, metres, an original client of Sauerbraten touches a teleporter, and a bit more.
     */
    private static final double CLEARANCE_METRES = 2.25;

    /** Metres. */
    private static final double MAX_EXIT_METRES = 4;

    private MoveTriggerConverter() {}

    private record Placed(MoveTrigger passage, Vec3 ground) {
        boolean isTeleporter() {
            return passage instanceof MoveTrigger.Teleporter;
        }
    }

    /** What takes bodies elsewhere, on the ground of all of its area. */
    static List<MoveTrigger> passages(List<StockMap.TriggerArea> carriers, BlockGrid blocks) {
        Set<Placed> placed = new LinkedHashSet<>();
        for (StockMap.TriggerArea carrier : carriers) {
            boolean throwing = carrier.trigger() instanceof MoveTrigger.JumpPad;
            double step = throwing ? 2 * MoveTrigger.JumpPad.RADIUS_METRES : 1;
            Bounds area = carrier.area();
            for (double x : along(area.min().x(), area.max().x(), step)) {
                for (double y : along(area.min().y(), area.max().y(), step)) {
                    Vec3 at = new Vec3(x, y, area.min().z());
                    Vec3 ground = StockMapConverter.standing(blocks, at);
                    if (ground != null
                            && ground.distance(at) < MAX_OFFSET_METRES
                            && placed.size() < MAX_TRIGGERS) {
                        placed.add(new Placed(carrier.trigger(), ground));
                    }
                }
            }
        }
        List<Vec3> entrances =
                placed.stream().filter(Placed::isTeleporter).map(Placed::ground).toList();
        return placed.stream()
                .flatMap(each -> passage(blocks, each, entrances).stream())
                .distinct()
                .toList();
    }

    /** Places between two, so that none between is farther than half a step from one. */
    private static double[] along(double from, double to, double step) {
        int count = Math.clamp((int) Math.ceil((to - from) / step), 1, MAX_TRIGGERS);
        return IntStream.range(0, count)
                .mapToDouble(i -> from + (i + 0.5) * (to - from) / count)
                .toArray();
    }

    private static Optional<MoveTrigger> passage(
            BlockGrid blocks, Placed placed, List<Vec3> entrances) {
        Vec3 ground = placed.ground();
        return switch (placed.passage()) {
            case MoveTrigger.JumpPad pad ->
                    Optional.of(pad.apex())
                            .map(apex ->
                                    new Vec3(
                                            StockMapConverter.half(apex.x()),
                                            StockMapConverter.half(apex.y()),
                                            StockMapConverter.half(apex.z())))
                            .filter(apex -> apex.z() > ground.z())
                            .map(apex -> new MoveTrigger.JumpPad(ground, apex));
            case MoveTrigger.Teleporter teleporter ->
                    exit(blocks, teleporter.exit(), entrances)
                            .map(exit -> new MoveTrigger.Teleporter(ground, exit));
        };
    }

    /**
     * The first place in front of the map's exit that touches no teleporter: bodies among blocks
     * touch them from farther off, and would go to and fro for ever.
     */
    private static Optional<Movement> exit(BlockGrid blocks, Movement exit, List<Vec3> entrances) {
        double yaw = Math.toRadians(exit.yaw());
        Vec3 way = new Vec3(Math.cos(yaw), Math.sin(yaw), 0);
        for (double far = 0; far <= MAX_EXIT_METRES; far += 0.5) {
            Vec3 at = exit.position().plus(way.times(far));
            Vec3 feet = StockMapConverter.standing(blocks, at);
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
