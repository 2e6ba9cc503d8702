package dev.wishdir.inspect.link;

import static dev.wishdir.inspect.link.Octets.tail;
import static dev.wishdir.inspect.link.Octets.u16;
import static dev.wishdir.inspect.link.Octets.u16le;
import static dev.wishdir.inspect.link.Octets.u32le;

import dev.wishdir.wire.Bytes;

/** Removes the headers before an IP packet: those of link types, VLAN tags and PPPoE. */
public final class LinkHeader {
    private static final int NFLOG_PAYLOAD = 9;
    private static final int PPPOE_SESSION = 0x8864;
    private static final int PPP_IPV4 = 0x21;
    private static final int PPP_IPV6 = 0x57;

    private LinkHeader() {}

    /** The layer inside a frame. */
    public static Layer inside(int link, Bytes frame) {
        return switch (link) {
            case LinkType.ETHERNET -> new Layer.Typed(u16(frame, 12), tail(frame, 14));
            case LinkType.LINUX_COOKED -> new Layer.Typed(u16(frame, 14), tail(frame, 16));
            case LinkType.LINUX_COOKED_2 -> new Layer.Typed(u16(frame, 0), tail(frame, 20));
            // An address family, in the byte order and with the numbers of the capturing system.
            case LinkType.BSD_LOOPBACK, LinkType.OPENBSD_LOOPBACK -> Layer.ip(frame, 4);
            case LinkType.RAW,
                    LinkType.RAW_BSD,
                    LinkType.RAW_OPENBSD,
                    LinkType.IPV4,
                    LinkType.IPV6 ->
                    Layer.ip(frame, 0);
            case LinkType.NFLOG -> nflog(frame);
            case LinkType.APPLE_PKTAP ->
                    new Layer.Link((int) u32le(frame, 8), behind(frame, u32le(frame, 0)));
            default -> Layer.UNSUPPORTED;
        };
    }

    /** The layer inside a header whose EtherType is not IP. */
    static Layer insideTyped(int etherType, Bytes data) {
        return switch (etherType) {
            // VLAN tags: IEEE 802.1Q, 802.1ad, and its predecessors.
            case 0x8100, 0x88A8, 0x9100, 0x9200, 0x9300 ->
                    new Layer.Typed(u16(data, 2), tail(data, 4));
            case PPPOE_SESSION -> pppoe(data);
            default -> Layer.NOT_IP;
        };
    }

    /** RFC 2516: version, type, code, session, length; then PPP's protocol (RFC 1661). */
    private static Layer pppoe(Bytes data) {
        if (u16(data, 0) != 0x1100) {
            return Layer.NOT_IP;
        }
        return switch (u16(data, 6)) {
            case PPP_IPV4 -> new Layer.Typed(Layer.Typed.IPV4, tail(data, 8));
            case PPP_IPV6 -> new Layer.Typed(Layer.Typed.IPV6, tail(data, 8));
            default -> Layer.NOT_IP;
        };
    }

    /** The rest after a header with its own length; empty if the length is impossible. */
    private static Bytes behind(Bytes frame, long length) {
        return length < 8 ? Bytes.EMPTY : tail(frame, length);
    }

    /**
     * A packet from netfilter's log: a family, then attributes in the capturing system's byte
     * order.
     */
    private static Layer nflog(Bytes packet) {
        Layer layer = nflog(packet, false);
        return layer.equals(Layer.NOT_IP) ? nflog(packet, true) : layer;
    }

    private static Layer nflog(Bytes packet, boolean bigEndian) {
        int at = 4;
        while (at < packet.length()) {
            int length = bigEndian ? u16(packet, at) : u16le(packet, at);
            int type = bigEndian ? u16(packet, at + 2) : u16le(packet, at + 2);
            if (length < 4 || at + length > packet.length()) {
                break;
            }
            if ((type & 0x7FFF) == NFLOG_PAYLOAD) {
                return Layer.ip(packet.slice(at + 4, length - 4), 0);
            }
            at += length + 3 & ~3;
        }
        return Layer.NOT_IP;
    }
}
