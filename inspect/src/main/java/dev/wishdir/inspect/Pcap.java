package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * A capture in libpcap's format: a header, then records, in either byte order. Also the modified
 * format of routers, with longer record headers, and older files with the two lengths exchanged.
 */
final class Pcap implements PacketSource {
    /** The magic number of a file with times in microseconds. */
    static final int MICROSECONDS = 0xA1B2C3D4;

    /** The magic number of a file with times in nanoseconds. */
    static final int NANOSECONDS = 0xA1B23C4D;

    /** The magic number of a file whose records also have an interface, a protocol and a type. */
    static final int MODIFIED = 0xA1B2CD34;

    private static final int LINK_OFFSET = 20;

    /**
     * Possible lengths of record headers, the standard one first. Red Hat, Nokia and SuSE wrote the
     * others with the same magic number.
     */
    private static final int[] HEADER_BYTES = {16, 24, 20};

    private static final int[] MODIFIED_HEADER_BYTES = {24, 28};

    /** Bytes of a file that are examined to find the length of record headers. */
    private static final int EXAMINED_BYTES = 4096;

    /** This many consecutive valid records are not a coincidence. */
    private static final int MIN_RECORDS = 4;

    private static final int MAX_PLAUSIBLE_BYTES = 1 << 24;

    /** Flag that the highest four bits are the length of each frame's check sequence. */
    private static final int HAS_CHECK_SEQUENCE = 0x0400_0000;

    private final CaptureInput in;
    private final ByteOrder order;
    private final int fraction;
    private final int link;
    private final int checkSequence;
    private final int minor;
    private final byte[] header;

    /** Whether a file that begins with this number, big endian, has this format. */
    static boolean recognises(int magic) {
        return isMagic(magic) || isMagic(Integer.reverseBytes(magic));
    }

    private static boolean isMagic(int magic) {
        return magic == MICROSECONDS || magic == NANOSECONDS || magic == MODIFIED;
    }

    Pcap(CaptureInput in) throws IOException {
        this.in = in;
        ByteBuffer file = in.readBuffer(24, ByteOrder.BIG_ENDIAN, "the file header");
        order = isMagic(file.getInt(0)) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        file.order(order);
        int magic = file.getInt();
        fraction = magic == NANOSECONDS ? 1 : 1000;
        int major = file.getShort();
        minor = file.getShort();
        if (major != 2) {
            throw new CaptureException(
                    4, "pcap version " + major + " is not supported, only version 2");
        }
        int field = file.getInt(LINK_OFFSET);
        link = field & 0xFFFF;
        checkSequence = (field & HAS_CHECK_SEQUENCE) != 0 ? (field >>> 28) * 2 : 0;
        if (!LinkType.isKnown(link)) {
            throw new CaptureException(LINK_OFFSET, LinkType.unknown(link));
        }
        header = new byte[headerBytes(magic == MODIFIED ? MODIFIED_HEADER_BYTES : HEADER_BYTES)];
    }

    /** The standard length, unless the first records are valid only with another one. */
    private int headerBytes(int[] lengths) throws IOException {
        ByteBuffer examined =
                ByteBuffer.wrap(in.peekAvailable(EXAMINED_BYTES).toArray()).order(order);
        return Arrays.stream(lengths)
                .filter(length -> areValidRecords(examined, length, length == lengths[0]))
                .findFirst()
                .orElse(lengths[0]);
    }

    private boolean areValidRecords(ByteBuffer examined, int headerBytes, boolean isStandard) {
        long at = 0;
        int records = 0;
        while (at + headerBytes <= examined.limit()) {
            int record = (int) at;
            long part = Integer.toUnsignedLong(examined.getInt(record + 4));
            long captured = Integer.toUnsignedLong(examined.getInt(record + 8));
            long length = Integer.toUnsignedLong(examined.getInt(record + 12));
            if (part * fraction >= 1_000_000_000L
                    || captured > Packet.MAX_BYTES
                    || captured > length
                    || length > MAX_PLAUSIBLE_BYTES) {
                return false;
            }
            at += headerBytes + captured;
            records++;
        }
        return isStandard || at == examined.limit() || records >= MIN_RECORDS;
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
        // Files of version 2.3 have either order.
        if (minor < 3 || minor == 3 && captured > length) {
            long exchanged = captured;
            captured = length;
            length = exchanged;
        }
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
