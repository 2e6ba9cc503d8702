package dev.wishdir.quake3.inspect;

import dev.wishdir.quake3.message.Delta;
import dev.wishdir.quake3.message.EntityDelta;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.FullSnapshot;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerDelta;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.ServerMessage.Download;
import dev.wishdir.quake3.message.ServerMessage.Gamestate;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.netchan.XorScrambler;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.wire.BitReader;
import dev.wishdir.wire.Traced;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Converts messages to the field values of inspector lines. */
public final class Quake3MessageFields {
    private Quake3MessageFields() {}

    /** Adds the padding bits after a message. */
    static void pad(BitReader w, byte[] message, Map<String, Object> fields) {
        fields.put("padBits", w.remaining());
        boolean nonZero = false;
        for (int bit = w.position(); bit < message.length * 8; bit++) {
            nonZero |= (message[bit >> 3] >> (bit & 7) & 1) != 0;
        }
        if (nonZero) {
            fields.put("padNonZero", true);
        }
    }

    /** The trace entry of a legacy protocol's scrambling. */
    static Traced scrambling(Side from, int length, int key, String made, String text) {
        int start = XorScrambler.start(from);
        return new Traced(
                "scrambling",
                start * 8,
                Math.max(0, length - start) * 8,
                String.format(Locale.ROOT, "%02x", key & 0xFF),
                String.format(
                        Locale.ROOT,
                        "xor from byte %d of the message on, key of %s, text \"%s\"",
                        start,
                        made,
                        text.strip()),
                true);
    }

    public static List<Integer> usercmd(Usercmd c) {
        return List.of(
                c.serverTime(),
                c.pitch(),
                c.yaw(),
                c.roll(),
                c.forward(),
                c.right(),
                c.up(),
                c.buttons(),
                c.weapon());
    }

    public static Map<String, Object> gamestate(Gamestate g) {
        Map<String, String> configstrings = new LinkedHashMap<>();
        g.configstrings().forEach((index, text) -> configstrings.put(index.toString(), text));
        Map<String, Object> baselines = new LinkedHashMap<>();
        g.baselines()
                .forEach(b -> baselines.put(Integer.toString(b.number()), entity(b.changes())));
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("serverCommandSequence", g.serverCommandSequence());
        values.put("configstrings", configstrings);
        values.put("baselines", baselines);
        values.put("clientNum", g.clientNum());
        values.put("checksumFeed", g.checksumFeed());
        return values;
    }

    /** A snapshot that is not delta coded: all fields of the player, and of entities by number. */
    public static Map<String, Object> snapshot(FullSnapshot s) {
        Map<String, Object> player = new LinkedHashMap<>();
        for (PlayerField field : PlayerField.values()) {
            player.put(field.label(), number(s.player().get(field), field.isFloat()));
        }
        for (PlayerArray array : PlayerArray.values()) {
            List<Integer> slots = new ArrayList<>();
            for (int i = 0; i < PlayerArray.LENGTH; i++) {
                slots.add(s.player().get(array, i));
            }
            player.put(array.name().toLowerCase(Locale.ROOT), slots);
        }
        Map<String, Object> entities = new LinkedHashMap<>();
        s.entities()
                .forEach((number, state) -> {
                    Map<String, Object> values = new LinkedHashMap<>();
                    for (EntityField field : EntityField.values()) {
                        values.put(field.label(), number(state.get(field), field.isFloat()));
                    }
                    entities.put(number.toString(), values);
                });
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("serverTime", s.serverTime());
        values.put("flags", s.flags());
        values.put("areabits", s.areabits().hex());
        values.put("ps", player);
        values.put("entities", entities);
        return values;
    }

    /**
     * @param base the frame that the snapshot is a delta from
     */
    static Map<String, Object> snapshot(Snapshot s, Frame base) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("serverTime", s.serverTime());
        values.put("deltaNum", s.deltaNum());
        values.put("flags", s.flags());
        values.put("areabits", s.areabits().hex());
        values.put("ps", player(s.playerState()));
        values.put("entities", s.entities().stream().map(e -> entity(e, base)).toList());
        return values;
    }

    private static List<Object> entity(EntityDelta e, Frame base) {
        if (e.removed()) {
            return List.of(e.number(), "remove");
        }
        String against = base.entity(e.number()) == null ? "baseline" : "old";
        return List.of(e.number(), against, entity(e.changes()));
    }

    private static Map<String, Object> entity(Delta changes) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (EntityField field : EntityField.values()) {
            if (changes.has(field.ordinal())) {
                int value = changes.get(field.ordinal());
                values.put(field.label(), number(value, field.isFloat()));
            }
        }
        return values;
    }

    private static Map<String, Object> player(PlayerDelta delta) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (PlayerField field : PlayerField.values()) {
            if (delta.fields().has(field.ordinal())) {
                int value = delta.fields().get(field.ordinal());
                values.put(field.label(), number(value, field.isFloat()));
            }
        }
        for (PlayerArray array : PlayerArray.values()) {
            Map<String, Object> slots = new LinkedHashMap<>();
            for (int i = 0; i < PlayerArray.LENGTH; i++) {
                int index = array.ordinal() * PlayerArray.LENGTH + i;
                if (delta.slots().has(index)) {
                    slots.put(Integer.toString(i), delta.slots().get(index));
                }
            }
            if (!slots.isEmpty()) {
                values.put(array.name().toLowerCase(Locale.ROOT), slots);
            }
        }
        return values;
    }

    private static Number number(int value, boolean real) {
        if (real) {
            return (double) Float.intBitsToFloat(value);
        }
        return value;
    }

    public static Map<String, Object> download(Download d) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("block", d.block());
        if (d.block() == 0) {
            values.put("size", d.size());
        }
        if (d.size() < 0) {
            values.put("refusal", d.refusal());
        } else {
            values.put("len", d.data().length());
            values.put("dataSha1", sha1(d.data().toArray()));
        }
        return values;
    }

    private static String sha1(byte[] data) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(data));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
