package dev.wishdir.blocks.grid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The light on the faces of an arena: sun, sky, lamps and ambient light. Red, green and blue; 1
 * shows a colour unchanged. Deterministic, and computed once for all games. Thread-safe.
 */
public final class BakedLight {
    /** The light of a luminous face. */
    private static final float[] LUMINOUS_COLOUR = {1.15f, 1.1f, 1f};

    private static final double[] SUN_COLOUR = {0.95, 0.88, 0.72};
    private static final double[] SKY_COLOUR = {0.42, 0.48, 0.58};
    private static final double[] AMBIENT_COLOUR = {0.3, 0.29, 0.28};
    private static final double[] LAMP_COLOUR = {1.0, 0.8, 0.52};

    /** The range of a lamp, metres. */
    private static final double LAMP_RANGE_METRES = 13;

    private static final double LAMP_FALLOFF_METRES = 3.2;
    private static final double MAX_RAY_METRES = 200;

    /**
     * Distance from a corner at which its light is computed, so that the corner itself does not
     * occlude it, metres.
     */
    private static final double INSET_METRES = 0.06;

    /** The range of ambient occlusion, metres. */
    private static final double OCCLUSION_METRES = 3;

    private static final int RAYS = 28;
    private static final double GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

    /** The rays for sky and ambient light: components along u, along v, and out of the face. */
    private static final double[][] RAY_DIRECTIONS = new double[RAYS][];

    static {
        for (int i = 0; i < RAYS; i++) {
            double out = Math.sqrt((i + 0.5) / RAYS);
            double turn = GOLDEN_ANGLE * i;
            RAY_DIRECTIONS[i] =
                    new double[] {
                        out * Math.cos(turn), out * Math.sin(turn), Math.sqrt(1 - out * out)
                    };
        }
    }

    /** A half block that a ray passes. */
    private static final byte OPEN = 0;

    private static final byte WALL = 1;
    private static final byte OPEN_SKY = 2;

    /** The bits of a cell that are one of these. */
    private static final int KIND = 3;

    /** The bit of a cell that says that in its octant 0 no ray meets a wall. */
    private static final int NO_WALL = 4;

    /** The octants above a cell: 1 is added for east, 2 for north. */
    private static final int OCTANTS = 4;

    /**
     * What a ray meets in each half block, with sky around the grid, and in which octants it meets
     * no wall from there; an array, as rays read it often.
     */
    private final byte[] cells;

    private final int row;
    private final int layer;
    private final int origin;
    private final double[] sun;
    private final List<double[]> lamps = new ArrayList<>();

    private final Map<Face, float[]> cornerLight = new ConcurrentHashMap<>();

    /**
     * @param azimuth of the sun, canonical degrees
     * @param elevation of the sun, degrees above the horizon
     */
    public BakedLight(BlockGrid blocks, int azimuth, int elevation) {
        row = blocks.width() + 2;
        layer = row * (blocks.depth() + 2);
        origin = 1 - blocks.minX() + row * (1 - blocks.minY()) + layer * (1 - 2 * blocks.minZ());
        cells = new byte[layer * (2 * blocks.height() + 2)];
        Arrays.fill(cells, (byte) (OPEN_SKY | NO_WALL * ((1 << OCTANTS) - 1)));
        double turn = Math.toRadians(azimuth);
        double up = Math.toRadians(elevation);
        sun =
                new double[] {
                    Math.cos(turn) * Math.cos(up), Math.sin(turn) * Math.cos(up), Math.sin(up)
                };
        for (int z = blocks.minZ(); z < blocks.maxZ(); z++) {
            for (int y = blocks.minY(); y < blocks.maxY(); y++) {
                for (int x = blocks.minX(); x < blocks.maxX(); x++) {
                    if (blocks.material(x, y, z) == Material.LAMP) {
                        lamps.add(new double[] {x + 0.5, y + 0.5, z + 0.5});
                    }
                    cells[cell(x, y, 2 * z)] = cellOf(blocks, x, y, 2 * z);
                    cells[cell(x, y, 2 * z + 1)] = cellOf(blocks, x, y, 2 * z + 1);
                }
            }
        }
        for (int octant = 0; octant < OCTANTS; octant++) {
            markWithoutWalls(blocks, octant);
        }
    }

    /** Marks the cells from which no ray into an octant meets a wall: most rays end there. */
    private void markWithoutWalls(BlockGrid blocks, int octant) {
        int mark = NO_WALL << octant;
        int stepX = (octant & 1) == 0 ? -1 : 1;
        int stepY = (octant & 2) == 0 ? -row : row;
        int firstX = (octant & 1) == 0 ? blocks.minX() : blocks.maxX() - 1;
        int firstY = (octant & 2) == 0 ? blocks.minY() : blocks.maxY() - 1;
        for (int h = 2 * blocks.maxZ() - 1; h >= 2 * blocks.minZ(); h--) {
            for (int j = 0; j < blocks.depth(); j++) {
                int at = cell(firstX, firstY, h) - j * stepY;
                for (int i = 0; i < blocks.width(); i++) {
                    if (cells[at] != WALL) {
                        int behind = cells[at + stepX] & cells[at + stepY] & cells[at + layer];
                        cells[at] |= (byte) (behind & mark);
                    }
                    at -= stepX;
                }
            }
        }
    }

    private int cell(int x, int y, int h) {
        return origin + x + row * y + layer * h;
    }

    private static byte cellOf(BlockGrid blocks, int x, int y, int h) {
        Material material = blocks.half(x, y, h);
        return material == null || material.transparent() || material == Material.LAMP
                ? OPEN
                : material == Material.SKY ? OPEN_SKY : WALL;
    }

    /** The direction to the sun, a unit vector. */
    public double[] sun() {
        return sun.clone();
    }

    /**
     * The light at the corners of a face's half metres.
     *
     * @return red, green and blue of each corner; u varies fastest
     */
    public float[] corners(Face face) {
        return cornerLight.computeIfAbsent(face, this::bake).clone();
    }

    /** The lamps within range of a face. */
    private List<double[]> lamps(Face face) {
        int[] least = new int[3];
        int[] greatest = new int[3];
        least[face.axis()] = face.at();
        greatest[face.axis()] = face.at();
        least[face.u()] = face.minU();
        greatest[face.u()] = face.maxU();
        least[face.v()] = face.minV();
        greatest[face.v()] = face.maxV();
        List<double[]> near = new ArrayList<>();
        for (double[] lamp : lamps) {
            boolean reaches = true;
            for (int axis = 0; axis < 3 && reaches; axis++) {
                reaches =
                        lamp[axis] > least[axis] / 2.0 - LAMP_RANGE_METRES
                                && lamp[axis] < greatest[axis] / 2.0 + LAMP_RANGE_METRES;
            }
            if (reaches) {
                near.add(lamp);
            }
        }
        return near;
    }

    private float[] bake(Face face) {
        List<double[]> near = lamps(face);
        int wide = face.maxU() - face.minU() + 1;
        int high = face.maxV() - face.minV() + 1;
        float[] light = new float[3 * wide * high];
        for (int j = 0; j < high; j++) {
            for (int i = 0; i < wide; i++) {
                double u = inside(face.minU() + i, face.minU(), face.maxU());
                double v = inside(face.minV() + j, face.minV(), face.maxV());
                at(face, near, u, v, light, 3 * (j * wide + i));
            }
        }
        return light;
    }

    private static double inside(int half, int min, int max) {
        return Math.clamp(half / 2.0, min / 2.0 + INSET_METRES, max / 2.0 - INSET_METRES);
    }

    /** The light at the centre of a face. */
    public float[] middle(Face face) {
        List<double[]> near = lamps(face);
        float[] light = new float[3];
        float[] part = new float[3];
        for (int i = 0; i < 4; i++) {
            double u = face.minU() + (face.maxU() - face.minU()) * (0.25 + 0.5 * (i & 1));
            double v = face.minV() + (face.maxV() - face.minV()) * (0.25 + 0.5 * (i >> 1));
            at(face, near, u / 2, v / 2, part, 0);
            for (int c = 0; c < 3; c++) {
                light[c] += part[c] / 4;
            }
        }
        return light;
    }

    private void at(Face face, List<double[]> near, double u, double v, float[] light, int index) {
        if (face.material().glows()) {
            System.arraycopy(LUMINOUS_COLOUR, 0, light, index, 3);
            return;
        }
        double[] place = new double[3];
        place[face.u()] = u;
        place[face.v()] = v;
        place[face.axis()] = face.at() / 2.0 + face.sign() * INSET_METRES;
        double[] sum = new double[3];
        addAmbient(face, place, sum);
        double facing = sun[face.axis()] * face.sign();
        if (facing > 0 && traceRay(place, sun, MAX_RAY_METRES, ending(sun)) < 0) {
            add(sum, SUN_COLOUR, facing);
        }
        for (double[] lamp : near) {
            addLamp(face, place, lamp, sum);
        }
        for (int c = 0; c < 3; c++) {
            light[index + c] = (float) sum[c];
        }
    }

    private static void add(double[] sum, double[] colour, double part) {
        for (int c = 0; c < 3; c++) {
            sum[c] += colour[c] * part;
        }
    }

    /** Adds the light of the sky and that reflected by surfaces. */
    private void addAmbient(Face face, double[] place, double[] sum) {
        double[] direction = new double[3];
        for (double[] part : RAY_DIRECTIONS) {
            direction[face.u()] = part[0];
            direction[face.v()] = part[1];
            direction[face.axis()] = face.sign() * part[2];
            double way = traceRay(place, direction, MAX_RAY_METRES, ending(direction));
            if (way < 0) {
                add(sum, SKY_COLOUR, 1.0 / RAYS);
                add(sum, AMBIENT_COLOUR, 1.0 / RAYS);
            } else {
                add(sum, AMBIENT_COLOUR, Math.min(1, 0.3 + 0.7 * way / OCCLUSION_METRES) / RAYS);
            }
        }
    }

    private void addLamp(Face face, double[] place, double[] lamp, double[] sum) {
        int axisOut = face.axis();
        if ((lamp[axisOut] - place[axisOut]) * face.sign() <= 0) {
            return;
        }
        double[] way = {lamp[0] - place[0], lamp[1] - place[1], lamp[2] - place[2]};
        double squared = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
        if (squared > LAMP_RANGE_METRES * LAMP_RANGE_METRES) {
            return;
        }
        double far = Math.sqrt(squared);
        double facing = way[axisOut] * face.sign() / far;
        for (int axis = 0; axis < 3; axis++) {
            way[axis] /= far;
        }
        double met = traceRay(place, way, far, KIND);
        if ((met < 0 ? -1 - met : met) >= far - 0.9) {
            double fades = 1 - far / LAMP_RANGE_METRES;
            double near = LAMP_FALLOFF_METRES / (LAMP_FALLOFF_METRES + far);
            add(sum, LAMP_COLOUR, (0.25 + 0.75 * facing) * near * near * fades * 1.6);
        }
    }

    /** The bits of a cell that end a ray whose distance to the sky does not matter. */
    private static int ending(double[] direction) {
        int octant = (direction[0] > 0 ? 1 : 0) + (direction[1] > 0 ? 2 : 0);
        return direction[2] > 0 ? KIND | NO_WALL << octant : KIND;
    }

    /**
     * Follows a ray through the half blocks until it meets a solid or the sky.
     *
     * @param ending the bits of a cell that end it
     * @return metres to the solid, or -1 minus the metres to the sky
     */
    private double traceRay(double[] from, double[] direction, double most, int ending) {
        double px = from[0];
        double py = from[1];
        double pz = 2 * from[2];
        double dx = direction[0];
        double dy = direction[1];
        double dz = 2 * direction[2];
        int x = floor(px);
        int y = floor(py);
        int h = floor(pz);
        int at = cell(x, y, h);
        if ((cells[at] & ending) != 0) {
            return cells[at] == WALL ? 0 : -1;
        }
        double nextX = next(px, dx, x);
        double nextY = next(py, dy, y);
        double nextZ = next(pz, dz, h);
        int stepX = dx > 0 ? 1 : -1;
        int stepY = dy > 0 ? row : -row;
        int stepZ = dz > 0 ? layer : -layer;
        double perX = 1 / Math.abs(dx);
        double perY = 1 / Math.abs(dy);
        double perZ = 1 / Math.abs(dz);
        double way = 0;
        while (way < most) {
            int met = cells[at];
            if ((met & ending) != 0) {
                return met == WALL ? way : -1 - way;
            }
            // Without the methods of Math, which are slow until the code is compiled.
            if (nextX <= nextY && nextX <= nextZ) {
                way = nextX;
                at += stepX;
                nextX += perX;
            } else if (nextY <= nextZ) {
                way = nextY;
                at += stepY;
                nextY += perY;
            } else {
                way = nextZ;
                at += stepZ;
                nextZ += perZ;
            }
        }
        return most;
    }

    private static int floor(double value) {
        int towardsZero = (int) value;
        return value < towardsZero ? towardsZero - 1 : towardsZero;
    }

    /** The distance to the next side of a cell along one axis. */
    private static double next(double at, double direction, int cell) {
        return direction == 0
                ? Double.POSITIVE_INFINITY
                : ((direction > 0 ? cell + 1 : cell) - at) / direction;
    }
}
