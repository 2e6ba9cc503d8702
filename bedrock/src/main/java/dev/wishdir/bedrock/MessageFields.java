package dev.wishdir.bedrock;

import dev.wishdir.bedrock.message.ActorMessage;
import dev.wishdir.bedrock.message.ActorMessage.AbilityLayer;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.Attribute;
import dev.wishdir.bedrock.message.ActorMessage.ListedPlayer;
import dev.wishdir.bedrock.message.ActorMessage.PlayerList;
import dev.wishdir.bedrock.message.ActorMessage.Properties;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.ActorMessage.UpdateAbilities;
import dev.wishdir.bedrock.message.ActorMessage.UpdateAttributes;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.Change;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.ModalForm;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The fields of messages as the inspector's lines name them. */
final class MessageFields {
    private static final int BIOMES = 24;
    private static final int SAME_AS_BELOW = 0xFF;
    private static final int BLOCKS = 4096;

    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    private final Dialect dialect;

    private MessageFields(Dialect dialect) {
        this.dialect = dialect;
    }

    /** The fields that a version's message has; empty where it is not walked. */
    static Map<String, @Nullable Object> of(BedrockMessage message, Dialect dialect) {
        MessageFields made = new MessageFields(dialect);
        switch (message) {
            case LoginMessage m -> made.login(m);
            case PackMessage m -> made.packs(m);
            case WorldMessage m -> made.world(m);
            case MovementMessage m -> made.movement(m);
            case ActorMessage m -> made.actors(m);
            case StartGame m -> made.startGame(m);
            case LevelChunk m -> made.chunk(m);
            case MovePlayer m -> made.movePlayer(m);
            case PlayerAuthInput m -> made.authInput(m);
            case Text m -> made.text(m);
            case ModalForm m -> made.form(m);
            case CommandRequest m -> made.put("command", m.command());
            case Unknown m -> made.put("length", m.body().length());
        }
        return made.fields;
    }

    private MessageFields put(String name, @Nullable Object value) {
        fields.put(name, value);
        return this;
    }

    private MessageFields putIf(Change change, String name, @Nullable Object value) {
        return dialect.has(change) ? put(name, value) : this;
    }

    private MessageFields putUnless(Change change, String name, @Nullable Object value) {
        return dialect.has(change) ? this : put(name, value);
    }

    private <T> MessageFields putIfThere(
            String name, Optional<T> value, Function<T, @Nullable Object> form) {
        value.ifPresent(there -> put(name, form.apply(there)));
        return this;
    }

    /** Eight bytes that have no sign. */
    private static Object unsigned(long value) {
        return value >= 0 ? (Object) value : new BigInteger(Long.toUnsignedString(value));
    }

    private static List<Double> vector(Vec3f v) {
        return List.of((double) v.x(), (double) v.y(), (double) v.z());
    }

    private static List<Double> vector(Vec2f v) {
        return List.of((double) v.x(), (double) v.y());
    }

    private static List<Integer> position(BlockPos p) {
        return List.of(p.x(), p.y(), p.z());
    }

    private static double degrees(int angle) {
        return angle * 360 / 256.0;
    }

    private void login(LoginMessage message) {
        switch (message) {
            case LoginMessage.RequestNetworkSettings m -> put("protocol", m.protocol());
            case LoginMessage.NetworkSettings m ->
                    put("threshold", m.threshold())
                            .put("algorithm", m.algorithm())
                            .put("throttle", m.throttle())
                            .put("thr_n", m.throttleThreshold())
                            .put("scalar", (double) m.throttleScalar());
            case LoginMessage.Login m -> tokens(m);
            case LoginMessage.ServerToClientHandshake m -> put("jwt_len", m.token().length());
            case LoginMessage.ClientToServerHandshake _ -> {}
            case LoginMessage.PlayStatus m -> put("status", m.status());
            case LoginMessage.Disconnect m -> {
                put("reason", m.reason()).put("hide", m.hidden());
                if (!m.hidden()) {
                    put("message", m.message())
                            .putIf(Change.DISCONNECT_FILTERED, "filtered", m.filtered());
                }
            }
            case LoginMessage.Transfer m ->
                    put("host", m.host())
                            .put("port", m.port())
                            .putIf(Change.TRANSFER_RELOAD, "reload", m.reload());
            case LoginMessage.NetworkStackLatency m ->
                    put("timestamp", unsigned(m.timestamp()))
                            .put("needs_response", m.needsResponse());
        }
    }

    private void tokens(LoginMessage.Login m) {
        put("protocol", m.protocol());
        try {
            Reader r = new Reader(m.tokens());
            Map<String, Object> identity = JsonUtil.parseJson(token(r));
            if (identity.get("AuthenticationType") instanceof Number type) {
                put("auth_type", type);
            }
            String wrapped = identity.get("Certificate") instanceof String text ? text : "";
            Map<String, Object> chained =
                    wrapped.isEmpty() ? identity : JsonUtil.parseJson(wrapped);
            put("chain", chained.get("chain") instanceof List<?> l ? l.size() : 0);
            if (identity.get("Token") instanceof String only) {
                put("token_len", only.length());
            }
            put("client_jwt_len", token(r).length());
        } catch (MalformedPacketException | JoseException e) {
            put("error", e.getMessage());
        }
    }

    private static String token(Reader r) {
        int length = r.bounded("length", r.i32le("length", 0), r.remaining());
        return new String(r.bytes("token", Bytes.EMPTY, length).toArray(), StandardCharsets.UTF_8);
    }

    private static List<List<String>> stacked(List<PackMessage.StackedPack> packs) {
        return packs.stream().map(p -> List.of(p.uuid(), p.version(), p.subPack())).toList();
    }

    private static List<List<Object>> experiments(List<PackMessage.Experiment> experiments) {
        return experiments.stream().map(e -> List.<Object>of(e.name(), e.enabled())).toList();
    }

    private void packs(PackMessage message) {
        switch (message) {
            case PackMessage.ResourcePacksInfo m ->
                    put("accept", m.mustAccept())
                            .put("addons", m.addons())
                            .put("scripts", m.scripts())
                            .putUnless(
                                    Change.PACKS_IN_ONE_LIST,
                                    "force_server_packs",
                                    m.forceServerPacks())
                            .putIf(Change.PACK_VISUALS, "no_vibrant_visuals", m.visualsOff())
                            .putIf(Change.PACK_TEMPLATE, "template", m.template().toString())
                            .putIf(Change.PACK_TEMPLATE, "template_version", m.templateVersion())
                            .put("packs", m.packs().size());
            case PackMessage.ResourcePackStack m ->
                    put("accept", m.mustAccept())
                            .putUnless(Change.STACK_IN_ONE_LIST, "bp", stacked(m.behaviourPacks()))
                            .put("rp", stacked(m.resourcePacks()))
                            .put("version", m.gameVersion())
                            .put("exp", experiments(m.experiments()))
                            .put("toggled", m.experimentsToggled())
                            .put("editor", m.editorPacks());
            case PackMessage.ResourcePackClientResponse m -> packResponse(m);
            case PackMessage.ClientCacheStatus m -> put("enabled", m.enabled());
        }
    }

    /** The status is shown as it is on the wire, which newer versions count from 0. */
    private void packResponse(PackMessage.ResourcePackClientResponse m) {
        boolean named = dialect.has(Change.PACK_RESPONSE_NAMED);
        put("status", named ? m.status() - 1 : m.status());
        if (named) {
            put("status_name", m.statusName());
        }
        if (!named || m.isDownloading()) {
            put("packs", m.packs().stream().map(PackMessage.PackName::name).toList());
        }
    }

    private void world(WorldMessage message) {
        switch (message) {
            case WorldMessage.ItemRegistry m ->
                    put("items", m.items().size())
                            .putIf(
                                    Change.ITEM_REGISTRY,
                                    "entries",
                                    m.items().stream().map(MessageFields::item).toList());
            case WorldMessage.BiomeDefinitionList m -> biomes(m);
            case WorldMessage.JigsawStructureData m -> put("nbt", m.structures().plain());
            case WorldMessage.VoxelShapes m ->
                    put("shapes", m.shapes().size()).put("names", m.names().size());
            case WorldMessage.AvailableActorIdentifiers m -> put("nbt", m.identifiers().plain());
            case WorldMessage.CreativeContent m ->
                    putIf(Change.CREATIVE_GROUPS, "groups", m.groups()).put("items", m.count());
            case WorldMessage.RequestChunkRadius m ->
                    put("radius", m.radius()).put("max", m.most());
            case WorldMessage.ChunkRadiusUpdated m -> put("radius", m.radius());
            case WorldMessage.NetworkChunkPublisherUpdate m ->
                    put("pos", position(m.position()))
                            .put("radius", m.radius())
                            .put(
                                    "saved",
                                    m.saved().stream().map(c -> List.of(c.x(), c.z())).toList());
            case WorldMessage.SetTime m -> put("time", m.time());
            case WorldMessage.SetLocalPlayerAsInitialized m -> put("runtime_id", m.runtimeId());
            case WorldMessage.ServerboundLoadingScreen m -> put("type", m.type());
        }
    }

    private static List<Object> item(WorldMessage.Item item) {
        return List.of(
                item.name(),
                item.id(),
                item.componentBased(),
                item.version(),
                item.components().plain());
    }

    private void biomes(WorldMessage.BiomeDefinitionList m) {
        if (dialect.has(Change.BIOME_LIST)) {
            put("biomes", m.biomes().stream().map(biome -> biome(biome, m.texts())).toList());
            put("strings", m.texts().size());
        } else {
            put("nbt", m.tags().plain());
        }
    }

    private Map<String, @Nullable Object> biome(WorldMessage.Biome m, List<String> texts) {
        MessageFields made = new MessageFields(dialect);
        boolean own = m.id() == WorldMessage.Biome.OF_THE_GAME;
        made.put("name", text(texts, m.name()))
                .put("id", own && !dialect.has(Change.BIOME_ID_PLAIN) ? null : (Integer) m.id())
                .put("temperature", (double) m.temperature())
                .put("downfall", (double) m.downfall())
                .putUnless(Change.BIOME_FOLIAGE_SNOW, "red_spores", (double) m.redSpores())
                .putUnless(Change.BIOME_FOLIAGE_SNOW, "blue_spores", (double) m.blueSpores())
                .putUnless(Change.BIOME_FOLIAGE_SNOW, "ash", (double) m.ash())
                .putUnless(Change.BIOME_FOLIAGE_SNOW, "white_ash", (double) m.whiteAsh())
                .putIf(Change.BIOME_FOLIAGE_SNOW, "foliage_snow", (double) m.foliageSnow())
                .put("depth", (double) m.depth())
                .put("scale", (double) m.scale())
                .put("map_water_colour", m.waterColour())
                .put("rain", m.rain())
                .put(
                        "tags",
                        m.tags().orElse(List.of()).stream().map(tag -> text(texts, tag)).toList());
        return made.fields;
    }

    private static String text(List<String> texts, int index) {
        return index < texts.size() ? texts.get(index) : "text " + index;
    }

    private void movement(MovementMessage message) {
        switch (message) {
            case MovementMessage.MoveActorAbsolute m ->
                    put("runtime_id", m.runtimeId())
                            .put("flags", m.flags())
                            .put("position", vector(m.position()))
                            .put("pitch", degrees(m.pitch()))
                            .put("yaw", degrees(m.yaw()))
                            .put("head_yaw", degrees(m.headYaw()));
            case MovementMessage.MoveActorDelta m -> delta(m);
            case MovementMessage.SetActorMotion m ->
                    put("runtime_id", m.runtimeId())
                            .put("motion", vector(m.motion()))
                            .put("tick", m.tick());
            case MovementMessage.CorrectPlayerMovePrediction m ->
                    put("type", m.type())
                            .put("position", vector(m.position()))
                            .put("delta", vector(m.delta()))
                            .putIfThere(
                                    "rotation",
                                    Optional.of(m.rotation()).filter(_ -> turns(m)),
                                    MessageFields::vector)
                            .putIfThere(
                                    "angular",
                                    Optional.of(m.angularVelocity()).filter(_ -> m.spinning()),
                                    Float::doubleValue)
                            .put("on_ground", m.onGround())
                            .put("tick", m.tick());
            case MovementMessage.SetMovementAuthority m -> put("mode", m.mode());
            case MovementMessage.PlayerAction m ->
                    put("runtime_id", m.runtimeId())
                            .put("action", m.action())
                            .put("position", position(m.position()))
                            .put("result", position(m.result()))
                            .put("face", m.face());
            case MovementMessage.Respawn m ->
                    put("position", vector(m.position()))
                            .put("state", m.state())
                            .put("runtime_id", m.runtimeId());
            case MovementMessage.Animate m ->
                    put("action", m.action())
                            .put("runtime_id", m.runtimeId())
                            .putIf(Change.ANIMATE_DATA, "data", (double) m.data())
                            .putIfThere(
                                    "row",
                                    Optional.of(m.rowing()).filter(_ -> rows(m)),
                                    Float::doubleValue)
                            .putIfThere("source", m.source(), text -> text);
        }
    }

    private boolean turns(MovementMessage.CorrectPlayerMovePrediction m) {
        return m.type() == 1 || dialect.has(Change.PREDICTION_ALWAYS_TURNS);
    }

    private boolean rows(MovementMessage.Animate m) {
        return m.isRowing() && !dialect.has(Change.ANIMATE_SOURCE);
    }

    private void delta(MovementMessage.MoveActorDelta m) {
        put("runtime_id", m.runtimeId()).putUnless(Change.DELTA_OPTIONAL, "flags", m.flags());
        float[] places = {m.x(), m.y(), m.z()};
        int[] angles = {m.pitch(), m.yaw(), m.headYaw()};
        String[] names = {"x", "y", "z", "pitch", "yaw", "head_yaw"};
        for (int i = 0; i < names.length; i++) {
            if ((m.flags() >> i & 1) != 0) {
                put(names[i], i < 3 ? (double) places[i] : degrees(angles[i - 3]));
            }
        }
        if (dialect.has(Change.DELTA_OPTIONAL)) {
            String[] flags = {"on_ground", "teleport", "force_local", "force_completion"};
            for (int i = 0; i < flags.length; i++) {
                put(flags[i], (m.flags() >> names.length + i & 1) != 0);
            }
        }
        putIf(Change.DELTA_TICKS, "ticks", m.ticks());
    }

    private void movePlayer(MovePlayer m) {
        put("runtime_id", m.runtimeId())
                .put("position", vector(m.position()))
                .put("pitch", (double) m.rotation().x())
                .put("yaw", (double) m.rotation().y())
                .put("head_yaw", (double) m.headYaw())
                .put("mode", m.mode())
                .put("on_ground", m.onGround())
                .put("ridden_runtime_id", m.ridingId());
        if (m.mode() == MovePlayer.TELEPORT) {
            put("teleport_cause", m.cause()).put("source_actor_type", m.sourceType());
        }
        put("tick", m.tick()).put("mode_name", MovePlayer.modeName(m.mode()));
    }

    private void authInput(PlayerAuthInput m) {
        put("pitch", (double) m.rotation().x())
                .put("yaw", (double) m.rotation().y())
                .put("position", vector(m.position()))
                .put("move_vector", vector(m.move()))
                .put("head_yaw", (double) m.headYaw())
                .put("input_data", m.inputs())
                .put("input_mode", m.inputMode())
                .put("play_mode", m.playMode())
                .put("interaction_model", m.interaction())
                .putIf(Change.INPUT_CAMERA, "interact_rotation", vector(m.interactRotation()))
                .put("tick", m.tick())
                .put("delta", vector(m.delta()));
        if (!m.blockActions().isEmpty()) {
            put(
                    "block_actions",
                    m.blockActions().stream()
                            .map(b -> List.of(b.action(), position(b.position()), b.face()))
                            .toList());
        }
        putIfThere("vehicle_rotation", m.vehicleRotation(), MessageFields::vector)
                .putIfThere("vehicle", m.vehicleId(), id -> id);
        if (!dialect.has(Change.INPUT_CAMERA) && m.playMode() == PlayerAuthInput.REALITY) {
            put("gaze", vector(m.gaze()));
        }
        if (!m.isUnread()) {
            put("analogue", vector(m.analogue()))
                    .putIf(Change.INPUT_CAMERA, "camera", vector(m.camera()))
                    .putIf(Change.INPUT_RAW, "raw_move", vector(m.rawMove()));
        }
    }

    private void text(Text m) {
        put("type", m.type())
                .put("translate", m.translate())
                .putIf(Change.TEXT_CATEGORY, "category", m.category());
        if (m.isSourced()) {
            put("source", m.source());
        }
        put("message", m.message());
        if (m.isParameterised()) {
            put("params", m.parameters());
        }
        put("xuid", m.xuid())
                .put("platform_chat", m.platformChat())
                .put("filtered", m.filtered().orElse(""));
    }

    private static List<List<Object>> metadata(List<Metadata> metadata) {
        return metadata.stream()
                .map(m -> List.of(m.key(), m.value().type(), m.value().plain()))
                .toList();
    }

    private static List<Object> properties(Properties properties) {
        return List.of(
                properties.ints().stream().map(p -> List.of(p.index(), p.value())).toList(),
                properties.floats().stream().map(p -> List.of(p.index(), p.value())).toList());
    }

    private Map<String, @Nullable Object> abilities(UpdateAbilities m) {
        MessageFields made = new MessageFields(dialect);
        made.put("unique_id", m.uniqueId())
                .put("permission", m.permission())
                .put("command", m.commandPermission())
                .put("layers", m.layers().stream().map(this::layer).toList());
        return made.fields;
    }

    private List<Object> layer(AbilityLayer layer) {
        List<Object> values = new ArrayList<>();
        values.add(layer.layer());
        values.add(layer.allowed());
        values.add(layer.set());
        values.add((double) layer.flySpeed());
        if (dialect.has(Change.VERTICAL_FLY_SPEED)) {
            values.add((double) layer.verticalFlySpeed());
        }
        values.add((double) layer.walkSpeed());
        return values;
    }

    private List<Object> attribute(Attribute a) {
        List<Object> values = new ArrayList<>();
        values.add(a.name());
        values.add((double) a.min());
        values.add((double) a.max());
        values.add((double) a.current());
        if (dialect.has(Change.ATTRIBUTE_DEFAULT_BOUNDS)) {
            values.add((double) a.defaultMin());
            values.add((double) a.defaultMax());
        }
        values.add((double) a.defaultValue());
        values.add(a.modifiers().stream().map(x -> List.of(x.id(), x.name(), x.amount())).toList());
        return values;
    }

    private void form(ModalForm message) {
        switch (message) {
            case ModalForm.ModalFormRequest m -> put("form_id", m.id()).put("data", m.form());
            case ModalForm.ModalFormResponse m ->
                    put("form_id", m.id())
                            .put("has_response_data", m.answer().isPresent())
                            .put("data", m.answer().orElse(null))
                            .put("has_cancel_reason", m.cancelled().isPresent())
                            .put("cancel_reason", m.cancelled().orElse(null));
        }
    }

    private void actors(ActorMessage message) {
        switch (message) {
            case AddPlayer m -> addPlayer(m);
            case RemoveActor m -> put("unique_id", m.uniqueId());
            case PlayerList m -> playerList(m);
            case UpdateAbilities m -> fields.putAll(abilities(m));
            case UpdateAttributes m ->
                    put("runtime_id", m.runtimeId())
                            .put(
                                    "attributes",
                                    m.attributes().stream().map(this::attribute).toList())
                            .put("tick", m.tick());
            case SetActorData m ->
                    put("runtime_id", m.runtimeId())
                            .put("meta", metadata(m.metadata()))
                            .put("props", properties(m.properties()))
                            .put("tick", m.tick());
        }
    }

    private void addPlayer(AddPlayer m) {
        put("uuid", m.uuid().toString())
                .put("name", m.name())
                .put("runtime_id", m.runtimeId())
                .put("platform_chat", m.platformChat())
                .put("position", vector(m.position()))
                .put("velocity", vector(m.velocity()))
                .put("pitch", (double) m.pitch())
                .put("yaw", (double) m.yaw())
                .put("head_yaw", (double) m.headYaw())
                .put("item", m.item().id());
        if (m.item().id() == 0 || dialect.has(Change.HELD_ITEM_WHOLE)) {
            put("gamemode", m.gameType())
                    .put("meta", metadata(m.metadata()))
                    .put("props", properties(m.properties()))
                    .put("abilities", abilities(m.abilities()))
                    .put("links", m.links().size())
                    .put("device_id", m.deviceId())
                    .put("os", m.os());
        }
    }

    private void playerList(PlayerList m) {
        boolean add = m.type() == PlayerList.ADD;
        put("type", m.type())
                .put("entries", m.entries().stream().map(entry -> listed(entry, add)).toList());
        if (add) {
            put("trusted", m.entries().stream().map(ListedPlayer::trusted).toList());
        }
    }

    private Map<String, @Nullable Object> listed(ListedPlayer entry, boolean add) {
        MessageFields made = new MessageFields(dialect);
        made.put("uuid", entry.uuid().toString());
        if (add) {
            made.put("unique_id", entry.uniqueId())
                    .put("name", entry.name())
                    .put("xuid", entry.xuid())
                    .put("platform_chat", entry.platformChat())
                    .put("platform", entry.platform())
                    .put("skin", entry.skin().id())
                    .put("flags", List.of(entry.teacher(), entry.host(), entry.subClient()))
                    .putIf(
                            Change.PLAYER_COLOUR,
                            "colour",
                            HexFormat.of().toHexDigits(Integer.reverseBytes(entry.colour())));
        }
        return made.fields;
    }

    private void startGame(StartGame m) {
        put("unique_id", m.uniqueId())
                .put("runtime_id", m.runtimeId())
                .put("player_gamemode", m.gameType())
                .put("position", vector(m.position()))
                .put("rotation", vector(m.rotation()));
        settings(m.settings());
        put("server_id", m.identities().server())
                .put("world_id", m.identities().world())
                .put("scenario_id", m.identities().scenario())
                .putIf(Change.OWNER_ID, "owner_id", m.identities().owner())
                .putIf(Change.EDITOR_POLICY, "editor_policy", m.editorPolicy())
                .putIf(Change.EDITOR_POLICY, "anonymous_drops", m.anonymousDrops())
                .put("level_id", m.levelId())
                .put("level_name", m.levelName())
                .put("template_id", m.templateIdentity())
                .put("trial", m.trial())
                .putUnless(Change.NO_AUTHORITY, "authority", m.authority())
                .put("rewind", m.rewind())
                .put("auth_break", m.authoritativeBreaking())
                .put("tick", unsigned(m.tick()))
                .put("enchant_seed", m.enchantmentSeed())
                .put(
                        "blocks",
                        m.blockProperties().stream()
                                .map(b -> List.of(b.name(), b.definition().plain()))
                                .toList())
                .putUnless(
                        Change.ITEM_REGISTRY,
                        "items",
                        m.items().stream()
                                .map(i -> List.of(i.name(), i.id(), i.componentBased()))
                                .toList())
                .put("correlation", m.correlation())
                .put("item_stack_mgr", m.itemStackManager())
                .put("server_version", m.serverVersion())
                .put("properties", m.properties().plain())
                .put("block_checksum", unsigned(m.blockChecksum()))
                .put("template_uuid", m.templateId().toString())
                .put("client_side_gen", m.clientSideGeneration())
                .put("hashed", m.hashedBlockIds())
                .putIf(Change.TICK_DEATH_SYSTEMS, "tick_death_systems", m.tickDeathSystems())
                .put("server_sound", m.serverControlledSounds())
                .putIf(Change.CHAT_LOGGING, "chat_logging", m.chatLogging())
                .putIf(Change.IDENTITIES_LAST, "join_info", m.joinInfo().isPresent());
    }

    private void settings(StartGame.LevelSettings m) {
        put("seed", unsigned(m.seed()))
                .put("biome_type", m.biomeType())
                .put("biome_name", m.biomeName())
                .put("dimension", m.dimension())
                .put("generator", m.generator())
                .put("world_gamemode", m.gameType())
                .put("hardcore", m.hardcore())
                .put("difficulty", m.difficulty())
                .put("spawn", position(m.spawn()))
                .put("achievements_disabled", m.achievementsDisabled())
                .put("editor_world_type", m.editorWorldType())
                .put("created_in_editor", m.createdInEditor())
                .put("exported_from_editor", m.exportedFromEditor())
                .put("day_cycle_stop", m.dayCycleStop())
                .put("edu_offer", m.educationOffer())
                .put("edu_features", m.educationFeatures())
                .put("edu_product", m.educationProduct())
                .put("rain", (double) m.rain())
                .put("lightning", (double) m.lightning())
                .put("platform_locked", m.platformLocked())
                .put("multiplayer", m.multiplayer())
                .put("lan", m.lan())
                .put("xbl_mode", m.xboxBroadcast())
                .put("platform_mode", m.platformBroadcast())
                .put("commands", m.commands())
                .put("packs_required", m.packsRequired())
                .put(
                        "rules",
                        m.rules().stream()
                                .map(r -> List.of(r.name(), r.editable(), r.type(), r.value()))
                                .toList())
                .put("experiments", experiments(m.experiments()))
                .put("experiments_toggled", m.experimentsToggled())
                .put("bonus_chest", m.bonusChest())
                .put("map", m.startWithMap())
                .put("permission", m.permission())
                .put("chunk_tick_range", m.chunkTickRange())
                .put("lock_bp", m.lockedBehaviourPack())
                .put("lock_rp", m.lockedResourcePack())
                .put("locked_template", m.fromLockedTemplate())
                .put("msa_only", m.msaGamertagsOnly())
                .put("from_template", m.fromTemplate())
                .put("template_locked", m.templateOptionsLocked())
                .put("v1_villagers", m.onlyV1Villagers())
                .put("persona_off", m.personaDisabled())
                .put("skins_off", m.customSkinsDisabled())
                .put("emote_muted", m.emoteChatMuted())
                .put("base_version", m.baseGameVersion())
                .put("limit_w", m.limitedWidth())
                .put("limit_d", m.limitedDepth())
                .put("new_nether", m.newNether())
                .put("edu_button", m.educationButton())
                .put("edu_link", m.educationLink())
                .put("force_exp_present", m.forceExperimentsPresent())
                .put("chat_restriction", m.chatRestriction())
                .put("no_interactions", m.playerInteractionsDisabled());
    }

    private void chunk(LevelChunk m) {
        put("x", m.x())
                .put("z", m.z())
                .put("dimension", m.dimension())
                .put("count", m.count())
                .put("cache", m.cached());
        try {
            blocks(new Reader(m.payload()), m.count());
        } catch (MalformedPacketException e) {
            put("error", e.getMessage());
        }
    }

    private void blocks(Reader r, int count) {
        List<Object> subs = new ArrayList<>();
        for (int i = 0; i < r.bounded("count", count, 64); i++) {
            int version = r.u8("version", 0);
            int storages = r.bounded("storages", r.u8("storages", 0), 8);
            List<@Nullable Object> sub = new ArrayList<>();
            sub.add(version);
            sub.add(version >= 9 ? r.i8("height", 0) : null);
            List<Object> walked = new ArrayList<>();
            for (int s = 0; s < storages; s++) {
                walked.add(storage(r, r.u8("bits", 0)));
            }
            sub.add(walked);
            subs.add(sub);
        }
        int biomes = 0;
        for (int i = 0; i < BIOMES; i++) {
            int bits = r.u8("biomes", 0);
            if (bits != SAME_AS_BELOW) {
                storage(r, bits);
                biomes++;
            }
        }
        put("subs", subs).put("biomes", biomes).put("border", r.u8("border blocks", 0));
    }

    private static List<Object> storage(Reader r, int marker) {
        int bits = marker >> 1;
        int size = 1;
        if (bits > 0) {
            int words = Math.ceilDiv(BLOCKS, Math.max(1, 32 / bits));
            r.bytes("words", Bytes.EMPTY, words * 4);
            size = r.bounded("palette", Encoding.varint(r, "palette", 0), BLOCKS);
        }
        List<Integer> palette = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            palette.add(Encoding.varint(r, "palette", 0));
        }
        return List.of(bits, palette);
    }
}
