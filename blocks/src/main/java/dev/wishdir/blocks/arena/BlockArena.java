package dev.wishdir.blocks.arena;

import dev.wishdir.blocks.grid.BakedLight;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.BlockSpace;
import dev.wishdir.blocks.grid.Face;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** An arena of blocks, the same in every game; each game builds its own map from it. Immutable. */
public final class BlockArena {
    /** Starts the name of every map that is built from an arena of blocks. */
    public static final String MAP_NAME_PREFIX = "wishdir_";

    /**
     * The position of the sun.
     *
     * @param azimuth canonical degrees: 0 in the east, 90 in the north
     * @param height degrees above the horizon
     */
    public record Sun(int azimuth, int height) {
        /** The sun of an afternoon, in the south-west. */
        public static final Sun USUAL = new Sun(215, 52);
    }

    /**
     * The map that an arena was converted from; players of its game have it themselves.
     *
     * @param game the game of the map
     * @param map its name
     */
    public record Original(String game, String map) {}

    /** Keeps the files that games compile from arenas. */
    @FunctionalInterface
    public interface MapCache {
        /** A file compiled from an arena, cached or made now; see {@link #compiled}. */
        byte[] get(BlockArena arena, String kind, Supplier<byte[]> make);
    }

    private final String name;
    private final String title;
    private final Sun sun;
    private final BlockGrid blocks;
    private final List<Movement> spawns;
    private final List<MoveTrigger> moveTriggers;
    private final List<PlacedItem> items;
    private final Optional<Original> original;
    private final Optional<MapCache> cache;
    private Optional<RaceCourse> course = Optional.empty();
    private Optional<FlagBases> bases = Optional.empty();

    /** Computed at the first request, like the next fields. */
    private List<Face> faces = List.of();

    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private @Nullable BakedLight bakedLight;
    private @Nullable Bounds bounds;

    /**
     * @param name up to 24 lower-case letters, digits, _ and -; file names contain it
     * @param title shown to players
     * @param spawns positions and view directions at which bodies appear; at least one
     * @throws IllegalArgumentException if there is no spawn or the name is not valid
     */
    public BlockArena(String name, String title, Sun sun, BlockGrid blocks, List<Movement> spawns) {
        this(name, title, sun, blocks, spawns, List.of());
    }

    /**
     * An arena with teleporters and jump pads.
     *
     * @throws IllegalArgumentException as above
     */
    public BlockArena(
            String name,
            String title,
            Sun sun,
            BlockGrid blocks,
            List<Movement> spawns,
            List<MoveTrigger> moveTriggers) {
        this(
                name,
                title,
                sun,
                blocks,
                new Contents(spawns, moveTriggers, List.of()),
                Optional.empty(),
                Optional.empty());
    }

    /** Contents of an arena besides its blocks. */
    private record Contents(
            List<Movement> spawns, List<MoveTrigger> moveTriggers, List<PlacedItem> items) {}

    private BlockArena(
            String name,
            String title,
            Sun sun,
            BlockGrid blocks,
            Contents contents,
            Optional<Original> original,
            Optional<MapCache> cache) {
        spawns = List.copyOf(contents.spawns());
        if (!name.matches("[a-z0-9_-]{1,24}") || spawns.isEmpty()) {
            throw new IllegalArgumentException(
                    "an arena needs a name of 1 to 24 of a-z, 0-9, _ and -, and a spawn point: '"
                            + name
                            + "', "
                            + spawns.size()
                            + " spawn points");
        }
        this.name = name;
        this.title = title;
        this.sun = sun;
        this.blocks = blocks;
        moveTriggers = List.copyOf(contents.moveTriggers());
        items = List.copyOf(contents.items());
        if (items.size() > PlacedItem.MAX_ITEMS) {
            throw new IllegalArgumentException(
                    "an arena has at most " + PlacedItem.MAX_ITEMS + " items, not " + items.size());
        }
        this.original = original;
        this.cache = cache;
    }

    /** This arena as converted from a map; players of that game play the map itself. */
    public BlockArena withOriginal(Original map) {
        return copy(items, Optional.of(map), cache, course);
    }

    /**
     * This arena with items.
     *
     * @throws IllegalArgumentException if there are more than {@link PlacedItem#MAX_ITEMS}
     */
    public BlockArena withItems(List<PlacedItem> placed) {
        return copy(placed, original, cache, course);
    }

    /** This arena, with a cache for the files compiled from it. */
    public BlockArena withCache(MapCache cache) {
        return copy(items, original, Optional.of(cache), course);
    }

    /** This arena with a race course, or without. */
    public BlockArena withCourse(Optional<RaceCourse> course) {
        return copy(items, original, cache, course);
    }

    /**
     * This arena with flags, or without.
     *
     * @throws IllegalArgumentException if a base has a spawn point that the arena does not have
     */
    public BlockArena withBases(Optional<FlagBases> bases) {
        bases.stream()
                .flatMap(it ->
                        Stream.concat(it.red().spawns().stream(), it.blue().spawns().stream()))
                .filter(spawn -> !spawns.contains(spawn))
                .findFirst()
                .ifPresent(spawn -> {
                    throw new IllegalArgumentException(
                            "the arena has no spawn point of a base at " + spawn.position());
                });
        BlockArena copy = copy(items, original, cache, course);
        copy.bases = bases;
        return copy;
    }

    private BlockArena copy(
            List<PlacedItem> placed,
            Optional<Original> original,
            Optional<MapCache> cache,
            Optional<RaceCourse> course) {
        Contents contents = new Contents(spawns, moveTriggers, placed);
        BlockArena copy = new BlockArena(name, title, sun, blocks, contents, original, cache);
        copy.course = course;
        copy.bases = bases;
        return copy;
    }

    /**
     * A file that a game compiles from this arena, at the first request or at an earlier start.
     *
     * @param kind the kind of file, used as its extension
     * @param make compiles it; must return equal content for equal arenas
     * @return the same array each time; it must not be changed
     */
    public byte[] compiled(String kind, Supplier<byte[]> make) {
        byte[] file = files.get(kind);
        if (file == null) {
            file = cache.isPresent() ? cache.get().get(this, kind, make) : make.get();
            files.put(kind, file);
        }
        return file;
    }

    /** The map that players of a game play instead of the blocks; empty if they play the blocks. */
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

    /** The name of the arena that a game's map was built from; the map's if none was. */
    public static String nameOfMap(String map) {
        return map.startsWith(MAP_NAME_PREFIX) ? map.substring(MAP_NAME_PREFIX.length()) : map;
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

    /** Its items, which lie there while a match is played. */
    public List<PlacedItem> items() {
        return items;
    }

    /** Its race course; empty if it has none. */
    public Optional<RaceCourse> course() {
        return course;
    }

    /** The bases of its two teams; empty if it has no flags. */
    public Optional<FlagBases> bases() {
        return bases;
    }

    /** The bounds of all space that is not solid, metres. */
    public synchronized Bounds bounds() {
        if (bounds == null) {
            bounds = blocks.room();
        }
        return bounds;
    }

    /** Its solids and media. */
    public CollisionSpace space() {
        return new BlockSpace(blocks);
    }

    /** Its visible faces, in a size that all games can draw; computed once. */
    public synchronized List<Face> faces() {
        if (faces.isEmpty()) {
            faces = List.copyOf(Face.of(blocks, Face.MAX_HALF_METRES));
        }
        return faces;
    }

    /** Its light, the same for all games; computed once. */
    public synchronized BakedLight light() {
        if (bakedLight == null) {
            bakedLight = new BakedLight(blocks, sun.azimuth(), sun.height());
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
                && moveTriggers.equals(that.moveTriggers)
                && items.equals(that.items)
                && course.equals(that.course)
                && bases.equals(that.bases);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, title, sun, blocks, spawns, moveTriggers, items, course, bases);
    }

    @Override
    public String toString() {
        return name + ", " + blocks;
    }
}
