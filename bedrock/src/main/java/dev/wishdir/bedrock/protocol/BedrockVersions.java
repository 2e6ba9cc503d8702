package dev.wishdir.bedrock.protocol;

import static dev.wishdir.bedrock.message.ProtocolChange.*;

import dev.wishdir.bedrock.message.AbilityMessage;
import dev.wishdir.bedrock.message.ActorMessage;
import dev.wishdir.bedrock.message.AvailableCommands;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.FightMessage;
import dev.wishdir.bedrock.message.InventoryMessage;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.ModalForm;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.WorldMessage;

import java.util.List;

/**
 * The supported versions of the protocol, each as its changes against the one before it (Bedrock,
 * versions). How to add one is in {@code docs/bedrock.md}.
 */
final class BedrockVersions {
    private BedrockVersions() {}

    /** All supported versions, ascending. */
    static List<MessageTable> all() {
        MessageTable v685 = oldest();
        MessageTable v686 = v685.next(686, "1.21.2");
        MessageTable v712 =
                v686.next(
                                712,
                                "1.21.20",
                                DISCONNECT_FILTERED,
                                PREDICTION_SPIN,
                                PACK_ADDON,
                                LINK_SPIN,
                                USE_TRIGGER)
                        .add(
                                312,
                                "serverbound_loading_screen",
                                WorldMessage.ServerboundLoadingScreen.BLANK,
                                WorldMessage.ServerboundLoadingScreen::wire)
                        .add(
                                313,
                                "jigsaw_structure_data",
                                WorldMessage.JigsawStructureData.BLANK,
                                WorldMessage.JigsawStructureData::wire);
        MessageTable v729 =
                v712.next(
                        729,
                        "1.21.30",
                        TRANSFER_RELOAD,
                        ATTRIBUTE_DEFAULT_BOUNDS,
                        PACKS_IN_ONE_LIST,
                        COLLISION_INPUTS,
                        CONTAINER_NAMED);
        MessageTable v748 =
                v729.next(748, "1.21.40", INPUT_CAMERA, PACK_URL, STORAGE_ITEM)
                        .add(
                                319,
                                "set_movement_authority",
                                MovementMessage.SetMovementAuthority.BLANK,
                                MovementMessage.SetMovementAuthority::wire);
        MessageTable v766 = v748.next(766, "1.21.50", INPUT_RAW, PACK_TEMPLATE);
        MessageTable v776 =
                v766.next(
                                776,
                                "1.21.60",
                                ITEM_REGISTRY,
                                CREATIVE_GROUPS,
                                VERTICAL_FLY_SPEED,
                                BOSS_FILTERED)
                        .add(
                                162,
                                "item_registry",
                                WorldMessage.ItemRegistry.BLANK,
                                WorldMessage.ItemRegistry::wire);
        MessageTable v786 = v776.next(786, "1.21.70");
        MessageTable v800 = v786.next(800, "1.21.80", BIOME_LIST, PLAYER_COLOUR, SERVER_DECIDES);
        MessageTable v818 =
                v800.next(818, "1.21.90", NO_AUTHORITY, OWNER_ID, PACK_VISUALS, LOGIN_ENVELOPE)
                        .remove(MovementMessage.SetMovementAuthority.BLANK);
        MessageTable v819 = v818.next(819, "1.21.93");
        MessageTable v827 =
                v819.next(
                        827,
                        "1.21.100",
                        TICK_DEATH_SYSTEMS,
                        PREDICTION_ALWAYS_TURNS,
                        BIOME_ID_PLAIN);
        MessageTable v844 = v827.next(844, "1.21.111", BIOME_FOLIAGE_SNOW);
        MessageTable v859 = v844.next(859, "1.21.120", ANIMATE_DATA);
        MessageTable v860 = v859.next(860, "1.21.124");
        MessageTable v898 =
                v860.next(
                                898,
                                "1.21.130",
                                TEXT_CATEGORY,
                                TEXT_WORDS,
                                ANIMATE_SOURCE,
                                STACK_IN_ONE_LIST,
                                COMMANDS_RECODED)
                        .undoing(TICK_DEATH_SYSTEMS);
        MessageTable v924 =
                v898.next(924, "1.26.0", IDENTITIES_LAST)
                        .undoing(TEXT_WORDS)
                        .add(
                                337,
                                "voxel_shapes",
                                WorldMessage.VoxelShapes.BLANK,
                                WorldMessage.VoxelShapes::wire);
        MessageTable v944 =
                v924.next(
                        944,
                        "1.26.10",
                        SIGNED_HEIGHT,
                        JOIN_INFO_STORE,
                        CUSTOM_SHAPES,
                        LOGIN_TOKEN,
                        USE_COOL_DOWN);
        MessageTable v975 = v944.next(975, "1.26.20", SHAPES_BEFORE_START, SLOT_ITEM_WHOLE);
        MessageTable v1001 =
                v975.next(
                        1001,
                        "1.26.30",
                        EDITOR_POLICY,
                        CHAT_LOGGING,
                        PRESENCE_OPTIONAL,
                        TRANSACTION_RECODED);
        MessageTable v2168 =
                v1001.next(
                                2168,
                                "1.26.40",
                                GATHERING_OPTIONAL,
                                START_RECODED,
                                MOVE_CAUSE_OPTIONAL,
                                DELTA_OPTIONAL,
                                INPUT_LIST,
                                LIST_OF_CHANGES,
                                SKIN_RECODED,
                                METADATA_TYPE_TWICE,
                                HELD_ITEM_WHOLE,
                                PACK_COUNT_VARIABLE,
                                PACK_RESPONSE_NAMED,
                                CHUNK_LIMIT_OPTIONAL,
                                NET_ID_PLAIN)
                        .undoing(CHAT_LOGGING);
        MessageTable v2169 = v2168.next(2169, "1.26.45");
        MessageTable v2193 =
                v2169.next(2193, "1.26.51", INPUT_PRESENCE_ONCE, DELTA_TICKS, USE_HAND);
        return List.of(
                v685, v686, v712, v729, v748, v766, v776, v786, v800, v818, v819, v827, v844, v859,
                v860, v898, v924, v944, v975, v1001, v2168, v2169, v2193);
    }

    /**
     * All messages of the oldest version; those that no version changes have a walk without
     * dialect.
     */
    private static MessageTable oldest() {
        return MessageTable.oldest(685, "1.21.0")
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
                .add(13, "add_entity", ActorMessage.AddActor.BLANK, ActorMessage.AddActor::wire)
                .add(
                        14,
                        "remove_entity",
                        ActorMessage.RemoveActor.BLANK,
                        ActorMessage.RemoveActor::wire)
                .add(
                        15,
                        "add_item_entity",
                        ActorMessage.AddItemActor.BLANK,
                        ActorMessage.AddItemActor::wire)
                .add(
                        17,
                        "take_item_entity",
                        ActorMessage.TakeItemActor.BLANK,
                        ActorMessage.TakeItemActor::wire)
                .add(
                        18,
                        "move_entity",
                        MovementMessage.MoveActorAbsolute.BLANK,
                        MovementMessage.MoveActorAbsolute::wire)
                .add(19, "move_player", MovePlayer.BLANK, MovePlayer::wire)
                .add(
                        21,
                        "update_block",
                        WorldMessage.UpdateBlock.BLANK,
                        WorldMessage.UpdateBlock::wire)
                .add(
                        27,
                        "entity_event",
                        FightMessage.ActorEvent.BLANK,
                        FightMessage.ActorEvent::wire)
                .add(28, "mob_effect", FightMessage.MobEffect.BLANK, FightMessage.MobEffect::wire)
                .add(
                        29,
                        "update_attributes",
                        AbilityMessage.UpdateAttributes.BLANK,
                        AbilityMessage.UpdateAttributes::wire)
                .add(
                        30,
                        "inventory_transaction",
                        InventoryMessage.InventoryTransaction.BLANK,
                        InventoryMessage.InventoryTransaction::wire)
                .add(
                        31,
                        "mob_equipment",
                        InventoryMessage.MobEquipment.BLANK,
                        InventoryMessage.MobEquipment::wire)
                .add(
                        32,
                        "mob_armor_equipment",
                        InventoryMessage.MobArmour.BLANK,
                        InventoryMessage.MobArmour::wire)
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
                .add(42, "set_health", FightMessage.SetHealth.BLANK, FightMessage.SetHealth::wire)
                .add(44, "animate", MovementMessage.Animate.BLANK, MovementMessage.Animate::wire)
                .add(45, "respawn", MovementMessage.Respawn.BLANK, MovementMessage.Respawn::wire)
                .add(
                        49,
                        "inventory_content",
                        InventoryMessage.InventoryContent.BLANK,
                        InventoryMessage.InventoryContent::wire)
                .add(
                        50,
                        "inventory_slot",
                        InventoryMessage.InventorySlot.BLANK,
                        InventoryMessage.InventorySlot::wire)
                .add(
                        56,
                        "block_entity_data",
                        WorldMessage.BlockActorData.BLANK,
                        WorldMessage.BlockActorData::wire)
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
                .add(74, "boss_event", FightMessage.BossEvent.BLANK, FightMessage.BossEvent::wire)
                .add(76, "available_commands", AvailableCommands.BLANK, AvailableCommands::wire)
                .add(77, "command_request", CommandRequest.BLANK, CommandRequest::wire)
                .add(85, "transfer", LoginMessage.Transfer.BLANK, LoginMessage.Transfer::wire)
                .add(86, "play_sound", FightMessage.PlaySound.BLANK, FightMessage.PlaySound::wire)
                .add(88, "set_title", FightMessage.SetTitle.BLANK, FightMessage.SetTitle::wire)
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
                        106,
                        "remove_objective",
                        FightMessage.RemoveObjective.BLANK,
                        FightMessage.RemoveObjective::wire)
                .add(
                        107,
                        "set_display_objective",
                        FightMessage.SetDisplayObjective.BLANK,
                        FightMessage.SetDisplayObjective::wire)
                .add(108, "set_score", FightMessage.SetScore.BLANK, FightMessage.SetScore::wire)
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
                        118,
                        "spawn_particle_effect",
                        WorldMessage.SpawnParticle.BLANK,
                        WorldMessage.SpawnParticle::wire)
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
                        147,
                        "item_stack_request",
                        InventoryMessage.ItemStackRequest.BLANK,
                        InventoryMessage.ItemStackRequest::wire)
                .add(
                        148,
                        "item_stack_response",
                        InventoryMessage.ItemStackResponse.BLANK,
                        InventoryMessage.ItemStackResponse::wire)
                .add(
                        161,
                        "correct_player_move_prediction",
                        MovementMessage.CorrectPlayerMovePrediction.BLANK,
                        MovementMessage.CorrectPlayerMovePrediction::wire)
                .add(
                        162,
                        "item_component",
                        WorldMessage.ItemRegistry.BLANK,
                        WorldMessage.ItemRegistry::wire)
                .add(
                        187,
                        "update_abilities",
                        AbilityMessage.UpdateAbilities.BLANK,
                        AbilityMessage.UpdateAbilities::wire)
                .add(189, "death_info", FightMessage.DeathInfo.BLANK, FightMessage.DeathInfo::wire)
                .add(
                        193,
                        "request_network_settings",
                        LoginMessage.RequestNetworkSettings.BLANK,
                        LoginMessage.RequestNetworkSettings::wire);
    }
}
