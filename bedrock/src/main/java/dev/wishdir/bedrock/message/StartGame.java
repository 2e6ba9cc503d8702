package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Starts the game: the world that the client enters, and its player.
 *
 * @param gameType 0 survival, 1 creative, 2 adventure, 6 spectator
 * @param position of the player's eyes
 * @param rotation pitch and yaw
 * @param editorPolicy in newer versions, as {@code anonymousDrops}
 * @param authority the side that decides where the player is: 0 and 1 the client, 2 the server; in
 *     newer versions always the server
 * @param rewind number of ticks that the client keeps for corrections
 * @param tick the server's time, from which the client counts its inputs
 * @param items in older versions; newer ones have a message of their own
 * @param hashedBlockIds whether blocks have their hash as id, which is the same in all versions
 * @param tickDeathSystems in some versions, as {@code chatLogging}
 * @param joinInfo in newer versions
 */
public record StartGame(
        long uniqueId,
        long runtimeId,
        int gameType,
        Vec3f position,
        Vec2f rotation,
        LevelSettings settings,
        int editorPolicy,
        boolean anonymousDrops,
        String levelId,
        String levelName,
        String templateIdentity,
        boolean trial,
        int authority,
        int rewind,
        boolean authoritativeBreaking,
        long tick,
        int enchantmentSeed,
        List<BlockProperty> blockProperties,
        List<WorldMessage.Item> items,
        String correlation,
        boolean itemStackManager,
        String serverVersion,
        Nbt.Compound properties,
        long blockChecksum,
        UUID templateId,
        boolean clientSideGeneration,
        boolean hashedBlockIds,
        boolean tickDeathSystems,
        boolean serverControlledSounds,
        boolean chatLogging,
        Optional<JoinInfo> joinInfo,
        Identities identities)
        implements BedrockMessage {
    public static final StartGame BLANK =
            new StartGame(
                    0,
                    0,
                    0,
                    Vec3f.ZERO,
                    Vec2f.ZERO,
                    LevelSettings.BLANK,
                    0,
                    false,
                    "",
                    "",
                    "",
                    false,
                    0,
                    0,
                    false,
                    0,
                    0,
                    List.of(),
                    List.of(),
                    "",
                    false,
                    "",
                    Nbt.EMPTY,
                    0,
                    new UUID(0, 0),
                    false,
                    false,
                    false,
                    false,
                    false,
                    Optional.empty(),
                    Identities.NONE);

    public static StartGame wire(Wire w, StartGame m, Dialect d) {
        boolean last = d.has(ProtocolChange.IDENTITIES_LAST);
        boolean editors = d.has(ProtocolChange.EDITOR_POLICY);
        long uniqueId = Encoding.varlong(w, "unique id", m.uniqueId);
        long runtimeId = Encoding.uvarlong(w, "runtime id", m.runtimeId);
        int gameType = Encoding.varint(w, "game type", m.gameType);
        Vec3f position = Vec3f.wire(w, "position", m.position);
        Vec2f rotation = Vec2f.wire(w, "rotation", m.rotation);
        LevelSettings settings = LevelSettings.wire(w, m.settings, d);
        Identities identities =
                last ? Identities.NONE : Identities.wireInSettings(w, m.identities, d);
        return new StartGame(
                uniqueId,
                runtimeId,
                gameType,
                position,
                rotation,
                settings,
                editors ? Encoding.varint(w, "editor policy", m.editorPolicy) : 0,
                editors && w.bool("anonymous drops", m.anonymousDrops),
                Encoding.text(w, "level id", m.levelId),
                Encoding.text(w, "level name", m.levelName),
                Encoding.text(w, "template identity", m.templateIdentity),
                w.bool("trial", m.trial),
                d.has(ProtocolChange.NO_AUTHORITY)
                        ? SERVER_AUTHORITY
                        : Encoding.varint(w, "authority", m.authority),
                Encoding.varint(w, "rewind", m.rewind),
                w.bool("authoritative breaking", m.authoritativeBreaking),
                w.i64le("tick", m.tick),
                Encoding.varint(w, "enchantment seed", m.enchantmentSeed),
                Encoding.list(
                        w,
                        "block properties",
                        m.blockProperties,
                        MAX_BLOCK_PROPERTIES,
                        BlockProperty.BLANK,
                        BlockProperty::wire),
                d.has(ProtocolChange.ITEM_REGISTRY)
                        ? List.of()
                        : Encoding.list(
                                w,
                                "items",
                                m.items,
                                WorldMessage.Item.MAX_ITEMS,
                                WorldMessage.Item.BLANK,
                                WorldMessage.Item::wireOfTable),
                Encoding.text(w, "correlation", m.correlation),
                w.bool("item stack manager", m.itemStackManager),
                Encoding.text(w, "server version", m.serverVersion),
                Nbt.wire(w, "properties", m.properties, Nbt.Flavour.NETWORK),
                w.i64le("block checksum", m.blockChecksum),
                Encoding.uuid(w, "template id", m.templateId),
                w.bool("client side generation", m.clientSideGeneration),
                w.bool("hashed block ids", m.hashedBlockIds),
                d.has(ProtocolChange.TICK_DEATH_SYSTEMS)
                        && w.bool("tick death systems", m.tickDeathSystems),
                w.bool("server controlled sounds", m.serverControlledSounds),
                d.has(ProtocolChange.CHAT_LOGGING) && w.bool("chat logging", m.chatLogging),
                last
                        ? Encoding.optional(
                                w,
                                "join info",
                                m.joinInfo,
                                JoinInfo.BLANK,
                                (wire, info) -> JoinInfo.wire(wire, info, d))
                        : Optional.empty(),
                last ? Identities.wireLast(w, m.identities) : identities);
    }

    /** The client decides where its player is. */
    public static final int CLIENT_AUTHORITY = 0;

    /** The server decides where players are. */
    public static final int SERVER_AUTHORITY = 2;

    private static final int MAX_BLOCK_PROPERTIES = 1024;

    /** A block that a pack defines. */
    public record BlockProperty(String name, Nbt.Compound definition) {
        public static final BlockProperty BLANK = new BlockProperty("", Nbt.EMPTY);

        public static BlockProperty wire(Wire w, BlockProperty m) {
            return new BlockProperty(
                    Encoding.text(w, "name", m.name),
                    Nbt.wire(w, "definition", m.definition, Nbt.Flavour.NETWORK));
        }
    }

    /** The identities of the server, the world, the scenario and the owner. */
    public record Identities(String server, String world, String scenario, String owner) {
        public static final Identities NONE = new Identities("", "", "", "");

        /** The form of older versions, after the settings of the world. */
        private static Identities wireInSettings(Wire w, Identities m, Dialect d) {
            return new Identities(
                    Encoding.text(w, "server id", m.server),
                    Encoding.text(w, "world id", m.world),
                    Encoding.text(w, "scenario id", m.scenario),
                    d.has(ProtocolChange.OWNER_ID) ? Encoding.text(w, "owner id", m.owner) : "");
        }

        /** The form of newer versions, at the end, with the scenario before the world. */
        private static Identities wireLast(Wire w, Identities m) {
            String server = Encoding.text(w, "server id", m.server);
            String scenario = Encoding.text(w, "scenario id", m.scenario);
            String world = Encoding.text(w, "world id", m.world);
            return new Identities(server, world, scenario, Encoding.text(w, "owner id", m.owner));
        }
    }
}
