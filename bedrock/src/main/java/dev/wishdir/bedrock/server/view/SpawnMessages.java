package dev.wishdir.bedrock.server.view;

import dev.wishdir.bedrock.combat.MeleeRules;
import dev.wishdir.bedrock.message.AbilityMessage.AbilityLayer;
import dev.wishdir.bedrock.message.AbilityMessage.Attribute;
import dev.wishdir.bedrock.message.AbilityMessage.UpdateAbilities;
import dev.wishdir.bedrock.message.AbilityMessage.UpdateAttributes;
import dev.wishdir.bedrock.message.ActorMessage.Properties;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.LevelSettings;
import dev.wishdir.bedrock.message.LevelSettings.GameRule;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.Nbt;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.StartGame.Identities;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.WorldMessage.AvailableActorIdentifiers;
import dev.wishdir.bedrock.message.WorldMessage.Biome;
import dev.wishdir.bedrock.message.WorldMessage.BiomeDefinitionList;
import dev.wishdir.bedrock.message.WorldMessage.CreativeContent;
import dev.wishdir.bedrock.message.WorldMessage.ItemRegistry;
import dev.wishdir.bedrock.message.WorldMessage.JigsawStructureData;
import dev.wishdir.bedrock.message.WorldMessage.VoxelShapes;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The messages with which a client enters the world, and the appearance of players. */
public final class SpawnMessages {
    /** Number of ticks that a client keeps for corrections. */
    static final int REWIND_TICKS = 40;

    private static final String HEALTH = "minecraft:health";
    private static final int SURVIVAL = 0;
    private static final int MEMBER = 1;
    private static final int ALL_ABILITIES = 0x7FFFF;
    private static final int WALKING_ABILITIES = 0x3F;
    private static final int NOON = 6000;
    private static final int FLAT = 2;
    private static final int PUBLIC = 4;
    private static final float TEMPERATURE = 0.8f;
    private static final float DOWNFALL = 0.4f;
    private static final int WATER = 0xA544AFF5;

    private static final List<String> PLAINS_TAGS =
            List.of("animal", "monster", "overworld", "plains", "bee_habitat");

    /** Lists in which packs would add rules for structures. */
    private static final List<String> STRUCTURES =
            List.of("processors", "template_pools", "jigsaws", "structure_sets");

    private static final List<GameRule> PEACEFUL_RULES =
            List.of(GameRule.of("showcoordinates", true), GameRule.of("dodaylightcycle", false));

    /** With them a client neither heals its player by itself nor announces deaths. */
    private static final List<GameRule> MATCH_RULES =
            Stream.concat(
                            PEACEFUL_RULES.stream(),
                            Stream.of(
                                    GameRule.of("pvp", true),
                                    GameRule.of("keepinventory", true),
                                    GameRule.of("naturalregeneration", false),
                                    GameRule.of("doimmediaterespawn", false),
                                    GameRule.of("showdeathmessages", false),
                                    GameRule.of("falldamage", false),
                                    GameRule.of("firedamage", false),
                                    GameRule.of("drowningdamage", false)))
                    .toList();

    private SpawnMessages() {}

    /**
     * The messages with which a client enters the world, up to its own player's appearance.
     *
     * @param id runtime id of the client's own player
     * @param player its name
     * @param name of the server
     * @param requested the side that decides where players are, in versions with a choice
     * @param isMatch whether players fight
     */
    public static List<BedrockMessage> messages(
            BedrockCodec codec,
            long id,
            String player,
            Movement start,
            String level,
            String name,
            int requested,
            boolean isMatch,
            long tick) {
        List<BedrockMessage> messages = new ArrayList<>();
        if (codec.has(ProtocolChange.SHAPES_BEFORE_START)) {
            messages.add(structures());
            messages.add(VoxelShapes.BLANK);
        }
        messages.add(
                startGame(
                        codec, id, start, level, name, authority(codec, requested), isMatch, tick));
        messages.add(
                codec.has(ProtocolChange.ITEM_REGISTRY)
                        ? new ItemRegistry(ItemPalette.of(codec))
                        : ItemRegistry.BLANK);
        messages.add(biomes(codec));
        messages.add(new AvailableActorIdentifiers(ACTORS));
        messages.add(CreativeContent.BLANK);
        messages.add(attributes(id));
        messages.add(abilities(id));
        messages.add(new SetActorData(id, metadata(player, Stance.STANDING), Properties.BLANK, 0));
        return messages;
    }

    /** The side that decides where a player is; in newer versions always the server. */
    public static int authority(BedrockCodec codec, int requested) {
        return codec.has(ProtocolChange.SERVER_DECIDES) ? StartGame.SERVER_AUTHORITY : requested;
    }

    private static JigsawStructureData structures() {
        Map<String, Nbt> lists = new LinkedHashMap<>();
        STRUCTURES.forEach(name -> lists.put(name, new Nbt.ListTag(0, List.of())));
        return new JigsawStructureData(new Nbt.Compound(lists));
    }

    /** The only biome of the arena, with the values of the game's own server. */
    static BiomeDefinitionList biomes(BedrockCodec codec) {
        Map<String, Nbt> plains = new LinkedHashMap<>();
        plains.put("temperature", new Nbt.FloatTag(TEMPERATURE));
        plains.put("downfall", new Nbt.FloatTag(DOWNFALL));
        List<String> texts = new ArrayList<>();
        texts.add(codec.has(ProtocolChange.BIOME_ID_PLAIN) ? "minecraft:plains" : "plains");
        texts.addAll(PLAINS_TAGS);
        return new BiomeDefinitionList(
                new Nbt.Compound(Map.of("plains", new Nbt.Compound(plains))),
                List.of(
                        new Biome(
                                0,
                                Biome.OF_THE_GAME,
                                TEMPERATURE,
                                DOWNFALL,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0.125f,
                                0.05f,
                                WATER,
                                true,
                                Optional.of(List.of(1, 2, 3, 4, 5)))),
                texts);
    }

    /** An empty list of kinds of actors: there are only players. */
    private static final Nbt.Compound ACTORS =
            new Nbt.Compound(Map.of("idlist", new Nbt.ListTag(0, List.of())));

    static StartGame startGame(
            BedrockCodec codec,
            long id,
            Movement start,
            String level,
            String name,
            int authority,
            boolean isMatch,
            long tick) {
        return new StartGame(
                id,
                id,
                SURVIVAL,
                BedrockMotion.eyes(start.position()),
                new Vec2f((float) -start.pitch(), BedrockMotion.yaw(start.yaw())),
                settings(codec.game(), isMatch),
                0,
                false,
                level,
                name,
                "",
                false,
                authority,
                authority == StartGame.CLIENT_AUTHORITY ? 0 : REWIND_TICKS,
                authority != StartGame.CLIENT_AUTHORITY,
                tick,
                0,
                List.of(),
                ItemPalette.of(codec),
                new UUID(0, id).toString(),
                true,
                "Wishdir",
                Nbt.EMPTY,
                0,
                new UUID(0, 0),
                false,
                true,
                false,
                false,
                false,
                Optional.empty(),
                Identities.NONE);
    }

    private static LevelSettings settings(String game, boolean isMatch) {
        return new LevelSettings(
                0,
                0,
                "plains",
                0,
                FLAT,
                SURVIVAL,
                false,
                1,
                new BlockPos(0, 0, 0),
                true,
                0,
                false,
                false,
                NOON,
                0,
                false,
                "",
                0,
                0,
                false,
                true,
                true,
                PUBLIC,
                PUBLIC,
                true,
                false,
                isMatch ? MATCH_RULES : PEACEFUL_RULES,
                List.of(),
                false,
                false,
                false,
                MEMBER,
                4,
                false,
                false,
                false,
                false,
                false,
                false,
                false,
                false,
                false,
                false,
                game,
                16,
                16,
                true,
                "",
                "",
                false,
                false,
                0,
                false);
    }

    static UpdateAttributes attributes(long id) {
        return new UpdateAttributes(
                id,
                List.of(
                        attribute(HEALTH, MeleeRules.MAX_HEALTH, MeleeRules.MAX_HEALTH),
                        attribute("minecraft:movement", Float.MAX_VALUE, 0.1f),
                        attribute("minecraft:player.hunger", 20, 20)),
                0);
    }

    /** The health of the client's own player, points of the game. */
    public static UpdateAttributes health(long id, int points) {
        return new UpdateAttributes(
                id,
                List.of(
                        new Attribute(
                                0,
                                MeleeRules.MAX_HEALTH,
                                points,
                                0,
                                MeleeRules.MAX_HEALTH,
                                MeleeRules.MAX_HEALTH,
                                HEALTH,
                                List.of())),
                0);
    }

    private static Attribute attribute(String name, float most, float value) {
        return new Attribute(0, most, value, 0, most, value, name, List.of());
    }

    public static UpdateAbilities abilities(long id) {
        return new UpdateAbilities(
                id,
                MEMBER,
                0,
                List.of(new AbilityLayer(1, ALL_ABILITIES, WALKING_ABILITIES, 0.05f, 1, 0.1f)));
    }

    /** The metadata of a player that only stands there: its appearance. */
    static List<Metadata> metadata(String name, Stance stance) {
        return metadata(name, stance, flags(stance));
    }

    /**
     * The metadata of a player: its appearance.
     *
     * @param flags bits of {@link Metadata#FLAGS}
     */
    public static List<Metadata> metadata(String name, Stance stance, long flags) {
        return List.of(
                new Metadata(Metadata.FLAGS, new Metadata.OfLong(flags)),
                new Metadata(Metadata.NAME, new Metadata.OfText(name)),
                new Metadata(Metadata.AIR, new Metadata.OfShort(300)),
                new Metadata(Metadata.SCALE, new Metadata.OfFloat(1)),
                new Metadata(Metadata.WIDTH, new Metadata.OfFloat(0.6f)),
                new Metadata(
                        Metadata.HEIGHT, new Metadata.OfFloat(stance.crouched() ? 1.5f : 1.8f)));
    }

    /** Another name of an actor, which may be the client's own player. */
    public static SetActorData name(long id, String name) {
        Metadata text = new Metadata(Metadata.NAME, new Metadata.OfText(name));
        return new SetActorData(id, List.of(text), Properties.BLANK, 0);
    }

    /** The bits of {@link Metadata#FLAGS} for a stance. */
    public static long flags(Stance stance) {
        return Metadata.CAN_SHOW_NAME
                | Metadata.ALWAYS_SHOW_NAME
                | Metadata.BREATHING
                | Metadata.HAS_COLLISION
                | Metadata.HAS_GRAVITY
                | (stance.crouched() ? Metadata.SNEAKING : 0)
                | (stance.has(Flag.SPRINTING) ? Metadata.SPRINTING : 0)
                | (isSwimming(stance) ? Metadata.SWIMMING : 0);
    }

    /** A player that stands on the ground in water does not swim. */
    private static boolean isSwimming(Stance stance) {
        return stance.has(Flag.IN_WATER) && !stance.onGround();
    }
}
