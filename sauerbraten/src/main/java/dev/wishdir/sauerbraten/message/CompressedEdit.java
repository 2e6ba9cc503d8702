package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

/**
 * A zlib-compressed part of a map.
 *
 * @param unpacklen uncompressed length, claimed by the sender
 * @param packlen length of {@code data}
 */
public record CompressedEdit(int unpacklen, int packlen, Bytes data) implements Fields.Part {
    /** Maximum length of {@code data}, bytes. */
    public static final int MAX_LENGTH = 1 << 20;

    public static final CompressedEdit BLANK = new CompressedEdit(0, Bytes.EMPTY);

    public CompressedEdit {
        if (packlen != data.length()) {
            throw new IllegalArgumentException(
                    "packlen is " + packlen + ", data has " + data.length() + " bytes");
        }
    }

    public CompressedEdit(int unpacklen, Bytes data) {
        this(unpacklen, data.length(), data);
    }

    static CompressedEdit wire(Wire w, CompressedEdit m) {
        int unpacklen = integer(w, "unpacklen", m.unpacklen);
        int packlen = w.bounded("packlen", integer(w, "packlen", m.packlen), MAX_LENGTH);
        return new CompressedEdit(unpacklen, w.bytes("data", m.data, packlen));
    }
}
