package dev.wishdir.inspect;

import static dev.wishdir.inspect.Octets.tail;
import static dev.wishdir.inspect.Octets.u16;
import static dev.wishdir.inspect.Octets.u16le;
import static dev.wishdir.inspect.Octets.u32;
import static dev.wishdir.inspect.Octets.u32le;
import static dev.wishdir.inspect.Octets.u8;

import dev.wishdir.wire.Bytes;

import java.util.ArrayList;
import java.util.List;

/** Removes the headers of IEEE 802.11 data frames, and a radiotap header before them. */
final class Wifi {
    private static final int ADDRESSES = 24;
    private static final int SUBFRAME = 14;

    /** Bits of a frame's second octet. */
    private static final int TO_AND_FROM_DISTRIBUTION = 0x03;

    private static final int PROTECTED = 0x40;
    private static final int HIGH_THROUGHPUT = 0x80;

    /** Presence bit of the radiotap field before the flags. */
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
     * @param padded whether the data is aligned to four octets
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
            at = decryptedData(frame, at, aggregate);
            if (at < 0) {
                return new Layer.End(SkipReason.ENCRYPTED);
            }
        }
        Bytes data = tail(frame, at);
        return aggregate ? new Layer.Several(subframes(data)) : new Layer.Link(LinkType.LLC, data);
    }

    /**
     * The offset of the data of a protected frame that the network card has decrypted, which may
     * still contain the initialisation vector of WEP or WPA; -1 if it is encrypted.
     */
    private static int decryptedData(Bytes frame, int at, boolean aggregate) {
        for (int vector : new int[] {0, 4, 8}) {
            if (isSnap(frame, at + vector + (aggregate ? SUBFRAME : 0))) {
                return at + vector;
            }
        }
        return -1;
    }

    /** The parts of an A-MSDU: two addresses, a length and data each, aligned to four octets. */
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

    /** Whether data begins with LLC and SNAP with an EtherType. */
    private static boolean isSnap(Bytes data, int at) {
        return u16(data, at) == 0xAAAA && u32(data, at + 2) >> 8 == 0x030000;
    }
}
