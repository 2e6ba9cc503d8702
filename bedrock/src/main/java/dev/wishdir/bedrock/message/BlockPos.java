package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

/** The position of a block. */
public record BlockPos(int x, int y, int z) {
    public static final BlockPos ZERO = new BlockPos(0, 0, 0);

    /** Three signed numbers. */
    static BlockPos wire(Wire w, String name, BlockPos m) {
        w.begin(name);
        BlockPos walked =
                new BlockPos(
                        Encoding.varint(w, "x", m.x),
                        Encoding.varint(w, "y", m.y),
                        Encoding.varint(w, "z", m.z));
        w.end(walked);
        return walked;
    }

    /** The form of messages whose height is unsigned in older versions. */
    static BlockPos wire(Wire w, String name, BlockPos m, Dialect d) {
        if (d.has(ProtocolChange.SIGNED_HEIGHT)) {
            return wire(w, name, m);
        }
        w.begin(name);
        BlockPos walked =
                new BlockPos(
                        Encoding.varint(w, "x", m.x),
                        Encoding.uvarint(w, "y", m.y),
                        Encoding.varint(w, "z", m.z));
        w.end(walked);
        return walked;
    }
}
