package dev.wishdir.sauerbraten.message;

import dev.wishdir.game.proxy.FieldPath;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * {@code N_POS}: position and movement of a body, exact to the bit (Cube 2: Sauerbraten, N_POS).
 * The components are the numbers of the wire; the methods convert them to the game's units
 * (degrees, and 1/8 m) and axes (left-handed, z up; yaw 0 looks along +y, yaw 90 along -x).
 *
 * <p>Directions are words of whole degrees: yaw + 360 * (pitch + 90).
 *
 * @param cn client number of the body
 * @param state bits 0..2 physstate, 3 lifeseq, 4..5 move, 6..7 strafe
 * @param flags the optional bytes that are present: {@link #X3} and so on
 * @param x sixteenths of a unit, like {@code y}; -2^23..2^23-1, without a third byte 0..65535
 * @param z of the feet
 * @param rawdir view direction
 * @param rawroll degrees plus 90, 0..255
 * @param rawvel units per second, 0..65535, without a second byte 0..255
 * @param rawveldir direction of the velocity
 * @param rawfall falling speed, as {@code rawvel}; 0 if absent
 * @param rawfalldir direction of falling; 0, straight down, if absent
 */
public record Pos(
        int cn,
        int state,
        int flags,
        int x,
        int y,
        int z,
        int rawdir,
        int rawroll,
        int rawvel,
        int rawveldir,
        int rawfall,
        int rawfalldir)
        implements MovementMessage {
    /** x has a third byte. */
    public static final int X3 = 1;

    /** y has a third byte. */
    public static final int Y3 = 1 << 1;

    /** z has a third byte. */
    public static final int Z3 = 1 << 2;

    /** The velocity has a second byte. */
    public static final int VEL2 = 1 << 3;

    /** The falling velocity is present. */
    public static final int FALL = 1 << 4;

    /** The falling velocity has a second byte. */
    public static final int FALL2 = 1 << 5;

    /** The falling direction is present. */
    public static final int FALLDIR = 1 << 6;

    /** The feet are in the material gameclip. */
    public static final int GAMECLIP = 1 << 7;

    /** The direction with yaw 0 and pitch 0. */
    public static final int LEVEL = 360 * 90;

    /**
     * Longest message without its code: cn and flags of four bytes each, and all optional bytes.
     */
    private static final int MAX_BYTES = 4 + 1 + 4 + 3 * 3 + 2 + 1 + 2 + 2 + 2 + 2;

    /** At the corner of the world, falling from rest. */
    public static final Pos BLANK = new Pos(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * @throws IllegalArgumentException if a value does not fit into the bytes that the flags
     *     announce
     */
    public Pos {
        CubeWire.uintFits("cn", cn);
        CubeWire.uintFits("flags", flags);
        fits("state", state, 0xFF);
        coordinateFits("x", x, flags & X3);
        coordinateFits("y", y, flags & Y3);
        coordinateFits("z", z, flags & Z3);
        fits("rawdir", rawdir, 0xFFFF);
        fits("rawroll", rawroll, 0xFF);
        fits("rawvel", rawvel, (flags & VEL2) == 0 ? 0xFF : 0xFFFF);
        fits("rawveldir", rawveldir, 0xFFFF);
        fits("rawfall", rawfall, (flags & FALL) == 0 ? 0 : (flags & FALL2) == 0 ? 0xFF : 0xFFFF);
        fits("rawfalldir", rawfalldir, (flags & (FALL | FALLDIR)) == (FALL | FALLDIR) ? 0xFFFF : 0);
    }

    private static void coordinateFits(String name, int value, int flag) {
        if (flag == 0) {
            fits(name, value, 0xFFFF);
        } else if (value << 8 >> 8 != value) {
            throw new IllegalArgumentException(name + " is " + value + ", must fit 24 bits");
        }
    }

    private static void fits(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(
                    name + " is " + value + ", must be 0.." + max + " with these flags");
        }
    }

    /**
     * A position with the shortest encoding, as the original client makes it.
     *
     * @throws IllegalArgumentException if a value is outside the range of its component
     */
    public static Pos of(
            int cn,
            int state,
            int x,
            int y,
            int z,
            int rawdir,
            int rawroll,
            int rawvel,
            int rawveldir,
            int rawfall,
            int rawfalldir,
            boolean gameclip) {
        int flags =
                (x >>> 16 == 0 ? 0 : X3)
                        | (y >>> 16 == 0 ? 0 : Y3)
                        | (z >>> 16 == 0 ? 0 : Z3)
                        | (rawvel > 0xFF ? VEL2 : 0)
                        | (gameclip ? GAMECLIP : 0);
        int falldir = 0;
        if (rawfall > 0) {
            flags |= FALL | (rawfall > 0xFF ? FALL2 : 0);
            if (rawfalldir >= 360) {
                flags |= FALLDIR;
                falldir = rawfalldir;
            }
        }
        return new Pos(
                cn, state, flags, x, y, z, rawdir, rawroll, rawvel, rawveldir, rawfall, falldir);
    }

    public static Pos wire(Wire w, Pos m) {
        if (w instanceof Writer out && out.remaining() >= MAX_BYTES) {
            write(out, m);
            return m;
        }
        int cn = CubeWire.uint(w, "cn", m.cn);
        int state = w.u8("state", m.state);
        traceState(w, state);
        int flags = CubeWire.uint(w, "flags", m.flags);
        traceFlags(w, flags);
        int x = coordinate(w, "x", flags & X3, m.x);
        int y = coordinate(w, "y", flags & Y3, m.y);
        int z = coordinate(w, "z", flags & Z3, m.z);
        int rawdir = direction(w, "dir", m.rawdir);
        int rawroll = w.u8("roll", m.rawroll);
        if (w.tracing()) {
            w.annotate(rawroll - 90 + " degrees");
        }
        int rawvel = magnitude(w, "vel", flags & VEL2, m.rawvel);
        int rawveldir = direction(w, "veldir", m.rawveldir);
        int rawfall = 0;
        int rawfalldir = 0;
        if ((flags & FALL) != 0) {
            rawfall = magnitude(w, "fall", flags & FALL2, m.rawfall);
            if ((flags & FALLDIR) != 0) {
                rawfalldir = direction(w, "falldir", m.rawfalldir);
            }
        }
        if (!w.reading()) {
            return m;
        }
        return new Pos(
                cn, state, flags, x, y, z, rawdir, rawroll, rawvel, rawveldir, rawfall, rawfalldir);
    }

    /** Writes what the walk writes, but faster, as it is the game's most frequent message. */
    private static void write(Writer w, Pos m) {
        int at = w.reserve(MAX_BYTES);
        byte[] d = w.array();
        int flags = m.flags;
        at = writeUint(d, at, m.cn);
        d[at++] = (byte) m.state;
        at = writeUint(d, at, flags);
        at = writeCoordinate(d, at, flags & X3, m.x);
        at = writeCoordinate(d, at, flags & Y3, m.y);
        at = writeCoordinate(d, at, flags & Z3, m.z);
        at = writeWord(d, at, m.rawdir);
        d[at++] = (byte) m.rawroll;
        at = writeMagnitude(d, at, flags & VEL2, m.rawvel);
        at = writeWord(d, at, m.rawveldir);
        if ((flags & FALL) != 0) {
            at = writeMagnitude(d, at, flags & FALL2, m.rawfall);
            if ((flags & FALLDIR) != 0) {
                at = writeWord(d, at, m.rawfalldir);
            }
        }
        w.advance(at);
    }

    private static int writeUint(byte[] d, int at, int value) {
        int here = at;
        int rest = value;
        for (int i = 0; i < 3 && rest >>> 7 != 0; i++) {
            d[here++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        d[here] = (byte) rest;
        return here + 1;
    }

    private static int writeCoordinate(byte[] d, int at, int third, int value) {
        int end = writeWord(d, at, value);
        if (third != 0) {
            d[end++] = (byte) (value >> 16);
        }
        return end;
    }

    private static int writeMagnitude(byte[] d, int at, int second, int value) {
        if (second != 0) {
            return writeWord(d, at, value);
        }
        d[at] = (byte) value;
        return at + 1;
    }

    private static int writeWord(byte[] d, int at, int value) {
        d[at] = (byte) value;
        d[at + 1] = (byte) (value >> 8);
        return at + 2;
    }

    private static int coordinate(Wire w, String name, int third, int value) {
        w.begin(name);
        int read = w.u16le(name, value & 0xFFFF);
        if (third != 0) {
            read |= w.i8(name, value >> 16) << 16;
        }
        if (w.tracing()) {
            w.end(read);
            w.annotate(read / 16.0 + " units");
        }
        return read;
    }

    private static int direction(Wire w, String name, int value) {
        int read = w.u16le(name, value);
        if (w.tracing()) {
            w.annotate("yaw " + yaw(read) + ", pitch " + pitch(read) + " degrees");
        }
        return read;
    }

    private static int magnitude(Wire w, String name, int second, int value) {
        int read = second == 0 ? w.u8(name, value) : w.u16le(name, value);
        if (w.tracing()) {
            w.annotate(read + " units a second");
        }
        return read;
    }

    private static void traceState(Wire w, int state) {
        if (w.tracing()) {
            w.bits("physstate", 0, 3, state);
            w.annotate((state & 7) + " (" + ProtocolNames.PHYSSTATES.get(state & 7) + ")");
            w.bits("lifeseq", 3, 1, state);
            w.bits("move", 4, 2, state);
            w.annotate(trinary(state >> 4) + sign(state >> 4, " (backward)", "", " (forward)"));
            w.bits("strafe", 6, 2, state);
            w.annotate(trinary(state >> 6) + sign(state >> 6, " (right)", "", " (left)"));
        }
    }

    private static void traceFlags(Wire w, int flags) {
        if (w.tracing()) {
            flag(w, "x3", X3, flags, "x has a third byte");
            flag(w, "y3", Y3, flags, "y has a third byte");
            flag(w, "z3", Z3, flags, "z has a third byte");
            flag(w, "vel2", VEL2, flags, "vel has a second byte");
            flag(w, "fall", FALL, flags, "falling");
            flag(w, "fall2", FALL2, flags, "fall has a second byte");
            flag(w, "falldir", FALLDIR, flags, "falling in a direction");
            flag(w, "gameclip", GAMECLIP, flags, "in gameclip");
        }
    }

    private static void flag(Wire w, String name, int flag, int flags, String meaning) {
        w.bits(name, Integer.numberOfTrailingZeros(flag), 1, flags);
        w.annotate((flags & flag) == 0 ? "no" : meaning);
    }

    /** 0 float, 1 fall, 2 slide, 3 slope, 4 floor, 5 step up, 6 step down, 7 bounce. */
    public int physstate() {
        return state & 7;
    }

    /** The lowest bit of the body's life sequence. */
    public int lifeseq() {
        return state >> 3 & 1;
    }

    /** Input: 1 forward, -1 backward, 0 neither. */
    public int move() {
        return trinary(state >> 4);
    }

    /** Input: 1 left, -1 right, 0 neither. */
    public int strafe() {
        return trinary(state >> 6);
    }

    private static int trinary(int bits) {
        return (bits & 2) != 0 ? -1 : bits & 1;
    }

    private static String sign(int bits, String minus, String zero, String plus) {
        return switch (trinary(bits)) {
            case -1 -> minus;
            case 0 -> zero;
            default -> plus;
        };
    }

    /** The feet, units. */
    public Vec3 pos() {
        return new Vec3(x / 16.0, y / 16.0, z / 16.0);
    }

    /** View yaw, degrees, 0..359. */
    public int yaw() {
        return yaw(rawdir);
    }

    /** View pitch, degrees, -90..90. */
    public int pitch() {
        return pitch(rawdir);
    }

    /** View roll, degrees, -90..165. */
    public int roll() {
        return rawroll - 90;
    }

    /** The velocity without falling, units per second. */
    public Vec3 vel() {
        return vector(rawvel, rawveldir);
    }

    /** The falling velocity, units per second; the body moves by the sum of both. */
    public Vec3 fall() {
        return vector(rawfall, rawfalldir);
    }

    /** Whether the feet are in the material gameclip. */
    public boolean gameclip() {
        return (flags & GAMECLIP) != 0;
    }

    /** The yaw of a direction, degrees, 0..359. */
    public static int yaw(int direction) {
        return direction % 360;
    }

    /** The pitch of a direction, degrees, -90..90. */
    public static int pitch(int direction) {
        return Math.min(direction / 360, 180) - 90;
    }

    private static Vec3 vector(int magnitude, int direction) {
        double yaw = Math.toRadians(yaw(direction));
        double pitch = Math.toRadians(pitch(direction));
        double horizontal = magnitude * Math.cos(pitch);
        return new Vec3(
                horizontal * -Math.sin(yaw),
                horizontal * Math.cos(yaw),
                magnitude * Math.sin(pitch));
    }

    @Override
    public SequencedMap<String, Object> fields() {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("cn", cn);
        fields.put("state", state);
        fields.put("flags", flags);
        fields.put("physstate", physstate());
        fields.put("lifeseq", lifeseq());
        fields.put("move", move());
        fields.put("strafe", strafe());
        fields.put("rawpos", List.of(x, y, z));
        fields.put("pos", list(pos()));
        fields.put("rawdir", rawdir);
        fields.put("yaw", yaw());
        fields.put("pitch", pitch());
        fields.put("rawroll", rawroll);
        fields.put("roll", roll());
        fields.put("rawvel", rawvel);
        fields.put("rawveldir", rawveldir);
        fields.put("velyaw", yaw(rawveldir));
        fields.put("velpitch", pitch(rawveldir));
        fields.put("vel", list(vel()));
        if ((flags & FALL) != 0) {
            fields.put("rawfall", rawfall);
            if ((flags & FALLDIR) != 0) {
                fields.put("rawfalldir", rawfalldir);
            }
        }
        fields.put("fall", list(fall()));
        fields.put("gameclip", gameclip());
        return fields;
    }

    /** This position with another value of a component; the place is {@code rawpos}. */
    @Override
    public Pos with(FieldPath field) {
        int[] v = {cn, state, x, y, z, rawdir, rawroll, rawvel, rawveldir, rawfall, rawfalldir};
        int at =
                switch (field.name()) {
                    case "cn" -> 0;
                    case "state" -> 1;
                    case "rawpos" -> 2 + field.rest().index(2);
                    case "rawdir" -> 5;
                    case "rawroll" -> 6;
                    case "rawvel" -> 7;
                    case "rawveldir" -> 8;
                    case "rawfall" -> 9;
                    case "rawfalldir" -> 10;
                    default ->
                            throw field.unknown(
                                    "cn",
                                    "state",
                                    "rawpos.INDEX",
                                    "rawdir",
                                    "rawroll",
                                    "rawvel",
                                    "rawveldir",
                                    "rawfall",
                                    "rawfalldir");
                };
        v[at] =
                switch (at) {
                    case 0 -> field.integer(0, (1 << 28) - 1);
                    case 2, 3, 4 -> field.integer(-1 << 23, (1 << 23) - 1);
                    case 1, 6 -> field.integer(0, 0xFF);
                    default -> field.integer(0, 0xFFFF);
                };
        return of(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], gameclip());
    }

    private static List<Double> list(Vec3 v) {
        return List.of(v.x(), v.y(), v.z());
    }

    /**
     * A position that is relayed unchanged: its bytes, and the fields that the relay needs.
     *
     * @param state as in {@link Pos}
     * @param bytes the complete message with its code
     */
    public record Raw(int cn, int state, Bytes bytes) {
        /** Reads a complete message, at its code {@code N_POS}. */
        public static Raw read(Reader r) {
            int start = r.position();
            CubeWire.integer(r, "code", 0);
            int cn = CubeWire.uint(r, "cn", 0);
            int state = r.u8("state", 0);
            int flags = CubeWire.uint(r, "flags", 0);
            int fall = (flags & FALL) == 0 ? 0 : 1 + (flags >> 5 & 1) + (flags >> 5 & 2);
            int rest = 12 + Integer.bitCount(flags & (X3 | Y3 | Z3 | VEL2)) + fall;
            r.popLimit(r.pushLimit("pos", rest));
            return new Raw(cn, state, r.slice(start, r.position()));
        }

        /** The lowest bit of the body's life sequence. */
        public int lifeseq() {
            return state >> 3 & 1;
        }
    }
}
