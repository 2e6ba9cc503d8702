package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.List;

/** The world around a player. */
public sealed interface WorldMessage extends BedrockMessage {
    /** The most chunks of a list. */
    int CHUNKS = 1 << 14;

    /** Items that are made of components. */
    record ItemComponent(List<ItemDefinition> items) implements WorldMessage {
        public static final ItemComponent BLANK = new ItemComponent(List.of());

        public static ItemComponent wire(Wire w, ItemComponent m) {
            return new ItemComponent(
                    Encoding.list(
                            w,
                            "items",
                            m.items,
                            StartGame.ITEMS,
                            ItemDefinition.BLANK,
                            ItemDefinition::wire));
        }
    }

    /** An item made of components. */
    record ItemDefinition(String name, Nbt.Compound components) {
        public static final ItemDefinition BLANK = new ItemDefinition("", Nbt.EMPTY);

        public static ItemDefinition wire(Wire w, ItemDefinition m) {
            return new ItemDefinition(
                    Encoding.text(w, "name", m.name),
                    Nbt.wire(w, "components", m.components, Nbt.Flavour.NETWORK));
        }
    }

    /** The biomes by name. */
    record BiomeDefinitionList(Nbt.Compound biomes) implements WorldMessage {
        public static final BiomeDefinitionList BLANK = new BiomeDefinitionList(Nbt.EMPTY);

        public static BiomeDefinitionList wire(Wire w, BiomeDefinitionList m) {
            return new BiomeDefinitionList(Nbt.wire(w, "biomes", m.biomes, Nbt.Flavour.NETWORK));
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
     * The items that a builder picks from. Their own layout is not walked: a list that isn't empty
     * keeps it as bytes.
     */
    record CreativeContent(int count, Bytes items) implements WorldMessage {
        public static final CreativeContent BLANK = new CreativeContent(0, Bytes.EMPTY);

        public static CreativeContent wire(Wire w, CreativeContent m) {
            return new CreativeContent(
                    Encoding.uvarint(w, "count", m.count),
                    w.rest("items", m.items, BedrockMessage.LARGEST));
        }
    }

    /** How far the client wants to see. */
    record RequestChunkRadius(int radius, int most) implements WorldMessage {
        public static final RequestChunkRadius BLANK = new RequestChunkRadius(0, 0);

        public static RequestChunkRadius wire(Wire w, RequestChunkRadius m) {
            return new RequestChunkRadius(
                    Encoding.varint(w, "radius", m.radius), w.u8("most", m.most));
        }
    }

    /** How far the client is shown the world, chunks. */
    record ChunkRadiusUpdated(int radius) implements WorldMessage {
        public static final ChunkRadiusUpdated BLANK = new ChunkRadiusUpdated(0);

        public static ChunkRadiusUpdated wire(Wire w, ChunkRadiusUpdated m) {
            return new ChunkRadiusUpdated(Encoding.varint(w, "radius", m.radius));
        }
    }

    /**
     * Around which block chunks are kept.
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
                            w.bounded("saved", w.i32le("saved", m.saved.size()), CHUNKS),
                            ChunkPos.BLANK,
                            ChunkPos::wire));
        }
    }

    /** The place of a column of blocks, in chunks. */
    record ChunkPos(int x, int z) {
        public static final ChunkPos BLANK = new ChunkPos(0, 0);

        public static ChunkPos wire(Wire w, ChunkPos m) {
            return new ChunkPos(Encoding.varint(w, "x", m.x), Encoding.varint(w, "z", m.z));
        }
    }

    /** The time of day. */
    record SetTime(int time) implements WorldMessage {
        public static final SetTime BLANK = new SetTime(0);

        public static SetTime wire(Wire w, SetTime m) {
            return new SetTime(Encoding.varint(w, "time", m.time));
        }
    }

    /** The client shows the world: it is in the game. */
    record SetLocalPlayerAsInitialized(long runtimeId) implements WorldMessage {
        public static final SetLocalPlayerAsInitialized BLANK = new SetLocalPlayerAsInitialized(0);

        public static SetLocalPlayerAsInitialized wire(Wire w, SetLocalPlayerAsInitialized m) {
            return new SetLocalPlayerAsInitialized(Encoding.uvarlong(w, "runtime id", m.runtimeId));
        }
    }

    /**
     * The client shows or hides its loading screen.
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
