package dev.wishdir.quake3.map;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.TopDownImage;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.blocks.grid.Texture;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Textures and shaders of generated maps. An image is an array of rows of 0xRRGGBB. */
final class BlockTextures {
    private static final int SKY_SIDE = 64;
    private static final int LEVELSHOT_SIDE = 256;
    private static final int ZENITH = 0x4F86D8;
    private static final int HORIZON = 0xD5E4EE;
    private static final int HAZE = 0xA9B9C4;

    /**
     * The shaders of materials that need more than a texture. Clients take the surface flags from
     * the map.
     */
    private static final String SHADERS =
            """
            textures/wishdir/sky
            {
                surfaceparm noimpact
                surfaceparm nolightmap
                surfaceparm sky
                skyparms env/wishdir 512 -
            }
            textures/wishdir/glass
            {
                surfaceparm trans
                cull none
                {
                    map textures/wishdir/glass.tga
                    blendFunc blend
                    alphaGen const 0.25
                    rgbGen identity
                }
            }
            textures/wishdir/lamp
            {
                surfaceparm nolightmap
                {
                    map textures/wishdir/lamp.tga
                    rgbGen identity
                }
            }
            textures/wishdir/portal
            {
                surfaceparm nolightmap
                {
                    map textures/wishdir/portal.tga
                    rgbGen identity
                }
            }
            textures/wishdir/pad
            {
                surfaceparm nolightmap
                {
                    map textures/wishdir/pad.tga
                    rgbGen identity
                }
            }
            """;

    private static final String WATER =
            """
            textures/wishdir/water
            {
                surfaceparm trans
                surfaceparm water
                surfaceparm nolightmap
                cull none
                {
                    map textures/wishdir/water.tga
                    blendFunc blend
                    alphaGen const 0.5
                    rgbGen identity
                    tcMod scroll 0.03 0.02
                }
            }
            """;

    private BlockTextures() {}

    /** The name of a material's shader. */
    static String shader(Material material) {
        return "textures/wishdir/" + material.text();
    }

    /** Adds all files that the map of an arena needs besides the map file. */
    static void add(Pk3 pk3, String map, BlockArena arena) {
        BlockGrid blocks = arena.blocks();
        String shaders = blocks.has(Material.WATER) ? SHADERS + WATER : SHADERS;
        pk3.add("scripts/wishdir.shader", shaders.getBytes(StandardCharsets.US_ASCII));
        String menu =
                String.format(
                        Locale.ROOT,
                        "{\nmap \"%s\"\nlongname \"%s\"\ntype \"ffa\"\n}\n",
                        map,
                        arena.title().replace('"', '\''));
        pk3.add("scripts/" + map + ".arena", menu.getBytes(StandardCharsets.US_ASCII));
        for (Material material : Material.values()) {
            boolean used = material.solid() || blocks.has(material);
            if (used && material != Material.SKY) {
                pk3.add(shader(material) + ".tga", tga(texture(material)));
            }
        }
        for (String side : List.of("rt", "lf", "ft", "bk", "up", "dn")) {
            pk3.add("env/wishdir_" + side + ".tga", tga(sky(side)));
        }
        pk3.add("levelshots/" + map + ".tga", tga(levelshot(arena)));
    }

    private static int[][] texture(Material material) {
        byte[] bright = Texture.of(material);
        int[][] image = new int[Texture.SIDE][Texture.SIDE];
        for (int i = 0; i < bright.length; i++) {
            image[i / Texture.SIDE][i % Texture.SIDE] =
                    Texture.coloured(material.colour(), bright[i] & 0xFF);
        }
        return image;
    }

    /** A clear sky: paler towards the horizon, haze below it. */
    private static int[][] sky(String side) {
        int[][] image = new int[SKY_SIDE][SKY_SIDE];
        for (int y = 0; y < SKY_SIDE; y++) {
            for (int x = 0; x < SKY_SIDE; x++) {
                double u = (x + 0.5) / SKY_SIDE * 2 - 1;
                double v = 1 - (y + 0.5) / SKY_SIDE * 2;
                double length = Math.sqrt(1 + u * u + v * v);
                double up =
                        Map.of("up", 1 / length, "dn", -1 / length).getOrDefault(side, v / length);
                image[y][x] =
                        up > 0
                                ? mix(HORIZON, ZENITH, Math.sqrt(up))
                                : mix(HORIZON, HAZE, Math.min(1, -4 * up));
            }
        }
        return image;
    }

    private static int mix(int from, int to, double part) {
        int rgb = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int a = from >> shift & 255;
            int b = to >> shift & 255;
            rgb |= (int) Math.round(a + (b - a) * part) << shift;
        }
        return rgb;
    }

    /** The arena from above, stretched to a square, as the game shows it. */
    private static int[][] levelshot(BlockArena arena) {
        int[][] above = new TopDownImage(arena).picture(1);
        int[][] image = new int[LEVELSHOT_SIDE][LEVELSHOT_SIDE];
        for (int y = 0; y < LEVELSHOT_SIDE; y++) {
            for (int x = 0; x < LEVELSHOT_SIDE; x++) {
                image[y][x] =
                        above[y * above.length / LEVELSHOT_SIDE][
                                x * above[0].length / LEVELSHOT_SIDE];
            }
        }
        return image;
    }

    /** Encodes an image as an uncompressed Targa file. */
    private static byte[] tga(int[][] image) {
        int width = image[0].length;
        byte[] file = new byte[18 + 3 * width * image.length];
        file[2] = 2;
        file[12] = (byte) width;
        file[13] = (byte) (width >> 8);
        file[14] = (byte) image.length;
        file[15] = (byte) (image.length >> 8);
        file[16] = 24;
        int at = 18;
        // Bottom row first.
        for (int y = image.length - 1; y >= 0; y--) {
            for (int rgb : image[y]) {
                file[at++] = (byte) rgb;
                file[at++] = (byte) (rgb >> 8);
                file[at++] = (byte) (rgb >> 16);
            }
        }
        return file;
    }
}
