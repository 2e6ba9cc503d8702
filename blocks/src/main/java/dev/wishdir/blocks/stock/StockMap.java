package dev.wishdir.blocks.stock;

import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.idtech.Brush;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3f;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A Quake map that can be converted into an arena of blocks. Its axes are the canonical ones.
 *
 * @param game the game of the map
 * @param name its file name, without folder and extension
 * @param title shown to players
 * @param body the bodies that it was made for
 * @param brushes all static brushes, units
 * @param solidContents the contents that stop a body, in the game's own bits
 * @param ladders accepts the brushes that are ladders
 * @param outside whether a point (units) is outside the map, behind its walls
 * @param space its collision space, without doors and movers
 * @param spawns positions and view directions at which bodies appear; at least one
 * @param triggerAreas its teleporters and jump pads
 * @param items its items
 * @param bases with the flags of two teams; empty if it has none
 * @param unsupported features of the map that blocks do not have, a sentence each
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
        List<PlacedItem> items,
        Optional<FlagBases> bases,
        List<String> unsupported) {
    /**
     * A teleporter or jump pad with its area.
     *
     * @param area in which a body triggers it, metres
     * @param trigger its effect; its place is ignored
     */
    public record TriggerArea(Bounds area, MoveTrigger trigger) {}

    /** Map units per metre, in both games. */
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
        items = List.copyOf(items);
        unsupported = List.copyOf(unsupported);
    }

    /**
     * Whether a file's header is that of the given IBSP version; its content may still be
     * malformed.
     */
    public static boolean isVersion(byte[] file, int version) {
        return file.length >= 8
                && new String(file, 0, 4, StandardCharsets.ISO_8859_1).equals("IBSP")
                && file[4] == version
                && file[5] == 0
                && file[6] == 0
                && file[7] == 0;
    }

    /**
     * The features of a map that blocks do not have, a sentence each.
     *
     * @param triggerAreas the entities that are converted
     */
    public static List<String> unsupported(
            List<Brush> brushes,
            List<Map<String, String>> entities,
            List<TriggerArea> triggerAreas) {
        List<String> features = new ArrayList<>();
        count(features, brushes, SLIME, "slime, which is water among blocks");
        count(features, brushes, LAVA, "lava, which is water among blocks");
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
        for (TriggerArea area : triggerAreas) {
            String what = area.trigger() instanceof MoveTrigger.JumpPad ? PUSHES : TELEPORTERS;
            counts.computeIfPresent(what, (_, count) -> count == 1 ? null : count - 1);
        }
        counts.remove("");
        counts.forEach((what, count) -> features.add(what + ": " + count));
        return features;
    }

    /** Whether a brush stops bodies. */
    boolean stopsBodies(Brush brush) {
        return (brush.contents() & solidContents) != 0;
    }

    /** Whether a brush is a liquid. */
    static boolean isLiquid(Brush brush) {
        return (brush.contents() & (WATER | SLIME | LAVA)) != 0 && !brush.facet();
    }

    private static void count(List<String> features, List<Brush> brushes, int bit, String what) {
        long count = brushes.stream().filter(each -> (each.contents() & bit) != 0).count();
        if (count > 0) {
            features.add("brushes of " + what + ": " + count);
        }
    }
}
