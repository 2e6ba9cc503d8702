package dev.wishdir.quake2.map;

import dev.wishdir.arena.Level;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;
import dev.wishdir.world.blocks.BlockGrid;
import dev.wishdir.world.blocks.Material;
import dev.wishdir.world.blocks.Texture;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Textures of the generated maps as the game's files: greys of its palette, in four sizes. */
final class Wal {
    /** The palette's first colours: black, and greys that are brighter and brighter. */
    private static final int[] GREYS = {
        0, 15, 31, 47, 63, 75, 91, 107, 123, 139, 155, 171, 187, 203, 219, 235
    };

    /** Clients make textures twice as bright. */
    private static final double DARKER = 0.55;

    private static final int HEADER = 100;
    private static final int SIZES = 4;

    /** Made once for each material: they are the same in all maps. */
    private static final Map<Material, Level.File> FILES = new ConcurrentHashMap<>();

    private Wal() {}

    /** What a map calls the texture of a material. */
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
                                made ->
                                        new Level.File(
                                                "textures/" + name(made) + ".wal", file(made))))
                .toList();
    }

    private static Bytes file(Material material) {
        Writer w = new Writer(1 << 14);
        byte[] name = Arrays.copyOf(name(material).getBytes(StandardCharsets.US_ASCII), 32);
        w.append(name, 0, name.length);
        w.i32le("width", Texture.SIDE);
        w.i32le("height", Texture.SIDE);
        int offset = HEADER;
        for (int size = 0; size < SIZES; size++) {
            w.i32le("offset", offset);
            offset += (Texture.SIDE >> size) * (Texture.SIDE >> size);
        }
        w.append(new byte[HEADER - w.position()], 0, HEADER - w.position());
        byte[] bright = Texture.of(material);
        for (int size = 0; size < SIZES; size++) {
            for (int y = 0; y < Texture.SIDE; y += 1 << size) {
                for (int x = 0; x < Texture.SIDE; x += 1 << size) {
                    w.u8("dot", grey(mean(bright, x, y, 1 << size) * DARKER));
                }
            }
        }
        return w.toBytes();
    }

    private static double mean(byte[] bright, int x, int y, int wide) {
        int sum = 0;
        for (int i = 0; i < wide * wide; i++) {
            sum += bright[(y + i / wide) * Texture.SIDE + x + i % wide] & 0xFF;
        }
        return (double) sum / (wide * wide);
    }

    private static int grey(double bright) {
        int nearest = 0;
        for (int i = 1; i < GREYS.length; i++) {
            if (Math.abs(GREYS[i] - bright) < Math.abs(GREYS[nearest] - bright)) {
                nearest = i;
            }
        }
        return nearest;
    }
}
