package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;

import java.util.Optional;

/**
 * A stack of items.
 *
 * @param id number of the item in this version; 0 for air, which has no other component
 * @param metadata damage or variant
 * @param netId the server's number of the stack, in inventories that the server decides about
 * @param block number of the block; 0 if it is not one
 * @param extra tags and block lists of the item, opaque
 */
public record ItemStack(
        int id, int count, int metadata, Optional<Integer> netId, int block, Bytes extra) {
    /** Nothing. */
    public static final ItemStack AIR = new ItemStack(0, 0, 0, Optional.empty(), 0, Bytes.EMPTY);

    /** No tags, and no blocks that it can be placed on or that it can destroy. */
    private static final Bytes NO_EXTRA = Bytes.wrap(new byte[10]);

    private static final int MAX_EXTRA_BYTES = 64 << 10;
    private static final int TAGGED = 0xFFFF;
    private static final int TAG_VERSION = 1;

    /**
     * An item that is not a block, without tags.
     *
     * @param netId 0 for a stack that the client can't take hold of
     */
    public static ItemStack of(int id, int count, int netId) {
        return new ItemStack(
                id, count, 0, netId == 0 ? Optional.empty() : Optional.of(netId), 0, NO_EXTRA);
    }

    /** This stack in another variant, as a colour. */
    public ItemStack withMetadata(int other) {
        return new ItemStack(id, count, other, netId, block, extra);
    }

    /** This stack with a tag. */
    public ItemStack withTag(Nbt.Compound tag) {
        Writer writer = new Writer(MAX_EXTRA_BYTES);
        writer.u16le("tags", TAGGED);
        writer.u8("version", TAG_VERSION);
        Nbt.wire(writer, "tag", tag, Nbt.Flavour.FIXED);
        writer.i32le("can be placed on", 0);
        writer.i32le("can destroy", 0);
        return new ItemStack(id, count, metadata, netId, block, writer.toBytes());
    }

    /** Whether it has a tag, such as a crossbow in which an arrow lies. */
    public boolean isTagged() {
        return extra.length() >= 2 && extra.get(0) == (byte) 0xFF && extra.get(1) == (byte) 0xFF;
    }

    /** Whether it is the same number of the same items, whatever its other components. */
    public boolean isSameAs(ItemStack other) {
        return id == other.id && count == other.count && metadata == other.metadata;
    }

    /**
     * Walks a stack.
     *
     * @param whole the change since which the message has all components of any stack
     */
    static ItemStack wire(Wire w, String name, ItemStack m, Dialect d, ProtocolChange whole) {
        if (w.tracing()) {
            w.pushScope(name);
        }
        ItemStack walked = d.has(whole) ? wireWhole(w, m, d) : wireShort(w, m);
        if (w.tracing()) {
            w.popScope();
        }
        return walked;
    }

    private static ItemStack wireShort(Wire w, ItemStack m) {
        int id = Encoding.varint(w, "item", m.id);
        return id == 0
                ? AIR
                : new ItemStack(
                        id,
                        w.u16le("count", m.count),
                        Encoding.uvarint(w, "metadata", m.metadata),
                        Encoding.optional(
                                w,
                                "net id",
                                m.netId,
                                0,
                                (wire, netId) -> Encoding.varint(wire, "net id", netId)),
                        Encoding.varint(w, "block", m.block),
                        Encoding.blob(w, "extra", m.extra, MAX_EXTRA_BYTES));
    }

    private static ItemStack wireWhole(Wire w, ItemStack m, Dialect d) {
        return new ItemStack(
                w.i16le("item", m.id),
                w.u16le("count", m.count),
                Encoding.uvarint(w, "metadata", m.metadata),
                Encoding.optional(
                        w, "net id", m.netId, 0, (wire, netId) -> wireNetId(wire, netId, d)),
                Encoding.uvarint(w, "block", m.block),
                Encoding.blob(w, "extra", m.extra, MAX_EXTRA_BYTES));
    }

    /** Before it is a plain number, it has a kind, which is always that of a stack. */
    private static int wireNetId(Wire w, int netId, Dialect d) {
        if (!d.has(ProtocolChange.NET_ID_PLAIN)) {
            w.bounded("kind", Encoding.uvarint(w, "kind", 0), 0);
        }
        return Encoding.varint(w, "net id", netId);
    }
}
