package dev.wishdir.bedrock.inspect;

import dev.wishdir.bedrock.message.ActorMessage;
import dev.wishdir.bedrock.message.AvailableCommands;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.FightMessage;
import dev.wishdir.bedrock.message.InventoryMessage;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.ModalForm;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of messages as the inspector's lines name them. */
public final class BedrockMessageFields {
    private final FieldMap fields;
    private final Dialect dialect;

    private BedrockMessageFields(Dialect dialect) {
        this.dialect = dialect;
        fields = new FieldMap(dialect);
    }

    /** The fields of a message in a version; empty if it has no wire walk. */
    public static Map<String, @Nullable Object> of(BedrockMessage message, Dialect dialect) {
        BedrockMessageFields made = new BedrockMessageFields(dialect);
        switch (message) {
            case LoginMessage m -> made.login(m);
            case PackMessage m -> made.packs(m);
            case WorldMessage m -> made.world(m);
            case MovementMessage m -> made.movement(m);
            case ActorMessage m -> new ActorFields(made.fields).put(m);
            case InventoryMessage m -> new InventoryFields(made.fields).put(m);
            case FightMessage m -> new FightFields(made.fields).put(m);
            case StartGame m -> StartGameFields.put(made.fields, m);
            case LevelChunk m -> ChunkFields.put(made.fields, m);
            case MovePlayer m -> made.movePlayer(m);
            case PlayerAuthInput m -> made.authInput(m);
            case Text m -> made.text(m);
            case ModalForm m -> made.form(m);
            case CommandRequest m -> made.fields.put("command", m.command());
            case AvailableCommands m ->
                    made.fields.put(
                            "commands",
                            m.commands().stream().map(AvailableCommands.Command::name).toList());
            case Unknown m -> made.fields.put("length", m.body().length());
        }
        return made.fields.map();
    }

    private void login(LoginMessage message) {
        switch (message) {
            case LoginMessage.RequestNetworkSettings m -> fields.put("protocol", m.protocol());
            case LoginMessage.NetworkSettings m ->
                    fields.put("threshold", m.threshold())
                            .put("algorithm", m.algorithm())
                            .put("throttle", m.throttle())
                            .put("thr_n", m.throttleThreshold())
                            .put("scalar", (double) m.throttleScalar());
            case LoginMessage.Login m -> tokens(m);
            case LoginMessage.ServerToClientHandshake m ->
                    fields.put("jwt_len", m.token().length());
            case LoginMessage.ClientToServerHandshake _ -> {}
            case LoginMessage.PlayStatus m -> fields.put("status", m.status());
            case LoginMessage.Disconnect m -> {
                fields.put("reason", m.reason()).put("hide", m.hidden());
                if (!m.hidden()) {
                    fields.put("message", m.message())
                            .putIf(ProtocolChange.DISCONNECT_FILTERED, "filtered", m.filtered());
                }
            }
            case LoginMessage.Transfer m ->
                    fields.put("host", m.host())
                            .put("port", m.port())
                            .putIf(ProtocolChange.TRANSFER_RELOAD, "reload", m.reload());
            case LoginMessage.NetworkStackLatency m ->
                    fields.put("timestamp", FieldMap.unsigned(m.timestamp()))
                            .put("needs_response", m.needsResponse());
        }
    }

    private void tokens(LoginMessage.Login m) {
        fields.put("protocol", m.protocol());
        try {
            Reader r = new Reader(m.tokens());
            Map<String, Object> identity = JsonUtil.parseJson(token(r));
            if (identity.get("AuthenticationType") instanceof Number type) {
                fields.put("auth_type", type);
            }
            String wrapped = identity.get("Certificate") instanceof String text ? text : "";
            Map<String, Object> chained =
                    wrapped.isEmpty() ? identity : JsonUtil.parseJson(wrapped);
            List<?> chain = chained.get("chain") instanceof List<?> l ? l : List.of();
            fields.put("chain", chain.size());
            String name = name(claims(identity.get("Token")), "xname");
            for (Object link : chain) {
                String linked = name(claims(link).get("extraData"), "displayName");
                name = linked.isEmpty() ? name : linked;
            }
            if (!name.isEmpty()) {
                fields.put("name", name);
            }
            if (identity.get("Token") instanceof String only) {
                fields.put("token_len", only.length());
            }
            fields.put("client_jwt_len", token(r).length());
        } catch (MalformedPacketException | JoseException e) {
            fields.put("error", e.getMessage());
        }
    }

    /** The claims of a token, whose signature is not checked. */
    private static Map<String, Object> claims(@Nullable Object token) {
        String[] parts = String.valueOf(token).split("\\.", -1);
        try {
            return parts.length == 3
                    ? JsonUtil.parseJson(
                            new String(
                                    Base64.getUrlDecoder().decode(parts[1]),
                                    StandardCharsets.UTF_8))
                    : Map.of();
        } catch (JoseException | IllegalArgumentException _) {
            return Map.of();
        }
    }

    private static String name(@Nullable Object claims, String claim) {
        return claims instanceof Map<?, ?> map && map.get(claim) instanceof String name ? name : "";
    }

    private static String token(Reader r) {
        int length = r.bounded("length", r.i32le("length", 0), r.remaining());
        return new String(r.bytes("token", Bytes.EMPTY, length).toArray(), StandardCharsets.UTF_8);
    }

    private static List<List<String>> stacked(List<PackMessage.StackedPack> packs) {
        return packs.stream().map(p -> List.of(p.uuid(), p.version(), p.subPack())).toList();
    }

    private void packs(PackMessage message) {
        switch (message) {
            case PackMessage.ResourcePacksInfo m ->
                    fields.put("accept", m.mustAccept())
                            .put("addons", m.addons())
                            .put("scripts", m.scripts())
                            .putUnless(
                                    ProtocolChange.PACKS_IN_ONE_LIST,
                                    "force_server_packs",
                                    m.forceServerPacks())
                            .putIf(
                                    ProtocolChange.PACK_VISUALS,
                                    "no_vibrant_visuals",
                                    m.visualsOff())
                            .putIf(
                                    ProtocolChange.PACK_TEMPLATE,
                                    "template",
                                    m.template().toString())
                            .putIf(
                                    ProtocolChange.PACK_TEMPLATE,
                                    "template_version",
                                    m.templateVersion())
                            .put("packs", m.packs().size());
            case PackMessage.ResourcePackStack m ->
                    fields.put("accept", m.mustAccept())
                            .putUnless(
                                    ProtocolChange.STACK_IN_ONE_LIST,
                                    "bp",
                                    stacked(m.behaviourPacks()))
                            .put("rp", stacked(m.resourcePacks()))
                            .put("version", m.gameVersion())
                            .put("exp", FieldMap.experiments(m.experiments()))
                            .put("toggled", m.experimentsToggled())
                            .put("editor", m.editorPacks());
            case PackMessage.ResourcePackClientResponse m -> packResponse(m);
            case PackMessage.ClientCacheStatus m -> fields.put("enabled", m.enabled());
        }
    }

    /** Shows the status as on the wire; newer versions count from 0. */
    private void packResponse(PackMessage.ResourcePackClientResponse m) {
        boolean named = dialect.has(ProtocolChange.PACK_RESPONSE_NAMED);
        fields.put("status", named ? m.status() - 1 : m.status());
        if (named) {
            fields.put("status_name", m.statusName());
        }
        if (!named || m.isDownloading()) {
            fields.put("packs", m.packs().stream().map(PackMessage.PackName::name).toList());
        }
    }

    private void world(WorldMessage message) {
        switch (message) {
            case WorldMessage.ItemRegistry m ->
                    fields.put("items", m.items().size())
                            .putIf(
                                    ProtocolChange.ITEM_REGISTRY,
                                    "entries",
                                    m.items().stream().map(BedrockMessageFields::item).toList());
            case WorldMessage.BiomeDefinitionList m -> biomes(m);
            case WorldMessage.JigsawStructureData m -> fields.put("nbt", m.structures().plain());
            case WorldMessage.VoxelShapes m ->
                    fields.put("shapes", m.shapes().size()).put("names", m.names().size());
            case WorldMessage.AvailableActorIdentifiers m ->
                    fields.put("nbt", m.identifiers().plain());
            case WorldMessage.CreativeContent m ->
                    fields.putIf(ProtocolChange.CREATIVE_GROUPS, "groups", m.groups())
                            .put("items", m.count());
            case WorldMessage.RequestChunkRadius m ->
                    fields.put("radius", m.radius()).put("max", m.most());
            case WorldMessage.ChunkRadiusUpdated m -> fields.put("radius", m.radius());
            case WorldMessage.NetworkChunkPublisherUpdate m ->
                    fields.put("pos", FieldMap.position(m.position()))
                            .put("radius", m.radius())
                            .put(
                                    "saved",
                                    m.saved().stream().map(c -> List.of(c.x(), c.z())).toList());
            case WorldMessage.UpdateBlock m ->
                    fields.put("position", FieldMap.position(m.position()))
                            .put("block_runtime_id", Integer.toUnsignedLong(m.block()))
                            .put("flags", m.flags())
                            .put("layer", m.layer());
            case WorldMessage.BlockActorData m ->
                    fields.put("position", FieldMap.position(m.position()))
                            .put("nbt", m.tags().plain());
            case WorldMessage.SpawnParticle m ->
                    fields.put("dimension", m.dimension())
                            .put("unique_id", m.actor())
                            .put("position", FieldMap.vector(m.position()))
                            .put("name", m.name())
                            .put("molang", m.variables().orElse(null));
            case WorldMessage.SetTime m -> fields.put("time", m.time());
            case WorldMessage.SetLocalPlayerAsInitialized m ->
                    fields.put("runtime_id", m.runtimeId());
            case WorldMessage.ServerboundLoadingScreen m -> fields.put("type", m.type());
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
        if (dialect.has(ProtocolChange.BIOME_LIST)) {
            fields.put(
                    "biomes", m.biomes().stream().map(biome -> biome(biome, m.texts())).toList());
            fields.put("strings", m.texts().size());
        } else {
            fields.put("nbt", m.tags().plain());
        }
    }

    private Map<String, @Nullable Object> biome(WorldMessage.Biome m, List<String> texts) {
        FieldMap made = new FieldMap(dialect);
        boolean own = m.id() == WorldMessage.Biome.OF_THE_GAME;
        made.put("name", text(texts, m.name()))
                .put(
                        "id",
                        own && !dialect.has(ProtocolChange.BIOME_ID_PLAIN)
                                ? null
                                : (Integer) m.id())
                .put("temperature", (double) m.temperature())
                .put("downfall", (double) m.downfall())
                .putUnless(ProtocolChange.BIOME_FOLIAGE_SNOW, "red_spores", (double) m.redSpores())
                .putUnless(
                        ProtocolChange.BIOME_FOLIAGE_SNOW, "blue_spores", (double) m.blueSpores())
                .putUnless(ProtocolChange.BIOME_FOLIAGE_SNOW, "ash", (double) m.ash())
                .putUnless(ProtocolChange.BIOME_FOLIAGE_SNOW, "white_ash", (double) m.whiteAsh())
                .putIf(ProtocolChange.BIOME_FOLIAGE_SNOW, "foliage_snow", (double) m.foliageSnow())
                .put("depth", (double) m.depth())
                .put("scale", (double) m.scale())
                .put("map_water_colour", m.waterColour())
                .put("rain", m.rain())
                .put(
                        "tags",
                        m.tags().orElse(List.of()).stream().map(tag -> text(texts, tag)).toList());
        return made.map();
    }

    private static String text(List<String> texts, int index) {
        return index < texts.size() ? texts.get(index) : "text " + index;
    }

    private void movement(MovementMessage message) {
        switch (message) {
            case MovementMessage.MoveActorAbsolute m ->
                    fields.put("runtime_id", m.runtimeId())
                            .put("flags", m.flags())
                            .put("position", FieldMap.vector(m.position()))
                            .put("pitch", FieldMap.degrees(m.pitch()))
                            .put("yaw", FieldMap.degrees(m.yaw()))
                            .put("head_yaw", FieldMap.degrees(m.headYaw()));
            case MovementMessage.MoveActorDelta m -> delta(m);
            case MovementMessage.SetActorMotion m ->
                    fields.put("runtime_id", m.runtimeId())
                            .put("motion", FieldMap.vector(m.motion()))
                            .put("tick", m.tick());
            case MovementMessage.CorrectPlayerMovePrediction m ->
                    fields.put("type", m.type())
                            .put("position", FieldMap.vector(m.position()))
                            .put("delta", FieldMap.vector(m.delta()))
                            .putIfThere(
                                    "rotation",
                                    Optional.of(m.rotation()).filter(_ -> turns(m)),
                                    FieldMap::vector)
                            .putIfThere(
                                    "angular",
                                    Optional.of(m.angularVelocity()).filter(_ -> m.spinning()),
                                    Float::doubleValue)
                            .put("on_ground", m.onGround())
                            .put("tick", m.tick());
            case MovementMessage.SetMovementAuthority m -> fields.put("mode", m.mode());
            case MovementMessage.PlayerAction m ->
                    fields.put("runtime_id", m.runtimeId())
                            .put("action", m.action())
                            .put("position", FieldMap.position(m.position()))
                            .put("result", FieldMap.position(m.result()))
                            .put("face", m.face());
            case MovementMessage.Respawn m ->
                    fields.put("position", FieldMap.vector(m.position()))
                            .put("state", m.state())
                            .put("runtime_id", m.runtimeId());
            case MovementMessage.Animate m ->
                    fields.put("action", m.action())
                            .put("runtime_id", m.runtimeId())
                            .putIf(ProtocolChange.ANIMATE_DATA, "data", (double) m.data())
                            .putIfThere(
                                    "row",
                                    Optional.of(m.rowing()).filter(_ -> rows(m)),
                                    Float::doubleValue)
                            .putIfThere("source", m.source(), text -> text);
        }
    }

    private boolean turns(MovementMessage.CorrectPlayerMovePrediction m) {
        return m.type() == 1 || dialect.has(ProtocolChange.PREDICTION_ALWAYS_TURNS);
    }

    private boolean rows(MovementMessage.Animate m) {
        return m.isRowing() && !dialect.has(ProtocolChange.ANIMATE_SOURCE);
    }

    private void delta(MovementMessage.MoveActorDelta m) {
        fields.put("runtime_id", m.runtimeId())
                .putUnless(ProtocolChange.DELTA_OPTIONAL, "flags", m.flags());
        float[] places = {m.x(), m.y(), m.z()};
        int[] angles = {m.pitch(), m.yaw(), m.headYaw()};
        String[] names = {"x", "y", "z", "pitch", "yaw", "head_yaw"};
        for (int i = 0; i < names.length; i++) {
            if ((m.flags() >> i & 1) != 0) {
                fields.put(names[i], i < 3 ? (double) places[i] : FieldMap.degrees(angles[i - 3]));
            }
        }
        if (dialect.has(ProtocolChange.DELTA_OPTIONAL)) {
            String[] flags = {"on_ground", "teleport", "force_local", "force_completion"};
            for (int i = 0; i < flags.length; i++) {
                fields.put(flags[i], (m.flags() >> names.length + i & 1) != 0);
            }
        }
        fields.putIf(ProtocolChange.DELTA_TICKS, "ticks", m.ticks());
    }

    private void movePlayer(MovePlayer m) {
        fields.put("runtime_id", m.runtimeId())
                .put("position", FieldMap.vector(m.position()))
                .put("pitch", (double) m.rotation().x())
                .put("yaw", (double) m.rotation().y())
                .put("head_yaw", (double) m.headYaw())
                .put("mode", m.mode())
                .put("on_ground", m.onGround())
                .put("ridden_runtime_id", m.ridingId());
        if (m.mode() == MovePlayer.TELEPORT) {
            fields.put("teleport_cause", m.teleportCause())
                    .put("source_actor_type", m.teleportSourceType());
        }
        fields.put("tick", m.tick()).put("mode_name", MovePlayer.modeName(m.mode()));
    }

    private void authInput(PlayerAuthInput m) {
        fields.put("pitch", (double) m.rotation().x())
                .put("yaw", (double) m.rotation().y())
                .put("position", FieldMap.vector(m.position()))
                .put("move_vector", FieldMap.vector(m.move()))
                .put("head_yaw", (double) m.headYaw())
                .put("input_data", m.inputs())
                .put("input_mode", m.inputMode())
                .put("play_mode", m.playMode())
                .put("interaction_model", m.interaction())
                .putIf(
                        ProtocolChange.INPUT_CAMERA,
                        "interact_rotation",
                        FieldMap.vector(m.interactRotation()))
                .put("tick", m.tick())
                .put("delta", FieldMap.vector(m.delta()));
        if (!m.blockActions().isEmpty()) {
            fields.put(
                    "block_actions",
                    m.blockActions().stream()
                            .map(b ->
                                    List.of(b.action(), FieldMap.position(b.position()), b.face()))
                            .toList());
        }
        fields.putIfThere("vehicle_rotation", m.vehicleRotation(), FieldMap::vector)
                .putIfThere("vehicle", m.vehicleId(), id -> id);
        if (!dialect.has(ProtocolChange.INPUT_CAMERA) && m.playMode() == PlayerAuthInput.REALITY) {
            fields.put("gaze", FieldMap.vector(m.gaze()));
        }
        if (!m.isUnread()) {
            fields.put("analogue", FieldMap.vector(m.analogue()))
                    .putIf(ProtocolChange.INPUT_CAMERA, "camera", FieldMap.vector(m.camera()))
                    .putIf(ProtocolChange.INPUT_RAW, "raw_move", FieldMap.vector(m.rawMove()));
        }
    }

    private void text(Text m) {
        fields.put("type", m.type())
                .put("translate", m.translate())
                .putIf(ProtocolChange.TEXT_CATEGORY, "category", m.category());
        if (m.isSourced()) {
            fields.put("source", m.source());
        }
        fields.put("message", m.message());
        if (m.isParameterised()) {
            fields.put("params", m.parameters());
        }
        fields.put("xuid", m.xuid())
                .put("platform_chat", m.platformChat())
                .put("filtered", m.filtered().orElse(""));
    }

    private void form(ModalForm message) {
        switch (message) {
            case ModalForm.ModalFormRequest m ->
                    fields.put("form_id", m.id()).put("data", m.form());
            case ModalForm.ModalFormResponse m ->
                    fields.put("form_id", m.id())
                            .put("has_response_data", m.answer().isPresent())
                            .put("data", m.answer().orElse(null))
                            .put("has_cancel_reason", m.cancelled().isPresent())
                            .put("cancel_reason", m.cancelled().orElse(null));
        }
    }
}
