package dev.wishdir.bedrock.combat;

import dev.wishdir.arena.event.Team;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryAction;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.InventorySlot;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryTransaction;
import dev.wishdir.bedrock.message.InventoryMessage.ItemStackRequest;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.FlagBanner;
import dev.wishdir.bedrock.protocol.ItemPalette;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The inventory of one client's player in a match: the kit that it was given, and what is left of
 * it. Only the server changes it.
 */
public final class Hotbar {
    /** The slots of which the player holds one. */
    static final int SLOTS = 9;

    /** The window of the inventory. */
    public static final int WINDOW = 0;

    private static final int INVENTORY_SLOTS = 36;

    /** The last slot of the hot bar, in which a carrier has the flag. */
    public static final int FLAG_SLOT = SLOTS - 1;

    private final BedrockCodec codec;
    private final Map<Weapon, Integer> numbers = new EnumMap<>(Weapon.class);
    private final List<ItemStack> stacks =
            new ArrayList<>(Collections.nCopies(INVENTORY_SLOTS, ItemStack.AIR));

    /** Items of the first slots, also when they are used up. */
    private final List<Weapon> items = new ArrayList<>();

    private int selected;
    private int lastNetId;
    private OptionalLong drawnAt = OptionalLong.empty();
    private Optional<Team> flag = Optional.empty();

    public Hotbar(BedrockCodec codec) {
        this.codec = codec;
    }

    /** Fills it for a new life. */
    public void refill(Loadout kit) {
        items.clear();
        kit.stacks().forEach(stack -> items.add(stack.item()));
        Collections.fill(stacks, ItemStack.AIR);
        kit.stacks().forEach(stack -> setCount(stack.item(), stack.count()));
        drawnAt = OptionalLong.empty();
        flag = Optional.empty();
    }

    /** The team whose flag the player carries. */
    public Optional<Team> flag() {
        return flag;
    }

    /** Puts the flag that the player carries into its slot, or takes it away. */
    public void setFlag(Optional<Team> carried) {
        flag = carried;
        lastNetId++;
        stacks.set(
                FLAG_SLOT,
                carried.map(team -> FlagBanner.stack(codec, team, lastNetId))
                        .orElse(ItemStack.AIR));
    }

    /** The message about the slot of the flag. */
    public InventorySlot flagSlot() {
        return slot(FLAG_SLOT);
    }

    /** Whether a transaction throws the flag, and nothing else, out of its slot. */
    public boolean isFlagDrop(InventoryTransaction message) {
        List<InventoryAction> actions = message.actions();
        return flag.isPresent()
                && message.transaction() instanceof Transaction.Normal
                && actions.size() == 2
                && actions.stream().anyMatch(action -> action.source() == InventoryAction.WORLD)
                && actions.stream().anyMatch(this::isFlagLoss);
    }

    private boolean isFlagLoss(InventoryAction action) {
        ItemStack stack = stacks.get(FLAG_SLOT);
        Optional<Integer> netId = action.before().netId();
        return action.source() == InventoryAction.CONTAINER
                && action.window().equals(Optional.of(WINDOW))
                && action.slot() == FLAG_SLOT
                && action.after().id() == 0
                && action.before().isSameAs(stack)
                && (netId.isEmpty() || netId.equals(stack.netId()));
    }

    /** Whether a request drops the flag out of its slot. */
    public boolean isFlagDrop(ItemStackRequest message) {
        return flag.isPresent()
                && message.drop(codec.dialect())
                        .filter(drop -> drop.slot() == FLAG_SLOT)
                        .filter(drop ->
                                stacks.get(FLAG_SLOT).netId().equals(Optional.of(drop.netId())))
                        .isPresent();
    }

    /** Number of an item that the player has. */
    public int count(Weapon item) {
        int slot = items.indexOf(item);
        return slot < 0 ? 0 : stacks.get(slot).count();
    }

    /** Number of an item that the player can have in addition; 0 for one that is not of its kit. */
    public int room(Weapon item) {
        return contains(item) ? item.maxCount() - count(item) : 0;
    }

    /** Whether an item is of the kit, also when it is used up. */
    public boolean contains(Weapon item) {
        return items.contains(item);
    }

    /**
     * Sets the number of an item of the kit. The stack gets another net id, without which a client
     * may ignore a change.
     *
     * @param count at most {@link Weapon#maxCount} are kept
     */
    public void setCount(Weapon item, int count) {
        int left = Math.min(count, item.maxCount());
        lastNetId++;
        stacks.set(
                items.indexOf(item),
                left == 0 ? ItemStack.AIR : item.stack(number(item), left, lastNetId));
    }

    /** Puts an item into the place of another one of the kit, as a crossbow is loaded or shot. */
    public void replace(Weapon old, Weapon item) {
        items.set(items.indexOf(old), item);
        setCount(item, 1);
    }

    private int number(Weapon item) {
        return numbers.computeIfAbsent(item, each -> ItemPalette.number(codec, each.itemName()));
    }

    /** Selects what the player holds; false if there is no such slot. What is drawn is let go. */
    public boolean select(int slot) {
        if (slot < 0 || slot >= SLOTS) {
            return false;
        }
        if (slot != selected) {
            drawnAt = OptionalLong.empty();
        }
        selected = slot;
        return true;
    }

    public int selected() {
        return selected;
    }

    /** Since when the held weapon is drawn; empty if it is not. */
    public OptionalLong drawnAt() {
        return drawnAt;
    }

    /** Draws the held weapon from now on. */
    public void draw(long now) {
        drawnAt = OptionalLong.of(now);
    }

    /**
     * Lets go of the held weapon.
     *
     * @return since when it was drawn; empty if it was not
     */
    public OptionalLong release() {
        OptionalLong since = drawnAt;
        drawnAt = OptionalLong.empty();
        return since;
    }

    /** Item in the player's hand. */
    public Weapon held() {
        return stacks.get(selected).id() == 0 || selected >= items.size()
                ? Weapon.NOTHING
                : items.get(selected);
    }

    /** Whether a stack that a client claims to hold is what the player holds. */
    public boolean isHeld(ItemStack claimed) {
        return stacks.get(selected).isSameAs(claimed);
    }

    /** Whether a stack that a client claims to hold is of what the player holds, of any number. */
    public boolean isOfHeldKind(ItemStack claimed) {
        return stacks.get(selected).id() == claimed.id();
    }

    /** The message about all slots. */
    public InventoryContent content() {
        return InventoryContent.of(WINDOW, List.copyOf(stacks));
    }

    /** The message about the slot that the player holds. */
    public InventorySlot heldSlot() {
        return slot(selected);
    }

    /** The message about the slot of an item of the kit. */
    public InventorySlot slot(Weapon item) {
        return slot(items.indexOf(item));
    }

    private InventorySlot slot(int slot) {
        return InventorySlot.of(WINDOW, slot, stacks.get(slot));
    }
}
