package dev.wishdir.blocks.stock;

import dev.wishdir.blocks.grid.Material;
import dev.wishdir.idtech.Brush;

import java.util.Locale;
import java.util.Map;

/**
 * The kind of a brush's texture, guessed by its name. Each has different materials for walls,
 * floors and steps, so that players can tell them apart.
 */
enum TextureCategory {
    STONE(Material.STONE, Material.COBBLE, Material.SLATE),
    METAL(Material.METAL, Material.TILE, Material.COPPER),
    RUST(Material.COPPER, Material.SLATE, Material.BRICK),
    WOOD(Material.WOOD, Material.PLANK, Material.SAND),
    BRICK(Material.BRICK, Material.TILE, Material.MARBLE),
    MARBLE(Material.MARBLE, Material.SLATE, Material.STONE),
    EARTH(Material.EARTH, Material.SAND, Material.PLANK),
    GRASS(Material.EARTH, Material.GRASS, Material.COBBLE),
    SAND(Material.SAND, Material.EARTH, Material.MARBLE),
    GLASS(Material.GLASS, Material.GLASS, Material.MARBLE),
    LAMP(Material.LAMP, Material.LAMP, Material.MARBLE),
    /** Stops bodies, but is invisible. */
    CLIP(Material.GLASS, Material.GLASS, Material.MARBLE),
    SKY(Material.SKY, Material.SKY, Material.STONE);

    /** A surface flag of both games. */
    private static final int SKY_FLAG = 4;

    /** The z of a normal above which a side is not a wall's. */
    private static final float MIN_FLAT_NORMAL_Z = 0.5f;

    private static final Map<String, TextureCategory> WORDS =
            Map.ofEntries(
                    Map.entry("sky", SKY),
                    Map.entry("glass", GLASS),
                    Map.entry("window", GLASS),
                    Map.entry("light", LAMP),
                    Map.entry("lamp", LAMP),
                    Map.entry("rust", RUST),
                    Map.entry("copper", RUST),
                    Map.entry("metal", METAL),
                    Map.entry("steel", METAL),
                    Map.entry("iron", METAL),
                    Map.entry("grate", METAL),
                    Map.entry("base_", METAL),
                    Map.entry("wood", WOOD),
                    Map.entry("plank", WOOD),
                    Map.entry("crate", WOOD),
                    Map.entry("brick", BRICK),
                    Map.entry("marble", MARBLE),
                    Map.entry("tile", MARBLE),
                    Map.entry("grass", GRASS),
                    Map.entry("sand", SAND),
                    Map.entry("desert", SAND),
                    Map.entry("dirt", EARTH),
                    Map.entry("earth", EARTH),
                    Map.entry("mud", EARTH),
                    Map.entry("ground", EARTH),
                    Map.entry("organic", EARTH));

    final Material wall;
    final Material floor;
    final Material step;

    TextureCategory(Material wall, Material floor, Material step) {
        this.wall = wall;
        this.floor = floor;
        this.step = step;
    }

    /** The category of a side. */
    static TextureCategory of(Brush.Side side) {
        if ((side.surface() & SKY_FLAG) != 0) {
            return SKY;
        }
        String name = side.texture().toLowerCase(Locale.ROOT);
        TextureCategory found = STONE;
        int last = -1;
        for (Map.Entry<String, TextureCategory> word : WORDS.entrySet()) {
            // The end of a name is more specific than its folder.
            int at = name.lastIndexOf(word.getKey());
            if (at > last) {
                last = at;
                found = word.getValue();
            }
        }
        return found;
    }

    /** Whether a side is visible. */
    static boolean isSeen(Brush.Side side) {
        String name = side.texture().toLowerCase(Locale.ROOT);
        return !name.contains("caulk") && !name.contains("nodraw") && !name.contains("clip");
    }

    /**
     * The category of a brush.
     *
     * @param upwards whether of its upper side, or else of a vertical one
     * @param solid whether it stops more than players
     */
    static TextureCategory of(Brush brush, boolean upwards, boolean solid) {
        if (!solid) {
            return CLIP;
        }
        TextureCategory found = STONE;
        float best = -2;
        for (Brush.Side side : brush.sides()) {
            float up = side.plane().normal().z();
            float fits = upwards ? up : MIN_FLAT_NORMAL_Z - Math.abs(up);
            if (isSeen(side) && fits > best) {
                best = fits;
                found = of(side);
            }
        }
        return found;
    }
}
