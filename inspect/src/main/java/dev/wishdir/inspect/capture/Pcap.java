package dev.wishdir.inspect.capture;

import dev.wishdir.inspect.link.LinkType;
import dev.wishdir.inspect.link.Packet;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** A capture in libpcap's format: a header, then records, in either byte order. */
final class Pcap implements PacketSource {
    /** The magic number of a file with times in microseconds. */
    static final int MICROSECONDS = 0xA1B2C3D4;

    /** The magic number of a file with times in nanoseconds. */
    static final int NANOSECONDS = 0xA1B23C4D;

    private static final int VERSION_OFFSET = 4;
    private static final int LINK_OFFSET = 20;
    private static final int RECORD_HEADER_BYTES = 16;

    /** Flag that the highest four bits are the length of each frame's check sequence. */
    private static final int HAS_CHECK_SEQUENCE = 0x0400_0000;

    private final CaptureInput in;
    private final ByteOrder order;
    private final int fraction;
    private final int link;
    private final int checkSequence;
    private final byte[] header = new byte[RECORD_HEADER_BYTES];

    /** Whether a file that begins with this number, big endian, has this format. */
    static boolean recognises(int magic) {
        return isMagic(magic) || isMagic(Integer.reverseBytes(magic));
    }

    private static boolean isMagic(int magic) {
        return magic == MICROSECONDS || magic == NANOSECONDS;
    }

    Pcap(CaptureInput in) throws IOException {
        this.in = in;
        ByteBuffer file = in.readBuffer(24, ByteOrder.BIG_ENDIAN, "the file header");
        order = isMagic(file.getInt(0)) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        file.order(order);
        int magic = file.getInt();
        fraction = magic == NANOSECONDS ? 1 : 1000;
        int major = file.getShort();
        int minor = file.getShort();
        if (major != 2 || minor < 4) {
            throw new CaptureException(
                    VERSION_OFFSET,
                    "pcap version "
                            + major
                            + "."
                            + minor
                            + " is not supported, only version 2.4: "
                            + ForeignFormat.CONVERT);
        }
        int field = file.getInt(LINK_OFFSET);
        link = field & 0xFFFF;
        checkSequence = (field & HAS_CHECK_SEQUENCE) != 0 ? (field >>> 28) * 2 : 0;
        if (!LinkType.isKnown(link)) {
            throw new CaptureException(LINK_OFFSET, LinkType.unknown(link));
        }
    }

    @Override
    public Optional<Packet> next() throws IOException {
        long start = in.position();
        if (!in.readHeader(header, "a record header")) {
            return Optional.empty();
        }
        ByteBuffer record = ByteBuffer.wrap(header).order(order);
        long seconds = Integer.toUnsignedLong(record.getInt());
        long rest = Integer.toUnsignedLong(record.getInt());
        long captured = Integer.toUnsignedLong(record.getInt());
        long length = Integer.toUnsignedLong(record.getInt());
        if (captured > Packet.MAX_BYTES) {
            throw new CaptureException(
                    start,
                    "a record claims "
                            + captured
                            + " bytes, more than the maximum of "
                            + Packet.MAX_BYTES);
        }
        return Optional.of(
                Packet.of(
                        seconds * 1_000_000_000L + rest * fraction,
                        link,
                        Bytes.wrap(in.readBytes((int) captured, "a record")),
                        length,
                        checkSequence));
    }
}
