package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.InventorySlot;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * The inventory of one client's player in a match: a sword, a bow and its arrows. Only the server
 * changes it.
 */
final class Hotbar {
    /** The slots of which the player holds one. */
    static final int SLOTS = 9;

    /** The window of the inventory. */
    static final int WINDOW = 0;

    /** The arrows that a player can have. */
    static final int MAX_ARROWS = 64;

    private static final int INVENTORY_SLOTS = 36;

    /** What lies in the first slots. */
    private static final List<WeaponItem> ITEMS =
            List.of(WeaponItem.IRON_SWORD, WeaponItem.BOW, WeaponItem.ARROW);

    private static final int ARROW_SLOT = ITEMS.indexOf(WeaponItem.ARROW);

    private final List<Integer> numbers;
    private final List<ItemStack> stacks =
            new ArrayList<>(Collections.nCopies(INVENTORY_SLOTS, ItemStack.AIR));
    private int selected;
    private int lastNetId;
    private OptionalLong drawnAt = OptionalLong.empty();

    Hotbar(BedrockCodec codec) {
        numbers = ITEMS.stream().map(item -> ItemPalette.number(codec, item.itemName())).toList();
    }

    /** Fills it for a new life. */
    void refill(int arrows) {
        for (int slot = 0; slot < ARROW_SLOT; slot++) {
            put(slot, 1);
        }
        setArrows(arrows);
        drawnAt = OptionalLong.empty();
    }

    /** A client may ignore a changed slot without a new net id. */
    private void put(int slot, int count) {
        lastNetId++;
        stacks.set(
                slot,
                count == 0 ? ItemStack.AIR : ItemStack.of(numbers.get(slot), count, lastNetId));
    }

    int arrows() {
        return stacks.get(ARROW_SLOT).count();
    }

    /** Sets the number of arrows, at most {@link #MAX_ARROWS}. */
    void setArrows(int count) {
        put(ARROW_SLOT, Math.min(count, MAX_ARROWS));
    }

    /** Selects what the player holds; false if there is no such slot. A drawn bow is let go. */
    boolean select(int slot) {
        if (slot < 0 || slot >= SLOTS) {
            return false;
        }
        if (slot != selected) {
            drawnAt = OptionalLong.empty();
        }
        selected = slot;
        return true;
    }

    int selected() {
        return selected;
    }

    boolean isDrawn() {
        return drawnAt.isPresent();
    }

    /** Draws the bow from now on. */
    void draw(long now) {
        drawnAt = OptionalLong.of(now);
    }

    /**
     * Lets go of the bow.
     *
     * @return since when it was drawn; empty if it was not
     */
    OptionalLong release() {
        OptionalLong since = drawnAt;
        drawnAt = OptionalLong.empty();
        return since;
    }

    /** What the player holds. */
    WeaponItem held() {
        return stacks.get(selected).id() == 0 ? WeaponItem.NOTHING : ITEMS.get(selected);
    }

    /** Whether a stack that a client claims to hold is what the player holds. */
    boolean isHeld(ItemStack claimed) {
        return stacks.get(selected).isSameAs(claimed);
    }

    /** The message about all slots. */
    InventoryContent content() {
        return InventoryContent.of(WINDOW, List.copyOf(stacks));
    }

    /** The message about the slot that the player holds. */
    InventorySlot heldSlot() {
        return slot(selected);
    }

    /** The message about the arrows. */
    InventorySlot arrowSlot() {
        return slot(ARROW_SLOT);
    }

    private InventorySlot slot(int slot) {
        return InventorySlot.of(WINDOW, slot, stacks.get(slot));
    }
}
