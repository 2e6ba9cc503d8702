package dev.wishdir.world.blocks;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.world.Brush;
import dev.wishdir.world.CollisionSpace;
import dev.wishdir.world.Vec3f;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A map of a Quake, of which blocks can be made. Its axes are the canonical ones.
 *
 * @param game whose map it is
 * @param name of its file, without folder and ending
 * @param title what players read
 * @param body the bodies for which it was made
 * @param brushes all that stands in it for good, units
 * @param solidContents the contents that stop a body; of the game's own bits
 * @param ladders which brushes are ladders
 * @param outside whether a point, units, is outside the map, as it lies behind the map's walls
 * @param space what stops a body, doors and whatever moves aside
 * @param spawns where bodies appear; at least one
 * @param triggerAreas what takes bodies elsewhere
 * @param unsupported what there is in it that blocks can't say, a sentence each
 */
public record StockMap(
        String game,
        String name,
        String title,
        BodyDimensions body,
        List<Brush> brushes,
        int solidContents,
        Predicate<Brush> ladders,
        Predicate<Vec3f> outside,
        CollisionSpace space,
        List<Movement> spawns,
        List<TriggerArea> triggerAreas,
        List<String> unsupported) {
    /**
     * Something that takes bodies elsewhere.
     *
     * @param area in which it is touched, metres
     * @param trigger what it does; its place is not looked at
     */
    public record TriggerArea(Bounds area, MoveTrigger trigger) {}

    /** To a metre, in both games. */
    public static final int UNITS_PER_METRE = 32;

    private static final String PUSHES = "places that push, but not upwards, which blocks don't do";
    private static final String TELEPORTERS = "teleporters that lead nowhere";
    private static final int LAVA = 8;
    private static final int SLIME = 16;
    private static final int WATER = 32;

    public StockMap {
        brushes = List.copyOf(brushes);
        spawns = List.copyOf(spawns);
        triggerAreas = List.copyOf(triggerAreas);
        unsupported = List.copyOf(unsupported);
    }

    /** Whether a file says that it is a map of a version of the format; it may still be broken. */
    public static boolean isVersion(byte[] file, int version) {
        return file.length >= 8
                && new String(file, 0, 4, StandardCharsets.ISO_8859_1).equals("IBSP")
                && file[4] == version
                && file[5] == 0
                && file[6] == 0
                && file[7] == 0;
    }

    /**
     * What blocks can't say of a map.
     *
     * @param carriers what of the entities it does say
     */
    public static List<String> unsupported(
            List<Brush> brushes, List<Map<String, String>> entities, List<TriggerArea> carriers) {
        List<String> lacking = new ArrayList<>();
        say(lacking, brushes, SLIME, "slime, which is water among blocks");
        say(lacking, brushes, LAVA, "lava, which is water among blocks");
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Map<String, String> entity : entities) {
            String what =
                    switch (entity.getOrDefault("classname", "")) {
                        case "func_door", "func_door_rotating", "func_door_secret" ->
                                "doors, which stand open among blocks";
                        case "func_plat",
                                "func_train",
                                "func_bobbing",
                                "func_rotating",
                                "func_pendulum" ->
                                "things that move, which are not there among blocks";
                        case "trigger_push" -> PUSHES;
                        case "trigger_teleport", "misc_teleporter" -> TELEPORTERS;
                        case "trigger_hurt" -> "places that hurt, which blocks don't do";
                        default -> "";
                    };
            counts.merge(what, 1, Integer::sum);
        }
        for (TriggerArea carrier : carriers) {
            String what = carrier.trigger() instanceof MoveTrigger.JumpPad ? PUSHES : TELEPORTERS;
            counts.computeIfPresent(what, (_, count) -> count == 1 ? null : count - 1);
        }
        counts.remove("");
        counts.forEach((what, count) -> lacking.add(count + " " + what));
        return lacking;
    }

    /** Whether a brush stops bodies. */
    boolean stopsBodies(Brush brush) {
        return (brush.contents() & solidContents) != 0;
    }

    /** Whether bodies swim in a brush. */
    static boolean isLiquid(Brush brush) {
        return (brush.contents() & (WATER | SLIME | LAVA)) != 0 && !brush.facet();
    }

    private static void say(List<String> lacking, List<Brush> brushes, int bit, String what) {
        long count = brushes.stream().filter(each -> (each.contents() & bit) != 0).count();
        if (count > 0) {
            lacking.add(count + " brushes of " + what);
        }
    }
}
