package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A short effect: impact, beam, explosion.
 *
 * <p>See docs/protocols/quake2.md, 3.
 *
 * @param type index in {@link #SHAPES}
 * @param values in wire order; a position is three of them, in eighths of a unit
 */
public record TempEntity(int type, List<Integer> values) implements ServerMessage {
    /** A bullet in a wall. */
    public static final int GUNSHOT = 0;

    public static final int BLOOD = 1;

    /** A bolt in a wall. */
    public static final int BLASTER = 2;

    /** The trail of a rail gun. */
    public static final int RAIL_TRAIL = 3;

    /** A pellet in a wall. */
    public static final int SHOTGUN = 4;

    public static final int ROCKET_EXPLOSION = 7;
    public static final int GRENADE_EXPLOSION = 8;

    /** Sparks where a laser meets a wall. */
    public static final int LASER_SPARKS = 15;

    public static final int ROCKET_EXPLOSION_WATER = 17;
    public static final int GRENADE_EXPLOSION_WATER = 18;

    /** A flash at a body that a BFG's effect reaches. */
    public static final int BFG_EXPLOSION = 20;

    /** End of the ball of a BFG. */
    public static final int BFG_BIG_EXPLOSION = 21;

    public static final int BFG_LASER = 23;

    /** To read into. */
    public static final TempEntity BLANK = new TempEntity(0, List.of());

    /**
     * The fields of each type: {@code p} a position, {@code d} the index of a direction, {@code b}
     * a byte, {@code s} a short, {@code l} a long that is sent only if the first value is not -1;
     * empty for types that no client knows.
     */
    public static final List<String> SHAPES =
            List.of(
                    "pd", "pd", "pd", "pp", "pd", "p", "p", "p", "p", "pd", // 0
                    "bpdb", "pp", "pd", "pd", "pd", "bpdb", "spp", "p", "p", "spp", // 10
                    "p", "p", "p", "pp", "sppp", "bpdb", "pd", "pp", "p", "bpdb", // 20
                    "pd", "pp", "", "sspp", "pp", "p", "ps", "ppb", "spp", "spp", // 30
                    "sbpdbsl", "pp", "pd", "pd", "pd", "p", "pd", "p", "p", "p", // 40
                    "sp", "p", "p", "p", "p", "pd"); // 50

    /** Names of the types in docs/protocols/quake2.md; empty for the others. */
    private static final List<String> NAMES =
            List.of(
                    "bullet in a wall",
                    "blood",
                    "bolt in a wall",
                    "rail trail",
                    "pellet in a wall",
                    "",
                    "",
                    "rocket explosion",
                    "grenade explosion",
                    "armour sparks", // 0
                    "splash",
                    "bubble trail",
                    "power screen sparks",
                    "power shield sparks",
                    "armour sparks of bullets",
                    "laser sparks",
                    "",
                    "rocket explosion in liquid",
                    "grenade explosion in liquid",
                    "", // 10
                    "BFG effect at a body",
                    "BFG explosion",
                    "",
                    "BFG laser"); // 20

    /** Walks the message. */
    public static TempEntity wire(Wire w, TempEntity m) {
        int type = w.u8("type", m.type);
        if (w.tracing() && type < NAMES.size() && !NAMES.get(type).isEmpty()) {
            w.annotate(NAMES.get(type));
        }
        String shape = type < SHAPES.size() ? SHAPES.get(type) : "";
        if (shape.isEmpty()) {
            throw w.malformed("type", "is not a temp entity: " + type);
        }
        List<Integer> values = new ArrayList<>();
        for (int i = 0; i < shape.length(); i++) {
            int at = values.size();
            switch (shape.charAt(i)) {
                case 'p' -> {
                    Triple position = new Triple(value(m, at), value(m, at + 1), value(m, at + 2));
                    values.addAll(Triple.i16(w, "pos" + i, position).list());
                }
                case 'd' -> values.add(w.u8("dir", value(m, at)));
                case 'b' -> values.add(w.u8("byte" + i, value(m, at)));
                case 's' -> values.add(w.i16le("short" + i, value(m, at)));
                default -> {
                    if (values.getFirst() != -1) {
                        values.add(w.i32le("long" + i, value(m, at)));
                    }
                }
            }
        }
        return new TempEntity(type, List.copyOf(values));
    }

    /** An effect at a place. */
    public static TempEntity at(int type, Triple place) {
        return of(type, "p", place.list());
    }

    /** An effect on a surface. */
    public static TempEntity at(int type, Triple place, Direction normal) {
        return of(type, "pd", List.of(place.x(), place.y(), place.z(), normal.index()));
    }

    /** An effect along a line. */
    public static TempEntity along(int type, Triple start, Triple end) {
        return of(type, "pp", List.of(start.x(), start.y(), start.z(), end.x(), end.y(), end.z()));
    }

    /** The sparks of a laser, of its colour. */
    public static TempEntity sparks(int count, Triple place, Direction normal) {
        return of(
                LASER_SPARKS,
                "bpdb",
                List.of(count, place.x(), place.y(), place.z(), normal.index(), 0));
    }

    private static TempEntity of(int type, String shape, List<Integer> values) {
        if (!SHAPES.get(type).equals(shape)) {
            throw new IllegalArgumentException(
                    "temp entity "
                            + type
                            + " has the fields "
                            + SHAPES.get(type)
                            + ", not "
                            + shape);
        }
        return new TempEntity(type, values);
    }

    private static int value(TempEntity m, int index) {
        return Wire.item(m.values, index, 0);
    }

    @Override
    public String label() {
        return "temp_entity";
    }

    @Override
    public Map<String, ?> fields() {
        String shape = SHAPES.get(type);
        List<Object> grouped = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < shape.length() && at < values.size(); i++) {
            if (shape.charAt(i) == 'p') {
                grouped.add(values.subList(at, at + 3));
                at += 3;
            } else {
                grouped.add(values.get(at++));
            }
        }
        return FieldCodecs.of("type", type, "fields", grouped);
    }
}
