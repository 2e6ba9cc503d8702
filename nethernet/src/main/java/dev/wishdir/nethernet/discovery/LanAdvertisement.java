package dev.wishdir.nethernet.discovery;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;

import java.nio.charset.StandardCharsets;

/**
 * A server's entry in LAN discovery, layout 7.
 *
 * @param gameType 0 survival, 1 creative, 2 adventure
 * @param nonce a value that a login must repeat; empty for none
 */
public record LanAdvertisement(
        String name,
        int protocol,
        String version,
        String level,
        int players,
        int maxPlayers,
        int gameType,
        boolean editor,
        boolean hardcore,
        boolean online,
        boolean selfSigned,
        String nonce) {
    static final int LAYOUT = 7;
    private static final int LAN = 4;
    private static final int MAX_TEXT_CHARS = 256;
    static final LanAdvertisement BLANK =
            new LanAdvertisement("", 0, "", "", 0, 0, 0, false, false, false, false, "");

    /** Encodes layout 7. */
    public Bytes write() {
        Writer w = new Writer(2048);
        wire(w, this);
        return w.toBytes();
    }

    /**
     * Reads layout 7.
     *
     * @throws MalformedPacketException if it has another layout or is truncated
     */
    public static LanAdvertisement read(Bytes bytes) {
        return wire(new Reader(bytes), BLANK);
    }

    static LanAdvertisement wire(Wire w, LanAdvertisement m) {
        int layout = w.u8("layout", LAYOUT);
        if (layout != LAYOUT) {
            throw new MalformedPacketException(0, "layout", "is " + layout);
        }
        String name = text(w, "name", m.name);
        int protocol = varint(w, "protocol", m.protocol);
        String version = text(w, "version", m.version);
        String level = text(w, "level", m.level);
        int players = varint(w, "players", m.players);
        int maxPlayers = varint(w, "max players", m.maxPlayers);
        int gameType = varint(w, "game type", m.gameType);
        boolean editor = bool(w, "editor", m.editor);
        boolean hardcore = bool(w, "hardcore", m.hardcore);
        boolean online = bool(w, "online", m.online);
        boolean selfSigned = bool(w, "self-signed", m.selfSigned);
        String nonce = text(w, "nonce", m.nonce);
        varint(w, "connection", LAN);
        return new LanAdvertisement(
                name,
                protocol,
                version,
                level,
                players,
                maxPlayers,
                gameType,
                editor,
                hardcore,
                online,
                selfSigned,
                nonce);
    }

    private static boolean bool(Wire w, String name, boolean value) {
        return w.u8(name, value ? 1 : 0) != 0;
    }

    static int varint(Wire w, String name, int value) {
        w.begin(name);
        int raw = unsigned(w, name, value << 1 ^ value >> 31);
        int walked = raw >>> 1 ^ -(raw & 1);
        w.end(walked);
        return walked;
    }

    private static int unsigned(Wire w, String name, int value) {
        int result = 0;
        int rest = value;
        for (int shift = 0; shift < 35; shift += 7) {
            int b = w.u8(name, rest & 0x7F | (rest >>> 7 != 0 ? 0x80 : 0));
            result |= (b & 0x7F) << shift;
            rest >>>= 7;
            if ((b & 0x80) == 0) {
                return result;
            }
        }
        throw new MalformedPacketException(w.position(), name, "has no end");
    }

    static String text(Wire w, String name, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        w.begin(name);
        int length = w.bounded(name, unsigned(w, name, bytes.length), MAX_TEXT_CHARS);
        String walked =
                new String(
                        w.bytes(name, Bytes.wrap(bytes), length).toArray(), StandardCharsets.UTF_8);
        w.end(walked);
        return walked;
    }
}
