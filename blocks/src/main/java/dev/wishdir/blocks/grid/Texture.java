package dev.wishdir.blocks.grid;

/**
 * The procedural texture of a material: a brightness map of two by two metres that tiles
 * seamlessly. Each game makes its textures from it.
 */
public final class Texture {
    /** Pixels along each side. */
    public static final int SIDE = 64;

    /** The brightness that leaves a colour unchanged; half of it is half as bright. */
    public static final int NEUTRAL = 200;

    private Texture() {}

    /** The brightness of each pixel, 0 to 255, row by row. */
    public static byte[] of(Material material) {
        byte[] places = new byte[SIDE * SIDE];
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                double bright = NEUTRAL * (1 + bright(material, x, y));
                places[y * SIDE + x] = (byte) Math.clamp(Math.round(bright), 40, 255);
            }
        }
        return places;
    }

    /** A colour at the given brightness, 0xRRGGBB. */
    public static int coloured(int colour, int bright) {
        int rgb = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            rgb |= Math.min(255, (colour >> shift & 255) * bright / NEUTRAL) << shift;
        }
        return rgb;
    }

    private static double bright(Material material, int x, int y) {
        double grain = grain(x, y, material.ordinal());
        return switch (material) {
            case STONE -> 0.09 * noise(x, y, 16, 1) + 0.08 * grain + joint(x, y, 32, 32, 0, -0.16);
            case COBBLE -> cells(x, y) + 0.08 * grain;
            case SLATE -> 0.1 * noise(x, y, 8, 3) + 0.06 * grain + joint(x, y, 64, 16, 32, -0.2);
            case TILE -> 0.12 * block(x, y, 16) + 0.05 * grain + joint(x, y, 16, 16, 0, 0.5);
            case BRICK -> 0.18 * brick(x, y) + 0.08 * grain + joint(x, y, 16, 8, 8, 0.34);
            case WOOD -> planks(x, y, 16) + 0.05 * grain;
            case PLANK -> planks(x, y, 32) + 0.07 * grain;
            case SAND -> 0.07 * noise(x, y, 8, 7) + 0.08 * grain;
            case MARBLE -> veins(x, y) + 0.03 * grain;
            case COPPER -> 0.1 * noise(x, y, 16, 9) + plates(x, y) + 0.04 * grain;
            case EARTH -> 0.16 * noise(x, y, 8, 10) + 0.12 * noise(x, y, 4, 11) + 0.08 * grain;
            case GRASS -> 0.16 * noise(x, y, 4, 12) + 0.1 * noise(x, y, 16, 13) + 0.16 * grain;
            case METAL -> plates(x, y) + 0.05 * grain(0, y, 3) + 0.02 * grain;
            case GLASS -> joint(x, y, 32, 32, 0, -0.5) + 0.1 * noise(x + y, 0, 16, 14);
            case LAMP, PORTAL, PAD -> joint(x, y, 32, 32, 0, -0.55) + 0.2 * hill(x, y);
            case SKY -> 0;
            case WATER -> 0.14 * noise(x, y, 16, 15) + 0.1 * noise(x, y, 8, 16);
            case LADDER -> rungs(x, y) + 0.06 * grain;
        };
    }

    private static double hash(int x, int y, int seed) {
        int h = x * 0x27D4EB2D ^ y * 0x165667B1 ^ seed * 0x9E3779B1;
        h = (h ^ h >>> 15) * 0x85EBCA6B;
        h = (h ^ h >>> 13) * 0xC2B2AE35;
        return (h ^ h >>> 16) / (double) Integer.MIN_VALUE;
    }

    private static double grain(int x, int y, int seed) {
        return hash(x & SIDE - 1, y & SIDE - 1, seed);
    }

    /** Smooth noise, -1 to 1, with bumps of the given width. */
    private static double noise(int x, int y, int wide, int seed) {
        int count = SIDE / wide;
        int i = Math.floorDiv(x, wide);
        int j = Math.floorDiv(y, wide);
        double a = soft(Math.floorMod(x, wide) / (double) wide);
        double b = soft(Math.floorMod(y, wide) / (double) wide);
        int i0 = Math.floorMod(i, count);
        int j0 = Math.floorMod(j, count);
        int i1 = (i0 + 1) % count;
        int j1 = (j0 + 1) % count;
        double top = hash(i0, j0, seed) * (1 - a) + hash(i1, j0, seed) * a;
        double bottom = hash(i0, j1, seed) * (1 - a) + hash(i1, j1, seed) * a;
        return top * (1 - b) + bottom * b;
    }

    private static double soft(double t) {
        return t * t * (3 - 2 * t);
    }

    /** The brightness that a joint between blocks adds; each row of blocks is shifted. */
    private static double joint(int x, int y, int wide, int high, int shift, double adds) {
        int row = y / high;
        boolean is = y % high == 0 || (x + row % 2 * shift) % wide == 0;
        return is ? adds : 0;
    }

    /** Varies the brightness from block to block. */
    private static double block(int x, int y, int size) {
        return hash(x / size, y / size, 21);
    }

    private static double brick(int x, int y) {
        int row = y / 8;
        return hash((x + row % 2 * 8) % SIDE / 16, row, 22);
    }

    private static double planks(int x, int y, int wide) {
        int plank = x / wide;
        double grain = noise(x * 4, y, 16, 30 + plank);
        boolean end = (y + plank * 23) % SIDE == 0;
        return (x % wide == 0 || end ? -0.35 : 0) + 0.1 * hash(plank, 0, 23) + 0.1 * grain;
    }

    private static double plates(int x, int y) {
        boolean edge = x % 32 == 0 || y % 32 == 0;
        boolean lit = x % 32 == 1 || y % 32 == 1;
        int rx = Math.min(x % 32, 32 - x % 32);
        int ry = Math.min(y % 32, 32 - y % 32);
        boolean rivet = rx >= 4 && rx <= 5 && ry >= 4 && ry <= 5;
        return edge ? -0.3 : lit ? 0.15 : rivet ? 0.25 : 0;
    }

    /** A ladder on a dark wall, in the middle of each metre. */
    private static double rungs(int x, int y) {
        int across = x % (SIDE / 2) - SIDE / 4;
        boolean rail = Math.abs(across) >= 8 && Math.abs(across) < 11;
        boolean rung = Math.abs(across) < 8 && y % 8 < 3;
        return rail || rung ? 0.1 : -0.6;
    }

    private static double veins(int x, int y) {
        double turn = (x + y) * 2 * Math.PI / SIDE + 2.5 * noise(x, y, 16, 31);
        return 0.08 - 0.2 * Math.pow(Math.abs(Math.sin(turn)), 9) + 0.04 * noise(x, y, 8, 32);
    }

    private static double hill(int x, int y) {
        double dx = (x % 32 - 16) / 16.0;
        double dy = (y % 32 - 16) / 16.0;
        return Math.max(0, 1 - dx * dx - dy * dy);
    }

    /** Round stones: Worley noise, by the two nearest of scattered points. */
    private static double cells(int x, int y) {
        double nearest = 99;
        double next = 99;
        double own = 0;
        for (int j = -1; j <= 1; j++) {
            for (int i = -1; i <= 1; i++) {
                int cx = Math.floorDiv(x, 11) + i;
                int cy = Math.floorDiv(y, 11) + j;
                // Six cells per side; the last is narrower, so that the edges match.
                int wx = Math.floorMod(cx, 6);
                int wy = Math.floorMod(cy, 6);
                double px = cx * 11 + 5.5 + 4 * hash(wx, wy, 40);
                double py = cy * 11 + 5.5 + 4 * hash(wx, wy, 41);
                double away = Math.hypot(px - x, py - y);
                if (away < nearest) {
                    next = nearest;
                    nearest = away;
                    own = hash(wx, wy, 42);
                } else {
                    next = Math.min(next, away);
                }
            }
        }
        return (next - nearest < 1.6 ? -0.4 : 0.02 * (next - nearest)) + 0.12 * own;
    }
}
