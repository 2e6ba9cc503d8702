package dev.wishdir.bedrock.server.view;

import dev.wishdir.arena.item.Item;
import dev.wishdir.arena.item.ItemSpawns;
import dev.wishdir.bedrock.combat.Weapon;
import dev.wishdir.bedrock.message.ActorMessage.AddItemActor;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.ActorMessage.TakeItemActor;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.blocks.arena.ItemKind;

import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The items of the arena as one client sees them: actors of items of the game that fit. */
public final class ItemEntities {
    /** Odd, as no foreign player's, and above those of this endpoint's clients. */
    private static final long FIRST_ID = (1L << 44) + 1;

    private final ItemSpawns spawns;
    private final MessageChannel channel;
    private final BooleanSupplier congested;
    private final BitSet shown = new BitSet();
    private List<Item> known = List.of();

    public ItemEntities(ItemSpawns spawns, MessageChannel channel, BooleanSupplier congested) {
        this.spawns = spawns;
        this.channel = channel;
        this.congested = congested;
    }

    /** The runtime id of an item by its number. */
    static long id(int number) {
        return FIRST_ID + 2L * number;
    }

    /** The item of the game that stands for a kind. */
    private static String name(ItemKind kind) {
        return switch (kind) {
            case SMALL_HEALTH, HEALTH -> "minecraft:apple";
            case LARGE_HEALTH -> "minecraft:golden_carrot";
            case MEGA_HEALTH -> "minecraft:golden_apple";
            case ARMOUR_SHARD -> "minecraft:iron_helmet";
            case LIGHT_ARMOUR -> "minecraft:iron_chestplate";
            case HEAVY_ARMOUR -> "minecraft:diamond_chestplate";
            case WEAPON_SHOTGUN -> Weapon.CROSSBOW.itemName();
            case WEAPON_RIFLE -> Weapon.BOW.itemName();
            case WEAPON_MACHINE_GUN, AMMO_MACHINE_GUN -> Weapon.SNOWBALL.itemName();
            case WEAPON_ROCKET, AMMO_ROCKET -> Weapon.FIRE_CHARGE.itemName();
            case WEAPON_GRENADE, AMMO_GRENADE -> Weapon.EGG.itemName();
            case AMMO_SHOTGUN, AMMO_RIFLE -> "minecraft:arrow";
            case QUAD -> "minecraft:nether_star";
        };
    }

    /**
     * Sends what has changed, as the connection has room.
     *
     * @return whether something still waits
     */
    public boolean advance() {
        List<Item> items = spawns.of(BedrockCodec.NAME);
        if (!items.equals(known)) {
            for (int i = shown.nextSetBit(0); i >= 0; i = shown.nextSetBit(i + 1)) {
                channel.send(new RemoveActor(id(i)));
            }
            shown.clear();
            known = items;
        }
        for (Item item : items) {
            if (item.isPresent() != shown.get(item.number())) {
                if (congested.getAsBoolean()) {
                    return true;
                }
                show(item);
            }
        }
        return false;
    }

    private void show(Item item) {
        long id = id(item.number());
        shown.set(item.number(), item.isPresent());
        if (item.isPresent()) {
            ItemStack stack =
                    ItemStack.of(ItemPalette.number(channel.codec(), name(item.kind())), 1, 0);
            channel.send(
                    new AddItemActor(
                            id,
                            id,
                            stack,
                            BedrockMotion.point(item.place()),
                            Vec3f.ZERO,
                            List.of(),
                            false));
        } else {
            channel.send(new RemoveActor(id));
        }
    }

    /** An item flies to the player that has taken it. */
    public void onTaken(int number, long taker) {
        if (shown.get(number)) {
            channel.send(new TakeItemActor(id(number), taker));
        }
    }
}
