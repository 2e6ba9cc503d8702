package dev.wishdir.inspect;

import static dev.wishdir.inspect.Octets.u16;
import static dev.wishdir.inspect.Octets.u32le;
import static dev.wishdir.inspect.Octets.u8;

import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.util.Optional;

/**
 * A capture in Endace's extensible record format: records without a file header. Records of other
 * types than Ethernet, IP and PPP count as not IP.
 */
final class Erf implements PacketSource {
    /** Bytes of a file that are needed to recognise it, which are two record headers. */
    static final int RECOGNITION_BYTES = 65_535 + 16;

    private static final int HEADER_BYTES = 16;
    private static final int MAX_TYPE = 48;
    private static final long MIN_TIME_SECONDS = 946_684_800;
    private static final long MAX_GAP_SECONDS = 86_400;
    private static final int UNKNOWN_LINK = -1;

    private final CaptureInput in;
    private final byte[] header = new byte[HEADER_BYTES];

    Erf(CaptureInput in) {
        this.in = in;
    }

    /** Whether a file begins with two records, or consists of one. */
    static boolean recognises(Bytes start) {
        int length = u16(start, 10);
        return isHeader(start)
                && (start.length() == length
                        || isHeader(Octets.tail(start, length))
                                && Math.abs(seconds(Octets.tail(start, length)) - seconds(start))
                                        < MAX_GAP_SECONDS);
    }

    private static boolean isHeader(Bytes record) {
        int type = u8(record, 8) & 0x7F;
        return record.length() >= HEADER_BYTES
                && seconds(record) > MIN_TIME_SECONDS
                && type > 0
                && type <= MAX_TYPE
                && (u8(record, 9) & 0xC0) == 0
                && u16(record, 10) >= HEADER_BYTES;
    }

    private static long seconds(Bytes record) {
        return u32le(record, 4);
    }

    @Override
    public Optional<Packet> next() throws IOException {
        long start = in.position();
        if (!in.readHeader(header, "a record header")) {
            return Optional.empty();
        }
        Bytes record = Bytes.copyOf(header, 0, HEADER_BYTES);
        int length = u16(record, 10) - HEADER_BYTES;
        if (length < 0) {
            throw new CaptureException(start, "a record is shorter than its header");
        }
        Bytes content = Bytes.wrap(in.readBytes(length, "a record"));
        int at = 0;
        int type = u8(record, 8);
        for (int extension = type; (extension & 0x80) != 0 && at < length; at += 8) {
            extension = u8(content, at);
        }
        int link = link(type & 0x7F);
        if (link == LinkType.ETHERNET) {
            at += 2;
        }
        int wire = u16(record, 14);
        Bytes data = Octets.tail(content, at);
        return Optional.of(
                Packet.of(
                        seconds(record) * 1_000_000_000L
                                + (u32le(record, 0) * 1_000_000_000L >>> Integer.SIZE),
                        link,
                        data.slice(0, Math.min(wire, data.length())),
                        wire,
                        0));
    }

    private static int link(int type) {
        return switch (type) {
            case 1, 10, 15, 19 -> LinkType.PPP_HDLC;
            case 2, 11, 16, 20 -> LinkType.ETHERNET;
            case 22 -> LinkType.IPV4;
            case 23 -> LinkType.IPV6;
            default -> UNKNOWN_LINK;
        };
    }
}
