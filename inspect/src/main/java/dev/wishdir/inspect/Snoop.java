package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** A capture in the format of Solaris' snoop, version 2 (RFC 1761). */
final class Snoop implements PacketSource {
    static final Bytes MAGIC = Bytes.ofHex("736e6f6f70000000");

    private static final int VERSION_OFFSET = 8;
    private static final int LINK_OFFSET = 12;
    private static final int RECORD_HEADER_BYTES = 24;

    private final CaptureInput in;
    private final int link;
    private final byte[] header = new byte[RECORD_HEADER_BYTES];

    Snoop(CaptureInput in) throws IOException {
        this.in = in;
        ByteBuffer file = in.readBuffer(16, ByteOrder.BIG_ENDIAN, "the file header");
        int version = file.getInt(VERSION_OFFSET);
        if (version != 2) {
            throw new CaptureException(
                    VERSION_OFFSET,
                    "snoop version " + version + " is not supported, only version 2");
        }
        int type = file.getInt(LINK_OFFSET);
        link =
                switch (type) {
                    case 0, 4 -> LinkType.ETHERNET;
                    case 26 -> LinkType.SOLARIS_IPNET;
                    default ->
                            throw new CaptureException(
                                    LINK_OFFSET,
                                    "snoop's link type "
                                            + type
                                            + " is not supported, only Ethernet (0, 4) and IPNET"
                                            + " (26)");
                };
    }

    @Override
    public Optional<Packet> next() throws IOException {
        long start = in.position();
        if (!in.readHeader(header, "a record header")) {
            return Optional.empty();
        }
        ByteBuffer record = ByteBuffer.wrap(header);
        long length = Integer.toUnsignedLong(record.getInt());
        long captured = Integer.toUnsignedLong(record.getInt());
        long padded = Integer.toUnsignedLong(record.getInt()) - RECORD_HEADER_BYTES;
        record.getInt();
        long seconds = Integer.toUnsignedLong(record.getInt());
        long micros = Integer.toUnsignedLong(record.getInt());
        if (captured > Packet.MAX_BYTES || padded < captured) {
            throw new CaptureException(
                    start, "a record of " + padded + " bytes claims a packet of " + captured);
        }
        Bytes data = Bytes.wrap(in.readBytes((int) captured, "a record"));
        in.skip(padded - captured, "a record");
        return Optional.of(
                Packet.of(seconds * 1_000_000_000L + micros * 1000, link, data, length, 0));
    }
}
