package dev.wishdir.web;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.blocks.BakedLight;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.BlockGrid;
import dev.wishdir.world.blocks.Face;
import dev.wishdir.world.blocks.Material;
import dev.wishdir.world.blocks.StockMap;
import dev.wishdir.world.blocks.Surface;
import dev.wishdir.world.blocks.Texture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * An arena as a browser draws it: what is seen of its blocks, and how it is lit, little-endian.
 *
 * <pre>
 * int      MAGIC, faces, width and height of the picture of lights, materials, side of a texture
 * float    bounds: least x, y, z, greatest x, y, z, metres; where the sun is, x, y, z
 * short[8] a face: material + 256 * (2 * axis + (up the axis ? 1 : 0)), its place on the axis,
 *          least u, v, greatest u, v, half metres; x and y of its lights in the picture
 * byte[4]  a material: red, green, blue, 1 where it glows
 * byte[]   a material's texture, of 2 m, side by side: 200 shows its colour as it is
 * byte[3]  a place of the picture: red, green, blue of the light at a corner of half metres; 128 is 1
 * </pre>
 *
 * <p>A stock map has no lights that are its own:
 *
 * <pre>
 * int      SURFACES, how many
 * byte[4]  a surface: red, green, blue, how many corners
 * short[3] a corner: x, y, z in 32nds of a metre; counter-clockwise as seen from before it
 * </pre>
 */
final class Mesh {
    static final int MAGIC = 0x31435357;
    static final int SURFACES = 0x32435357;

    /** Of a stock map the largest are drawn. */
    static final int MAX_SURFACES = 40_000;

    private static final int MAX_CORNERS = 255;
    private static final int WIDTH = 512;

    private static final int HEADER = 6 * 4 + 9 * 4;
    private static final float ONE = 127.5f;

    private Mesh() {}

    private record Placed(Face face, int x, int y) {
        int wide() {
            return face.maxU() - face.minU() + 1;
        }

        int high() {
            return face.maxV() - face.minV() + 1;
        }
    }

    static byte[] of(BlockArena arena) {
        List<Face> faces =
                arena.faces().stream()
                        .filter(face -> isSeen(face, arena.blocks()))
                        .sorted(Comparator.comparingInt((Face face) -> face.maxV() - face.minV()))
                        .toList();
        List<Placed> placed = new ArrayList<>();
        int height = place(faces, placed);
        Material[] materials = Material.values();
        int texture = Texture.SIDE * Texture.SIDE;
        ByteBuffer out =
                ByteBuffer.allocate(
                                HEADER
                                        + 16 * placed.size()
                                        + materials.length * (4 + texture)
                                        + 3 * WIDTH * height)
                        .order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(MAGIC).putInt(placed.size()).putInt(WIDTH).putInt(height);
        out.putInt(materials.length).putInt(Texture.SIDE);
        Bounds bounds = arena.bounds();
        put(out, bounds.min());
        put(out, bounds.max());
        for (double part : arena.light().sun()) {
            out.putFloat((float) part);
        }
        placed.forEach(each -> put(out, each));
        for (Material material : materials) {
            int colour = material.colour();
            out.put((byte) (colour >> 16)).put((byte) (colour >> 8)).put((byte) colour);
            out.put((byte) (material.glows() ? 1 : 0));
        }
        for (Material material : materials) {
            out.put(Texture.of(material));
        }
        byte[] lights = new byte[3 * WIDTH * height];
        placed.forEach(each -> light(arena.light(), each, lights));
        return out.put(lights).array();
    }

    /** A stock map, of which no more is told than a browser takes. */
    static byte[] of(List<Surface> surfaces) {
        List<Surface> drawn =
                surfaces.stream()
                        .filter(each -> each.corners().size() <= MAX_CORNERS)
                        .sorted(Comparator.comparingDouble(Mesh::size).reversed())
                        .limit(MAX_SURFACES)
                        .toList();
        int corners = drawn.stream().mapToInt(each -> each.corners().size()).sum();
        ByteBuffer out =
                ByteBuffer.allocate(2 * 4 + 4 * drawn.size() + 6 * corners)
                        .order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(SURFACES).putInt(drawn.size());
        for (Surface each : drawn) {
            int colour = each.material().colour();
            out.put((byte) (colour >> 16)).put((byte) (colour >> 8)).put((byte) colour);
            out.put((byte) each.corners().size());
            for (Vec3 at : each.corners()) {
                out.putShort(units(at.x())).putShort(units(at.y())).putShort(units(at.z()));
            }
        }
        return out.array();
    }

    /** How far its corners are apart, which says enough of how much is seen of it. */
    private static double size(Surface surface) {
        Vec3 first = surface.corners().getFirst();
        return surface.corners().stream().mapToDouble(first::distance).max().orElse(0);
    }

    private static short units(double metres) {
        return (short)
                Math.clamp(Math.round(metres * StockMap.UNITS), Short.MIN_VALUE, Short.MAX_VALUE);
    }

    /** From outside of the grid nobody looks, and the sky is what is not there. */
    private static boolean isSeen(Face face, BlockGrid blocks) {
        int[] least = {blocks.minX(), blocks.minY(), blocks.minZ()};
        int[] greatest = {blocks.maxX(), blocks.maxY(), blocks.maxZ()};
        int edge = 2 * (face.sign() > 0 ? greatest : least)[face.axis()];
        return face.material() != Material.SKY && face.at() != edge;
    }

    /**
     * Rows of faces of about one height.
     *
     * @return how many lines they take
     */
    private static int place(List<Face> faces, List<Placed> placed) {
        int x = 0;
        int y = 0;
        int high = 1;
        for (Face face : faces) {
            if (x + face.maxU() - face.minU() + 1 > WIDTH) {
                x = 0;
                y += high;
                high = 1;
            }
            Placed each = new Placed(face, x, y);
            placed.add(each);
            x += each.wide();
            high = Math.max(high, each.high());
        }
        return y + high;
    }

    private static void put(ByteBuffer out, Vec3 place) {
        out.putFloat((float) place.x()).putFloat((float) place.y()).putFloat((float) place.z());
    }

    private static void put(ByteBuffer out, Placed each) {
        Face face = each.face();
        int side = 2 * face.axis() + (face.sign() > 0 ? 1 : 0);
        out.putShort((short) (face.material().ordinal() + 256 * side)).putShort((short) face.at());
        out.putShort((short) face.minU()).putShort((short) face.minV());
        out.putShort((short) face.maxU()).putShort((short) face.maxV());
        out.putShort((short) each.x()).putShort((short) each.y());
    }

    private static void light(BakedLight bakedLight, Placed each, byte[] lights) {
        float[] corners = bakedLight.corners(each.face());
        for (int j = 0; j < each.high(); j++) {
            for (int i = 0; i < each.wide(); i++) {
                int to = 3 * ((each.y() + j) * WIDTH + each.x() + i);
                for (int c = 0; c < 3; c++) {
                    float value = corners[3 * (j * each.wide() + i) + c];
                    lights[to + c] = (byte) Math.clamp(Math.round(value * ONE), 0, 255);
                }
            }
        }
    }
}
