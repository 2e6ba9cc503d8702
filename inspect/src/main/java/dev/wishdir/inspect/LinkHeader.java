package dev.wishdir.inspect;

import static dev.wishdir.inspect.Octets.tail;
import static dev.wishdir.inspect.Octets.u16;
import static dev.wishdir.inspect.Octets.u16le;
import static dev.wishdir.inspect.Octets.u32;
import static dev.wishdir.inspect.Octets.u32le;
import static dev.wishdir.inspect.Octets.u8;

import dev.wishdir.wire.Bytes;

/**
 * Removes the header of a link type from a packet. The header is followed by an IP packet, a
 * payload with an EtherType, or a frame of another link type.
 */
final class LinkHeader {
    /** The ARP hardware type of a Linux interface whose packets have a radiotap header. */
    private static final int HARDWARE_RADIOTAP = 803;

    /** The ARP hardware type of a Linux interface in monitor mode. */
    private static final int HARDWARE_WIFI = 801;

    private static final int NFLOG_PAYLOAD = 9;

    private static final long AVS_MAGIC = 0x8021_1000L;

    private LinkHeader() {}

    /** The layer inside a frame. */
    static Layer inside(int link, Bytes frame) {
        return switch (link) {
            case LinkType.ETHERNET -> EtherHeader.frame(frame, 12);
            case LinkType.LINUX_COOKED -> cooked(u16(frame, 2), u16(frame, 14), tail(frame, 16));
            case LinkType.LINUX_COOKED_2 -> cooked(u16(frame, 8), u16(frame, 0), tail(frame, 20));
            // An address family, in the byte order and with the numbers of the capturing system.
            case LinkType.BSD_LOOPBACK, LinkType.OPENBSD_LOOPBACK -> Layer.ip(frame, 4);
            case LinkType.RAW,
                    LinkType.RAW_BSD,
                    LinkType.RAW_OPENBSD,
                    LinkType.IPV4,
                    LinkType.IPV6 ->
                    Layer.ip(frame, 0);
            case LinkType.OPENBSD_ENC -> Layer.ip(frame, 12);
            case LinkType.SOLARIS_IPNET -> Layer.ip(frame, 24);
            case LinkType.OPENBSD_PFLOG -> Layer.ip(frame, Math.max(0, u8(frame, 0)) + 3 & ~3);
            case LinkType.NFLOG -> nflog(frame);
            case LinkType.PPP, LinkType.PPP_HDLC -> ppp(frame);
            case LinkType.PPP_WITH_DIRECTION -> ppp(tail(frame, 1));
            case LinkType.PPP_PPPD -> ppp(tail(frame, u16(frame, 1) == 0xFF03 ? 1 : 2));
            case LinkType.PPPOE -> EtherHeader.pppoe(frame);
            case LinkType.CISCO_HDLC -> new Layer.Typed(u16(frame, 2), tail(frame, 4));
            case LinkType.CISCO_HDLC_WITH_DIRECTION ->
                    new Layer.Link(LinkType.CISCO_HDLC, tail(frame, 1));
            case LinkType.FRAME_RELAY -> frameRelay(frame);
            case LinkType.LLC -> llc(frame);
            case LinkType.SUN_ATM -> new Layer.Link(LinkType.LLC, tail(frame, 4));
            case LinkType.FIREWIRE_IP -> new Layer.Typed(u16(frame, 16), tail(frame, 18));
            case LinkType.INFINIBAND_IP -> new Layer.Typed(u16(frame, 40), tail(frame, 44));
            case LinkType.WIFI -> Wifi.frame(frame, false);
            case LinkType.WIFI_RADIOTAP -> Wifi.radiotap(frame);
            case LinkType.WIFI_PRISM -> prism(frame);
            case LinkType.WIFI_AVS -> wifiBehind(frame, u32(frame, 4));
            case LinkType.PPI ->
                    new Layer.Link((int) u32le(frame, 4), behind(frame, u16le(frame, 2)));
            case LinkType.APPLE_PKTAP ->
                    new Layer.Link((int) u32le(frame, 8), behind(frame, u32le(frame, 0)));
            case LinkType.NETANALYZER -> new Layer.Link(LinkType.ETHERNET, tail(frame, 4));
            case LinkType.NETANALYZER_PREAMBLE ->
                    new Layer.Link(LinkType.ETHERNET, tail(frame, 12));
            case LinkType.ETHERNET_PREAMBLE -> new Layer.Link(LinkType.ETHERNET, tail(frame, 8));
            case LinkType.SWITCH_TAG_BROADCOM, LinkType.SWITCH_TAG_MARVELL ->
                    EtherHeader.frame(frame, 16);
            case LinkType.SWITCH_TAG_MARVELL_LONG -> EtherHeader.frame(frame, 20);
            case LinkType.SWITCH_TAG_BROADCOM_PREPENDED ->
                    new Layer.Link(LinkType.ETHERNET, tail(frame, 4));
            default -> Layer.NOT_IP;
        };
    }

    /** The rest after a header with its own length; empty if the length is impossible. */
    private static Bytes behind(Bytes frame, long length) {
        return length < 8 ? Bytes.EMPTY : tail(frame, length);
    }

    private static Layer wifiBehind(Bytes frame, long length) {
        return new Layer.Link(LinkType.WIFI, behind(frame, length));
    }

    private static Layer cooked(int hardware, int type, Bytes data) {
        return switch (hardware) {
            case HARDWARE_RADIOTAP -> new Layer.Link(LinkType.WIFI_RADIOTAP, data);
            case HARDWARE_WIFI -> new Layer.Link(LinkType.WIFI, data);
            default -> new Layer.Typed(type, data);
        };
    }

    /** A Prism header, in the byte order of the capturing system, or an AVS header in its place. */
    private static Layer prism(Bytes frame) {
        if ((u32(frame, 0) & 0xFFFF_F000L) == AVS_MAGIC) {
            return wifiBehind(frame, u32(frame, 4));
        }
        return wifiBehind(frame, Math.min(u32le(frame, 4), u32(frame, 4)));
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

    /** PPP, with or without its HDLC framing (RFC 1661, 1662). */
    private static Layer ppp(Bytes frame) {
        int first = u8(frame, 0);
        if (first == 0x0F || first == 0x8F) {
            return new Layer.Link(LinkType.CISCO_HDLC, frame);
        }
        int at = first == 0xFF && u8(frame, 1) == 0x03 ? 2 : 0;
        int octets = (u8(frame, at) & 1) != 0 ? 1 : 2;
        int protocol = octets == 1 ? u8(frame, at) : u16(frame, at);
        Bytes data = tail(frame, at + octets);
        return switch (protocol) {
            case 0x21 -> new Layer.Typed(EtherType.IPV4, data);
            case 0x57 -> new Layer.Typed(EtherType.IPV6, data);
            case 0x281, 0x283 -> new Layer.Typed(EtherType.MPLS, data);
            // Bridged (RFC 3518): flags and the MAC type.
            case 0x31 -> new Layer.Link(LinkType.ETHERNET, tail(data, 2));
            // Multilink (RFC 1990): an unfragmented packet, with numbers of four octets.
            case 0x3D ->
                    u8(data, 0) >> 6 == 3
                            ? new Layer.Link(LinkType.PPP, tail(data, 4))
                            : Layer.NOT_IP;
            default -> Layer.NOT_IP;
        };
    }

    /** RFC 2427 after an address of two octets or more, or Cisco's EtherType. */
    private static Layer frameRelay(Bytes frame) {
        int at = 0;
        while (at < 4 && (u8(frame, at) & 1) == 0) {
            at++;
        }
        at++;
        if (u8(frame, at) != 0x03) {
            return new Layer.Typed(u16(frame, at), tail(frame, at + 2));
        }
        int pad = u8(frame, at + 1) == 0 ? 1 : 0;
        int id = u8(frame, at + 1 + pad);
        return id == 0x80
                ? snap(tail(frame, at + 2 + pad), 0)
                : networkLayerId(id, tail(frame, at + 2 + pad));
    }

    private static Layer networkLayerId(int id, Bytes data) {
        return switch (id) {
            case 0xCC -> new Layer.Typed(EtherType.IPV4, data);
            case 0x8E -> new Layer.Typed(EtherType.IPV6, data);
            case 0xCF -> new Layer.Link(LinkType.PPP, data);
            default -> Layer.NOT_IP;
        };
    }

    /** Logical link control (IEEE 802.2): SNAP, or IP with its own number. */
    private static Layer llc(Bytes data) {
        if (u8(data, 2) != 0x03) {
            return Layer.NOT_IP;
        }
        return switch (u16(data, 0)) {
            case 0xAAAA -> snap(tail(data, 3), 2);
            case 0x0606 -> new Layer.Typed(EtherType.IPV4, tail(data, 3));
            case 0xFEFE -> networkLayerId(u8(data, 3), tail(data, 4));
            default -> Layer.NOT_IP;
        };
    }

    /**
     * @param pad octets before a bridged frame
     */
    private static Layer snap(Bytes data, int pad) {
        int organisation = u8(data, 0) << 16 | u16(data, 1);
        int type = u16(data, 3);
        return switch (organisation) {
            case 0x000000, 0x0000F8 -> new Layer.Typed(type, tail(data, 5));
            case 0x0080C2 ->
                    type == 1 || type == 7
                            ? new Layer.Link(LinkType.ETHERNET, tail(data, 5 + pad))
                            : Layer.NOT_IP;
            default -> Layer.NOT_IP;
        };
    }
}
