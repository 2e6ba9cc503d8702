package dev.wishdir.world.blocks;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.world.CollisionSpace;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** An arena of blocks, the same in every game; each game builds its own map from it. Immutable. */
public final class BlockArena {
    /** Starts the name of every map that is built from an arena of blocks. */
    public static final String MAP_NAME_PREFIX = "wishdir_";

    /**
     * Where the sun stands.
     *
     * @param azimuth canonical degrees: 0 in the east, 90 in the north
     * @param height degrees above the horizon
     */
    public record Sun(int azimuth, int height) {
        /** In the south-west, of an afternoon. */
        public static final Sun USUAL = new Sun(215, 52);
    }

    /**
     * A map of which an arena's blocks were made; that game's players have it themselves.
     *
     * @param game whose map it is
     * @param map its name
     */
    public record Original(String game, String map) {}

    private final String name;
    private final String title;
    private final Sun sun;
    private final BlockGrid blocks;
    private final List<Movement> spawns;
    private final List<MoveTrigger> moveTriggers;
    private final Optional<Original> original;
    private final Optional<CompiledMapCache> cache;

    /** Empty until the first request, like the next fields. */
    private List<Face> faces = List.of();

    private @Nullable BakedLight bakedLight;
    private @Nullable Bounds bounds;

    /**
     * @param name lower-case letters, digits, _ and -: names of files are made of it
     * @param title what players read
     * @param spawns where bodies may appear, and where they look; at least one
     * @throws IllegalArgumentException where there is none, or the name is no such name
     */
    public BlockArena(String name, String title, Sun sun, BlockGrid blocks, List<Movement> spawns) {
        this(name, title, sun, blocks, spawns, List.of());
    }

    /**
     * The same with teleporters and jump pads.
     *
     * @throws IllegalArgumentException as above
     */
    public BlockArena(
            String name,
            String title,
            Sun sun,
            BlockGrid blocks,
            List<Movement> spawns,
            List<MoveTrigger> passages) {
        this(name, title, sun, blocks, spawns, passages, Optional.empty(), Optional.empty());
    }

    private BlockArena(
            String name,
            String title,
            Sun sun,
            BlockGrid blocks,
            List<Movement> spawns,
            List<MoveTrigger> passages,
            Optional<Original> original,
            Optional<CompiledMapCache> keep) {
        if (!name.matches("[a-z0-9_-]{1,24}") || spawns.isEmpty()) {
            throw new IllegalArgumentException("an arena needs a name and a place to appear");
        }
        this.name = name;
        this.title = title;
        this.sun = sun;
        this.blocks = blocks;
        this.spawns = List.copyOf(spawns);
        this.moveTriggers = List.copyOf(passages);
        this.original = original;
        this.cache = keep;
    }

    /** The same; players of a game play the map of which it was made. */
    public BlockArena withOriginal(Original map) {
        return new BlockArena(
                name, title, sun, blocks, spawns, moveTriggers, Optional.of(map), cache);
    }

    /**
     * The same; what is made of it is kept in a folder from one start to the next.
     *
     * @param folder of this version of the program only
     */
    public BlockArena cachedIn(Path folder) {
        Optional<CompiledMapCache> kept = Optional.of(new CompiledMapCache(folder));
        return new BlockArena(name, title, sun, blocks, spawns, moveTriggers, original, kept);
    }

    /**
     * What a game makes of it, or made of it at an earlier start.
     *
     * @param kind what it is, as the ending of a file's name
     * @param make the same of the same arena, whenever it is asked
     */
    public byte[] compiled(String kind, Supplier<byte[]> make) {
        return cache.isPresent() ? cache.get().made(this, kind, make) : make.get();
    }

    /** The map that players of a game have instead of the blocks; empty where they have them. */
    public Optional<String> original(String game) {
        return original.filter(each -> each.game().equals(game)).map(Original::map);
    }

    public String name() {
        return name;
    }

    /** The name of the map that a game builds from it, without folder and ending. */
    public String mapName() {
        return MAP_NAME_PREFIX + name;
    }

    public String title() {
        return title;
    }

    public Sun sun() {
        return sun;
    }

    public BlockGrid blocks() {
        return blocks;
    }

    public List<Movement> spawns() {
        return spawns;
    }

    /** Its teleporters and jump pads. */
    public List<MoveTrigger> moveTriggers() {
        return moveTriggers;
    }

    /** Where a body may be, metres. */
    public synchronized Bounds bounds() {
        if (bounds == null) {
            bounds = blocks.room();
        }
        return bounds;
    }

    /** What is solid of it. */
    public CollisionSpace space() {
        return blocks.space();
    }

    /** What is seen of it, in faces that all games can draw: the same for all, looked for once. */
    public synchronized List<Face> faces() {
        if (faces.isEmpty()) {
            faces = List.copyOf(Face.of(blocks, Face.MAX_HALF_METRES));
        }
        return faces;
    }

    /** How it is lit: the same for all games, looked at once. */
    public synchronized BakedLight light() {
        if (bakedLight == null) {
            bakedLight = new BakedLight(blocks, sun);
        }
        return bakedLight;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BlockArena that
                && name.equals(that.name)
                && title.equals(that.title)
                && sun.equals(that.sun)
                && blocks.equals(that.blocks)
                && spawns.equals(that.spawns)
                && moveTriggers.equals(that.moveTriggers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, title, sun, blocks, spawns, moveTriggers);
    }

    @Override
    public String toString() {
        return name + ", " + blocks;
    }
}
