package dev.wishdir.bedrock.combat;

import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.Nbt;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;

import java.util.LinkedHashMap;
import java.util.Map;

/** Items in the hand of a player as clients see them: one for each weapon of any game. */
public enum Weapon {
    NOTHING(""),
    IRON_SWORD("minecraft:iron_sword"),
    BOW("minecraft:bow"),
    ARROW("minecraft:arrow", 64),
    CROSSBOW("minecraft:crossbow"),
    /** A crossbow in which an arrow lies. */
    CHARGED_CROSSBOW("minecraft:crossbow"),
    TRIDENT("minecraft:trident"),
    SNOWBALL("minecraft:snowball", 16),
    FIRE_CHARGE("minecraft:fire_charge"),
    EGG("minecraft:egg");

    private static final Nbt.Compound CHARGED =
            new Nbt.Compound(Map.of("chargedItem", chargedItem()));

    private final String itemName;
    private final int maxCount;

    Weapon(String itemName) {
        this(itemName, 1);
    }

    Weapon(String itemName, int maxCount) {
        this.itemName = itemName;
        this.maxCount = maxCount;
    }

    private static Nbt.Compound chargedItem() {
        Map<String, Nbt> values = new LinkedHashMap<>();
        values.put("Count", new Nbt.ByteTag(1));
        values.put("Damage", new Nbt.ShortTag(0));
        values.put("Name", new Nbt.StringTag("minecraft:arrow"));
        values.put("WasPickedUp", new Nbt.ByteTag(0));
        return new Nbt.Compound(values);
    }

    /** The item's name in the game. */
    public String itemName() {
        return itemName;
    }

    /** The most that a player can have of it. */
    int maxCount() {
        return maxCount;
    }

    /** The item that stands for a weapon of another game. */
    public static Weapon of(DamageMeans means) {
        return switch (means) {
            case MELEE -> IRON_SWORD;
            case PISTOL, MACHINE_GUN -> SNOWBALL;
            case SHOTGUN -> CROSSBOW;
            case RIFLE -> BOW;
            case ROCKET, BFG -> FIRE_CHARGE;
            case GRENADE -> EGG;
            case SUICIDE -> NOTHING;
        };
    }

    /** The stack in the hand, as other clients are sent it. */
    public ItemStack stack(BedrockCodec codec) {
        return this == NOTHING ? ItemStack.AIR : stack(ItemPalette.number(codec, itemName), 1, 0);
    }

    /**
     * A stack of it.
     *
     * @param number of the item in the version of the client
     * @param netId 0 for a stack that the client can't take hold of
     */
    ItemStack stack(int number, int count, int netId) {
        ItemStack stack = ItemStack.of(number, count, netId);
        return this == CHARGED_CROSSBOW ? stack.withTag(CHARGED) : stack;
    }
}
