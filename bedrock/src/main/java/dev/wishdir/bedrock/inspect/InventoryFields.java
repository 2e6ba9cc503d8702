package dev.wishdir.bedrock.inspect;

import dev.wishdir.bedrock.message.InventoryMessage;
import dev.wishdir.bedrock.message.InventoryMessage.Container;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryAction;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryContent;
import dev.wishdir.bedrock.message.InventoryMessage.InventorySlot;
import dev.wishdir.bedrock.message.InventoryMessage.InventoryTransaction;
import dev.wishdir.bedrock.message.InventoryMessage.ItemStackRequest;
import dev.wishdir.bedrock.message.InventoryMessage.ItemStackResponse;
import dev.wishdir.bedrock.message.InventoryMessage.MobArmour;
import dev.wishdir.bedrock.message.InventoryMessage.MobEquipment;
import dev.wishdir.bedrock.message.InventoryMessage.SlotSet;
import dev.wishdir.bedrock.message.InventoryMessage.Transaction;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.ProtocolChange;

import org.jspecify.annotations.Nullable;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of messages about items. */
final class InventoryFields {
    private final FieldMap fields;

    InventoryFields(FieldMap fields) {
        this.fields = fields;
    }

    void put(InventoryMessage message) {
        switch (message) {
            case InventoryTransaction m -> transaction(m);
            case MobEquipment m ->
                    fields.put("runtime_id", FieldMap.unsigned(m.runtimeId()))
                            .put("item", item(m.item(), ProtocolChange.SLOT_ITEM_WHOLE))
                            .put("slot", m.slot())
                            .put("hotbar_slot", m.hotbarSlot())
                            .put("window", m.window());
            case MobArmour m ->
                    fields.put("runtime_id", FieldMap.unsigned(m.runtimeId()))
                            .put("helmet", recodedItem(m.helmet()))
                            .put("chest", recodedItem(m.chest()))
                            .put("legs", recodedItem(m.legs()))
                            .put("boots", recodedItem(m.boots()))
                            .putIf(ProtocolChange.USE_TRIGGER, "body", recodedItem(m.body()));
            case InventoryContent m ->
                    fields.put("window", m.window())
                            .put("items", m.items().stream().map(this::recodedItem).toList())
                            .putIf(
                                    ProtocolChange.CONTAINER_NAMED,
                                    "container",
                                    container(m.container()))
                            .putIf(
                                    ProtocolChange.STORAGE_ITEM,
                                    "storage_item",
                                    recodedItem(m.storage()));
            case InventorySlot m -> slot(m);
            case ItemStackRequest m -> fields.put("requests", m.count()).put("first", m.request());
            case ItemStackResponse m ->
                    fields.put("responses", m.count())
                            .put("status", m.status())
                            .put("request", m.request());
        }
    }

    private void transaction(InventoryTransaction m) {
        fields.put("legacy_request", m.legacyRequest())
                .put(
                        "legacy_slots",
                        m.legacySlots()
                                .map(sets -> sets.stream().map(InventoryFields::slots).toList())
                                .orElse(null))
                .put("type", m.transaction().type())
                .put("actions", m.actions().stream().map(this::action).toList());
        switch (m.transaction()) {
            case Transaction.Normal _, Transaction.Mismatch _ -> {}
            case Transaction.UseItem use -> fields.put("use", use(use));
            case Transaction.UseOnActor use ->
                    fields.put("target", FieldMap.unsigned(use.target()))
                            .put("target_action", use.action())
                            .put("hotbar_slot", use.hotbarSlot())
                            .put("held_item", recodedItem(use.item()))
                            .put("player_position", FieldMap.vector(use.eyes()))
                            .put("click_position", FieldMap.vector(use.clicked()));
            case Transaction.ReleaseItem release ->
                    fields.put("release_action", release.action())
                            .put("hotbar_slot", release.hotbarSlot())
                            .put("held_item", recodedItem(release.item()))
                            .put("player_position", FieldMap.vector(release.head()));
        }
    }

    private static Map<String, Object> slots(SlotSet m) {
        return Map.of("container", m.container(), "slots", m.slots());
    }

    private Map<String, @Nullable Object> action(InventoryAction m) {
        Map<String, @Nullable Object> action = new LinkedHashMap<>();
        action.put("source", m.source());
        action.put("window", m.window().orElse(null));
        action.put("flags", m.flags().orElse(null));
        action.put("slot", m.slot());
        action.put("old", recodedItem(m.before()));
        action.put("new", recodedItem(m.after()));
        return action;
    }

    private Map<String, Object> use(Transaction.UseItem m) {
        Map<String, Object> use = new LinkedHashMap<>();
        boolean triggered = fields.has(ProtocolChange.USE_TRIGGER);
        use.put("action", m.action());
        if (triggered) {
            use.put("trigger", m.trigger());
        }
        use.put("block", FieldMap.position(m.block()));
        use.put("face", m.face());
        use.put("hotbar_slot", m.hotbarSlot());
        if (fields.has(ProtocolChange.USE_HAND)) {
            use.put("hand", m.hand());
        }
        use.put("held_item", recodedItem(m.item()));
        use.put("player_position", FieldMap.vector(m.eyes()));
        use.put("click_position", FieldMap.vector(m.clicked()));
        use.put("block_id", m.blockId());
        if (triggered) {
            use.put("prediction", m.prediction());
        }
        if (fields.has(ProtocolChange.USE_COOL_DOWN)) {
            use.put("cooldown", m.coolDown());
        }
        return use;
    }

    private void slot(InventorySlot m) {
        fields.put("window", m.window()).put("slot", m.slot());
        if (fields.has(ProtocolChange.CONTAINER_NAMED)) {
            fields.put("container", m.container().map(InventoryFields::container).orElse(null));
        }
        if (fields.has(ProtocolChange.STORAGE_ITEM)) {
            fields.put(
                    "storage_item",
                    m.storage()
                            .map(item -> item(item, ProtocolChange.SLOT_ITEM_WHOLE))
                            .orElse(null));
        }
        fields.put("item", item(m.item(), ProtocolChange.SLOT_ITEM_WHOLE));
    }

    private static Map<String, @Nullable Object> container(Container m) {
        Map<String, @Nullable Object> container = new LinkedHashMap<>();
        container.put("id", m.id());
        container.put("dynamic", m.dynamic().orElse(null));
        return container;
    }

    private Map<String, @Nullable Object> recodedItem(ItemStack m) {
        return item(m, ProtocolChange.TRANSACTION_RECODED);
    }

    /**
     * @param whole the change since which the message has all components of air, too
     */
    Map<String, @Nullable Object> item(ItemStack m, ProtocolChange whole) {
        Map<String, @Nullable Object> item = new LinkedHashMap<>();
        item.put("id", m.id());
        if (m.id() != 0 || fields.has(whole)) {
            boolean kinds = fields.has(whole) && !fields.has(ProtocolChange.NET_ID_PLAIN);
            item.put("count", m.count());
            item.put("meta", m.metadata());
            item.put(
                    "net_id",
                    m.netId()
                            .<Object>map(id -> kinds ? Map.of("kind", 0, "id", id) : id)
                            .orElse(null));
            item.put("block", m.block());
            item.put("extra", HexFormat.of().formatHex(m.extra().toArray()));
        }
        return item;
    }
}
