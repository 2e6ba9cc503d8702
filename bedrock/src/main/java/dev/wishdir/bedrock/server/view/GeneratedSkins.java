package dev.wishdir.bedrock.server.view;

import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.bedrock.protocol.login.Skins;
import dev.wishdir.wire.Bytes;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Skins of foreign players: clothes in the colour of their game, and a variation by their name.
 * Each skin is drawn once and shared.
 */
public final class GeneratedSkins {
    /** Number of different skins of a game. */
    static final int VARIATIONS = 12;

    private static final int SIDE = 64;

    /**
     * Colours of clothes, far enough apart to be distinguished; each game of the server has its
     * own.
     */
    private static final int[] CLOTHES = {
        0xC03030, 0x3060C8, 0xE8A020, 0x30A048, 0x8A48B8, 0x20A8A8, 0xD070A0
    };

    private static final int[] FACES = {0xF0C8A0, 0xD09870, 0x8C5A3C, 0x604028};
    private static final int[] HAIR = {0x20180F, 0x6A4420, 0xD8B868};
    private static final int TROUSERS = 0x383C48;
    private static final int SHOES = 0x181818;
    private static final int EYES = 0x202840;
    private static final int WHITE = 0xF0F0F0;

    private static final Map<String, Skin> DRAWN = new ConcurrentHashMap<>();

    private GeneratedSkins() {}

    /** The skin of a player of another game. */
    public static Skin of(String game, String name) {
        int variation = Math.floorMod(mixed(name), VARIATIONS);
        return DRAWN.computeIfAbsent(
                "wishdir-" + game + "-" + variation,
                id -> Skins.figure(id, drawn(clothes(game), variation)));
    }

    /** A hash of a name whose low bits depend on the whole name. */
    private static int mixed(String name) {
        int hash = name.hashCode() * 0x9E3779B9;
        return hash >>> 16 ^ hash >>> 5;
    }

    static int clothes(String game) {
        return CLOTHES[Math.floorMod(game.hashCode(), CLOTHES.length)];
    }

    private static Skin.Image drawn(int clothes, int variation) {
        byte[] pixels = new byte[SIDE * SIDE * 4];
        int face = FACES[variation % FACES.length];
        int hair = HAIR[variation / FACES.length];
        // Where the parts of a body are in a skin of this size: head, body, legs and arms.
        fill(pixels, 0, 0, 32, 16, face);
        fill(pixels, 0, 8, 32, 2, hair);
        fill(pixels, 8, 0, 8, 8, hair);
        fill(pixels, 24, 8, 8, 6, hair);
        fill(pixels, 9, 12, 2, 1, WHITE);
        fill(pixels, 13, 12, 2, 1, WHITE);
        fill(pixels, 10, 12, 1, 1, EYES);
        fill(pixels, 13, 12, 1, 1, EYES);
        fill(pixels, 16, 16, 24, 16, clothes);
        pattern(pixels, variation);
        for (int leg : new int[] {16, 48}) {
            int x = leg == 16 ? 0 : 16;
            fill(pixels, x, leg, 16, 16, TROUSERS);
            fill(pixels, x, leg + 13, 16, 3, SHOES);
        }
        for (int arm : new int[] {16, 48}) {
            int x = arm == 16 ? 40 : 32;
            fill(pixels, x, arm, 16, 16, clothes);
            fill(pixels, x, arm + 10, 16, 6, face);
        }
        return new Skin.Image(SIDE, SIDE, Bytes.wrap(pixels));
    }

    /** Pattern of the shirt: bands, a stripe down, a sash or nothing. */
    private static void pattern(byte[] pixels, int variation) {
        switch ((variation + variation / 4) % 4) {
            case 0 -> {}
            case 1 -> {
                fill(pixels, 16, 22, 24, 2, WHITE);
                fill(pixels, 16, 26, 24, 2, WHITE);
            }
            case 2 -> {
                fill(pixels, 23, 20, 2, 12, WHITE);
                fill(pixels, 35, 20, 2, 12, WHITE);
            }
            default -> {
                for (int i = 0; i < 8; i++) {
                    fill(pixels, 20 + i, 21 + i, 1, 3, WHITE);
                    fill(pixels, 32 + i, 28 - i, 1, 3, WHITE);
                }
            }
        }
    }

    private static void fill(byte[] pixels, int x, int y, int width, int height, int colour) {
        for (int row = y; row < y + height; row++) {
            for (int column = x; column < x + width; column++) {
                int at = (row * SIDE + column) * 4;
                pixels[at] = (byte) (colour >> 16);
                pixels[at + 1] = (byte) (colour >> 8);
                pixels[at + 2] = (byte) colour;
                pixels[at + 3] = (byte) 0xFF;
            }
        }
    }
}
