package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;

/**
 * An entity state as a delta of a base.
 *
 * <p>See docs/protocols/quake2.md, 3.3.
 *
 * @param number of the entity, from 1
 * @param bits the fields that are sent, and the bits that announce more bit bytes
 * @param sent the fields that are sent; the others are undefined
 */
public record EntityDelta(int number, int bits, EntityState sent) {
    static final EntityDelta BLANK = new EntityDelta(0, 0, EntityState.ZERO);

    /** Initial list capacity: as many as move at a time in a busy place. */
    private static final int INITIAL_CAPACITY = 32;

    static final int ORIGIN1 = 0x1;
    static final int ORIGIN2 = 0x2;
    static final int ANGLE2 = 0x4;
    static final int ANGLE3 = 0x8;
    static final int FRAME8 = 0x10;
    static final int EVENT = 0x20;
    static final int REMOVE = 0x40;
    static final int MOREBITS1 = 0x80;
    static final int NUMBER16 = 0x100;
    static final int ORIGIN3 = 0x200;
    static final int ANGLE1 = 0x400;
    static final int MODEL = 0x800;
    static final int RENDERFX8 = 0x1000;
    static final int EFFECTS8 = 0x4000;
    static final int MOREBITS2 = 0x8000;
    static final int SKIN8 = 0x1_0000;
    static final int FRAME16 = 0x2_0000;
    static final int RENDERFX16 = 0x4_0000;
    static final int EFFECTS16 = 0x8_0000;
    static final int MODEL2 = 0x10_0000;
    static final int MODEL3 = 0x20_0000;
    static final int MODEL4 = 0x40_0000;
    static final int MOREBITS3 = 0x80_0000;
    static final int OLDORIGIN = 0x100_0000;
    static final int SKIN16 = 0x200_0000;
    static final int SOUND = 0x400_0000;
    static final int SOLID = 0x800_0000;

    /** The removal of an entity. */
    public static EntityDelta removal(int number) {
        return new EntityDelta(number, withMore(number, REMOVE), EntityState.ZERO);
    }

    /**
     * The shortest delta from a base.
     *
     * @param oldOrigin whether to send the old origin, as for new entities and players; otherwise
     *     the client uses the origin of {@code base}
     */
    public static EntityDelta between(
            int number, EntityState base, EntityState state, boolean oldOrigin) {
        int bits = 0;
        bits |= base.origin().x() == state.origin().x() ? 0 : ORIGIN1;
        bits |= base.origin().y() == state.origin().y() ? 0 : ORIGIN2;
        bits |= base.origin().z() == state.origin().z() ? 0 : ORIGIN3;
        bits |= base.angles().x() == state.angles().x() ? 0 : ANGLE1;
        bits |= base.angles().y() == state.angles().y() ? 0 : ANGLE2;
        bits |= base.angles().z() == state.angles().z() ? 0 : ANGLE3;
        bits |= base.model() == state.model() ? 0 : MODEL;
        bits |= base.model2() == state.model2() ? 0 : MODEL2;
        bits |= base.model3() == state.model3() ? 0 : MODEL3;
        bits |= base.model4() == state.model4() ? 0 : MODEL4;
        bits |= base.frame() == state.frame() ? 0 : sized(state.frame(), FRAME8, FRAME16, FRAME16);
        bits |=
                base.skin() == state.skin()
                        ? 0
                        : sized(state.skin(), SKIN8, SKIN16, SKIN8 | SKIN16);
        bits |=
                base.effects() == state.effects()
                        ? 0
                        : sized(state.effects(), EFFECTS8, EFFECTS16, EFFECTS8 | EFFECTS16);
        bits |=
                base.renderfx() == state.renderfx()
                        ? 0
                        : sized(state.renderfx(), RENDERFX8, RENDERFX16, RENDERFX8 | RENDERFX16);
        bits |= base.sound() == state.sound() ? 0 : SOUND;
        bits |= state.event() == 0 ? 0 : EVENT;
        bits |= base.solid() == state.solid() ? 0 : SOLID;
        bits |= oldOrigin ? OLDORIGIN : 0;
        return new EntityDelta(number, withMore(number, bits), state);
    }

    // A short is signed, so a value with the highest bit set is sent as a long.
    private static int sized(int value, int one, int two, int four) {
        return value >= 0 && value < 0x100 ? one : value >= 0 && value < 0x8000 ? two : four;
    }

    private static int withMore(int number, int bits) {
        int all = number > 0xFF ? bits | NUMBER16 : bits;
        if ((all & 0xFF00_0000) != 0) {
            return all | MOREBITS1 | MOREBITS2 | MOREBITS3;
        }
        if ((all & 0xFF_0000) != 0) {
            return all | MOREBITS1 | MOREBITS2;
        }
        return (all & 0xFF00) != 0 ? all | MOREBITS1 : all;
    }

    /** Whether it removes the entity. */
    public boolean removes() {
        return has(REMOVE);
    }

    /** Whether it sends no field. */
    public boolean isEmpty() {
        return (bits & ~(MOREBITS1 | MOREBITS2 | MOREBITS3 | NUMBER16)) == 0;
    }

    private boolean has(int bit) {
        return (bits & bit) != 0;
    }

    /** Applies the delta to a base. */
    public EntityState applyTo(EntityState base) {
        EntityState s = sent;
        return new EntityState(
                has(MODEL) ? s.model() : base.model(),
                has(MODEL2) ? s.model2() : base.model2(),
                has(MODEL3) ? s.model3() : base.model3(),
                has(MODEL4) ? s.model4() : base.model4(),
                has(FRAME8 | FRAME16) ? s.frame() : base.frame(),
                has(SKIN8 | SKIN16) ? s.skin() : base.skin(),
                has(EFFECTS8 | EFFECTS16) ? s.effects() : base.effects(),
                has(RENDERFX8 | RENDERFX16) ? s.renderfx() : base.renderfx(),
                s.origin().over(base.origin(), has(ORIGIN1), has(ORIGIN2), has(ORIGIN3)),
                s.angles().over(base.angles(), has(ANGLE1), has(ANGLE2), has(ANGLE3)),
                has(OLDORIGIN) ? s.oldOrigin() : base.origin(),
                has(SOUND) ? s.sound() : base.sound(),
                has(EVENT) ? s.event() : 0,
                has(SOLID) ? s.solid() : base.solid());
    }

    /**
     * Walks a delta; when reading also the end of a list of deltas, which has the number 0.
     *
     * <p>A reader returns zero for fields that are not sent; a writer returns its argument.
     */
    public static EntityDelta wire(Wire w, EntityDelta d) {
        w.begin("bits");
        int bits = w.u8("bits", d.bits & 0xFF);
        bits |= (bits & MOREBITS1) == 0 ? 0 : w.u8("bits", d.bits >>> 8 & 0xFF) << 8;
        bits |= (bits & MOREBITS2) == 0 ? 0 : w.u8("bits", d.bits >>> 16 & 0xFF) << 16;
        bits |= (bits & MOREBITS3) == 0 ? 0 : w.u8("bits", d.bits >>> 24) << 24;
        w.end(w.tracing() ? String.format(Locale.ROOT, "%08x", bits) : "");
        int number =
                (bits & NUMBER16) == 0 ? w.u8("number", d.number) : w.u16le("number", d.number);
        if (number == 0) {
            if (bits != 0) {
                throw w.malformed("number", "is 0 with bits " + Integer.toHexString(bits));
            }
            return BLANK;
        }
        if ((bits & REMOVE) != 0) {
            return new EntityDelta(number, bits, EntityState.ZERO);
        }
        EntityState s = d.sent;
        int model = (bits & MODEL) == 0 ? 0 : w.u8("model", s.model());
        int model2 = (bits & MODEL2) == 0 ? 0 : w.u8("model2", s.model2());
        int model3 = (bits & MODEL3) == 0 ? 0 : w.u8("model3", s.model3());
        int model4 = (bits & MODEL4) == 0 ? 0 : w.u8("model4", s.model4());
        int frame = (bits & FRAME8) == 0 ? 0 : w.u8("frame", s.frame());
        frame = (bits & FRAME16) == 0 ? frame : w.i16le("frame", s.frame());
        int skin = sized(w, "skin", bits, SKIN8, SKIN16, s.skin());
        int effects = sized(w, "effects", bits, EFFECTS8, EFFECTS16, s.effects());
        int renderfx = sized(w, "renderfx", bits, RENDERFX8, RENDERFX16, s.renderfx());
        int x = (bits & ORIGIN1) == 0 ? 0 : w.i16le("origin1", s.origin().x());
        int y = (bits & ORIGIN2) == 0 ? 0 : w.i16le("origin2", s.origin().y());
        int z = (bits & ORIGIN3) == 0 ? 0 : w.i16le("origin3", s.origin().z());
        int pitch = (bits & ANGLE1) == 0 ? 0 : w.u8("angle1", s.angles().x());
        int yaw = (bits & ANGLE2) == 0 ? 0 : w.u8("angle2", s.angles().y());
        int roll = (bits & ANGLE3) == 0 ? 0 : w.u8("angle3", s.angles().z());
        Triple old =
                (bits & OLDORIGIN) == 0 ? Triple.ZERO : Triple.i16(w, "old_origin", s.oldOrigin());
        int sound = (bits & SOUND) == 0 ? 0 : w.u8("sound", s.sound());
        int event = (bits & EVENT) == 0 ? 0 : w.u8("event", s.event());
        int solid = (bits & SOLID) == 0 ? 0 : w.i16le("solid", s.solid());
        return w.reading()
                ? new EntityDelta(
                        number,
                        bits,
                        new EntityState(
                                model,
                                model2,
                                model3,
                                model4,
                                frame,
                                skin,
                                effects,
                                renderfx,
                                Triple.of(x, y, z),
                                Triple.of(pitch, yaw, roll),
                                old,
                                sound,
                                event,
                                solid))
                : d;
    }

    private static int sized(Wire w, String name, int bits, int one, int two, int value) {
        if ((bits & one) == 0) {
            return (bits & two) == 0 ? 0 : w.i16le(name, value);
        }
        return (bits & two) == 0 ? w.u8(name, value) : w.i32le(name, value);
    }

    /** The fields that are sent, by name. */
    Map<String, ?> sentFields() {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        put(fields, MODEL, "model", sent.model());
        put(fields, MODEL2, "model2", sent.model2());
        put(fields, MODEL3, "model3", sent.model3());
        put(fields, MODEL4, "model4", sent.model4());
        put(fields, FRAME8 | FRAME16, "frame", sent.frame());
        put(fields, SKIN8 | SKIN16, "skin", sent.skin());
        put(fields, EFFECTS8 | EFFECTS16, "effects", sent.effects());
        put(fields, RENDERFX8 | RENDERFX16, "renderfx", sent.renderfx());
        put(fields, ORIGIN1, "origin1", sent.origin().x());
        put(fields, ORIGIN2, "origin2", sent.origin().y());
        put(fields, ORIGIN3, "origin3", sent.origin().z());
        put(fields, ANGLE1, "angle1", sent.angles().x());
        put(fields, ANGLE2, "angle2", sent.angles().y());
        put(fields, ANGLE3, "angle3", sent.angles().z());
        put(fields, OLDORIGIN, "old_origin", sent.oldOrigin().list());
        put(fields, SOUND, "sound", sent.sound());
        put(fields, EVENT, "event", sent.event());
        put(fields, SOLID, "solid", sent.solid());
        return fields;
    }

    /** The sent fields by name. */
    public Map<String, ?> fields() {
        SequencedMap<String, Object> fields = FieldCodecs.of("number", number);
        fields.put("bits", String.format(Locale.ROOT, "%08x", bits));
        if (removes()) {
            fields.put("remove", true);
        } else {
            fields.put("delta", sentFields());
        }
        return fields;
    }

    private void put(Map<String, Object> fields, int bit, String name, Object value) {
        if (has(bit)) {
            fields.put(name, value);
        }
    }

    /** All fields of a state by name. */
    public static Map<String, ?> fields(int number, EntityState s) {
        return FieldCodecs.of(
                "number", number,
                "model", s.model(),
                "model2", s.model2(),
                "model3", s.model3(),
                "model4", s.model4(),
                "frame", s.frame(),
                "skin", s.skin(),
                "effects", s.effects(),
                "renderfx", s.renderfx(),
                "origin", s.origin().list(),
                "angles", s.angles().list(),
                "old_origin", s.oldOrigin().list(),
                "sound", s.sound(),
                "event", s.event(),
                "solid", s.solid());
    }

    /** Walks deltas up to their end mark, at most {@code max}. */
    static List<EntityDelta> list(Wire w, List<EntityDelta> deltas, int max) {
        if (!w.reading()) {
            for (int i = 0; i < deltas.size(); i++) {
                wire(w, deltas.get(i));
            }
            w.u16le("end", 0);
            return deltas;
        }
        List<EntityDelta> read = new ArrayList<>(INITIAL_CAPACITY);
        while (true) {
            w.pushScope("entities.", read.size());
            EntityDelta delta = wire(w, BLANK);
            w.popScope();
            if (delta.number == 0) {
                return List.copyOf(read);
            }
            w.bounded("entities", read.size() + 1, max);
            read.add(delta);
        }
    }
}
