package dev.wishdir.bedrock;

import dev.wishdir.bedrock.message.ActorMessage;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.ModalForm;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which message has which number, and its walk, in one version of the protocol. A version is
 * another one with some walks replaced.
 */
public final class BedrockCodec {
    /** A message's wire walk, {@code MovePlayer::wire}. */
    @FunctionalInterface
    interface Walk<M extends BedrockMessage> {
        M walk(Wire w, M message);
    }

    private record Entry<M extends BedrockMessage>(int id, String name, M blank, Walk<M> walk) {
        M read(Wire w) {
            return walk.walk(w, blank);
        }

        @SuppressWarnings("unchecked") // Entries are found by the class of their own blank message.
        void write(Wire w, BedrockMessage message) {
            walk.walk(w, (M) message);
        }
    }

    private static final int IDS = 1024;
    private static final Map<Integer, BedrockCodec> VERSIONS = new TreeMap<>();

    /** Protocol 748, the reference: version 1.21.40 to 1.21.44 of the game. */
    public static final BedrockCodec V748 = v748().spoken();

    /** Protocol 729: version 1.21.30 of the game. */
    public static final BedrockCodec V729 =
            new BedrockCodec(V748, 729, "1.21.30")
                    .replace(PlayerAuthInput.BLANK, PlayerAuthInput::wireBefore748)
                    .replace(
                            PackMessage.ResourcePacksInfo.BLANK,
                            PackMessage.ResourcePacksInfo::wireBefore748)
                    .spoken();

    /** Protocol 766: version 1.21.50 of the game. */
    public static final BedrockCodec V766 =
            new BedrockCodec(V748, 766, "1.21.50")
                    .replace(PlayerAuthInput.BLANK, PlayerAuthInput::wireFrom766)
                    .replace(
                            PackMessage.ResourcePacksInfo.BLANK,
                            PackMessage.ResourcePacksInfo::wireFrom766)
                    .spoken();

    private final int protocol;
    private final String game;
    private final @Nullable Entry<?>[] byId;
    private final Map<Class<?>, Entry<?>> byType;

    private BedrockCodec(int protocol, String game) {
        this.protocol = protocol;
        this.game = game;
        byId = new @Nullable Entry<?>[IDS];
        byType = new HashMap<>();
    }

    private BedrockCodec(BedrockCodec other, int protocol, String game) {
        this.protocol = protocol;
        this.game = game;
        byId = Arrays.copyOf(other.byId, IDS);
        byType = new HashMap<>(other.byType);
    }

    private BedrockCodec spoken() {
        VERSIONS.put(protocol, this);
        return this;
    }

    /** The same version that reads these messages alone: all others are unknown to it. */
    BedrockCodec reading(Set<Class<? extends BedrockMessage>> messages) {
        BedrockCodec some = new BedrockCodec(this, protocol, game);
        for (int id = 0; id < IDS; id++) {
            Entry<?> entry = some.byId[id];
            if (entry != null && !messages.contains(entry.blank.getClass())) {
                some.byId[id] = null;
            }
        }
        return some;
    }

    private <M extends BedrockMessage> BedrockCodec add(
            int id, String name, M blank, Walk<M> walk) {
        Entry<M> entry = new Entry<>(id, name, blank, walk);
        byId[id] = entry;
        byType.put(blank.getClass(), entry);
        return this;
    }

    private <M extends BedrockMessage> BedrockCodec replace(M blank, Walk<M> walk) {
        Entry<?> old = entry(blank);
        return add(old.id, old.name, blank, walk);
    }

    private Entry<?> entry(BedrockMessage message) {
        Entry<?> entry = byType.get(message.getClass());
        if (entry == null) {
            throw new IllegalArgumentException(
                    message.getClass().getSimpleName() + " is no message of protocol " + protocol);
        }
        return entry;
    }

    /** The version with a protocol number, if it is spoken here. */
    public static Optional<BedrockCodec> of(int protocol) {
        return Optional.ofNullable(VERSIONS.get(protocol));
    }

    /** The protocol numbers that are spoken here, ascending. */
    public static int[] protocols() {
        return VERSIONS.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    /** The protocol's number. */
    public int protocol() {
        return protocol;
    }

    /** The game's version, {@code 1.21.40}. */
    public String game() {
        return game;
    }

    /** The name of a message as protocol tables have it, {@code move_player}. */
    public String name(BedrockMessage message) {
        return message instanceof Unknown unknown
                ? PacketNames.of(unknown.id())
                : entry(message).name;
    }

    /**
     * Reads a message with its header. One for another player on a shared screen is unknown too:
     * nobody here has such a player.
     */
    public BedrockMessage read(Reader r) {
        int header = Encoding.uvarint(r, "header", 0);
        Entry<?> entry = header >>> 10 == 0 ? byId[header] : null;
        return entry == null ? Unknown.wire(r, new Unknown(header, Bytes.EMPTY)) : entry.read(r);
    }

    /** Writes a message with its header. */
    public void write(Writer w, BedrockMessage message) {
        if (message instanceof Unknown unknown) {
            Encoding.uvarint(w, "header", unknown.header());
            Unknown.wire(w, unknown);
        } else {
            Entry<?> entry = entry(message);
            Encoding.uvarint(w, "header", entry.id);
            entry.write(w, message);
        }
    }

    private static BedrockCodec v748() {
        return new BedrockCodec(748, "1.21.40")
                .add(1, "login", LoginMessage.Login.BLANK, LoginMessage.Login::wire)
                .add(2, "play_status", LoginMessage.PlayStatus.BLANK, LoginMessage.PlayStatus::wire)
                .add(
                        3,
                        "server_to_client_handshake",
                        LoginMessage.ServerToClientHandshake.BLANK,
                        LoginMessage.ServerToClientHandshake::wire)
                .add(
                        4,
                        "client_to_server_handshake",
                        LoginMessage.ClientToServerHandshake.BLANK,
                        LoginMessage.ClientToServerHandshake::wire)
                .add(5, "disconnect", LoginMessage.Disconnect.BLANK, LoginMessage.Disconnect::wire)
                .add(
                        6,
                        "resource_packs_info",
                        PackMessage.ResourcePacksInfo.BLANK,
                        PackMessage.ResourcePacksInfo::wire)
                .add(
                        7,
                        "resource_pack_stack",
                        PackMessage.ResourcePackStack.BLANK,
                        PackMessage.ResourcePackStack::wire)
                .add(
                        8,
                        "resource_pack_client_response",
                        PackMessage.ResourcePackClientResponse.BLANK,
                        PackMessage.ResourcePackClientResponse::wire)
                .add(9, "text", Text.BLANK, Text::wire)
                .add(10, "set_time", WorldMessage.SetTime.BLANK, WorldMessage.SetTime::wire)
                .add(11, "start_game", StartGame.BLANK, StartGame::wire)
                .add(12, "add_player", ActorMessage.AddPlayer.BLANK, ActorMessage.AddPlayer::wire)
                .add(
                        14,
                        "remove_entity",
                        ActorMessage.RemoveActor.BLANK,
                        ActorMessage.RemoveActor::wire)
                .add(
                        18,
                        "move_entity",
                        MovementMessage.MoveActorAbsolute.BLANK,
                        MovementMessage.MoveActorAbsolute::wire)
                .add(19, "move_player", MovePlayer.BLANK, MovePlayer::wire)
                .add(
                        29,
                        "update_attributes",
                        ActorMessage.UpdateAttributes.BLANK,
                        ActorMessage.UpdateAttributes::wire)
                .add(
                        36,
                        "player_action",
                        MovementMessage.PlayerAction.BLANK,
                        MovementMessage.PlayerAction::wire)
                .add(
                        39,
                        "set_entity_data",
                        ActorMessage.SetActorData.BLANK,
                        ActorMessage.SetActorData::wire)
                .add(
                        40,
                        "set_entity_motion",
                        MovementMessage.SetActorMotion.BLANK,
                        MovementMessage.SetActorMotion::wire)
                .add(44, "animate", MovementMessage.Animate.BLANK, MovementMessage.Animate::wire)
                .add(45, "respawn", MovementMessage.Respawn.BLANK, MovementMessage.Respawn::wire)
                .add(58, "level_chunk", LevelChunk.BLANK, LevelChunk::wire)
                .add(
                        63,
                        "player_list",
                        ActorMessage.PlayerList.BLANK,
                        ActorMessage.PlayerList::wire)
                .add(
                        69,
                        "request_chunk_radius",
                        WorldMessage.RequestChunkRadius.BLANK,
                        WorldMessage.RequestChunkRadius::wire)
                .add(
                        70,
                        "chunk_radius_update",
                        WorldMessage.ChunkRadiusUpdated.BLANK,
                        WorldMessage.ChunkRadiusUpdated::wire)
                .add(77, "command_request", CommandRequest.BLANK, CommandRequest::wire)
                .add(85, "transfer", LoginMessage.Transfer.BLANK, LoginMessage.Transfer::wire)
                .add(
                        100,
                        "modal_form_request",
                        ModalForm.ModalFormRequest.BLANK,
                        ModalForm.ModalFormRequest::wire)
                .add(
                        101,
                        "modal_form_response",
                        ModalForm.ModalFormResponse.BLANK,
                        ModalForm.ModalFormResponse::wire)
                .add(
                        111,
                        "move_entity_delta",
                        MovementMessage.MoveActorDelta.BLANK,
                        MovementMessage.MoveActorDelta::wire)
                .add(
                        113,
                        "set_local_player_as_initialized",
                        WorldMessage.SetLocalPlayerAsInitialized.BLANK,
                        WorldMessage.SetLocalPlayerAsInitialized::wire)
                .add(
                        115,
                        "network_stack_latency",
                        LoginMessage.NetworkStackLatency.BLANK,
                        LoginMessage.NetworkStackLatency::wire)
                .add(
                        119,
                        "available_entity_identifiers",
                        WorldMessage.AvailableActorIdentifiers.BLANK,
                        WorldMessage.AvailableActorIdentifiers::wire)
                .add(
                        121,
                        "network_chunk_publisher_update",
                        WorldMessage.NetworkChunkPublisherUpdate.BLANK,
                        WorldMessage.NetworkChunkPublisherUpdate::wire)
                .add(
                        122,
                        "biome_definition_list",
                        WorldMessage.BiomeDefinitionList.BLANK,
                        WorldMessage.BiomeDefinitionList::wire)
                .add(
                        129,
                        "client_cache_status",
                        PackMessage.ClientCacheStatus.BLANK,
                        PackMessage.ClientCacheStatus::wire)
                .add(
                        143,
                        "network_settings",
                        LoginMessage.NetworkSettings.BLANK,
                        LoginMessage.NetworkSettings::wire)
                .add(144, "player_auth_input", PlayerAuthInput.BLANK, PlayerAuthInput::wire)
                .add(
                        145,
                        "creative_content",
                        WorldMessage.CreativeContent.BLANK,
                        WorldMessage.CreativeContent::wire)
                .add(
                        161,
                        "correct_player_move_prediction",
                        MovementMessage.CorrectPlayerMovePrediction.BLANK,
                        MovementMessage.CorrectPlayerMovePrediction::wire)
                .add(
                        162,
                        "item_component",
                        WorldMessage.ItemComponent.BLANK,
                        WorldMessage.ItemComponent::wire)
                .add(
                        187,
                        "update_abilities",
                        ActorMessage.UpdateAbilities.BLANK,
                        ActorMessage.UpdateAbilities::wire)
                .add(
                        193,
                        "request_network_settings",
                        LoginMessage.RequestNetworkSettings.BLANK,
                        LoginMessage.RequestNetworkSettings::wire)
                .add(
                        312,
                        "serverbound_loading_screen",
                        WorldMessage.ServerboundLoadingScreen.BLANK,
                        WorldMessage.ServerboundLoadingScreen::wire)
                .add(
                        319,
                        "set_movement_authority",
                        MovementMessage.SetMovementAuthority.BLANK,
                        MovementMessage.SetMovementAuthority::wire);
    }
}
