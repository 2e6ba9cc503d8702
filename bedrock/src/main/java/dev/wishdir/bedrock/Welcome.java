package dev.wishdir.bedrock;

import dev.wishdir.bedrock.message.ActorMessage.AbilityLayer;
import dev.wishdir.bedrock.message.ActorMessage.Attribute;
import dev.wishdir.bedrock.message.ActorMessage.UpdateAbilities;
import dev.wishdir.bedrock.message.ActorMessage.UpdateAttributes;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.Nbt;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The messages that bring a client into the arena, and what they say about bodies. */
final class Welcome {
    /** How many ticks a client keeps for corrections. */
    static final int REWIND = 40;

    private static final int SURVIVAL = 0;
    private static final int MEMBER = 1;
    private static final int ALL_ABILITIES = 0x7FFFF;
    private static final int WALKING_ABILITIES = 0x3F;
    private static final int NOON = 6000;
    private static final int FLAT = 2;
    private static final int PUBLIC = 4;

    /** Every item of the game: a client that misses one does not start. */
    private static final List<StartGame.Item> ITEMS =
            PacketNames.rows("items-748.csv").stream()
                    .map(row -> new StartGame.Item(row[0], Integer.parseInt(row[1]), false))
                    .toList();

    /** One biome is all that the arena has. */
    static final Nbt.Compound BIOMES =
            new Nbt.Compound(
                    Map.of(
                            "plains",
                            new Nbt.Compound(
                                    ordered(
                                            "temperature",
                                            new Nbt.FloatTag(0.8f),
                                            "downfall",
                                            new Nbt.FloatTag(0.4f)))));

    /** No kinds of actors but players. */
    static final Nbt.Compound ACTORS =
            new Nbt.Compound(Map.of("idlist", new Nbt.ListTag(0, List.of())));

    private Welcome() {}

    private static Map<String, Nbt> ordered(String first, Nbt one, String second, Nbt two) {
        Map<String, Nbt> map = new LinkedHashMap<>();
        map.put(first, one);
        map.put(second, two);
        return map;
    }

    static StartGame startGame(
            long id, Movement start, String game, String name, int authority, long tick) {
        return new StartGame(
                id,
                id,
                SURVIVAL,
                BedrockMotion.eyes(start.position()),
                new Vec2f((float) -start.pitch(), BedrockMotion.yaw(start.yaw())),
                settings(game),
                "wishdir",
                name,
                "",
                false,
                authority,
                authority == StartGame.CLIENT_AUTHORITY ? 0 : REWIND,
                authority != StartGame.CLIENT_AUTHORITY,
                tick,
                0,
                List.of(),
                ITEMS,
                new UUID(0, id).toString(),
                true,
                "Wishdir",
                Nbt.EMPTY,
                0,
                new UUID(0, 0),
                false,
                true,
                false);
    }

    private static StartGame.LevelSettings settings(String game) {
        return new StartGame.LevelSettings(
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
                List.of(
                        StartGame.GameRule.of("showcoordinates", true),
                        StartGame.GameRule.of("dodaylightcycle", false)),
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
                false,
                "",
                "",
                "");
    }

    static UpdateAttributes attributes(long id) {
        return new UpdateAttributes(
                id,
                List.of(
                        attribute("minecraft:health", 20, 20),
                        attribute("minecraft:movement", Float.MAX_VALUE, 0.1f),
                        attribute("minecraft:player.hunger", 20, 20)),
                0);
    }

    private static Attribute attribute(String name, float most, float value) {
        return new Attribute(0, most, value, 0, most, value, name, List.of());
    }

    static UpdateAbilities abilities(long id) {
        return new UpdateAbilities(
                id,
                MEMBER,
                0,
                List.of(new AbilityLayer(1, ALL_ABILITIES, WALKING_ABILITIES, 0.05f, 0.1f)));
    }

    /** What a body looks like. */
    static List<Metadata> looks(String name, Stance stance) {
        return List.of(
                new Metadata(Metadata.FLAGS, new Metadata.OfLong(flags(stance))),
                new Metadata(Metadata.NAME, new Metadata.OfText(name)),
                new Metadata(Metadata.AIR, new Metadata.OfShort(300)),
                new Metadata(Metadata.SCALE, new Metadata.OfFloat(1)),
                new Metadata(Metadata.WIDTH, new Metadata.OfFloat(0.6f)),
                new Metadata(
                        Metadata.HEIGHT, new Metadata.OfFloat(stance.crouched() ? 1.5f : 1.8f)));
    }

    /** The bits of how a body holds itself. */
    static long flags(Stance stance) {
        return Metadata.CAN_SHOW_NAME
                | Metadata.ALWAYS_SHOW_NAME
                | Metadata.BREATHING
                | Metadata.HAS_COLLISION
                | Metadata.HAS_GRAVITY
                | (stance.crouched() ? Metadata.SNEAKING : 0)
                | (stance.has(Flag.SPRINTING) ? Metadata.SPRINTING : 0);
    }
}
