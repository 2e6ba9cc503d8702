package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.InventorySlot;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The inventory of one client's player in a match: a sword in the first slot. Only the server
 * changes it.
 */
final class Hotbar {
    /** The slots of which the player holds one. */
    static final int SLOTS = 9;

    /** The window of the inventory. */
    static final int WINDOW = 0;

    private static final int INVENTORY_SLOTS = 36;
    private static final int SWORD_SLOT = 0;

    private final int sword;
    private ItemStack swordStack;
    private int selected;
    private int lastNetId;

    Hotbar(BedrockCodec codec) {
        sword = ItemPalette.number(codec, WeaponItem.IRON_SWORD.itemName());
        swordStack = ItemStack.AIR;
    }

    /** Fills it for a new life. A client may ignore a changed slot without a new net id. */
    void refill() {
        lastNetId++;
        swordStack = ItemStack.of(sword, 1, lastNetId);
    }

    /** Selects what the player holds; false if there is no such slot. */
    boolean select(int slot) {
        if (slot < 0 || slot >= SLOTS) {
            return false;
        }
        selected = slot;
        return true;
    }

    int selected() {
        return selected;
    }

    /** What the player holds. */
    WeaponItem held() {
        return selected == SWORD_SLOT && swordStack.id() != 0
                ? WeaponItem.IRON_SWORD
                : WeaponItem.NOTHING;
    }

    /** Whether a stack that a client claims to hold is what the player holds. */
    boolean isHeld(ItemStack claimed) {
        return stack(selected).isSameAs(claimed);
    }

    private ItemStack stack(int slot) {
        return slot == SWORD_SLOT ? swordStack : ItemStack.AIR;
    }

    /** The message about all slots. */
    InventoryContent content() {
        List<ItemStack> items =
                new ArrayList<>(Collections.nCopies(INVENTORY_SLOTS, ItemStack.AIR));
        items.set(SWORD_SLOT, swordStack);
        return InventoryContent.of(WINDOW, items);
    }

    /** The message about the slot that the player holds. */
    InventorySlot heldSlot() {
        return InventorySlot.of(WINDOW, selected, stack(selected));
    }
}
