package dev.wishdir.bedrock.inspect;

import dev.wishdir.bedrock.message.LevelSettings;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.message.StartGame;

import java.util.List;

/** The fields of {@link StartGame}. */
final class StartGameFields {
    private StartGameFields() {}

    static void put(FieldMap fields, StartGame m) {
        fields.put("unique_id", m.uniqueId())
                .put("runtime_id", m.runtimeId())
                .put("player_gamemode", m.gameType())
                .put("position", FieldMap.vector(m.position()))
                .put("rotation", FieldMap.vector(m.rotation()));
        settings(fields, m.settings());
        fields.put("server_id", m.identities().server())
                .put("world_id", m.identities().world())
                .put("scenario_id", m.identities().scenario())
                .putIf(ProtocolChange.OWNER_ID, "owner_id", m.identities().owner())
                .putIf(ProtocolChange.EDITOR_POLICY, "editor_policy", m.editorPolicy())
                .putIf(ProtocolChange.EDITOR_POLICY, "anonymous_drops", m.anonymousDrops())
                .put("level_id", m.levelId())
                .put("level_name", m.levelName())
                .put("template_id", m.templateIdentity())
                .put("trial", m.trial())
                .putUnless(ProtocolChange.NO_AUTHORITY, "authority", m.authority())
                .put("rewind", m.rewind())
                .put("auth_break", m.authoritativeBreaking())
                .put("tick", FieldMap.unsigned(m.tick()))
                .put("enchant_seed", m.enchantmentSeed())
                .put(
                        "blocks",
                        m.blockProperties().stream()
                                .map(b -> List.of(b.name(), b.definition().plain()))
                                .toList())
                .putUnless(
                        ProtocolChange.ITEM_REGISTRY,
                        "items",
                        m.items().stream()
                                .map(i -> List.of(i.name(), i.id(), i.componentBased()))
                                .toList())
                .put("correlation", m.correlation())
                .put("item_stack_mgr", m.itemStackManager())
                .put("server_version", m.serverVersion())
                .put("properties", m.properties().plain())
                .put("block_checksum", FieldMap.unsigned(m.blockChecksum()))
                .put("template_uuid", m.templateId().toString())
                .put("client_side_gen", m.clientSideGeneration())
                .put("hashed", m.hashedBlockIds())
                .putIf(
                        ProtocolChange.TICK_DEATH_SYSTEMS,
                        "tick_death_systems",
                        m.tickDeathSystems())
                .put("server_sound", m.serverControlledSounds())
                .putIf(ProtocolChange.CHAT_LOGGING, "chat_logging", m.chatLogging())
                .putIf(ProtocolChange.IDENTITIES_LAST, "join_info", m.joinInfo().isPresent());
    }

    private static void settings(FieldMap fields, LevelSettings m) {
        fields.put("seed", FieldMap.unsigned(m.seed()))
                .put("biome_type", m.biomeType())
                .put("biome_name", m.biomeName())
                .put("dimension", m.dimension())
                .put("generator", m.generator())
                .put("world_gamemode", m.gameType())
                .put("hardcore", m.hardcore())
                .put("difficulty", m.difficulty())
                .put("spawn", FieldMap.position(m.spawn()))
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
                .put("experiments", FieldMap.experiments(m.experiments()))
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
}
