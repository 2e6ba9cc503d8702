package dev.wishdir.quake2.server.session;

import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Writer;

import java.util.ArrayList;
import java.util.List;

/**
 * The effects of one client's next frame: shots, impacts, sounds. They follow the frame in its
 * packet, and are not sent again. Its memory is fixed.
 */
final class EffectQueue {
    /** Room for effects in a packet: two shotguns and their sounds. */
    static final int MAX_BYTES = 600;

    /** Longer than any effect. */
    private static final int MAX_EFFECT_BYTES = 64;

    private final Writer writer = new Writer(MAX_EFFECT_BYTES);
    private final List<byte[]> effects = new ArrayList<>();

    /** Effects that are dropped first: holes in walls. */
    private final List<byte[]> least = new ArrayList<>();

    private int bytes;

    /** Adds an effect, if there is room for it, maybe in place of others. */
    void add(ServerMessage effect, boolean isLeast) {
        writer.reset();
        Quake2Codec.write(writer, effect);
        byte[] encoded = writer.toByteArray();
        while (!isLeast && bytes + encoded.length > MAX_BYTES && !least.isEmpty()) {
            bytes -= least.removeLast().length;
        }
        if (bytes + encoded.length <= MAX_BYTES) {
            (isLeast ? least : effects).add(encoded);
            bytes += encoded.length;
        }
    }

    /** Length of all effects. */
    int bytes() {
        return bytes;
    }

    /** Writes all effects, the hits before the shots, and forgets them. */
    void flush(Writer to) {
        least.forEach(each -> to.append(each, 0, each.length));
        effects.forEach(each -> to.append(each, 0, each.length));
        clear();
    }

    void clear() {
        least.clear();
        effects.clear();
        bytes = 0;
    }
}
