package dev.wishdir.quake3.map;

import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.BlockGrid;
import dev.wishdir.world.blocks.Material;
import dev.wishdir.world.blocks.Texture;
import dev.wishdir.world.blocks.TopDownImage;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Pictures and shaders of the generated maps; a picture is rows of 0xRRGGBB from above. */
final class BlockTextures {
    private static final int SKY_SIDE = 64;
    private static final int SHOT = 256;
    private static final int ZENITH = 0x4F86D8;
    private static final int HORIZON = 0xD5E4EE;
    private static final int HAZE = 0xA9B9C4;

    /**
     * The shaders of materials that need more than a texture. Clients know the surfaces' flags from
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
                "{\nmap \"%s\"\nlongname \"%s\"\ntype \"ffa\"\n}\n"
                        .formatted(map, arena.title().replace('"', '\''));
        pk3.add("scripts/" + map + ".arena", menu.getBytes(StandardCharsets.US_ASCII));
        for (Material material : Material.values()) {
            boolean shown = material.solid() || blocks.has(material);
            if (shown && material != Material.SKY) {
                pk3.add(shader(material) + ".tga", tga(texture(material)));
            }
        }
        for (String side : List.of("rt", "lf", "ft", "bk", "up", "dn")) {
            pk3.add("env/wishdir_" + side + ".tga", tga(sky(side)));
        }
        pk3.add("levelshots/" + map + ".tga", tga(shot(arena)));
    }

    private static int[][] texture(Material material) {
        byte[] bright = Texture.of(material);
        int[][] picture = new int[Texture.SIDE][Texture.SIDE];
        for (int i = 0; i < bright.length; i++) {
            picture[i / Texture.SIDE][i % Texture.SIDE] =
                    Texture.coloured(material.colour(), bright[i] & 0xFF);
        }
        return picture;
    }

    /** A clear sky: paler towards the horizon, haze below it. */
    private static int[][] sky(String side) {
        int[][] picture = new int[SKY_SIDE][SKY_SIDE];
        for (int y = 0; y < SKY_SIDE; y++) {
            for (int x = 0; x < SKY_SIDE; x++) {
                double u = (x + 0.5) / SKY_SIDE * 2 - 1;
                double v = 1 - (y + 0.5) / SKY_SIDE * 2;
                double length = Math.sqrt(1 + u * u + v * v);
                double up =
                        Map.of("up", 1 / length, "dn", -1 / length).getOrDefault(side, v / length);
                picture[y][x] =
                        up > 0
                                ? mix(HORIZON, ZENITH, Math.sqrt(up))
                                : mix(HORIZON, HAZE, Math.min(1, -4 * up));
            }
        }
        return picture;
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

    /** The arena from above, stretched to a square as the game does with it. */
    private static int[][] shot(BlockArena arena) {
        int[][] above = new TopDownImage(arena).picture(1);
        int[][] picture = new int[SHOT][SHOT];
        for (int y = 0; y < SHOT; y++) {
            for (int x = 0; x < SHOT; x++) {
                picture[y][x] = above[y * above.length / SHOT][x * above[0].length / SHOT];
            }
        }
        return picture;
    }

    /** A picture as a Targa file without compression. */
    private static byte[] tga(int[][] picture) {
        int wide = picture[0].length;
        byte[] file = new byte[18 + 3 * wide * picture.length];
        file[2] = 2;
        file[12] = (byte) wide;
        file[13] = (byte) (wide >> 8);
        file[14] = (byte) picture.length;
        file[15] = (byte) (picture.length >> 8);
        file[16] = 24;
        int at = 18;
        // Rows from below.
        for (int y = picture.length - 1; y >= 0; y--) {
            for (int rgb : picture[y]) {
                file[at++] = (byte) rgb;
                file[at++] = (byte) (rgb >> 8);
                file[at++] = (byte) (rgb >> 16);
            }
        }
        return file;
    }
}
