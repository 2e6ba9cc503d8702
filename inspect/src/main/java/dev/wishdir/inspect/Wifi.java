package dev.wishdir.inspect;

import static dev.wishdir.inspect.Octets.tail;
import static dev.wishdir.inspect.Octets.u16;
import static dev.wishdir.inspect.Octets.u16le;
import static dev.wishdir.inspect.Octets.u32le;
import static dev.wishdir.inspect.Octets.u8;

import dev.wishdir.wire.Bytes;

import java.util.ArrayList;
import java.util.List;

/** Takes the headers of IEEE 802.11 off a data frame, and radiotap's before it. */
final class Wifi {
    private static final int ADDRESSES = 24;
    private static final int SUBFRAME = 14;

    /** Bits of a frame's second octet. */
    private static final int TO_AND_FROM_DISTRIBUTION = 0x03;

    private static final int PROTECTED = 0x40;
    private static final int HIGH_THROUGHPUT = 0x80;

    /** Fields of radiotap that come before the flags, by their bits, and a bit of the flags. */
    private static final int RADIOTAP_TIME = 1;

    private static final int RADIOTAP_FLAGS = 2;
    private static final int RADIOTAP_PADDED = 0x20;

    private Wifi() {}

    static Layer radiotap(Bytes packet) {
        int length = u16le(packet, 2);
        if (length < 8) {
            return Layer.NOT_IP;
        }
        long present = u32le(packet, 4);
        int at = 8;
        while (at < length && u32le(packet, at - 4) >> 31 == 1) {
            at += 4;
        }
        if ((present & RADIOTAP_TIME) != 0) {
            at = (at + 7 & ~7) + 8;
        }
        boolean padded =
                (present & RADIOTAP_FLAGS) != 0
                        && at < length
                        && (u8(packet, at) & RADIOTAP_PADDED) != 0;
        return frame(tail(packet, length), padded);
    }

    /**
     * @param padded whether the data begins at a multiple of four octets
     */
    static Layer frame(Bytes frame, boolean padded) {
        int control = u8(frame, 0);
        int flags = u8(frame, 1);
        // A data frame of version 0, and not of a kind without data.
        if (control < 0 || (control & 0x4F) != 0x08) {
            return Layer.NOT_IP;
        }
        int at = ADDRESSES;
        if ((flags & TO_AND_FROM_DISTRIBUTION) == TO_AND_FROM_DISTRIBUTION) {
            at += 6;
        }
        boolean aggregate = false;
        if ((control & 0x80) != 0) {
            aggregate = (u8(frame, at) & 0x80) != 0;
            at += (flags & HIGH_THROUGHPUT) != 0 ? 6 : 2;
        }
        if (padded) {
            at = at + 3 & ~3;
        }
        if ((flags & PROTECTED) != 0) {
            at = plain(frame, at, aggregate);
            if (at < 0) {
                return new Layer.End(CaptureReader.Skipped.ENCRYPTED);
            }
        }
        Bytes data = tail(frame, at);
        return aggregate ? new Layer.Several(subframes(data)) : new Layer.Link(LinkType.LLC, data);
    }

    /**
     * Where the data of a protected frame begins if the card has decrypted it: it may have left the
     * initialisation vector of WEP, or of WPA; -1 if it has not.
     */
    private static int plain(Bytes frame, int at, boolean aggregate) {
        for (int vector : new int[] {0, 4, 8}) {
            if (LinkType.isSnap(frame, at + vector + (aggregate ? SUBFRAME : 0))) {
                return at + vector;
            }
        }
        return -1;
    }

    /** An A-MSDU: two addresses, a length and data each, at multiples of four octets. */
    private static List<Layer> subframes(Bytes data) {
        List<Layer> parts = new ArrayList<>();
        for (int at = 0; at + SUBFRAME < data.length(); ) {
            int length = u16(data, at + 12);
            if (at + SUBFRAME + length > data.length()) {
                break;
            }
            parts.add(new Layer.Link(LinkType.LLC, data.slice(at + SUBFRAME, length)));
            at += SUBFRAME + length + 3 & ~3;
        }
        return parts;
    }
}
