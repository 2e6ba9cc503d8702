package dev.wishdir.web.map;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.grid.BakedLight;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Face;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.blocks.grid.Texture;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.blocks.stock.Surface;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The encoder of an arena's visible faces and light for the live map. Little endian:
 *
 * <pre>
 * int      MAGIC, number of faces, width and height of the light map, number of materials, side of
 *          a texture
 * float    bounds: min x, y, z, max x, y, z, metres; direction of the sun, x, y, z
 * short[8] per face: material + 256 * (2 * axis + (up the axis ? 1 : 0)), position on the axis,
 *          min u, v, max u, v, half metres; x and y of its lights in the light map
 * byte[4]  per material: red, green, blue, 1 if it glows
 * byte[]   per material: its texture, 2 m wide; 200 is the unchanged colour
 * byte[3]  per pixel of the light map: red, green, blue of the light at a corner; 128 is 1
 * </pre>
 *
 * <p>A stock map has no light map:
 *
 * <pre>
 * int      SURFACES, number of surfaces
 * byte[4]  per surface: red, green, blue, number of corners
 * short[3] per corner: x, y, z in 32nds of a metre; counter-clockwise as seen from the front
 * </pre>
 */
final class Mesh {
    static final int MAGIC = 0x31435357;
    static final int SURFACES = 0x32435357;

    /** Maximum number of surfaces of a stock map; the largest are drawn. */
    static final int MAX_SURFACES = 40_000;

    private static final int MAX_CORNERS = 255;
    private static final int WIDTH = 512;

    private static final int HEADER = 6 * 4 + 9 * 4;
    private static final float ONE = 127.5f;

    private Mesh() {}

    private record Placed(Face face, int x, int y) {
        int width() {
            return face.maxU() - face.minU() + 1;
        }

        int height() {
            return face.maxV() - face.minV() + 1;
        }
    }

    static byte[] of(BlockArena arena) {
        List<Face> faces =
                arena.faces().stream()
                        .filter(face -> isVisible(face, arena.blocks()))
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

    /** Encodes a stock map. */
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

    /** The extent of a surface, as an estimate of its visible size. */
    private static double size(Surface surface) {
        Vec3 first = surface.corners().getFirst();
        return surface.corners().stream().mapToDouble(first::distance).max().orElse(0);
    }

    private static short units(double metres) {
        return (short)
                Math.clamp(
                        Math.round(metres * StockMap.UNITS_PER_METRE),
                        Short.MIN_VALUE,
                        Short.MAX_VALUE);
    }

    /** Whether a face is drawn: not those that face out of the grid, and not the sky. */
    private static boolean isVisible(Face face, BlockGrid blocks) {
        int[] minimum = {blocks.minX(), blocks.minY(), blocks.minZ()};
        int[] maximum = {blocks.maxX(), blocks.maxY(), blocks.maxZ()};
        int edge = 2 * (face.sign() > 0 ? maximum : minimum)[face.axis()];
        return face.material() != Material.SKY && face.at() != edge;
    }

    /**
     * Places the lights of faces in the light map, in rows of about equal height.
     *
     * @return the height of the light map
     */
    private static int place(List<Face> faces, List<Placed> placed) {
        int x = 0;
        int y = 0;
        int height = 1;
        for (Face face : faces) {
            if (x + face.maxU() - face.minU() + 1 > WIDTH) {
                x = 0;
                y += height;
                height = 1;
            }
            Placed each = new Placed(face, x, y);
            placed.add(each);
            x += each.width();
            height = Math.max(height, each.height());
        }
        return y + height;
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
        for (int j = 0; j < each.height(); j++) {
            for (int i = 0; i < each.width(); i++) {
                int to = 3 * ((each.y() + j) * WIDTH + each.x() + i);
                for (int c = 0; c < 3; c++) {
                    float value = corners[3 * (j * each.width() + i) + c];
                    lights[to + c] = (byte) Math.clamp(Math.round(value * ONE), 0, 255);
                }
            }
        }
    }
}
