package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A message about the actors in the world and their appearance. */
public sealed interface ActorMessage extends BedrockMessage
        permits ActorMessage.AddPlayer,
                ActorMessage.AddActor,
                ActorMessage.AddItemActor,
                ActorMessage.TakeItemActor,
                ActorMessage.RemoveActor,
                ActorMessage.PlayerList,
                ActorMessage.SetActorData,
                AbilityMessage {
    /** Maximum number of players of a list. */
    int MAX_PLAYERS = 4096;

    /**
     * Adds a player's actor. The position is that of its feet, unlike in all other messages.
     *
     * @param item that the player holds; in older versions the layout of a real item is not walked,
     *     and what follows it stays unread
     */
    record AddPlayer(
            UUID uuid,
            String name,
            long runtimeId,
            String platformChat,
            Vec3f position,
            Vec3f velocity,
            float pitch,
            float yaw,
            float headYaw,
            HeldItem item,
            int gameType,
            List<Metadata> metadata,
            Properties properties,
            AbilityMessage.UpdateAbilities abilities,
            List<Link> links,
            String deviceId,
            int os)
            implements ActorMessage {
        public static final AddPlayer BLANK =
                new AddPlayer(
                        new UUID(0, 0),
                        "",
                        0,
                        "",
                        Vec3f.ZERO,
                        Vec3f.ZERO,
                        0,
                        0,
                        0,
                        HeldItem.NOTHING,
                        0,
                        List.of(),
                        Properties.BLANK,
                        AbilityMessage.UpdateAbilities.BLANK,
                        List.of(),
                        "",
                        0);

        public static AddPlayer wire(Wire w, AddPlayer m, Dialect d) {
            UUID uuid = Encoding.uuid(w, "uuid", m.uuid);
            String name = Encoding.text(w, "name", m.name);
            long runtimeId = Encoding.uvarlong(w, "runtime id", m.runtimeId);
            String platformChat = Encoding.text(w, "platform chat", m.platformChat);
            Vec3f position = Vec3f.wire(w, "position", m.position);
            Vec3f velocity = Vec3f.wire(w, "velocity", m.velocity);
            float pitch = w.f32le("pitch", m.pitch);
            float yaw = w.f32le("yaw", m.yaw);
            float headYaw = w.f32le("head yaw", m.headYaw);
            HeldItem item = HeldItem.wire(w, m.item, d);
            if (item.id != 0 && !d.has(ProtocolChange.HELD_ITEM_WHOLE)) {
                w.rest("unread", Bytes.EMPTY, MAX_BYTES);
                return new AddPlayer(
                        uuid,
                        name,
                        runtimeId,
                        platformChat,
                        position,
                        velocity,
                        pitch,
                        yaw,
                        headYaw,
                        item,
                        0,
                        List.of(),
                        Properties.BLANK,
                        AbilityMessage.UpdateAbilities.BLANK,
                        List.of(),
                        "",
                        0);
            }
            return new AddPlayer(
                    uuid,
                    name,
                    runtimeId,
                    platformChat,
                    position,
                    velocity,
                    pitch,
                    yaw,
                    headYaw,
                    item,
                    Encoding.varint(w, "game type", m.gameType),
                    Metadata.list(w, m.metadata, d),
                    Properties.wire(w, m.properties),
                    AbilityMessage.UpdateAbilities.wire(w, m.abilities, d),
                    Link.list(w, m.links, d),
                    Encoding.text(w, "device id", m.deviceId),
                    w.i32le("os", m.os));
        }
    }

    /**
     * The item that a player holds.
     *
     * @param id 0 for nothing; only newer versions have the other components
     */
    record HeldItem(
            int id, int count, int metadata, Optional<Integer> netId, int block, Bytes extra) {
        public static final HeldItem NOTHING =
                new HeldItem(0, 0, 0, Optional.empty(), 0, Bytes.EMPTY);

        private static final int MAX_EXTRA_BYTES = 64 << 10;

        static HeldItem wire(Wire w, HeldItem m, Dialect d) {
            if (!d.has(ProtocolChange.HELD_ITEM_WHOLE)) {
                int id = Encoding.varint(w, "item", m.id);
                return id == 0 ? NOTHING : new HeldItem(id, 0, 0, m.netId, 0, Bytes.EMPTY);
            }
            return new HeldItem(
                    w.i16le("item", m.id),
                    w.u16le("item count", m.count),
                    Encoding.uvarint(w, "item metadata", m.metadata),
                    Encoding.optional(
                            w,
                            "item net id",
                            m.netId,
                            0,
                            (wire, id) -> Encoding.varint(wire, "item net id", id)),
                    Encoding.uvarint(w, "item block", m.block),
                    Encoding.blob(w, "item extra", m.extra, MAX_EXTRA_BYTES));
        }
    }

    /** An actor that rides on another. */
    record Link(
            long ridden,
            long rider,
            int type,
            boolean immediate,
            boolean byRider,
            float angularVelocity) {
        static final Link BLANK = new Link(0, 0, 0, false, false, 0);

        static List<Link> list(Wire w, List<Link> links, Dialect d) {
            return Encoding.list(
                    w,
                    "links",
                    links,
                    Metadata.MAX_ENTRIES,
                    BLANK,
                    (wire, link) -> wire(wire, link, d));
        }

        static Link wire(Wire w, Link m, Dialect d) {
            return new Link(
                    Encoding.varlong(w, "ridden", m.ridden),
                    Encoding.varlong(w, "rider", m.rider),
                    w.u8("type", m.type),
                    w.bool("immediate", m.immediate),
                    w.bool("by rider", m.byRider),
                    d.has(ProtocolChange.LINK_SPIN)
                            ? w.f32le("angular velocity", m.angularVelocity)
                            : 0);
        }
    }

    /**
     * Adds an actor that is neither a player nor an item. The position is that of its feet.
     *
     * @param type {@code minecraft:arrow} …
     * @param velocity metres a tick
     */
    record AddActor(
            long uniqueId,
            long runtimeId,
            String type,
            Vec3f position,
            Vec3f velocity,
            float pitch,
            float yaw,
            float headYaw,
            float bodyYaw,
            List<ActorAttribute> attributes,
            List<Metadata> metadata,
            Properties properties,
            List<Link> links)
            implements ActorMessage {
        public static final AddActor BLANK =
                new AddActor(
                        0,
                        0,
                        "",
                        Vec3f.ZERO,
                        Vec3f.ZERO,
                        0,
                        0,
                        0,
                        0,
                        List.of(),
                        List.of(),
                        Properties.BLANK,
                        List.of());

        public static AddActor wire(Wire w, AddActor m, Dialect d) {
            return new AddActor(
                    Encoding.varlong(w, "unique id", m.uniqueId),
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    Encoding.text(w, "type", m.type),
                    Vec3f.wire(w, "position", m.position),
                    Vec3f.wire(w, "velocity", m.velocity),
                    w.f32le("pitch", m.pitch),
                    w.f32le("yaw", m.yaw),
                    w.f32le("head yaw", m.headYaw),
                    w.f32le("body yaw", m.bodyYaw),
                    Encoding.list(
                            w,
                            "attributes",
                            m.attributes,
                            AbilityMessage.MAX_ATTRIBUTES,
                            ActorAttribute.BLANK,
                            ActorAttribute::wire),
                    Metadata.list(w, m.metadata, d),
                    Properties.wire(w, m.properties),
                    Link.list(w, m.links, d));
        }
    }

    /** An attribute of an added actor. */
    record ActorAttribute(String name, float min, float current, float max) {
        static final ActorAttribute BLANK = new ActorAttribute("", 0, 0, 0);

        static ActorAttribute wire(Wire w, ActorAttribute m) {
            return new ActorAttribute(
                    Encoding.text(w, "name", m.name),
                    w.f32le("min", m.min),
                    w.f32le("current", m.current),
                    w.f32le("max", m.max));
        }
    }

    /** Adds an item that lies there. The position is that of its base. */
    record AddItemActor(
            long uniqueId,
            long runtimeId,
            ItemStack item,
            Vec3f position,
            Vec3f velocity,
            List<Metadata> metadata,
            boolean fromFishing)
            implements ActorMessage {
        public static final AddItemActor BLANK =
                new AddItemActor(0, 0, ItemStack.AIR, Vec3f.ZERO, Vec3f.ZERO, List.of(), false);

        public static AddItemActor wire(Wire w, AddItemActor m, Dialect d) {
            return new AddItemActor(
                    Encoding.varlong(w, "unique id", m.uniqueId),
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    ItemStack.wire(w, "item", m.item, d, ProtocolChange.HELD_ITEM_WHOLE),
                    Vec3f.wire(w, "position", m.position),
                    Vec3f.wire(w, "velocity", m.velocity),
                    Metadata.list(w, m.metadata, d),
                    w.bool("from fishing", m.fromFishing));
        }
    }

    /** An item flies to the actor that has taken it; it must then be removed. */
    record TakeItemActor(long itemId, long takerId) implements ActorMessage {
        public static final TakeItemActor BLANK = new TakeItemActor(0, 0);

        public static TakeItemActor wire(Wire w, TakeItemActor m) {
            return new TakeItemActor(
                    Encoding.uvarlong(w, "item id", m.itemId),
                    Encoding.uvarlong(w, "taker id", m.takerId));
        }
    }

    /** Removes an actor. */
    record RemoveActor(long uniqueId) implements ActorMessage {
        public static final RemoveActor BLANK = new RemoveActor(0);

        public static RemoveActor wire(Wire w, RemoveActor m) {
            return new RemoveActor(Encoding.varlong(w, "unique id", m.uniqueId));
        }
    }

    /**
     * Adds players to the list or removes them. Without its entry a player is invisible.
     *
     * @param type 0 add, 1 remove; an entry to remove has only its UUID
     */
    record PlayerList(int type, List<ListedPlayer> entries) implements ActorMessage {
        public static final PlayerList BLANK = new PlayerList(0, List.of());

        public static final int ADD = 0;
        public static final int REMOVE = 1;

        public static PlayerList wire(Wire w, PlayerList m, Dialect d) {
            return d.has(ProtocolChange.LIST_OF_CHANGES)
                    ? wireChanges(w, m, d)
                    : wireOfOneType(w, m, d);
        }

        private static PlayerList wireOfOneType(Wire w, PlayerList m, Dialect d) {
            int type = w.bounded("type", w.u8("type", m.type), REMOVE);
            boolean add = type == ADD;
            List<ListedPlayer> entries =
                    Encoding.list(
                            w,
                            "entries",
                            m.entries,
                            MAX_PLAYERS,
                            ListedPlayer.BLANK,
                            (wire, entry) -> ListedPlayer.wire(wire, entry, add, d));
            return new PlayerList(type, add ? trusted(w, entries) : entries);
        }

        /** Whether the skin of each added player is trusted. */
        private static List<ListedPlayer> trusted(Wire w, List<ListedPlayer> entries) {
            return Encoding.items(
                    w,
                    "trusted",
                    entries,
                    entries.size(),
                    ListedPlayer.BLANK,
                    (wire, entry) -> entry.withTrusted(wire.bool("trusted", entry.trusted)));
        }

        /** A player that comes or leaves: two numbers say which, and the first is decisive. */
        private record Listing(int type, ListedPlayer player) {
            static final Listing BLANK = new Listing(ADD, ListedPlayer.BLANK);

            static Listing wire(Wire w, Listing m, Dialect d) {
                int variant = Encoding.uvarint(w, "variant", 1 - m.type);
                int type = 1 - w.bounded("variant", variant, 1);
                w.u8("type", type);
                return new Listing(type, ListedPlayer.wire(w, m.player, type == ADD, d));
            }
        }

        /** The newer form. It allows both kinds in one message, which no server uses. */
        private static PlayerList wireChanges(Wire w, PlayerList m, Dialect d) {
            List<Listing> changes =
                    Encoding.list(
                            w,
                            "entries",
                            m.entries.stream().map(e -> new Listing(m.type, e)).toList(),
                            MAX_PLAYERS,
                            Listing.BLANK,
                            (wire, change) -> Listing.wire(wire, change, d));
            int type = changes.isEmpty() ? m.type : changes.getFirst().type;
            if (changes.stream().anyMatch(change -> change.type != type)) {
                throw w.malformed("variant", "differs within the message");
            }
            return new PlayerList(type, changes.stream().map(Listing::player).toList());
        }
    }

    /**
     * An entry of the player list.
     *
     * @param trusted whether the skin is trusted
     * @param profileHash in newer versions
     * @param colour in newer versions: four bytes, blue the lowest
     */
    record ListedPlayer(
            UUID uuid,
            long uniqueId,
            String name,
            String xuid,
            String platformChat,
            int platform,
            Skin skin,
            boolean trusted,
            String profileHash,
            boolean teacher,
            boolean host,
            boolean subClient,
            int colour) {
        /** The colour of a player without one of its own. */
        public static final int WHITE = -1;

        public static final ListedPlayer BLANK = removed(new UUID(0, 0));

        static ListedPlayer wire(Wire w, ListedPlayer m, boolean added, Dialect d) {
            UUID uuid = Encoding.uuid(w, "uuid", m.uuid);
            if (!added) {
                return removed(uuid);
            }
            boolean recoded = d.has(ProtocolChange.SKIN_RECODED);
            return new ListedPlayer(
                    uuid,
                    Encoding.varlong(w, "unique id", m.uniqueId),
                    Encoding.text(w, "name", m.name),
                    Encoding.text(w, "xuid", m.xuid),
                    Encoding.text(w, "platform chat", m.platformChat),
                    w.i32le("platform", m.platform),
                    Skin.wire(w, m.skin, d),
                    recoded
                            ? Encoding.text(w, "trusted", Boolean.toString(m.trusted))
                                    .equals("true")
                            : m.trusted,
                    recoded ? Encoding.text(w, "profile hash", m.profileHash) : "",
                    w.bool("teacher", m.teacher),
                    w.bool("host", m.host),
                    w.bool("sub client", m.subClient),
                    d.has(ProtocolChange.PLAYER_COLOUR) ? w.i32le("colour", m.colour) : WHITE);
        }

        /** The entry to remove a player. */
        public static ListedPlayer removed(UUID uuid) {
            return new ListedPlayer(
                    uuid, 0, "", "", "", 0, Skin.BLANK, false, "", false, false, false, WHITE);
        }

        private ListedPlayer withTrusted(boolean truly) {
            return new ListedPlayer(
                    uuid,
                    uniqueId,
                    name,
                    xuid,
                    platformChat,
                    platform,
                    skin,
                    truly,
                    profileHash,
                    teacher,
                    host,
                    subClient,
                    colour);
        }
    }

    /** Changes the appearance of an actor. */
    record SetActorData(long runtimeId, List<Metadata> metadata, Properties properties, long tick)
            implements ActorMessage {
        public static final SetActorData BLANK =
                new SetActorData(0, List.of(), Properties.BLANK, 0);

        public static SetActorData wire(Wire w, SetActorData m, Dialect d) {
            return new SetActorData(
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    Metadata.list(w, m.metadata, d),
                    Properties.wire(w, m.properties),
                    Encoding.uvarlong(w, "tick", m.tick));
        }
    }

    /** Properties of an actor that packs define. */
    record Properties(List<IntProperty> ints, List<FloatProperty> floats) {
        public static final Properties BLANK = new Properties(List.of(), List.of());

        public static Properties wire(Wire w, Properties m) {
            return new Properties(
                    Encoding.list(
                            w,
                            "ints",
                            m.ints,
                            Metadata.MAX_ENTRIES,
                            IntProperty.BLANK,
                            IntProperty::wire),
                    Encoding.list(
                            w,
                            "floats",
                            m.floats,
                            Metadata.MAX_ENTRIES,
                            FloatProperty.BLANK,
                            FloatProperty::wire));
        }
    }

    /** An integer property. */
    record IntProperty(int index, int value) {
        public static final IntProperty BLANK = new IntProperty(0, 0);

        public static IntProperty wire(Wire w, IntProperty m) {
            return new IntProperty(
                    Encoding.uvarint(w, "index", m.index), Encoding.varint(w, "value", m.value));
        }
    }

    /** A property of single precision. */
    record FloatProperty(int index, float value) {
        public static final FloatProperty BLANK = new FloatProperty(0, 0);

        public static FloatProperty wire(Wire w, FloatProperty m) {
            return new FloatProperty(
                    Encoding.uvarint(w, "index", m.index), w.f32le("value", m.value));
        }
    }
}
