package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** A capture in libpcap's own format: a header, then records; in either byte order. */
final class Pcap implements PacketSource {
    /** The magic number of a file whose clock counts microseconds. */
    static final int MICROSECONDS = 0xA1B2C3D4;

    /** The magic number of a file whose clock counts nanoseconds. */
    static final int NANOSECONDS = 0xA1B23C4D;

    private static final int LINK_OFFSET = 20;
    private static final int LINK_MASK = 0x0FFF_FFFF;

    private final CaptureInput in;
    private final ByteOrder order;
    private final int fraction;
    private final int link;
    private final byte[] header = new byte[16];

    /** Whether a file that begins with these bytes, high first, is of this format. */
    static boolean recognises(int magic) {
        return isMagic(magic) || isMagic(Integer.reverseBytes(magic));
    }

    private static boolean isMagic(int magic) {
        return magic == MICROSECONDS || magic == NANOSECONDS;
    }

    Pcap(CaptureInput in) throws IOException {
        this.in = in;
        ByteBuffer file = in.numbers(24, ByteOrder.BIG_ENDIAN, "the file header");
        order = isMagic(file.getInt(0)) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        file.order(order);
        fraction = file.getInt() == NANOSECONDS ? 1 : 1000;
        int major = file.getShort();
        if (major != 2) {
            throw new CaptureException(4, "pcap version " + major + " is not known");
        }
        link = file.getInt(LINK_OFFSET) & LINK_MASK;
        if (!Link.isKnown(link)) {
            throw new CaptureException(LINK_OFFSET, Link.unknown(link));
        }
    }

    @Override
    public Optional<Packet> next() throws IOException {
        long start = in.position();
        if (!in.header(header, "a record header")) {
            return Optional.empty();
        }
        ByteBuffer record = ByteBuffer.wrap(header).order(order);
        long seconds = Integer.toUnsignedLong(record.getInt());
        long rest = Integer.toUnsignedLong(record.getInt());
        long captured = Integer.toUnsignedLong(record.getInt());
        long length = Integer.toUnsignedLong(record.getInt());
        if (captured > Packet.MOST_BYTES) {
            throw new CaptureException(
                    start,
                    "a record claims "
                            + captured
                            + " bytes, more than the "
                            + Packet.MOST_BYTES
                            + " of the largest packet");
        }
        return Optional.of(
                new Packet(
                        seconds * 1_000_000_000L + rest * fraction,
                        link,
                        Bytes.wrap(in.bytes((int) captured, "a record")),
                        captured < length));
    }
}
