package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The start of a sound.
 *
 * <p>See docs/protocols/quake2.md, 3.
 *
 * @param flags which of the fields after the index are sent
 * @param volume 255ths; 255 if not sent
 * @param attenuation 64ths; 64 if not sent
 * @param offset milliseconds from now
 * @param entity source, 0..8191
 * @param channel of the entity, 0..7
 * @param pos position, eighths of a unit
 */
public record Sound(
        int flags,
        int index,
        int volume,
        int attenuation,
        int offset,
        int entity,
        int channel,
        Triple pos)
        implements ServerMessage {
    /** To read into. */
    public static final Sound BLANK = new Sound(0, 0, 255, 64, 0, 0, 0, Triple.ZERO);

    private static final int VOLUME = 1;
    private static final int ATTENUATION = 2;
    private static final int POS = 4;
    private static final int ENT = 8;
    private static final int OFFSET = 16;

    /** The channels of an entity; a sound replaces another one of its channel. */
    public enum Channel {
        AUTO,
        WEAPON,
        VOICE,
        ITEM,
        BODY
    }

    /** A sound of an entity, as loud as most. */
    public static Sound of(int index, int entity, Channel channel) {
        return new Sound(ENT, index, 255, 64, 0, entity, channel.ordinal(), Triple.ZERO);
    }

    /** A sound that its client hears wherever it is. */
    public static Sound everywhere(int index, int entity) {
        return new Sound(
                ENT | ATTENUATION, index, 255, 0, 0, entity, Channel.AUTO.ordinal(), Triple.ZERO);
    }

    /** Walks the message. */
    public static Sound wire(Wire w, Sound m) {
        int flags = w.u8("flags", m.flags);
        int index = w.u8("index", m.index);
        int volume = (flags & VOLUME) == 0 ? 255 : w.u8("volume", m.volume);
        int attenuation = (flags & ATTENUATION) == 0 ? 64 : w.u8("attenuation", m.attenuation);
        int offset = (flags & OFFSET) == 0 ? 0 : w.u8("offset", m.offset);
        int entity = 0;
        int channel = 0;
        if ((flags & ENT) != 0) {
            int both = w.u16le("entity", m.entity << 3 | m.channel);
            entity = both >> 3;
            channel = both & 7;
            if (w.tracing()) {
                w.annotate("entity " + entity + ", channel " + channel);
            }
        }
        Triple pos = (flags & POS) == 0 ? Triple.ZERO : Triple.i16(w, "pos", m.pos);
        return new Sound(flags, index, volume, attenuation, offset, entity, channel, pos);
    }

    @Override
    public String label() {
        return "sound";
    }

    @Override
    public Map<String, ?> fields() {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("flags", flags);
        fields.put("index", index);
        put(fields, VOLUME, "volume", volume);
        put(fields, ATTENUATION, "attenuation", attenuation);
        put(fields, OFFSET, "offset", offset);
        put(fields, ENT, "entity", entity);
        put(fields, ENT, "channel", channel);
        put(fields, POS, "pos", pos.list());
        return fields;
    }

    private void put(Map<String, Object> fields, int flag, String name, Object value) {
        if ((flags & flag) != 0) {
            fields.put(name, value);
        }
    }
}
