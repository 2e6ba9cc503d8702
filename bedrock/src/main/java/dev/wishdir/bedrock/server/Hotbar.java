package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.InventorySlot;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The inventory of one client's player in a match: the kit that it was given, and what is left of
 * it. Only the server changes it.
 */
final class Hotbar {
    /** The slots of which the player holds one. */
    static final int SLOTS = 9;

    /** The window of the inventory. */
    static final int WINDOW = 0;

    private static final int INVENTORY_SLOTS = 36;

    private final BedrockCodec codec;
    private final Map<WeaponItem, Integer> numbers = new EnumMap<>(WeaponItem.class);
    private final List<ItemStack> stacks =
            new ArrayList<>(Collections.nCopies(INVENTORY_SLOTS, ItemStack.AIR));

    /** What lies in the first slots, also when it is used up. */
    private final List<WeaponItem> items = new ArrayList<>();

    private int selected;
    private int lastNetId;
    private OptionalLong drawnAt = OptionalLong.empty();

    Hotbar(BedrockCodec codec) {
        this.codec = codec;
    }

    /** Fills it for a new life. */
    void refill(Kit kit) {
        items.clear();
        kit.stacks().forEach(stack -> items.add(stack.item()));
        Collections.fill(stacks, ItemStack.AIR);
        kit.stacks().forEach(stack -> setCount(stack.item(), stack.count()));
        drawnAt = OptionalLong.empty();
    }

    /** How many the player has of an item. */
    int count(WeaponItem item) {
        int slot = items.indexOf(item);
        return slot < 0 ? 0 : stacks.get(slot).count();
    }

    /** How many more of an item the player can have; 0 for one that is not of its kit. */
    int room(WeaponItem item) {
        return contains(item) ? item.maxCount() - count(item) : 0;
    }

    /** Whether an item is of the kit, also when it is used up. */
    boolean contains(WeaponItem item) {
        return items.contains(item);
    }

    /**
     * Sets the number of an item of the kit. The stack gets another net id, without which a client
     * may ignore a change.
     *
     * @param count at most {@link WeaponItem#maxCount} are kept
     */
    void setCount(WeaponItem item, int count) {
        int left = Math.min(count, item.maxCount());
        lastNetId++;
        stacks.set(
                items.indexOf(item),
                left == 0 ? ItemStack.AIR : item.stack(number(item), left, lastNetId));
    }

    /** Puts an item into the place of another one of the kit, as a crossbow is loaded or shot. */
    void replace(WeaponItem old, WeaponItem item) {
        items.set(items.indexOf(old), item);
        setCount(item, 1);
    }

    private int number(WeaponItem item) {
        return numbers.computeIfAbsent(item, each -> ItemPalette.number(codec, each.itemName()));
    }

    /** Selects what the player holds; false if there is no such slot. What is drawn is let go. */
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

    /** Since when the held weapon is drawn; empty if it is not. */
    OptionalLong drawnAt() {
        return drawnAt;
    }

    /** Draws the held weapon from now on. */
    void draw(long now) {
        drawnAt = OptionalLong.of(now);
    }

    /**
     * Lets go of the held weapon.
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
        return stacks.get(selected).id() == 0 ? WeaponItem.NOTHING : items.get(selected);
    }

    /** Whether a stack that a client claims to hold is what the player holds. */
    boolean isHeld(ItemStack claimed) {
        return stacks.get(selected).isSameAs(claimed);
    }

    /** Whether a stack that a client claims to hold is of what the player holds, of any number. */
    boolean isOfHeldKind(ItemStack claimed) {
        return stacks.get(selected).id() == claimed.id();
    }

    /** The message about all slots. */
    InventoryContent content() {
        return InventoryContent.of(WINDOW, List.copyOf(stacks));
    }

    /** The message about the slot that the player holds. */
    InventorySlot heldSlot() {
        return slot(selected);
    }

    /** The message about the slot of an item of the kit. */
    InventorySlot slot(WeaponItem item) {
        return slot(items.indexOf(item));
    }

    private InventorySlot slot(int slot) {
        return InventorySlot.of(WINDOW, slot, stacks.get(slot));
    }
}
