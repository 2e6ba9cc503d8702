package dev.wishdir.blocks.stock;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.BuildLimits;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.blocks.grid.StandingPlaces;
import dev.wishdir.idtech.Box;
import dev.wishdir.idtech.Brush;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Converts a map's brushes into an arena of blocks. A metre of the arena is 32 units of the map,
 * from the same origin. Space that no body can reach becomes solid. See docs/arena.md.
 */
public final class StockMapConverter {
    /** Largest distance of an item to the nearest ground. */
    private static final double MAX_ITEM_OFFSET_METRES = 1.5;

    /** Depth below the origin that all games have; Bedrock's world ends there. */
    private static final int MAX_DEPTH = 62;

    /** Minimum height of the drawn sky above the highest floor, metres. */
    private static final int AIR_ABOVE = 64;

    private final StockMap map;
    private final int minX;
    private final int minY;
    private final int minZ;
    private final int wide;
    private final int deep;
    private final int high;

    /** The textures of each half block, 0 for air. */
    private final byte[] halves;

    private final BitSet reached = new BitSet();

    /** The blocks in which bodies swim; like those in which they climb, they may be solid. */
    private final BitSet wet;

    private final BitSet climbed;

    private StockMapConverter(StockMap map) throws IOException {
        this.map = map;
        Box box = solids(map);
        int reach = BlockGrid.MAX_WIDTH / 2;
        minX = Math.clamp(metres(box.mins().x()), -reach, reach);
        minY = Math.clamp(metres(box.mins().y()), -reach, reach);
        minZ = Math.clamp(metres(box.mins().z()), -MAX_DEPTH, BlockGrid.MAX_LAYERS);
        wide = Math.clamp(metres(box.maxs().x()) + 1 - minX, 1, reach - minX);
        deep = Math.clamp(metres(box.maxs().y()) + 1 - minY, 1, reach - minY);
        high = Math.clamp(metres(box.maxs().z()) + 1 - minZ, 1, 2 * BlockGrid.MAX_LAYERS);
        halves = new byte[2 * wide * deep * high];
        MediumVoxelizer mediumVoxelizer =
                new MediumVoxelizer(map, minX, minY, minZ, wide, deep, high);
        wet = mediumVoxelizer.wet();
        climbed = mediumVoxelizer.climbed();
    }

    private static Box solids(StockMap map) throws IOException {
        Vec3f least = new Vec3f(-4096, -4096, -4096);
        Vec3f most = new Vec3f(4096, 4096, 4096);
        return map.brushes().stream()
                .filter(map::stopsBodies)
                .map(Brush::bounds)
                .map(box ->
                        new Box(
                                /* mins= */ least.max(box.mins()),
                                /* maxs= */ most.min(box.maxs())))
                .reduce(Box::union)
                .orElseThrow(() -> new IOException("map " + map.name() + " has nothing solid"));
    }

    private static int metres(float units) {
        return (int) Math.floor(units / StockMap.UNITS_PER_METRE);
    }

    /**
     * Converts a map.
     *
     * @throws IOException if an arena cannot contain the map; the message says why
     */
    public static BlockArena of(StockMap map) throws IOException {
        StockMapConverter made = new StockMapConverter(map);
        made.rasterize();
        made.flood();
        return made.arena();
    }

    private int index(int x, int y, int z) {
        return (z * deep + y) * wide + x;
    }

    private int half(int x, int y, int h) {
        return (h * deep + y) * wide + x;
    }

    private boolean isIn(int x, int y, int z) {
        return x >= 0 && x < wide && y >= 0 && y < deep && z >= 0 && z < high;
    }

    /** Sets all half blocks by the sampled points, then removes single upper halves. */
    private void rasterize() {
        List<Brush> stopping = map.brushes().stream().filter(map::stopsBodies).toList();
        BrushVoxelizer voxelizer =
                new BrushVoxelizer(stopping, Vec3f.ZERO, minX, minY, minX + wide, minY + deep);
        byte[] textures = new byte[halves.length];
        BitSet lower = new BitSet();
        BitSet upper = new BitSet();
        for (int h = 0; h < 2 * high; h++) {
            voxelizer.rasterize(2 * minZ + h);
            BrushVoxelizer.Cell[] cells = new BrushVoxelizer.Cell[wide * deep];
            for (int y = 0; y < deep; y++) {
                for (int x = 0; x < wide; x++) {
                    BrushVoxelizer.Cell cell = voxelizer.cell(x, y);
                    cells[half(x, y, 0)] = cell;
                    textures[half(x, y, h)] = cell.textures();
                    lower.set(half(x, y, h), cell.lower());
                    upper.set(half(x, y, h), cell.upper());
                }
            }
            addWalls(cells, lower, upper, h);
        }
        for (int h = 0; h < 2 * high; h++) {
            int above = h + 1 < 2 * high ? wide * deep : 0;
            for (int at = half(0, 0, h); at < half(0, 0, h + 1); at++) {
                // A floor at half height is raised; so is a ceiling, unless it is a floor from
                // above.
                boolean solid = lower.get(at) || upper.get(at) && !lower.get(at + above);
                halves[at] = solid ? known(textures[at]) : 0;
            }
        }
        for (int z = 0; z < high; z++) {
            for (int y = 0; y < deep; y++) {
                for (int x = 0; x < wide; x++) {
                    removeUpperHalf(x, y, z);
                }
            }
        }
    }

    private static byte known(byte textures) {
        return textures == 0 ? 1 : textures;
    }

    /** Adds walls that are too thin to fill most of a half block. */
    private void addWalls(BrushVoxelizer.Cell[] cells, BitSet lower, BitSet upper, int h) {
        for (int y = 0; y < deep; y++) {
            for (int x = 0; x < wide; x++) {
                int at = half(x, y, h);
                if (cells[half(x, y, 0)].isOpen()
                        && cells[half(x, y, 0)].isWall(
                                x > 0 && lower.get(at - 1),
                                x + 1 < wide && lower.get(at + 1),
                                y > 0 && lower.get(at - wide),
                                y + 1 < deep && lower.get(at + wide))) {
                    lower.set(at);
                    upper.set(at);
                }
            }
        }
    }

    /** Removes a single upper half: a ceiling becomes air, a floor a full block. */
    private void removeUpperHalf(int x, int y, int z) {
        int below = half(x, y, 2 * z);
        int above = half(x, y, 2 * z + 1);
        if (halves[below] == 0 && halves[above] != 0) {
            boolean ceiling = 2 * z + 2 < 2 * high && halves[half(x, y, 2 * z + 2)] != 0;
            if (ceiling) {
                halves[above] = 0;
            } else {
                halves[below] = halves[above];
            }
        }
    }

    private int filled(int x, int y, int z) {
        if (!isIn(x, y, z)) {
            return 2;
        }
        return halves[half(x, y, 2 * z)] == 0 ? 0 : halves[half(x, y, 2 * z + 1)] == 0 ? 1 : 2;
    }

    /** Finds all air that is connected to a spawn point. */
    private void flood() throws IOException {
        Deque<Integer> open = new ArrayDeque<>();
        for (Movement spawn : map.spawns()) {
            Vec3 at = spawn.position();
            for (int up = 0; up <= 1; up++) {
                int x = (int) Math.floor(at.x()) - minX;
                int y = (int) Math.floor(at.y()) - minY;
                int z = (int) Math.floor(at.z() + 0.6) + up - minZ;
                visit(x, y, z, open);
            }
        }
        if (open.isEmpty()) {
            throw new IOException(
                    "map "
                            + map.name()
                            + ": no spawn point is within "
                            + BlockGrid.MAX_WIDTH / 2
                            + " m of the centre and in open space");
        }
        while (!open.isEmpty()) {
            int at = open.remove();
            int x = at % wide;
            int y = at / wide % deep;
            int z = at / wide / deep;
            visit(x - 1, y, z, open);
            visit(x + 1, y, z, open);
            visit(x, y - 1, z, open);
            visit(x, y + 1, z, open);
            if (filled(x, y, z + 1) == 0) {
                visit(x, y, z + 1, open);
            }
            if (filled(x, y, z) == 0) {
                visit(x, y, z - 1, open);
            }
        }
    }

    private void visit(int x, int y, int z, Deque<Integer> open) {
        if (filled(x, y, z) < 2 && !reached.get(index(x, y, z)) && !isOutside(x, y, z)) {
            reached.set(index(x, y, z));
            open.add(index(x, y, z));
        }
    }

    private boolean isOutside(int x, int y, int z) {
        for (int corner = 0; corner < 8; corner++) {
            Vec3f at =
                    new Vec3f(
                            (minX + x + ((corner & 1) == 0 ? 0.25f : 0.75f))
                                    * StockMap.UNITS_PER_METRE,
                            (minY + y + ((corner & 2) == 0 ? 0.25f : 0.75f))
                                    * StockMap.UNITS_PER_METRE,
                            (minZ + z + ((corner & 4) == 0 ? 0.25f : 0.75f))
                                    * StockMap.UNITS_PER_METRE);
            if (!map.outside().test(at)) {
                return false;
            }
        }
        return true;
    }

    private BlockArena arena() throws IOException {
        int reachX = 1;
        int reachY = 1;
        int lowest = high;
        int highest = 0;
        int floor = 0;
        for (int at = reached.nextSetBit(0); at >= 0; at = reached.nextSetBit(at + 1)) {
            int x = minX + at % wide;
            int y = minY + at / wide % deep;
            int z = at / wide / deep;
            reachX = Math.max(reachX, Math.max(x + 2, 1 - x));
            reachY = Math.max(reachY, Math.max(y + 2, 1 - y));
            lowest = Math.min(lowest, z);
            highest = Math.max(highest, z);
            if (filled(at % wide, at / wide % deep, z - 1) > 0) {
                floor = Math.max(floor, z);
            }
        }
        if (floor - lowest + 4 > BlockGrid.MAX_LAYERS
                || Math.max(reachX, reachY) > BlockGrid.MAX_WIDTH / 2
                || minZ + lowest < 1 - MAX_DEPTH) {
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "map %s is too large: %d by %d m around its middle, floors from %d to"
                                    + " %d m; an arena has up to %d by %d m, from -%d, and %d"
                                    + " layers",
                            map.name(),
                            2 * reachX,
                            2 * reachY,
                            minZ + lowest,
                            minZ + floor,
                            BlockGrid.MAX_WIDTH,
                            BlockGrid.MAX_WIDTH,
                            MAX_DEPTH,
                            BlockGrid.MAX_LAYERS));
        }
        int bottom = Math.min(minZ + lowest - 1, -1);
        int most = bottom + BlockGrid.MAX_LAYERS;
        int top = Math.min(Math.min(minZ + highest + 2, minZ + floor + AIR_ABOVE), most);
        top = Math.max(top, 1);
        BlockGrid.Builder blocks =
                new BlockGrid.Builder(2 * reachX, 2 * reachY, top - bottom, -bottom);
        for (int z = bottom; z < top; z++) {
            for (int y = -reachY; y < reachY; y++) {
                for (int x = -reachX; x < reachX; x++) {
                    set(blocks, x, y, z);
                }
            }
        }
        BlockGrid done = blocks.build();
        BlockArena arena =
                new BlockArena(
                                name(),
                                map.title().isBlank() ? map.name() : map.title(),
                                BlockArena.Sun.USUAL,
                                done,
                                spawns(done),
                                MoveTriggerConverter.convert(map.triggerAreas(), done))
                        .withItems(items(done))
                        .withBases(bases(done));
        BuildLimits.check(arena);
        return arena;
    }

    /** The items, on the nearest ground; without those that no ground is near. */
    private List<PlacedItem> items(BlockGrid done) {
        List<PlacedItem> items = new ArrayList<>();
        for (PlacedItem item : map.items()) {
            ground(done, item.place())
                    .ifPresent(ground ->
                            items.add(
                                    new PlacedItem(
                                            item.kind(),
                                            ground,
                                            item.returnTime(),
                                            item.classname())));
        }
        return items;
    }

    /** The flags, on the nearest ground; none if no ground is near one. */
    private Optional<FlagBases> bases(BlockGrid done) {
        return map.bases()
                .flatMap(bases ->
                        ground(done, bases.red().flag())
                                .flatMap(red ->
                                        ground(done, bases.blue().flag())
                                                .map(blue ->
                                                        new FlagBases(
                                                                new FlagBases.Base(red, List.of()),
                                                                new FlagBases.Base(
                                                                        blue, List.of())))));
    }

    private static Optional<Vec3> ground(BlockGrid done, Vec3 place) {
        return Optional.ofNullable(StandingPlaces.nearest(done, place))
                .filter(ground -> ground.distance(place) <= MAX_ITEM_OFFSET_METRES);
    }

    private String name() {
        String plain = map.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]", "-");
        return plain.substring(0, Math.min(plain.length(), 24));
    }

    private boolean isReached(int x, int y, int z) {
        return isIn(x, y, z) && reached.get(index(x, y, z));
    }

    private void set(BlockGrid.Builder blocks, int x, int y, int z) {
        int i = x - minX;
        int j = y - minY;
        int k = z - minZ;
        int filled = isReached(i, j, k) ? filled(i, j, k) : 2;
        if (filled == 0) {
            if (wet.get(index(i, j, k))) {
                blocks.set(x, y, z, Material.WATER, false);
            } else if (climbed.get(index(i, j, k)) && hasWall(i, j, k)) {
                blocks.set(x, y, z, Material.LADDER, false);
            }
            return;
        }
        byte textures = isIn(i, j, k) ? halves[half(i, j, 2 * k)] : 0;
        boolean floor = isReached(i, j, k + 1) || filled == 1;
        Material material;
        if (textures == 0) {
            material = isIn(i, j, k) ? Material.STONE : Material.SKY;
        } else if (!floor) {
            material = BrushVoxelizer.side(textures).wall;
        } else if (isStep(i, j, 2 * k + filled)) {
            material = BrushVoxelizer.top(textures).step;
        } else {
            material = BrushVoxelizer.top(textures).floor;
        }
        if (filled == 1 && !material.hasHalf()) {
            material = BrushVoxelizer.top(textures).step;
        }
        blocks.set(x, y, z, material, filled == 1);
    }

    /** Whether a ladder in a block could lean on a block next to it. */
    private boolean hasWall(int x, int y, int z) {
        for (BlockGrid.Side side : BlockGrid.Side.values()) {
            int i = x + side.x();
            int j = y + side.y();
            if (!isReached(i, j, z) || filled(i, j, z) == 2) {
                return true;
            }
        }
        return false;
    }

    /** Whether a neighbouring floor is half a block or a full block higher or lower. */
    private boolean isStep(int x, int y, int top) {
        for (int[] way : new int[][] {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
            for (int other = top - 2; other <= top + 2; other++) {
                int i = x + way[0];
                int j = y + way[1];
                if (other != top && isFloor(i, j, other)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the half block above a height is reached air, and the one below is not. */
    private boolean isFloor(int x, int y, int h) {
        int z = h >> 1;
        return isReached(x, y, z)
                && halves[half(x, y, h)] == 0
                && ((h & 1) == 0 ? filled(x, y, z - 1) == 2 : halves[half(x, y, h - 1)] != 0);
    }

    private List<Movement> spawns(BlockGrid blocks) throws IOException {
        List<Movement> spawns = new ArrayList<>();
        for (Movement spawn : map.spawns()) {
            Vec3 near = StandingPlaces.nearest(blocks, spawn.position());
            Movement placed = near == null ? null : Movement.at(near, Math.rint(spawn.yaw()) % 360);
            if (placed != null && !spawns.contains(placed)) {
                spawns.add(placed);
            }
        }
        if (spawns.isEmpty()) {
            throw new IOException(
                    "map " + map.name() + ": no spawn point has room for the bodies of all games");
        }
        return spawns;
    }
}
