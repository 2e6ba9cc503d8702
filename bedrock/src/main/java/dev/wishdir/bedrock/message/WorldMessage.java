package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.Optional;

/** A message about the world and the content of the game. */
public sealed interface WorldMessage extends BedrockMessage {
    /** Maximum number of biomes, and of their texts. */
    int MAX_BIOMES = 1024;

    int BIOME_TEXTS = 1 << 14;

    /** Maximum number of shapes, and of the cells of one. */
    int MAX_SHAPES = 1 << 12;

    int MAX_CELLS = 1 << 12;

    /** Maximum number of chunks of a list. */
    int MAX_CHUNKS = 1 << 14;

    /**
     * The items of the game. Older versions list the items in {@link StartGame}, and here only
     * those with components.
     */
    record ItemRegistry(List<Item> items) implements WorldMessage {
        public static final ItemRegistry BLANK = new ItemRegistry(List.of());

        public static ItemRegistry wire(Wire w, ItemRegistry m, Dialect d) {
            return new ItemRegistry(
                    Encoding.list(
                            w,
                            "items",
                            m.items,
                            Item.MAX_ITEMS,
                            Item.BLANK,
                            d.has(ProtocolChange.ITEM_REGISTRY)
                                    ? Item::wire
                                    : Item::wireComponents));
        }
    }

    /**
     * An item and its number.
     *
     * @param version 0 legacy, 1 data-driven, 2 either; only in the registry
     */
    record Item(String name, int id, boolean componentBased, int version, Nbt.Compound components) {
        /** Maximum number of items of the table; the protocol has no limit of its own. */
        static final int MAX_ITEMS = 1 << 14;

        static final Item BLANK = new Item("", 0, false, 0, Nbt.EMPTY);

        static Item wire(Wire w, Item m) {
            return new Item(
                    Encoding.text(w, "name", m.name),
                    w.i16le("id", m.id),
                    w.bool("component based", m.componentBased),
                    Encoding.varint(w, "version", m.version),
                    Nbt.wire(w, "components", m.components, Nbt.Flavour.NETWORK));
        }

        /** The form in {@link StartGame}. */
        static Item wireOfTable(Wire w, Item m) {
            return new Item(
                    Encoding.text(w, "name", m.name),
                    w.i16le("id", m.id),
                    w.bool("component based", m.componentBased),
                    0,
                    Nbt.EMPTY);
        }

        private static Item wireComponents(Wire w, Item m) {
            return new Item(
                    Encoding.text(w, "name", m.name),
                    0,
                    false,
                    0,
                    Nbt.wire(w, "components", m.components, Nbt.Flavour.NETWORK));
        }
    }

    /**
     * The biomes. A version has either the tags or the list.
     *
     * @param tags by the name of the biome
     * @param texts to which the list's names and tags are indices
     */
    record BiomeDefinitionList(Nbt.Compound tags, List<Biome> biomes, List<String> texts)
            implements WorldMessage {
        public static final BiomeDefinitionList BLANK =
                new BiomeDefinitionList(Nbt.EMPTY, List.of(), List.of());

        public static BiomeDefinitionList wire(Wire w, BiomeDefinitionList m, Dialect d) {
            if (!d.has(ProtocolChange.BIOME_LIST)) {
                return new BiomeDefinitionList(
                        Nbt.wire(w, "biomes", m.tags, Nbt.Flavour.NETWORK), List.of(), List.of());
            }
            return new BiomeDefinitionList(
                    Nbt.EMPTY,
                    Encoding.list(
                            w,
                            "biomes",
                            m.biomes,
                            MAX_BIOMES,
                            Biome.BLANK,
                            (wire, biome) -> Biome.wire(wire, biome, d)),
                    Encoding.texts(w, "texts", m.texts, BIOME_TEXTS));
        }
    }

    /**
     * A biome.
     *
     * @param name index of its name among the texts
     * @param id {@link #OF_THE_GAME} for the game's own, which the client knows
     * @param redSpores in older versions, as {@code blueSpores}, {@code ash} and {@code whiteAsh}
     * @param foliageSnow in newer versions
     * @param waterColour on maps: opacity, red, green, blue, the highest byte first
     * @param tags indices of its tags among the texts
     */
    record Biome(
            int name,
            int id,
            float temperature,
            float downfall,
            float redSpores,
            float blueSpores,
            float ash,
            float whiteAsh,
            float foliageSnow,
            float depth,
            float scale,
            int waterColour,
            boolean rain,
            Optional<List<Integer>> tags) {
        /** The id of all biomes that no pack defines. */
        public static final int OF_THE_GAME = 0xFFFF;

        static final Biome BLANK =
                new Biome(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, Optional.empty());

        private static final int MAX_TAGS = 1024;

        static Biome wire(Wire w, Biome m, Dialect d) {
            boolean spores = !d.has(ProtocolChange.BIOME_FOLIAGE_SNOW);
            Biome walked =
                    new Biome(
                            w.u16le("name", m.name),
                            id(w, m.id, d),
                            w.f32le("temperature", m.temperature),
                            w.f32le("downfall", m.downfall),
                            spores ? w.f32le("red spores", m.redSpores) : 0,
                            spores ? w.f32le("blue spores", m.blueSpores) : 0,
                            spores ? w.f32le("ash", m.ash) : 0,
                            spores ? w.f32le("white ash", m.whiteAsh) : 0,
                            spores ? 0 : w.f32le("foliage snow", m.foliageSnow),
                            w.f32le("depth", m.depth),
                            w.f32le("scale", m.scale),
                            w.i32le("water colour", m.waterColour),
                            w.bool("rain", m.rain),
                            Encoding.optional(
                                    w,
                                    "tags",
                                    m.tags,
                                    List.of(),
                                    (wire, tags) ->
                                            Encoding.list(
                                                    wire,
                                                    "tags",
                                                    tags,
                                                    MAX_TAGS,
                                                    0,
                                                    (each, tag) -> each.u16le("tag", tag))));
            if (w.bool("generation", false)) {
                throw w.malformed("generation", "is there, and is not walked");
            }
            return walked;
        }

        private static int id(Wire w, int id, Dialect d) {
            boolean plain = d.has(ProtocolChange.BIOME_ID_PLAIN);
            return plain || w.bool("id", id != OF_THE_GAME) ? w.u16le("id", id) : OF_THE_GAME;
        }
    }

    /** The rules by which packs generate structures, besides the game's own. */
    record JigsawStructureData(Nbt.Compound structures) implements WorldMessage {
        public static final JigsawStructureData BLANK = new JigsawStructureData(Nbt.EMPTY);

        public static JigsawStructureData wire(Wire w, JigsawStructureData m) {
            return new JigsawStructureData(
                    Nbt.wire(w, "structures", m.structures, Nbt.Flavour.NETWORK));
        }
    }

    /**
     * The shapes of blocks that packs add to the game's own.
     *
     * @param custom number of shapes that packs define, in newer versions
     */
    record VoxelShapes(List<VoxelShape> shapes, List<VoxelName> names, int custom)
            implements WorldMessage {
        public static final VoxelShapes BLANK = new VoxelShapes(List.of(), List.of(), 0);

        public static VoxelShapes wire(Wire w, VoxelShapes m, Dialect d) {
            return new VoxelShapes(
                    Encoding.list(
                            w, "shapes", m.shapes, MAX_SHAPES, VoxelShape.BLANK, VoxelShape::wire),
                    Encoding.list(
                            w, "names", m.names, MAX_SHAPES, VoxelName.BLANK, VoxelName::wire),
                    d.has(ProtocolChange.CUSTOM_SHAPES) ? w.u16le("custom", m.custom) : 0);
        }
    }

    /** A shape: the filled cells of a grid, and the positions of the grid's lines. */
    record VoxelShape(
            int width,
            int height,
            int depth,
            List<Integer> cells,
            List<Float> x,
            List<Float> y,
            List<Float> z) {
        static final VoxelShape BLANK =
                new VoxelShape(0, 0, 0, List.of(), List.of(), List.of(), List.of());

        static VoxelShape wire(Wire w, VoxelShape m) {
            return new VoxelShape(
                    w.u8("width", m.width),
                    w.u8("height", m.height),
                    w.u8("depth", m.depth),
                    Encoding.list(
                            w,
                            "cells",
                            m.cells,
                            MAX_CELLS,
                            0,
                            (wire, cell) -> wire.u8("cell", cell)),
                    lines(w, "x", m.x),
                    lines(w, "y", m.y),
                    lines(w, "z", m.z));
        }

        private static List<Float> lines(Wire w, String name, List<Float> lines) {
            return Encoding.list(
                    w, name, lines, MAX_CELLS, 0f, (wire, line) -> wire.f32le(name, line));
        }
    }

    /** The name of a shape. */
    record VoxelName(String name, int id) {
        static final VoxelName BLANK = new VoxelName("", 0);

        static VoxelName wire(Wire w, VoxelName m) {
            return new VoxelName(Encoding.text(w, "name", m.name), w.u16le("id", m.id));
        }
    }

    /** The kinds of actors. */
    record AvailableActorIdentifiers(Nbt.Compound identifiers) implements WorldMessage {
        public static final AvailableActorIdentifiers BLANK =
                new AvailableActorIdentifiers(Nbt.EMPTY);

        public static AvailableActorIdentifiers wire(Wire w, AvailableActorIdentifiers m) {
            return new AvailableActorIdentifiers(
                    Nbt.wire(w, "identifiers", m.identifiers, Nbt.Flavour.NETWORK));
        }
    }

    /**
     * The items of creative mode. The layout of an item is not walked: a list that is not empty
     * keeps it as bytes.
     *
     * @param groups in newer versions; if there are any, the items are among the bytes
     */
    record CreativeContent(int groups, int count, Bytes items) implements WorldMessage {
        public static final CreativeContent BLANK = new CreativeContent(0, 0, Bytes.EMPTY);

        public static CreativeContent wire(Wire w, CreativeContent m, Dialect d) {
            int groups =
                    d.has(ProtocolChange.CREATIVE_GROUPS)
                            ? Encoding.uvarint(w, "groups", m.groups)
                            : 0;
            return new CreativeContent(
                    groups,
                    groups == 0 ? Encoding.uvarint(w, "count", m.count) : 0,
                    w.rest("items", m.items, BedrockMessage.MAX_BYTES));
        }
    }

    /** Requests a view radius. */
    record RequestChunkRadius(int radius, int most) implements WorldMessage {
        public static final RequestChunkRadius BLANK = new RequestChunkRadius(0, 0);

        public static RequestChunkRadius wire(Wire w, RequestChunkRadius m) {
            return new RequestChunkRadius(
                    Encoding.varint(w, "radius", m.radius), w.u8("most", m.most));
        }
    }

    /** Sets the view radius, chunks. */
    record ChunkRadiusUpdated(int radius) implements WorldMessage {
        public static final ChunkRadiusUpdated BLANK = new ChunkRadiusUpdated(0);

        public static ChunkRadiusUpdated wire(Wire w, ChunkRadiusUpdated m) {
            return new ChunkRadiusUpdated(Encoding.varint(w, "radius", m.radius));
        }
    }

    /**
     * The block around which the client keeps chunks.
     *
     * @param radius blocks
     */
    record NetworkChunkPublisherUpdate(BlockPos position, int radius, List<ChunkPos> saved)
            implements WorldMessage {
        public static final NetworkChunkPublisherUpdate BLANK =
                new NetworkChunkPublisherUpdate(BlockPos.ZERO, 0, List.of());

        public static NetworkChunkPublisherUpdate wire(Wire w, NetworkChunkPublisherUpdate m) {
            return new NetworkChunkPublisherUpdate(
                    BlockPos.wire(w, "position", m.position),
                    Encoding.uvarint(w, "radius", m.radius),
                    Encoding.items(
                            w,
                            "saved",
                            m.saved,
                            w.bounded("saved", w.i32le("saved", m.saved.size()), MAX_CHUNKS),
                            ChunkPos.BLANK,
                            ChunkPos::wire));
        }
    }

    /** The position of a column of blocks, in chunks. */
    record ChunkPos(int x, int z) {
        public static final ChunkPos BLANK = new ChunkPos(0, 0);

        public static ChunkPos wire(Wire w, ChunkPos m) {
            return new ChunkPos(Encoding.varint(w, "x", m.x), Encoding.varint(w, "z", m.z));
        }
    }

    /**
     * A block is another one.
     *
     * @param block number of its state
     * @param flags {@link #OF_NETWORK}, with {@link #OF_NEIGHBOURS}
     * @param layer 0 blocks, 1 liquids in them
     */
    record UpdateBlock(BlockPos position, int block, int flags, int layer) implements WorldMessage {
        public static final UpdateBlock BLANK = new UpdateBlock(BlockPos.ZERO, 0, 0, 0);

        private static final int OF_NEIGHBOURS = 1;
        private static final int OF_NETWORK = 2;

        /** Puts a block into the place of another one. */
        public static UpdateBlock of(BlockPos position, int block) {
            return new UpdateBlock(position, block, OF_NEIGHBOURS | OF_NETWORK, 0);
        }

        public static UpdateBlock wire(Wire w, UpdateBlock m, Dialect d) {
            return new UpdateBlock(
                    BlockPos.wire(w, "position", m.position, d),
                    Encoding.uvarint(w, "block", m.block),
                    Encoding.uvarint(w, "flags", m.flags),
                    Encoding.uvarint(w, "layer", m.layer));
        }
    }

    /** The data of a block besides its state, as the colours of a banner. */
    record BlockActorData(BlockPos position, Nbt.Compound tags) implements WorldMessage {
        public static final BlockActorData BLANK = new BlockActorData(BlockPos.ZERO, Nbt.EMPTY);

        public static BlockActorData wire(Wire w, BlockActorData m, Dialect d) {
            return new BlockActorData(
                    BlockPos.wire(w, "position", m.position, d),
                    Nbt.wire(w, "tags", m.tags, Nbt.Flavour.NETWORK));
        }
    }

    /**
     * Particles at a place.
     *
     * @param actor unique id of the actor that has them; -1 for none
     * @param variables of their program
     */
    record SpawnParticle(
            int dimension, long actor, Vec3f position, String name, Optional<String> variables)
            implements WorldMessage {
        public static final SpawnParticle BLANK = of("", Vec3f.ZERO);

        private static final int NO_ACTOR = -1;

        /** Particles that no actor has. */
        public static SpawnParticle of(String name, Vec3f position) {
            return new SpawnParticle(0, NO_ACTOR, position, name, Optional.empty());
        }

        public static SpawnParticle wire(Wire w, SpawnParticle m) {
            return new SpawnParticle(
                    w.u8("dimension", m.dimension),
                    Encoding.varlong(w, "actor", m.actor),
                    Vec3f.wire(w, "position", m.position),
                    Encoding.text(w, "name", m.name),
                    Encoding.optionalText(w, "variables", m.variables));
        }
    }

    /** Sets the time of day. */
    record SetTime(int time) implements WorldMessage {
        public static final SetTime BLANK = new SetTime(0);

        public static SetTime wire(Wire w, SetTime m) {
            return new SetTime(Encoding.varint(w, "time", m.time));
        }
    }

    /** The client has loaded the world and shows it. */
    record SetLocalPlayerAsInitialized(long runtimeId) implements WorldMessage {
        public static final SetLocalPlayerAsInitialized BLANK = new SetLocalPlayerAsInitialized(0);

        public static SetLocalPlayerAsInitialized wire(Wire w, SetLocalPlayerAsInitialized m) {
            return new SetLocalPlayerAsInitialized(Encoding.uvarlong(w, "runtime id", m.runtimeId));
        }
    }

    /**
     * The client showed or hid its loading screen.
     *
     * @param type 1 shown, 2 hidden
     * @param numbered whether an id follows
     */
    record ServerboundLoadingScreen(int type, boolean numbered, long id) implements WorldMessage {
        public static final ServerboundLoadingScreen BLANK =
                new ServerboundLoadingScreen(0, false, 0);

        public static ServerboundLoadingScreen wire(Wire w, ServerboundLoadingScreen m) {
            int type = Encoding.varint(w, "type", m.type);
            boolean numbered = w.bool("numbered", m.numbered);
            return new ServerboundLoadingScreen(type, numbered, numbered ? w.u32le("id", m.id) : 0);
        }
    }
}
