package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.UUID;

/** Who is in the world, and what they look like. */
public sealed interface ActorMessage extends BedrockMessage {
    /** The most metadata or properties of a body. */
    int METADATA = 256;

    /** The most players of a list. */
    int PLAYERS = 4096;

    /** The most layers of abilities. */
    int LAYERS = 16;

    /** The most attributes of a body, and modifiers of an attribute. */
    int ATTRIBUTES = 256;

    /**
     * A player gets a body. Its position is that of its feet, unlike everywhere else.
     *
     * @param item what it holds: 0 nothing; the layout of anything else is not walked, so what
     *     follows is then left unread
     * @param links must be 0
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
            int item,
            int gameType,
            List<Metadata> metadata,
            Properties properties,
            UpdateAbilities abilities,
            int links,
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
                        0,
                        0,
                        List.of(),
                        Properties.BLANK,
                        UpdateAbilities.BLANK,
                        0,
                        "",
                        0);

        public static AddPlayer wire(Wire w, AddPlayer m) {
            UUID uuid = Encoding.uuid(w, "uuid", m.uuid);
            String name = Encoding.text(w, "name", m.name);
            long runtimeId = Encoding.uvarlong(w, "runtime id", m.runtimeId);
            String platformChat = Encoding.text(w, "platform chat", m.platformChat);
            Vec3f position = Vec3f.wire(w, "position", m.position);
            Vec3f velocity = Vec3f.wire(w, "velocity", m.velocity);
            float pitch = w.f32le("pitch", m.pitch);
            float yaw = w.f32le("yaw", m.yaw);
            float headYaw = w.f32le("head yaw", m.headYaw);
            int item = Encoding.varint(w, "item", m.item);
            if (item != 0) {
                w.rest("unread", Bytes.EMPTY, LARGEST);
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
                        UpdateAbilities.BLANK,
                        0,
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
                    Encoding.list(
                            w, "metadata", m.metadata, METADATA, Metadata.BLANK, Metadata::wire),
                    Properties.wire(w, m.properties),
                    UpdateAbilities.wire(w, m.abilities),
                    w.bounded("links", Encoding.uvarint(w, "links", m.links), 0),
                    Encoding.text(w, "device id", m.deviceId),
                    w.i32le("os", m.os));
        }
    }

    /** A body is gone. */
    record RemoveActor(long uniqueId) implements ActorMessage {
        public static final RemoveActor BLANK = new RemoveActor(0);

        public static RemoveActor wire(Wire w, RemoveActor m) {
            return new RemoveActor(Encoding.varlong(w, "unique id", m.uniqueId));
        }
    }

    /**
     * Players come to the list, or leave it. Without its entry a player is invisible.
     *
     * @param type 0 add, 1 remove, where entries hold their uuid alone
     * @param trusted for each added one whether its skin is
     */
    record PlayerList(int type, List<ListedPlayer> entries, List<Boolean> trusted)
            implements ActorMessage {
        public static final PlayerList BLANK = new PlayerList(0, List.of(), List.of());

        public static final int ADD = 0;
        public static final int REMOVE = 1;

        public static PlayerList wire(Wire w, PlayerList m) {
            int type = w.bounded("type", w.u8("type", m.type), REMOVE);
            boolean add = type == ADD;
            List<ListedPlayer> entries =
                    Encoding.list(
                            w,
                            "entries",
                            m.entries,
                            PLAYERS,
                            ListedPlayer.BLANK,
                            add ? ListedPlayer::wire : ListedPlayer::wireRemoved);
            List<Boolean> trusted =
                    add
                            ? Encoding.items(
                                    w,
                                    "trusted",
                                    m.trusted,
                                    entries.size(),
                                    false,
                                    (wire, each) -> wire.bool("trusted", each))
                            : List.of();
            return new PlayerList(type, entries, trusted);
        }
    }

    /** A player in the list. */
    record ListedPlayer(
            UUID uuid,
            long uniqueId,
            String name,
            String xuid,
            String platformChat,
            int platform,
            Skin skin,
            boolean teacher,
            boolean host,
            boolean subClient) {
        public static final ListedPlayer BLANK =
                new ListedPlayer(new UUID(0, 0), 0, "", "", "", 0, Skin.BLANK, false, false, false);

        public static ListedPlayer wire(Wire w, ListedPlayer m) {
            return new ListedPlayer(
                    Encoding.uuid(w, "uuid", m.uuid),
                    Encoding.varlong(w, "unique id", m.uniqueId),
                    Encoding.text(w, "name", m.name),
                    Encoding.text(w, "xuid", m.xuid),
                    Encoding.text(w, "platform chat", m.platformChat),
                    w.i32le("platform", m.platform),
                    Skin.wire(w, m.skin),
                    w.bool("teacher", m.teacher),
                    w.bool("host", m.host),
                    w.bool("sub client", m.subClient));
        }

        /** An entry that leaves is its uuid. */
        public static ListedPlayer removed(UUID uuid) {
            return new ListedPlayer(uuid, 0, "", "", "", 0, Skin.BLANK, false, false, false);
        }

        static ListedPlayer wireRemoved(Wire w, ListedPlayer m) {
            return removed(Encoding.uuid(w, "uuid", m.uuid));
        }
    }

    /** What a player may do. */
    record UpdateAbilities(
            long uniqueId, int permission, int commandPermission, List<AbilityLayer> layers)
            implements ActorMessage {
        public static final UpdateAbilities BLANK = new UpdateAbilities(0, 0, 0, List.of());

        public static UpdateAbilities wire(Wire w, UpdateAbilities m) {
            return new UpdateAbilities(
                    w.i64le("unique id", m.uniqueId),
                    w.u8("permission", m.permission),
                    w.u8("command permission", m.commandPermission),
                    Encoding.items(
                            w,
                            "layers",
                            m.layers,
                            w.bounded("layers", w.u8("layers", m.layers.size()), LAYERS),
                            AbilityLayer.BLANK,
                            AbilityLayer::wire));
        }
    }

    /** Abilities that one source grants. */
    record AbilityLayer(int layer, long allowed, long set, float flySpeed, float walkSpeed) {
        public static final AbilityLayer BLANK = new AbilityLayer(0, 0, 0, 0, 0);

        public static AbilityLayer wire(Wire w, AbilityLayer m) {
            return new AbilityLayer(
                    w.u16le("layer", m.layer),
                    w.u32le("allowed", m.allowed),
                    w.u32le("set", m.set),
                    w.f32le("fly speed", m.flySpeed),
                    w.f32le("walk speed", m.walkSpeed));
        }
    }

    /** What a player can endure and how fast it is. */
    record UpdateAttributes(long runtimeId, List<Attribute> attributes, long tick)
            implements ActorMessage {
        public static final UpdateAttributes BLANK = new UpdateAttributes(0, List.of(), 0);

        public static UpdateAttributes wire(Wire w, UpdateAttributes m) {
            return new UpdateAttributes(
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    Encoding.list(
                            w,
                            "attributes",
                            m.attributes,
                            ATTRIBUTES,
                            Attribute.BLANK,
                            Attribute::wire),
                    Encoding.uvarlong(w, "tick", m.tick));
        }
    }

    /** A number that the game changes by modifiers. */
    record Attribute(
            float min,
            float max,
            float current,
            float defaultMin,
            float defaultMax,
            float defaultValue,
            String name,
            List<Modifier> modifiers) {
        public static final Attribute BLANK = new Attribute(0, 0, 0, 0, 0, 0, "", List.of());

        public static Attribute wire(Wire w, Attribute m) {
            return new Attribute(
                    w.f32le("min", m.min),
                    w.f32le("max", m.max),
                    w.f32le("current", m.current),
                    w.f32le("default min", m.defaultMin),
                    w.f32le("default max", m.defaultMax),
                    w.f32le("default value", m.defaultValue),
                    Encoding.text(w, "name", m.name),
                    Encoding.list(
                            w,
                            "modifiers",
                            m.modifiers,
                            ATTRIBUTES,
                            Modifier.BLANK,
                            Modifier::wire));
        }
    }

    /** What changes an attribute. */
    record Modifier(
            String id, String name, float amount, int operation, int operand, boolean serialised) {
        public static final Modifier BLANK = new Modifier("", "", 0, 0, 0, false);

        public static Modifier wire(Wire w, Modifier m) {
            return new Modifier(
                    Encoding.text(w, "id", m.id),
                    Encoding.text(w, "name", m.name),
                    w.f32le("amount", m.amount),
                    w.i32le("operation", m.operation),
                    w.i32le("operand", m.operand),
                    w.bool("serialised", m.serialised));
        }
    }

    /** What a body looks like. */
    record SetActorData(long runtimeId, List<Metadata> metadata, Properties properties, long tick)
            implements ActorMessage {
        public static final SetActorData BLANK =
                new SetActorData(0, List.of(), Properties.BLANK, 0);

        public static SetActorData wire(Wire w, SetActorData m) {
            return new SetActorData(
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    Encoding.list(
                            w, "metadata", m.metadata, METADATA, Metadata.BLANK, Metadata::wire),
                    Properties.wire(w, m.properties),
                    Encoding.uvarlong(w, "tick", m.tick));
        }
    }

    /** Values that packs define. */
    record Properties(List<IntProperty> ints, List<FloatProperty> floats) {
        public static final Properties BLANK = new Properties(List.of(), List.of());

        public static Properties wire(Wire w, Properties m) {
            return new Properties(
                    Encoding.list(
                            w, "ints", m.ints, METADATA, IntProperty.BLANK, IntProperty::wire),
                    Encoding.list(
                            w,
                            "floats",
                            m.floats,
                            METADATA,
                            FloatProperty.BLANK,
                            FloatProperty::wire));
        }
    }

    /** A whole number that a pack defines. */
    record IntProperty(int index, int value) {
        public static final IntProperty BLANK = new IntProperty(0, 0);

        public static IntProperty wire(Wire w, IntProperty m) {
            return new IntProperty(
                    Encoding.uvarint(w, "index", m.index), Encoding.varint(w, "value", m.value));
        }
    }

    /** A number that a pack defines. */
    record FloatProperty(int index, float value) {
        public static final FloatProperty BLANK = new FloatProperty(0, 0);

        public static FloatProperty wire(Wire w, FloatProperty m) {
            return new FloatProperty(
                    Encoding.uvarint(w, "index", m.index), w.f32le("value", m.value));
        }
    }
}
