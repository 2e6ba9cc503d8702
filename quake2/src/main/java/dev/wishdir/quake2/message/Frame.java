package dev.wishdir.quake2.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The visible state at one server frame, as a delta of an earlier frame.
 *
 * <p>See docs/protocols/quake2.md, 3.1.
 *
 * @param number of the frame, from 1, plus one every tenth of a second
 * @param delta number of the delta base; 0 and below for none
 * @param suppressed number of frames not sent since the last one, because of the client's rate
 * @param areaBits a bit for each visible area of the map
 * @param entities ascending by number; others did not change
 */
public record Frame(
        int number,
        int delta,
        int suppressed,
        Bytes areaBits,
        PlayerDelta player,
        List<EntityDelta> entities)
        implements ServerMessage {
    /** To read into. */
    public static final Frame BLANK = new Frame(0, 0, 0, Bytes.EMPTY, PlayerDelta.BLANK, List.of());

    private static final int MAX_DELTAS = 1024;
    private static final int PLAYERINFO = 17;
    private static final int PACKETENTITIES = 18;

    /** Walks the message. */
    public static Frame wire(Wire w, Frame m) {
        int number = w.i32le("frame", m.number);
        int delta = w.i32le("delta", m.delta);
        int suppressed = w.u8("suppress", m.suppressed);
        int areaBytes = w.u8("areabytes", m.areaBits.length());
        Bytes areaBits = w.bytes("areabits", m.areaBits, areaBytes);
        expect(w, "playerinfo", PLAYERINFO);
        w.pushScope("player");
        PlayerDelta player = PlayerDelta.wire(w, m.player);
        w.popScope();
        expect(w, "packetentities", PACKETENTITIES);
        List<EntityDelta> entities = EntityDelta.list(w, m.entities, MAX_DELTAS);
        return new Frame(number, delta, suppressed, areaBits, player, entities);
    }

    private static void expect(Wire w, String name, int op) {
        int found = w.u8(name, op);
        if (found != op) {
            throw w.malformed(name, "must be message " + op + ", is " + found);
        }
    }

    @Override
    public String label() {
        return "frame";
    }

    @Override
    public Map<String, ?> fields() {
        return FieldCodecs.of(
                "frame", number,
                "delta", delta,
                "suppress", suppressed,
                "areabits", areaBits.hex(),
                "ps_flags", String.format(Locale.ROOT, "%04x", player.flags()),
                "stat_bits", String.format(Locale.ROOT, "%08x", player.statBits()),
                "entity_deltas", entities.stream().map(EntityDelta::fields).toList());
    }
}
