package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.Optional;

/** A message about the items that a player has, and what it does with them. */
public sealed interface InventoryMessage extends BedrockMessage {
    /** Maximum number of actions, slots and responses of a message. */
    int MAX_ENTRIES = 1024;

    /**
     * A client uses what its player holds, on an actor as an attack.
     *
     * @param legacyRequest 0, or negative and even
     * @param legacySlots in older versions exactly if there is a request
     */
    record InventoryTransaction(
            int legacyRequest,
            Optional<List<SlotSet>> legacySlots,
            List<InventoryAction> actions,
            Transaction transaction)
            implements InventoryMessage {
        public static final InventoryTransaction BLANK = of(new Transaction.Normal());

        /** A transaction that moves no items. */
        public static InventoryTransaction of(Transaction transaction) {
            return new InventoryTransaction(0, Optional.empty(), List.of(), transaction);
        }

        public static InventoryTransaction wire(Wire w, InventoryTransaction m, Dialect d) {
            boolean recoded = d.has(ProtocolChange.TRANSACTION_RECODED);
            int request = Encoding.varint(w, "legacy request", m.legacyRequest);
            Optional<List<SlotSet>> slots = m.legacySlots;
            if (recoded) {
                slots =
                        Encoding.optional(
                                w, "legacy slots", slots, List.of(), InventoryTransaction::slots);
            } else {
                slots =
                        request == 0
                                ? Optional.empty()
                                : Optional.of(slots(w, slots.orElse(List.of())));
            }
            wirePresent(w, "type", d);
            int type = w.bounded("type", Encoding.uvarint(w, "type", m.transaction.type()), 4);
            wirePresent(w, "actions", d);
            List<InventoryAction> actions =
                    Encoding.list(
                            w,
                            "actions",
                            m.actions,
                            MAX_ENTRIES,
                            InventoryAction.BLANK,
                            (wire, action) -> InventoryAction.wire(wire, action, d));
            return new InventoryTransaction(
                    request, slots, actions, Transaction.wire(w, type, m.transaction, d));
        }

        private static List<SlotSet> slots(Wire w, List<SlotSet> slots) {
            return Encoding.list(
                    w, "legacy slots", slots, MAX_ENTRIES, SlotSet.BLANK, SlotSet::wire);
        }

        /** A flag of presence of a part that is always present. */
        private static void wirePresent(Wire w, String name, Dialect d) {
            if (d.has(ProtocolChange.TRANSACTION_RECODED)
                    && !d.has(ProtocolChange.INPUT_PRESENCE_ONCE)
                    && !w.bool(name, true)) {
                throw w.malformed(name, "is missing");
            }
        }
    }

    /** Slots of a container that an old kind of request is about. */
    record SlotSet(int container, List<Integer> slots) {
        static final SlotSet BLANK = new SlotSet(0, List.of());

        static SlotSet wire(Wire w, SlotSet m) {
            return new SlotSet(
                    w.u8("container", m.container),
                    Encoding.list(
                            w,
                            "slots",
                            m.slots,
                            MAX_ENTRIES,
                            0,
                            (wire, slot) -> wire.u8("slot", slot)));
        }
    }

    /**
     * A change of one slot.
     *
     * @param source {@link #CONTAINER}, 1 global, {@link #WORLD}, 3 creative, 99999 crafting
     * @param window in older versions exactly of a container
     * @param flags in older versions exactly with the sources 2, 100 and 99999
     */
    record InventoryAction(
            int source,
            Optional<Integer> window,
            Optional<Integer> flags,
            int slot,
            ItemStack before,
            ItemStack after) {
        public static final int CONTAINER = 0;
        public static final int WORLD = 2;

        static final InventoryAction BLANK =
                new InventoryAction(
                        CONTAINER,
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        ItemStack.AIR,
                        ItemStack.AIR);

        static InventoryAction wire(Wire w, InventoryAction m, Dialect d) {
            int source = Encoding.uvarint(w, "source", m.source);
            Optional<Integer> window = m.window;
            Optional<Integer> flags = m.flags;
            if (d.has(ProtocolChange.TRANSACTION_RECODED)) {
                InventoryTransaction.wirePresent(w, "window", d);
                window =
                        Encoding.optional(
                                w, "window", window, 0, (wire, id) -> wire.i8("window", id));
                InventoryTransaction.wirePresent(w, "flags", d);
                flags =
                        Encoding.optional(
                                w,
                                "flags",
                                flags,
                                0,
                                (wire, bits) -> Encoding.uvarint(wire, "flags", bits));
            } else {
                window =
                        source == CONTAINER
                                ? Optional.of(Encoding.varint(w, "window", window.orElse(0)))
                                : Optional.empty();
                flags =
                        source == WORLD || source == 100 || source == 99_999
                                ? Optional.of(Encoding.uvarint(w, "flags", flags.orElse(0)))
                                : Optional.empty();
            }
            return new InventoryAction(
                    source,
                    window,
                    flags,
                    Encoding.uvarint(w, "slot", m.slot),
                    ItemStack.wire(w, "before", m.before, d, ProtocolChange.TRANSACTION_RECODED),
                    ItemStack.wire(w, "after", m.after, d, ProtocolChange.TRANSACTION_RECODED));
        }
    }

    /** Action of a transaction besides moving items. */
    sealed interface Transaction {
        /** Its number on the wire. */
        int type();

        static Transaction wire(Wire w, int type, Transaction m, Dialect d) {
            return switch (type) {
                case 2 -> UseItem.wire(w, m instanceof UseItem it ? it : UseItem.BLANK, d);
                case 3 -> UseOnActor.wire(w, m instanceof UseOnActor it ? it : UseOnActor.BLANK, d);
                case 4 ->
                        ReleaseItem.wire(
                                w, m instanceof ReleaseItem it ? it : ReleaseItem.BLANK, d);
                default -> type == 0 ? new Normal() : new Mismatch();
            };
        }

        /** Moves items. */
        record Normal() implements Transaction {
            @Override
            public int type() {
                return 0;
            }
        }

        /** The client has noticed that its inventory differs from the server's. */
        record Mismatch() implements Transaction {
            @Override
            public int type() {
                return 1;
            }
        }

        /**
         * The player uses what it holds.
         *
         * @param action 0 on a block, {@link #IN_AIR}, 2 breaks a block, 3 attacks
         * @param trigger 0 unknown, 1 the player's input, 2 it is still pressed; in newer versions
         * @param face of the block; -1 for none, 255 in the newest versions
         * @param hand 0 main, 1 off hand; in the newest versions
         * @param eyes of the player
         * @param clicked point within the block
         * @param prediction 0 the client expects a failure, 1 a success; in newer versions
         * @param coolDown 0 none, 1 it has begun; in newer versions
         */
        record UseItem(
                int action,
                int trigger,
                BlockPos block,
                int face,
                int hotbarSlot,
                int hand,
                ItemStack item,
                Vec3f eyes,
                Vec3f clicked,
                int blockId,
                int prediction,
                int coolDown)
                implements Transaction {
            public static final int IN_AIR = 1;

            static final UseItem BLANK =
                    new UseItem(
                            0,
                            0,
                            BlockPos.ZERO,
                            0,
                            0,
                            0,
                            ItemStack.AIR,
                            Vec3f.ZERO,
                            Vec3f.ZERO,
                            0,
                            0,
                            0);

            private static final int NO_FACE = -1;
            private static final int PRESSED = 1;

            /** A trigger: the button of the last use is still held down; in newer versions. */
            public static final int HELD_DOWN = 2;

            /** The use of an item that points at nothing. */
            public static UseItem inAir(int hotbarSlot, ItemStack item, Vec3f eyes) {
                return new UseItem(
                        IN_AIR,
                        PRESSED,
                        BlockPos.ZERO,
                        NO_FACE,
                        hotbarSlot,
                        0,
                        item,
                        eyes,
                        Vec3f.ZERO,
                        0,
                        0,
                        0);
            }

            @Override
            public int type() {
                return 2;
            }

            static UseItem wire(Wire w, UseItem m, Dialect d) {
                boolean recoded = d.has(ProtocolChange.TRANSACTION_RECODED);
                boolean triggered = d.has(ProtocolChange.USE_TRIGGER);
                return new UseItem(
                        Transaction.action(w, m.action, d),
                        triggered ? small(w, "trigger", m.trigger, recoded) : 0,
                        BlockPos.wire(w, "block", m.block, d),
                        recoded
                                ? w.u8("face", m.face == -1 ? 0xFF : m.face)
                                : Encoding.varint(w, "face", m.face),
                        Encoding.varint(w, "hotbar slot", m.hotbarSlot),
                        d.has(ProtocolChange.USE_HAND) ? w.u8("hand", m.hand) : 0,
                        ItemStack.wire(w, "item", m.item, d, ProtocolChange.TRANSACTION_RECODED),
                        Vec3f.wire(w, "eyes", m.eyes),
                        Vec3f.wire(w, "clicked", m.clicked),
                        Encoding.uvarint(w, "block id", m.blockId),
                        triggered ? small(w, "prediction", m.prediction, recoded) : 0,
                        d.has(ProtocolChange.USE_COOL_DOWN) ? w.u8("cool-down", m.coolDown) : 0);
            }

            private static int small(Wire w, String name, int value, boolean recoded) {
                return recoded ? w.u8(name, value) : Encoding.uvarint(w, name, value);
            }
        }

        /**
         * The player uses what it holds on an actor.
         *
         * @param target runtime id
         * @param action {@link #INTERACT} or {@link #ATTACK}
         * @param eyes of the player
         * @param clicked point of the actor
         */
        record UseOnActor(
                long target, int action, int hotbarSlot, ItemStack item, Vec3f eyes, Vec3f clicked)
                implements Transaction {
            public static final int INTERACT = 0;
            public static final int ATTACK = 1;

            static final UseOnActor BLANK =
                    new UseOnActor(0, 0, 0, ItemStack.AIR, Vec3f.ZERO, Vec3f.ZERO);

            @Override
            public int type() {
                return 3;
            }

            static UseOnActor wire(Wire w, UseOnActor m, Dialect d) {
                return new UseOnActor(
                        Encoding.uvarlong(w, "target", m.target),
                        Transaction.action(w, m.action, d),
                        Encoding.varint(w, "hotbar slot", m.hotbarSlot),
                        ItemStack.wire(w, "item", m.item, d, ProtocolChange.TRANSACTION_RECODED),
                        Vec3f.wire(w, "eyes", m.eyes),
                        Vec3f.wire(w, "clicked", m.clicked));
            }
        }

        /**
         * The player lets go of what it used, as a drawn bow.
         *
         * @param action {@link #RELEASE}, 1 consumed
         * @param head of the player
         */
        record ReleaseItem(int action, int hotbarSlot, ItemStack item, Vec3f head)
                implements Transaction {
            public static final int RELEASE = 0;

            static final ReleaseItem BLANK = new ReleaseItem(0, 0, ItemStack.AIR, Vec3f.ZERO);

            @Override
            public int type() {
                return 4;
            }

            static ReleaseItem wire(Wire w, ReleaseItem m, Dialect d) {
                return new ReleaseItem(
                        Transaction.action(w, m.action, d),
                        Encoding.varint(w, "hotbar slot", m.hotbarSlot),
                        ItemStack.wire(w, "item", m.item, d, ProtocolChange.TRANSACTION_RECODED),
                        Vec3f.wire(w, "head", m.head));
            }
        }

        /** The number of what is done. */
        private static int action(Wire w, int action, Dialect d) {
            return d.has(ProtocolChange.TRANSACTION_RECODED)
                    ? Encoding.varint(w, "action", action)
                    : Encoding.uvarint(w, "action", action);
        }
    }

    /**
     * Item in a player's hand: a client chose another slot, or others are shown it.
     *
     * @param window 0 inventory, 119 off hand
     */
    record MobEquipment(long runtimeId, ItemStack item, int slot, int hotbarSlot, int window)
            implements InventoryMessage {
        public static final MobEquipment BLANK = new MobEquipment(0, ItemStack.AIR, 0, 0, 0);

        public static MobEquipment wire(Wire w, MobEquipment m, Dialect d) {
            return new MobEquipment(
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    ItemStack.wire(w, "item", m.item, d, ProtocolChange.SLOT_ITEM_WHOLE),
                    w.u8("slot", m.slot),
                    w.u8("hotbar slot", m.hotbarSlot),
                    w.i8("window", m.window));
        }
    }

    /**
     * The armour that an actor wears, as others see it.
     *
     * @param body of an animal, in newer versions
     */
    record MobArmour(
            long runtimeId,
            ItemStack helmet,
            ItemStack chest,
            ItemStack legs,
            ItemStack boots,
            ItemStack body)
            implements InventoryMessage {
        public static final MobArmour BLANK =
                new MobArmour(
                        0,
                        ItemStack.AIR,
                        ItemStack.AIR,
                        ItemStack.AIR,
                        ItemStack.AIR,
                        ItemStack.AIR);

        public static MobArmour wire(Wire w, MobArmour m, Dialect d) {
            return new MobArmour(
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    piece(w, "helmet", m.helmet, d),
                    piece(w, "chest", m.chest, d),
                    piece(w, "legs", m.legs, d),
                    piece(w, "boots", m.boots, d),
                    d.has(ProtocolChange.USE_TRIGGER)
                            ? piece(w, "body", m.body, d)
                            : ItemStack.AIR);
        }

        private static ItemStack piece(Wire w, String name, ItemStack item, Dialect d) {
            return ItemStack.wire(w, name, item, d, ProtocolChange.TRANSACTION_RECODED);
        }
    }

    /** A container's kind, and the number of one that an item carries. */
    record Container(int id, Optional<Integer> dynamic) {
        /** No container in particular. */
        static final Container NONE = new Container(0, Optional.empty());

        static Container wire(Wire w, Container m) {
            return new Container(
                    w.u8("container", m.id),
                    Encoding.optional(
                            w,
                            "dynamic",
                            m.dynamic,
                            0,
                            (wire, number) -> wire.i32le("dynamic", number)));
        }
    }

    /**
     * All items of a window.
     *
     * @param window 0 inventory, of 36 slots with the hotbar first; 119 off hand, 120 armour
     * @param container in newer versions
     * @param size of a dynamic container, in two of the older versions
     * @param storage the item whose content it is, in newer versions
     */
    record InventoryContent(
            int window, List<ItemStack> items, Container container, int size, ItemStack storage)
            implements InventoryMessage {
        public static final InventoryContent BLANK = of(0, List.of());

        /** The content of a window that no item carries. */
        public static InventoryContent of(int window, List<ItemStack> items) {
            return new InventoryContent(window, items, Container.NONE, 0, ItemStack.AIR);
        }

        public static InventoryContent wire(Wire w, InventoryContent m, Dialect d) {
            int window = Encoding.uvarint(w, "window", m.window);
            List<ItemStack> items =
                    Encoding.list(
                            w,
                            "items",
                            m.items,
                            MAX_ENTRIES,
                            ItemStack.AIR,
                            (wire, item) ->
                                    ItemStack.wire(
                                            wire,
                                            "item",
                                            item,
                                            d,
                                            ProtocolChange.TRANSACTION_RECODED));
            boolean contained = d.has(ProtocolChange.CONTAINER_NAMED);
            Container container = contained ? Container.wire(w, m.container) : Container.NONE;
            boolean stored = d.has(ProtocolChange.STORAGE_ITEM);
            int size =
                    d.has(ProtocolChange.USE_TRIGGER) && !stored
                            ? Encoding.uvarint(w, "size", m.size)
                            : 0;
            return new InventoryContent(
                    window,
                    items,
                    container,
                    size,
                    stored
                            ? ItemStack.wire(
                                    w, "storage", m.storage, d, ProtocolChange.TRANSACTION_RECODED)
                            : ItemStack.AIR);
        }
    }

    /**
     * The item of one slot.
     *
     * @param container present in some older versions, optional in newer ones
     * @param size of a dynamic container, in two of the older versions
     * @param storage present in some older versions, optional in newer ones
     */
    record InventorySlot(
            int window,
            int slot,
            Optional<Container> container,
            int size,
            Optional<ItemStack> storage,
            ItemStack item)
            implements InventoryMessage {
        public static final InventorySlot BLANK = of(0, 0, ItemStack.AIR);

        /** A slot of a window that no item carries. */
        public static InventorySlot of(int window, int slot, ItemStack item) {
            return new InventorySlot(window, slot, Optional.empty(), 0, Optional.empty(), item);
        }

        public static InventorySlot wire(Wire w, InventorySlot m, Dialect d) {
            boolean whole = d.has(ProtocolChange.SLOT_ITEM_WHOLE);
            boolean stored = d.has(ProtocolChange.STORAGE_ITEM);
            int window = Encoding.uvarint(w, "window", m.window);
            int slot = Encoding.uvarint(w, "slot", m.slot);
            Optional<Container> container = Optional.empty();
            if (whole) {
                container =
                        Encoding.optional(
                                w, "container", m.container, Container.NONE, Container::wire);
            } else if (d.has(ProtocolChange.CONTAINER_NAMED)) {
                container = Optional.of(Container.wire(w, m.container.orElse(Container.NONE)));
            }
            int size =
                    d.has(ProtocolChange.USE_TRIGGER) && !stored
                            ? Encoding.uvarint(w, "size", m.size)
                            : 0;
            Optional<ItemStack> storage = Optional.empty();
            if (whole) {
                storage =
                        Encoding.optional(
                                w,
                                "storage",
                                m.storage,
                                ItemStack.AIR,
                                (wire, item) -> item(wire, "storage", item, d));
            } else if (stored) {
                storage = Optional.of(item(w, "storage", m.storage.orElse(ItemStack.AIR), d));
            }
            return new InventorySlot(
                    window, slot, container, size, storage, item(w, "item", m.item, d));
        }

        private static ItemStack item(Wire w, String name, ItemStack item, Dialect d) {
            return ItemStack.wire(w, name, item, d, ProtocolChange.SLOT_ITEM_WHOLE);
        }
    }

    /**
     * A client wants to move items.
     *
     * @param count number of requests
     * @param request number of the first one
     * @param rest its actions and the other requests, opaque
     */
    record ItemStackRequest(int count, int request, Bytes rest) implements InventoryMessage {
        public static final ItemStackRequest BLANK = new ItemStackRequest(1, 0, Bytes.EMPTY);

        public static ItemStackRequest wire(Wire w, ItemStackRequest m) {
            return new ItemStackRequest(
                    Encoding.uvarint(w, "count", m.count),
                    Encoding.varint(w, "request", m.request),
                    w.rest("rest", m.rest, MAX_BYTES));
        }

        /**
         * A stack that is thrown away.
         *
         * @param netId of the stack
         */
        public record Drop(int slot, int netId) {}

        private static final int DROP = 3;

        /** The items that the only request throws away; empty if it does anything else. */
        public Optional<Drop> drop(Dialect d) {
            Reader r = new Reader(rest);
            try {
                if (count != 1
                        || Encoding.uvarint(r, "actions", 0) != 1
                        || r.u8("type", 0) != DROP) {
                    return Optional.empty();
                }
                r.u8("count", 0);
                if (d.has(ProtocolChange.USE_TRIGGER)) {
                    Container.wire(r, Container.NONE);
                } else {
                    r.u8("container", 0);
                }
                return Optional.of(new Drop(r.u8("slot", 0), Encoding.varint(r, "net id", 0)));
            } catch (MalformedPacketException _) {
                return Optional.empty();
            }
        }
    }

    /**
     * The answer to a request to move items.
     *
     * @param count number of answers
     * @param status 0 done, others refused; of the first answer
     * @param request number of the request
     * @param rest the changed slots if it was done, and the other answers; opaque
     */
    record ItemStackResponse(int count, int status, int request, Bytes rest)
            implements InventoryMessage {
        public static final ItemStackResponse BLANK = new ItemStackResponse(1, 1, 0, Bytes.EMPTY);

        private static final Bytes ABSENT = Bytes.wrap(new byte[1]);
        private static final Bytes ABSENT_TWICE = Bytes.wrap(new byte[] {1, 0});

        /** Refuses a request. */
        public static ItemStackResponse refusal(int request, Dialect d) {
            Bytes rest = Bytes.EMPTY;
            if (d.has(ProtocolChange.NET_ID_PLAIN)) {
                rest = d.has(ProtocolChange.INPUT_PRESENCE_ONCE) ? ABSENT : ABSENT_TWICE;
            }
            return new ItemStackResponse(1, 1, request, rest);
        }

        public static ItemStackResponse wire(Wire w, ItemStackResponse m) {
            return new ItemStackResponse(
                    Encoding.uvarint(w, "count", m.count),
                    w.u8("status", m.status),
                    Encoding.varint(w, "request", m.request),
                    w.rest("rest", m.rest, MAX_BYTES));
        }
    }
}
