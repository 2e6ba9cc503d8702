package dev.wishdir.blocks.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.Objects.requireNonNull;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.reach.ReachabilitySearch;
import dev.wishdir.idtech.Brush;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.idtech.MapSpace;
import dev.wishdir.idtech.Plane;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class StockMapConverterTest {
    private static final int SOLID = 1;
    private static final int CLIP = 0x1_0000;
    private static final int SLIME = 16;
    private static final int WATER = 32;
    private static final int LADDER = 0x2000_0000;
    private static final int STOPS = SOLID | CLIP;
    private static final int SKY = 4;
    private static final BodyDimensions BODY =
            new BodyDimensions("quake3", 0.9375, 1.75, 0.5625, 1.5);

    private final List<Brush> brushes = new ArrayList<>();
    private final List<StockMap.TriggerArea> carriers = new ArrayList<>();
    private final List<PlacedItem> items = new ArrayList<>();
    private Optional<FlagBases> bases = Optional.empty();

    /**
     * A room of 16 by 16 by 6 m, its floor at z = 0; walls and ceiling are a quarter metre thick.
     */
    StockMapConverterTest() {
        box(-264, -264, -8, 264, 264, 0, SOLID, "base_floor/tile");
        box(-264, -264, 192, 264, 264, 200, SOLID, "base_ceiling/stone");
        box(-264, -264, 0, -256, 264, 192, SOLID, "base_wall/brick");
        box(256, -264, 0, 264, 264, 192, SOLID, "base_wall/brick");
        box(-256, -264, 0, 256, -256, 192, SOLID, "base_wall/brick");
        box(-256, 256, 0, 256, 264, 192, SOLID, "base_wall/brick");
    }

    private void box(int x0, int y0, int z0, int x1, int y1, int z1, int contents, String texture) {
        Brush box = Brush.box(new Vec3f(x0, y0, z0), new Vec3f(x1, y1, z1), contents, 0);
        brushes.add(new Brush(contents, box.bounds(), textured(box, 0, texture)));
    }

    private static List<Brush.Side> textured(Brush box, int surface, String texture) {
        return box.sides().stream()
                .map(side -> new Brush.Side(side.plane(), surface, texture))
                .toList();
    }

    private StockMap map(Vec3... spawns) {
        return new StockMap(
                "quake3",
                "room",
                "A room",
                BODY,
                brushes,
                STOPS,
                brush -> (brush.contents() & LADDER) != 0,
                _ -> false,
                new MapSpace(new BrushWorld(brushes), StockMap.UNITS_PER_METRE, STOPS),
                List.of(spawns).stream().map(at -> Movement.at(at, 90)).toList(),
                carriers,
                items,
                bases,
                List.of());
    }

    private BlockGrid blocks() throws IOException {
        return StockMapConverter.of(map(new Vec3(-6, -6, 0.03))).blocks();
    }

    @Test
    void movesItemsToTheGround() throws IOException {
        Duration time = Duration.ofSeconds(35);
        items.add(new PlacedItem(ItemKind.HEALTH, new Vec3(-5.9, -5.1, 0.03), time, "item_health"));
        items.add(new PlacedItem(ItemKind.HEALTH, new Vec3(0, 0, 90), time, "item_health"));
        assertThat(StockMapConverter.of(map(new Vec3(-6, -6, 0.03))).items())
                .containsExactly(
                        new PlacedItem(ItemKind.HEALTH, new Vec3(-6, -5, 0), time, "item_health"));
    }

    @Test
    void movesFlagsToTheGround() throws IOException {
        FlagBases.Base blue = new FlagBases.Base(new Vec3(3.1, 3, 0.03), List.of());
        bases = Optional.of(new FlagBases(new FlagBases.Base(Vec3.ZERO, List.of()), blue));
        FlagBases moved = StockMapConverter.of(map(new Vec3(-6, -6, 0.03))).bases().orElseThrow();
        assertThat(moved.red().flag()).isEqualTo(Vec3.ZERO);
        assertThat(moved.blue().flag()).isEqualTo(new Vec3(3, 3, 0));
        Vec3 high = new Vec3(0, 0, 90);
        bases = Optional.of(new FlagBases(new FlagBases.Base(high, List.of()), blue));
        assertThat(StockMapConverter.of(map(new Vec3(-6, -6, 0.03))).bases()).isEmpty();
    }

    @Test
    void keepsMoveTriggers() throws IOException {
        Vec3 apex = new Vec3(2.1, 3.9, 4.6);
        carriers.add(
                new StockMap.TriggerArea(
                        new Bounds(new Vec3(1, 3, 0.1), new Vec3(4, 4, 0.5)),
                        new MoveTrigger.JumpPad(Vec3.ZERO, apex)));
        carriers.add(
                new StockMap.TriggerArea(
                        new Bounds(new Vec3(-4, 4, 0), new Vec3(-2, 4.2, 3)),
                        new MoveTrigger.Teleporter(
                                Vec3.ZERO, Movement.at(new Vec3(5, -5.1, 0.7), 90.2))));
        carriers.add(
                new StockMap.TriggerArea(
                        new Bounds(new Vec3(0, 0, 4), new Vec3(1, 1, 5)),
                        new MoveTrigger.JumpPad(Vec3.ZERO, apex)));
        carriers.add(
                new StockMap.TriggerArea(
                        new Bounds(new Vec3(5, 5, 0), new Vec3(5.5, 5.5, 3)),
                        new MoveTrigger.Teleporter(
                                Vec3.ZERO, Movement.at(new Vec3(-2.5, 4, 0.7), -90))));
        List<MoveTrigger> passages =
                StockMapConverter.of(map(new Vec3(-6, -6, 0.03))).moveTriggers();
        Movement exit = Movement.at(new Vec3(5, -5, 0), 90);
        assertThat(passages)
                .containsExactly(
                        new MoveTrigger.JumpPad(new Vec3(1.5, 3.5, 0), new Vec3(2, 4, 4.5)),
                        new MoveTrigger.JumpPad(new Vec3(3, 3.5, 0), new Vec3(2, 4, 4.5)),
                        new MoveTrigger.Teleporter(new Vec3(-3.5, 4, 0), exit),
                        new MoveTrigger.Teleporter(new Vec3(-2.5, 4, 0), exit),
                        new MoveTrigger.Teleporter(
                                new Vec3(5, 5, 0), Movement.at(new Vec3(-2.5, 1.5, 0), 270)));
    }

    @Test
    void keepsThinWallsAndFloors() throws IOException {
        BlockArena arena = StockMapConverter.of(map(new Vec3(-6, -6, 0.03)));
        assertThat(arena.bounds().min()).isEqualTo(new Vec3(-8, -8, 0));
        assertThat(arena.bounds().max()).isEqualTo(new Vec3(8, 8, 6));
        assertThat(arena.spawns()).containsExactly(Movement.at(new Vec3(-6, -6, 0), 90));
        assertThat(arena.name()).isEqualTo("room");
        assertThat(arena.title()).isEqualTo("A room");
    }

    @Test
    void roundsFloorToNearestHalfMetre() throws IOException {
        // Eight steps of 8 units, a metre each, and a ledge with room below it.
        for (int i = 0; i < 8; i++) {
            box(32 * i - 128, 0, 0, 32 * i - 96, 64, 8 * (i + 1), SOLID, "stone");
        }
        box(-64, 128, 80, 64, 192, 96, SOLID, "stone");
        BlockGrid blocks = blocks();
        for (int i = 0; i < 8; i++) {
            double top = 0;
            while (blocks.isSolid(i - 4, 0, (int) (2 * top))) {
                top += 0.5;
            }
            assertThat(top - (i + 1) / 4.0).as("step %s", i).isBetween(0.0, 0.25);
        }
        assertThat(blocks.filled(0, 4, 2)).isEqualTo(2);
        assertThat(blocks.filled(0, 4, 3)).isZero();
        assertThat(blocks.filled(0, 4, 1)).isZero();
    }

    @Test
    void keepsOneBlockWalls() throws IOException {
        // 8 units on either side of the border of two blocks, and 8 in the middle of one.
        box(-8, -256, 0, 8, 0, 192, SOLID, "stone");
        box(12, 0, 0, 20, 256, 192, SOLID, "stone");
        BlockGrid blocks =
                StockMapConverter.of(map(new Vec3(-6, -6, 0.03), new Vec3(6, -6, 0.03))).blocks();
        for (int y = -8; y < 0; y++) {
            int filled = blocks.filled(-1, y, 1) + blocks.filled(0, y, 1);
            assertThat(filled).as("y %s", y).isEqualTo(2);
        }
        for (int y = 0; y < 8; y++) {
            assertThat(blocks.filled(-1, y, 1)).isZero();
            assertThat(blocks.filled(0, y, 1)).as("y %s", y).isEqualTo(2);
            assertThat(blocks.filled(1, y, 1)).isZero();
        }
    }

    @Test
    void makesWallOfSlantedSheet() throws IOException {
        // A facet from the south-west corner to the north-east one, as a patch's.
        float d = (float) Math.sqrt(0.5);
        Vec3f normal = new Vec3f(d, -d, 0);
        Brush around = Brush.box(new Vec3f(-256, -256, 0), new Vec3f(256, 256, 192), SOLID, 0);
        List<Brush.Side> sides = new ArrayList<>();
        sides.add(new Brush.Side(new Plane(normal, 0), 0));
        sides.add(new Brush.Side(new Plane(normal.times(-1), 0), 0));
        sides.addAll(around.sides());
        brushes.add(new Brush(SOLID, around.bounds(), sides, true));
        BlockGrid blocks = StockMapConverter.of(map(new Vec3(-6, 6, 0.03))).blocks();
        assertThat(blocks.filled(-6, 5, 0)).isZero();
        // No body gets to the other side, so it is solid.
        assertThat(blocks.filled(5, -6, 0)).isEqualTo(2);
    }

    @Test
    void keepsClipAndWater() throws IOException {
        box(0, -256, 0, 32, 256, 192, CLIP, "common/clip");
        box(-256, 0, 0, 0, 64, 64, WATER, "liquids/water");
        BlockGrid blocks = blocks();
        assertThat(blocks.material(0, 3, 2)).isEqualTo(Material.GLASS);
        assertThat(blocks.filled(-3, 1, 0)).isZero();
        assertThat(blocks.material(-3, 1, 0)).isEqualTo(Material.WATER);
        assertThat(blocks.material(-3, 1, 1)).isEqualTo(Material.WATER);
        assertThat(blocks.material(-3, 1, 2)).isNull();
        assertThat(blocks.material(-3, 2, 0)).isNull();
        box(-256, 0, 64, 0, 64, 80, SLIME, "liquids/slime");
        box(-256, 128, 0, 0, 192, 11, SLIME, "liquids/slime");
        BlockGrid slime = blocks();
        assertThat(slime.material(-3, 1, 2)).as("half a block").isEqualTo(Material.WATER);
        assertThat(slime.material(-3, 5, 0)).as("less than half").isNull();
        assertThat(
                        StockMap.unsupported(
                                brushes, List.of(Map.of("classname", "func_door")), List.of()))
                .containsExactly(
                        "brushes of slime, which is water among blocks: 2",
                        "doors, which stand open among blocks: 1");
    }

    /** Before a plate of any thickness, and before a wall that is a ladder itself. */
    @Test
    void keepsLadders() throws IOException {
        for (int thick : new int[] {1, 4, 8}) {
            brushes.subList(6, brushes.size()).clear();
            box(-256, 32, 0, -256 + thick, 64, 128, LADDER | CLIP, "ladder");
            box(96, 96, 0, 160, 160, 96, LADDER | SOLID, "ladder");
            BlockGrid blocks = blocks();
            for (int z = 0; z < 4; z++) {
                assertThat(blocks.material(-8, 1, z)).isEqualTo(Material.LADDER);
                assertThat(blocks.material(2, 3, z)).isEqualTo(z < 3 ? Material.LADDER : null);
                assertThat(blocks.material(5, 4, z)).isEqualTo(z < 3 ? Material.LADDER : null);
                assertThat(blocks.material(4, 5, z)).isEqualTo(z < 3 ? Material.LADDER : null);
            }
            for (Vec3 none :
                    List.of(
                            new Vec3(-8, 1, 4),
                            new Vec3(-7, 1, 0),
                            new Vec3(-8, 0, 0),
                            new Vec3(-8, 2, 0),
                            new Vec3(2, 2, 0),
                            new Vec3(1, 3, 0))) {
                assertThat(blocks.material((int) none.x(), (int) none.y(), (int) none.z()))
                        .as("%s", none)
                        .isNull();
            }
        }
    }

    @Test
    void distinguishesSurfaces() throws IOException {
        box(0, 0, 0, 64, 64, 16, SOLID, "base_wall/brick");
        Brush lid = Brush.box(new Vec3f(-264, -264, 160), new Vec3f(264, 264, 200), SOLID, 0);
        brushes.add(new Brush(SOLID, lid.bounds(), textured(lid, SKY, "skies/blue")));
        BlockGrid blocks = blocks();
        Material floor = requireNonNull(blocks.material(-5, -5, -1));
        Material wall = requireNonNull(blocks.material(8, 5, 2));
        Material step = requireNonNull(blocks.material(0, 0, 0));
        assertThat(List.of(floor, wall, step)).doesNotHaveDuplicates();
        assertThat(wall).isEqualTo(Material.BRICK);
        assertThat(blocks.material(-5, -5, 5)).isEqualTo(Material.SKY);
    }

    @Test
    void refusesUnplayableMapWithReason() {
        assertThatThrownBy(() -> StockMapConverter.of(map(new Vec3(200, 0, 0))))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "map room: no spawn point is within 128 m of the centre and in open space");
        brushes.clear();
        assertThatThrownBy(() -> StockMapConverter.of(map(Vec3.ZERO)))
                .isInstanceOf(IOException.class)
                .hasMessage("map room has nothing solid");
        box(-4096, -4096, -8, 4096, 4096, 0, SOLID, "");
        assertThatThrownBy(() -> StockMapConverter.of(map(new Vec3(0, 0, 0.03))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("map room is too large: ");
    }

    @Test
    void reachesSamePlacesAsInMap() throws IOException {
        box(0, -256, 0, 32, 128, 192, SOLID, "stone");
        for (int i = 0; i < 4; i++) {
            box(-64, 64 + 32 * i, 0, -32, 96 + 32 * i, 16 * (i + 1), SOLID, "stone");
        }
        StockMap map = map(new Vec3(-6, -6, 0.03));
        BlockArena arena = StockMapConverter.of(map);
        ReachabilitySearch own = ReachabilitySearch.of(map.space(), BODY, map.spawns());
        ReachabilitySearch made = ReachabilitySearch.of(arena.space(), BODY, arena.spawns());
        assertThat(own.count()).isGreaterThan(700);
        assertThat(own.shareCoveredBy(made)).isEqualTo(1);
        assertThat(made.shareCoveredBy(own)).isEqualTo(1);
        Vec3 from = made.nearest(new Vec3(-6, -6, 0)).orElseThrow();
        Vec3 east = made.nearest(new Vec3(6, -6, 0)).orElseThrow();
        List<Vec3> way = made.path(from, east, _ -> true);
        assertThat(way).last().isEqualTo(east);
        // Around the wall.
        assertThat(way).anyMatch(at -> at.y() > 4);
        assertThat(made.path(from, east, at -> at.y() < 4)).isEmpty();
    }
}
