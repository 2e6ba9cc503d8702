package dev.wishdir.bedrock.server;

import dev.wishdir.arena.DamageMeans;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;

/** What clients see in the hand of a player: an item of the game for each weapon of any game. */
enum WeaponItem {
    NOTHING(""),
    IRON_SWORD("minecraft:iron_sword"),
    BOW("minecraft:bow"),
    ARROW("minecraft:arrow", 64),
    CROSSBOW("minecraft:crossbow"),
    SNOWBALL("minecraft:snowball", 16),
    FIRE_CHARGE("minecraft:fire_charge"),
    EGG("minecraft:egg");

    private final String itemName;
    private final int maxCount;

    WeaponItem(String itemName) {
        this(itemName, 1);
    }

    WeaponItem(String itemName, int maxCount) {
        this.itemName = itemName;
        this.maxCount = maxCount;
    }

    /** The item's name in the game. */
    String itemName() {
        return itemName;
    }

    /** The most that a player can have of it. */
    int maxCount() {
        return maxCount;
    }

    /** The item that stands for a weapon of another game. */
    static WeaponItem of(DamageMeans means) {
        return switch (means) {
            case MELEE -> IRON_SWORD;
            case PISTOL, MACHINE_GUN -> SNOWBALL;
            case SHOTGUN -> CROSSBOW;
            case RIFLE -> BOW;
            case ROCKET -> FIRE_CHARGE;
            case GRENADE -> EGG;
            case SUICIDE -> NOTHING;
        };
    }

    /** The stack in the hand, as other clients are sent it. */
    ItemStack stack(BedrockCodec codec) {
        return this == NOTHING
                ? ItemStack.AIR
                : ItemStack.of(ItemPalette.number(codec, itemName), 1, 0);
    }
}
