package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * A capture in libpcap's own format: a header, then records; in either byte order. Also its
 * relative with longer records, which routers write, and the older ones with their two lengths
 * exchanged.
 */
final class Pcap implements PacketSource {
    /** The magic number of a file whose clock counts microseconds. */
    static final int MICROSECONDS = 0xA1B2C3D4;

    /** The magic number of a file whose clock counts nanoseconds. */
    static final int NANOSECONDS = 0xA1B23C4D;

    /** The magic number of a file whose records also have an interface, a protocol and a kind. */
    static final int MODIFIED = 0xA1B2CD34;

    private static final int LINK_OFFSET = 20;

    /**
     * The lengths of a record's header, the usual one first: besides the one of its magic number,
     * those that Red Hat, Nokia and SuSE wrote without saying so.
     */
    private static final int[] HEADER_BYTES = {16, 24, 20};

    private static final int[] MODIFIED_HEADER_BYTES = {24, 28};

    /** What the length of the headers is judged by. */
    private static final int LOOKED_AT_BYTES = 4096;

    /** So many records that follow one another do so by no accident. */
    private static final int MIN_RECORDS = 4;

    private static final int MAX_PLAUSIBLE_BYTES = 1 << 24;

    /** Set where the highest four bits are the length of each frame's check sequence. */
    private static final int HAS_CHECK_SEQUENCE = 0x0400_0000;

    private final CaptureInput in;
    private final ByteOrder order;
    private final int fraction;
    private final int link;
    private final int checkSequence;
    private final int minor;
    private final byte[] header;

    /** Whether a file that begins with these bytes, high first, is of this format. */
    static boolean recognises(int magic) {
        return isMagic(magic) || isMagic(Integer.reverseBytes(magic));
    }

    private static boolean isMagic(int magic) {
        return magic == MICROSECONDS || magic == NANOSECONDS || magic == MODIFIED;
    }

    Pcap(CaptureInput in) throws IOException {
        this.in = in;
        ByteBuffer file = in.numbers(24, ByteOrder.BIG_ENDIAN, "the file header");
        order = isMagic(file.getInt(0)) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        file.order(order);
        int magic = file.getInt();
        fraction = magic == NANOSECONDS ? 1 : 1000;
        int major = file.getShort();
        minor = file.getShort();
        if (major != 2) {
            throw new CaptureException(4, "pcap version " + major + " is not known");
        }
        int field = file.getInt(LINK_OFFSET);
        link = field & 0xFFFF;
        checkSequence = (field & HAS_CHECK_SEQUENCE) != 0 ? (field >>> 28) * 2 : 0;
        if (!LinkType.isKnown(link)) {
            throw new CaptureException(LINK_OFFSET, LinkType.unknown(link));
        }
        header = new byte[headerBytes(magic == MODIFIED ? MODIFIED_HEADER_BYTES : HEADER_BYTES)];
    }

    /** The usual length unless the records that are there follow one another with another one. */
    private int headerBytes(int[] lengths) throws IOException {
        ByteBuffer seen = ByteBuffer.wrap(in.peekAvailable(LOOKED_AT_BYTES).toArray()).order(order);
        return Arrays.stream(lengths)
                .filter(length -> follow(seen, length, length == lengths[0]))
                .findFirst()
                .orElse(lengths[0]);
    }

    private boolean follow(ByteBuffer seen, int headerBytes, boolean usual) {
        long at = 0;
        int records = 0;
        while (at + headerBytes <= seen.limit()) {
            int record = (int) at;
            long part = Integer.toUnsignedLong(seen.getInt(record + 4));
            long captured = Integer.toUnsignedLong(seen.getInt(record + 8));
            long length = Integer.toUnsignedLong(seen.getInt(record + 12));
            if (part * fraction >= 1_000_000_000L
                    || captured > Packet.MAX_BYTES
                    || captured > length
                    || length > MAX_PLAUSIBLE_BYTES) {
                return false;
            }
            at += headerBytes + captured;
            records++;
        }
        return usual || at == seen.limit() || records >= MIN_RECORDS;
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
        // Version 2.3 is written both ways.
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
                            + " bytes, more than the "
                            + Packet.MAX_BYTES
                            + " of the largest packet");
        }
        return Optional.of(
                Packet.of(
                        seconds * 1_000_000_000L + rest * fraction,
                        link,
                        Bytes.wrap(in.bytes((int) captured, "a record")),
                        length,
                        checkSequence));
    }
}
