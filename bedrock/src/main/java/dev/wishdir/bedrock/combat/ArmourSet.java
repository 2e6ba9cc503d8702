package dev.wishdir.bedrock.combat;

import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A whole suit of armour of the game, as which players of all games wear their armour: the one
 * whose points come nearest. The game counts 20 points where the arena counts 100.
 */
public enum ArmourSet {
    NONE("", 0, 0),
    LEATHER("leather", 7, 0),
    GOLD("golden", 11, 0),
    IRON("iron", 15, 0),
    DIAMOND("diamond", 20, 8);

    /** The window of the client's own armour, from helmet to boots. */
    public static final int WINDOW = 120;

    /** The armour of a player that wears the best suit, in the arena's scale. */
    public static final double MAX_ARMOUR = 100;

    /** A blow's share that each point of the suit takes at most. */
    private static final double SHARE_OF_A_POINT = 0.04;

    private static final double LEAST_SHARE = 0.2;
    private static final double BASE_TOUGHNESS = 2;
    private static final double TOUGHNESS_SHARE = 0.25;

    /** The game's own rule; the suit wears off by what it takes. */
    public static final ArmourRule RULE =
            (damage, vitals) -> of(vitals.armour()).share(damage / MeleeRules.POINTS) * damage;

    private static final List<String> PIECES = List.of("helmet", "chestplate", "leggings", "boots");

    private final String material;
    private final int points;
    private final int toughness;

    ArmourSet(String material, int points, int toughness) {
        this.material = material;
        this.points = points;
        this.toughness = toughness;
    }

    /** The suit that stands for armour in the arena's scale. */
    public static ArmourSet of(double armour) {
        ArmourSet nearest = NONE;
        double wanted = armour / MeleeRules.POINTS;
        for (ArmourSet each : values()) {
            if (Math.abs(each.points - wanted) <= Math.abs(nearest.points - wanted)) {
                nearest = each;
            }
        }
        return nearest;
    }

    /** Vitals with armour, and the share of a light blow that it takes. */
    public static Vitals vitals(double health, double armour) {
        return new Vitals(health, armour, SHARE_OF_A_POINT * of(armour).points);
    }

    /** Part of a damage that the suit takes, points of the game. */
    private double share(double damage) {
        double strength = points - damage / (BASE_TOUGHNESS + TOUGHNESS_SHARE * toughness);
        return SHARE_OF_A_POINT * Math.max(LEAST_SHARE * points, strength);
    }

    /**
     * The pieces from helmet to boots.
     *
     * @param netId of the first, the others have the next ones; 0 for what the client can't take
     *     hold of
     */
    public List<ItemStack> stacks(BedrockCodec codec, int netId) {
        if (this == NONE) {
            return Collections.nCopies(PIECES.size(), ItemStack.AIR);
        }
        return IntStream.range(0, PIECES.size())
                .mapToObj(piece ->
                        ItemStack.of(
                                ItemPalette.number(
                                        codec, "minecraft:" + material + "_" + PIECES.get(piece)),
                                1,
                                netId == 0 ? 0 : netId + piece))
                .toList();
    }
}
