package dev.wishdir.quake2.map;

import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.blocks.grid.Texture;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Writes textures of generated maps as WAL files: greys of the game's palette, in four mip levels.
 */
final class Wal {
    /** The palette's first 16 entries: black, and increasingly bright greys. */
    private static final int[] GREYS = {
        0, 15, 31, 47, 63, 75, 91, 107, 123, 139, 155, 171, 187, 203, 219, 235
    };

    /** Clients display textures twice as bright. */
    private static final double BRIGHTNESS = 0.55;

    private static final int HEADER_BYTES = 100;
    private static final int MIP_LEVELS = 4;

    /** Files by material, as they are the same in all maps. */
    private static final Map<Material, Level.File> FILES = new ConcurrentHashMap<>();

    private Wal() {}

    /** The texture name of a material. */
    static String name(Material material) {
        return "wishdir/" + material.text();
    }

    /** The files of all textures that a map of blocks may show. */
    static List<Level.File> files(BlockGrid blocks) {
        return Stream.of(Material.values())
                .filter(material -> material.solid() || blocks.has(material))
                .map(material ->
                        FILES.computeIfAbsent(
                                material,
                                key -> new Level.File("textures/" + name(key) + ".wal", file(key))))
                .toList();
    }

    private static Bytes file(Material material) {
        Writer w = new Writer(1 << 14);
        byte[] name = Arrays.copyOf(name(material).getBytes(StandardCharsets.US_ASCII), 32);
        w.append(name, 0, name.length);
        w.i32le("width", Texture.SIDE);
        w.i32le("height", Texture.SIDE);
        int offset = HEADER_BYTES;
        for (int size = 0; size < MIP_LEVELS; size++) {
            w.i32le("offset", offset);
            offset += (Texture.SIDE >> size) * (Texture.SIDE >> size);
        }
        w.append(new byte[HEADER_BYTES - w.position()], 0, HEADER_BYTES - w.position());
        byte[] pixels = Texture.of(material);
        for (int size = 0; size < MIP_LEVELS; size++) {
            for (int y = 0; y < Texture.SIDE; y += 1 << size) {
                for (int x = 0; x < Texture.SIDE; x += 1 << size) {
                    w.u8("dot", grey(mean(pixels, x, y, 1 << size) * BRIGHTNESS));
                }
            }
        }
        return w.toBytes();
    }

    private static double mean(byte[] pixels, int x, int y, int width) {
        int sum = 0;
        for (int i = 0; i < width * width; i++) {
            sum += pixels[(y + i / width) * Texture.SIDE + x + i % width] & 0xFF;
        }
        return (double) sum / (width * width);
    }

    private static int grey(double pixels) {
        int nearest = 0;
        for (int i = 1; i < GREYS.length; i++) {
            if (Math.abs(GREYS[i] - pixels) < Math.abs(GREYS[nearest] - pixels)) {
                nearest = i;
            }
        }
        return nearest;
    }
}
