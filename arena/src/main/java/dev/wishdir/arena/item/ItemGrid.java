package dev.wishdir.arena.item;

import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.List;

/**
 * The items of a level by place, so that a movement tests only those near it. A look-up reads one
 * cell and allocates nothing.
 */
final class ItemGrid {
    private static final double CELL_METRES = 4;

    /** Cells along one axis; farther items share the cells at the edge. */
    private static final int MAX_CELLS = 128;

    private static final Item[] NONE = {};

    private final List<Item> items;
    private final double minX;
    private final double minY;
    private final int width;
    private final int depth;
    private final Item[][] cells;

    ItemGrid(List<PlacedItem> placed) {
        List<Item> all = new ArrayList<>();
        Vec3 least = placed.isEmpty() ? Vec3.ZERO : placed.getFirst().place();
        Vec3 most = least;
        for (PlacedItem each : placed) {
            all.add(new Item(all.size(), each));
            Vec3 at = each.place();
            least = new Vec3(Math.min(least.x(), at.x()), Math.min(least.y(), at.y()), 0);
            most = new Vec3(Math.max(most.x(), at.x()), Math.max(most.y(), at.y()), 0);
        }
        items = List.copyOf(all);
        minX = least.x() - ItemReach.MAX_METRES;
        minY = least.y() - ItemReach.MAX_METRES;
        width = placed.isEmpty() ? 0 : cells(most.x() + ItemReach.MAX_METRES - minX);
        depth = placed.isEmpty() ? 0 : cells(most.y() + ItemReach.MAX_METRES - minY);
        List<List<Item>> near = new ArrayList<>();
        for (int i = 0; i < width * depth; i++) {
            near.add(new ArrayList<>());
        }
        for (Item item : all) {
            Vec3 at = item.place();
            for (int y = row(at.y() - ItemReach.MAX_METRES);
                    y <= row(at.y() + ItemReach.MAX_METRES);
                    y++) {
                for (int x = column(at.x() - ItemReach.MAX_METRES);
                        x <= column(at.x() + ItemReach.MAX_METRES);
                        x++) {
                    near.get(x + width * y).add(item);
                }
            }
        }
        cells = near.stream().map(each -> each.toArray(NONE)).toArray(Item[][]::new);
    }

    private static int cells(double metres) {
        return Math.clamp((int) Math.ceil(metres / CELL_METRES) + 1, 1, MAX_CELLS);
    }

    private int column(double x) {
        return Math.clamp((int) Math.floor((x - minX) / CELL_METRES), 0, width - 1);
    }

    private int row(double y) {
        return Math.clamp((int) Math.floor((y - minY) / CELL_METRES), 0, depth - 1);
    }

    /** All items, in the order of their numbers. */
    List<Item> items() {
        return items;
    }

    /** The items that a body may touch; the array must not be changed. */
    Item[] near(Vec3 feet) {
        return width == 0 ? NONE : cells[column(feet.x()) + width * row(feet.y())];
    }
}
