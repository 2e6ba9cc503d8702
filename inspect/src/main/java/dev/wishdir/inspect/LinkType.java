package dev.wishdir.inspect;

import static dev.wishdir.inspect.Octets.tail;
import static dev.wishdir.inspect.Octets.u16;
import static dev.wishdir.inspect.Octets.u16le;
import static dev.wishdir.inspect.Octets.u32;
import static dev.wishdir.inspect.Octets.u32le;
import static dev.wishdir.inspect.Octets.u8;

import dev.wishdir.wire.Bytes;

/**
 * Removes the header of a link type from a packet. The numbers are those of the registry of link
 * types (the IETF's draft-ietf-opsawg-pcaplinktype). The header is followed by an IP packet, a
 * payload with an EtherType, or a frame of another link type.
 */
final class LinkType {
    static final int BSD_LOOPBACK = 0;
    static final int ETHERNET = 1;
    static final int PPP = 9;
    static final int RAW_BSD = 12;
    static final int RAW_OPENBSD = 14;
    static final int PPP_HDLC = 50;
    static final int PPPOE = 51;

    /** RFC 2684: LLC and SNAP, also without ATM. */
    static final int LLC = 100;

    static final int RAW = 101;
    static final int CISCO_HDLC = 104;
    static final int WIFI = 105;
    static final int FRAME_RELAY = 107;
    static final int OPENBSD_LOOPBACK = 108;
    static final int OPENBSD_ENC = 109;
    static final int LINUX_COOKED = 113;
    static final int OPENBSD_PFLOG = 117;
    static final int WIFI_PRISM = 119;
    static final int SUN_ATM = 123;
    static final int WIFI_RADIOTAP = 127;
    static final int FIREWIRE_IP = 138;
    static final int WIFI_AVS = 163;
    static final int PPP_PPPD = 166;
    static final int PPI = 192;
    static final int PPP_WITH_DIRECTION = 204;
    static final int CISCO_HDLC_WITH_DIRECTION = 205;
    static final int SOLARIS_IPNET = 226;
    static final int IPV4 = 228;
    static final int IPV6 = 229;
    static final int NFLOG = 239;
    static final int NETANALYZER = 240;
    static final int NETANALYZER_PREAMBLE = 241;
    static final int INFINIBAND_IP = 242;
    static final int APPLE_PKTAP = 258;
    static final int ETHERNET_PREAMBLE = 274;
    static final int LINUX_COOKED_2 = 276;
    static final int SWITCH_TAG_BROADCOM = 281;
    static final int SWITCH_TAG_BROADCOM_PREPENDED = 282;
    static final int SWITCH_TAG_MARVELL = 283;
    static final int SWITCH_TAG_MARVELL_LONG = 284;

    /** The ARP hardware type of a Linux interface whose packets have a radiotap header. */
    private static final int HARDWARE_RADIOTAP = 803;

    /** The ARP hardware type of a Linux interface in monitor mode. */
    private static final int HARDWARE_WIFI = 801;

    private static final int NFLOG_PAYLOAD = 9;

    private static final long AVS_MAGIC = 0x8021_1000L;

    private LinkType() {}

    static boolean isKnown(int link) {
        return switch (link) {
            case BSD_LOOPBACK,
                    ETHERNET,
                    PPP,
                    RAW_BSD,
                    RAW_OPENBSD,
                    PPP_HDLC,
                    PPPOE,
                    LLC,
                    RAW,
                    CISCO_HDLC,
                    WIFI,
                    FRAME_RELAY,
                    OPENBSD_LOOPBACK,
                    OPENBSD_ENC,
                    LINUX_COOKED,
                    OPENBSD_PFLOG,
                    WIFI_PRISM,
                    SUN_ATM,
                    WIFI_RADIOTAP,
                    FIREWIRE_IP,
                    WIFI_AVS,
                    PPP_PPPD,
                    PPI,
                    PPP_WITH_DIRECTION,
                    CISCO_HDLC_WITH_DIRECTION,
                    SOLARIS_IPNET,
                    IPV4,
                    IPV6,
                    NFLOG,
                    NETANALYZER,
                    NETANALYZER_PREAMBLE,
                    INFINIBAND_IP,
                    APPLE_PKTAP,
                    ETHERNET_PREAMBLE,
                    LINUX_COOKED_2,
                    SWITCH_TAG_BROADCOM,
                    SWITCH_TAG_BROADCOM_PREPENDED,
                    SWITCH_TAG_MARVELL,
                    SWITCH_TAG_MARVELL_LONG ->
                    true;
            default -> false;
        };
    }

    static String unknown(int link) {
        return "link type "
                + link
                + " is not supported; supported are Ethernet, Wi-Fi, PPP, Linux cooked, raw IP,"
                + " loopback, NFLOG and others, see docs/inspect.md";
    }

    /** The layer inside a frame. */
    static Layer inside(int link, Bytes frame) {
        return switch (link) {
            case ETHERNET -> EtherType.frame(frame, 12);
            case LINUX_COOKED -> cooked(u16(frame, 2), u16(frame, 14), tail(frame, 16));
            case LINUX_COOKED_2 -> cooked(u16(frame, 8), u16(frame, 0), tail(frame, 20));
            // An address family, in the byte order and with the numbers of the capturing system.
            case BSD_LOOPBACK, OPENBSD_LOOPBACK -> ip(frame, 4);
            case RAW, RAW_BSD, RAW_OPENBSD, IPV4, IPV6 -> ip(frame, 0);
            case OPENBSD_ENC -> ip(frame, 12);
            case SOLARIS_IPNET -> ip(frame, 24);
            case OPENBSD_PFLOG -> ip(frame, Math.max(0, u8(frame, 0)) + 3 & ~3);
            case NFLOG -> nflog(frame);
            case PPP, PPP_HDLC -> ppp(frame);
            case PPP_WITH_DIRECTION -> ppp(tail(frame, 1));
            case PPP_PPPD -> ppp(tail(frame, u16(frame, 1) == 0xFF03 ? 1 : 2));
            case PPPOE -> EtherType.pppoe(frame);
            case CISCO_HDLC -> new Layer.Typed(u16(frame, 2), tail(frame, 4));
            case CISCO_HDLC_WITH_DIRECTION -> new Layer.Link(CISCO_HDLC, tail(frame, 1));
            case FRAME_RELAY -> frameRelay(frame);
            case LLC -> llc(frame);
            case SUN_ATM -> new Layer.Link(LLC, tail(frame, 4));
            case FIREWIRE_IP -> new Layer.Typed(u16(frame, 16), tail(frame, 18));
            case INFINIBAND_IP -> new Layer.Typed(u16(frame, 40), tail(frame, 44));
            case WIFI -> Wifi.frame(frame, false);
            case WIFI_RADIOTAP -> Wifi.radiotap(frame);
            case WIFI_PRISM -> prism(frame);
            case WIFI_AVS -> wifiBehind(frame, u32(frame, 4));
            case PPI -> new Layer.Link((int) u32le(frame, 4), behind(frame, u16le(frame, 2)));
            case APPLE_PKTAP ->
                    new Layer.Link((int) u32le(frame, 8), behind(frame, u32le(frame, 0)));
            case NETANALYZER -> new Layer.Link(ETHERNET, tail(frame, 4));
            case NETANALYZER_PREAMBLE -> new Layer.Link(ETHERNET, tail(frame, 12));
            case ETHERNET_PREAMBLE -> new Layer.Link(ETHERNET, tail(frame, 8));
            case SWITCH_TAG_BROADCOM, SWITCH_TAG_MARVELL -> EtherType.frame(frame, 16);
            case SWITCH_TAG_MARVELL_LONG -> EtherType.frame(frame, 20);
            case SWITCH_TAG_BROADCOM_PREPENDED -> new Layer.Link(ETHERNET, tail(frame, 4));
            default -> Layer.NOT_IP;
        };
    }

    /** An IP packet, of the version in its first four bits. */
    static Layer ip(Bytes data, int at) {
        return switch (u8(data, at) >> 4) {
            case 4 -> new Layer.Typed(EtherType.IPV4, tail(data, at));
            case 6 -> new Layer.Typed(EtherType.IPV6, tail(data, at));
            default -> Layer.NOT_IP;
        };
    }

    /** The rest after a header with its own length; empty if the length is impossible. */
    private static Bytes behind(Bytes frame, long length) {
        return length < 8 ? Bytes.EMPTY : tail(frame, length);
    }

    private static Layer wifiBehind(Bytes frame, long length) {
        return new Layer.Link(WIFI, behind(frame, length));
    }

    private static Layer cooked(int hardware, int type, Bytes data) {
        return switch (hardware) {
            case HARDWARE_RADIOTAP -> new Layer.Link(WIFI_RADIOTAP, data);
            case HARDWARE_WIFI -> new Layer.Link(WIFI, data);
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
                return ip(packet.slice(at + 4, length - 4), 0);
            }
            at += length + 3 & ~3;
        }
        return Layer.NOT_IP;
    }

    /** PPP, with or without its HDLC framing (RFC 1661, 1662). */
    private static Layer ppp(Bytes frame) {
        int first = u8(frame, 0);
        if (first == 0x0F || first == 0x8F) {
            return new Layer.Link(CISCO_HDLC, frame);
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
            case 0x31 -> new Layer.Link(ETHERNET, tail(data, 2));
            // Multilink (RFC 1990): an unfragmented packet, with numbers of four octets.
            case 0x3D -> u8(data, 0) >> 6 == 3 ? new Layer.Link(PPP, tail(data, 4)) : Layer.NOT_IP;
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
            case 0xCF -> new Layer.Link(PPP, data);
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
                            ? new Layer.Link(ETHERNET, tail(data, 5 + pad))
                            : Layer.NOT_IP;
            default -> Layer.NOT_IP;
        };
    }

    /** Whether data begins with LLC and SNAP with an EtherType. */
    static boolean isSnap(Bytes data, int at) {
        return u16(data, at) == 0xAAAA && u32(data, at + 2) >> 8 == 0x030000;
    }
}
