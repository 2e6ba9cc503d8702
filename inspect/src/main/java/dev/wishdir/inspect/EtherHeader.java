package dev.wishdir.inspect;

import static dev.wishdir.inspect.Octets.tail;
import static dev.wishdir.inspect.Octets.u16;
import static dev.wishdir.inspect.Octets.u8;

import dev.wishdir.wire.Bytes;

/** Removes the headers that an EtherType announces: VLAN tags, PPPoE, MPLS and others. */
final class EtherHeader {
    private static final int MAX_LENGTH = 1500;

    private EtherHeader() {}

    /**
     * Parses a frame with an EtherType, or with a length in its place (IEEE 802.3).
     *
     * @param at offset of the EtherType
     */
    static Layer frame(Bytes frame, int at) {
        int type = u16(frame, at);
        Bytes data = tail(frame, at + 2);
        return type >= 0 && type <= MAX_LENGTH
                ? new Layer.Link(LinkType.LLC, data.slice(0, Math.min(type, data.length())))
                : new Layer.Typed(type, data);
    }

    /** The layer inside a header whose EtherType is not IP. */
    static Layer inside(int type, Bytes data) {
        return switch (type) {
            // VLAN tags: IEEE 802.1Q, 802.1ad, and its predecessors.
            case 0x8100, 0x88A8, 0x9100, 0x9200, 0x9300 -> frame(data, 2);
            // Tags of bridges and switches: 802.1BR, VN-Tag, TrustSec; 802.1ah with a whole frame.
            case 0x893F, 0x8909 -> frame(data, 6);
            case 0x8926 -> frame(data, 4);
            case 0x88E7 -> new Layer.Link(LinkType.ETHERNET, tail(data, 4));
            case 0x88E5 -> macsec(data);
            case EtherType.MPLS, 0x8848 -> mpls(data);
            case 0x8864 -> pppoe(data);
            case EtherType.PPP -> new Layer.Link(LinkType.PPP, data);
            case EtherType.BRIDGED -> new Layer.Link(LinkType.ETHERNET, data);
            case EtherType.SERVICE_HEADER -> serviceHeader(data);
            // A length that was too large for its field; Linux's own number for LLC.
            case 0x8870, 4 -> new Layer.Link(LinkType.LLC, data);
            default -> Layer.NOT_IP;
        };
    }

    /** RFC 2516: version, type, code, session, length; then PPP. */
    static Layer pppoe(Bytes data) {
        return u16(data, 0) == 0x1100 ? new Layer.Link(LinkType.PPP, tail(data, 6)) : Layer.NOT_IP;
    }

    /** RFC 3032; after the last label IP, or an Ethernet frame (RFC 4448). */
    private static Layer mpls(Bytes data) {
        int at = 0;
        while ((u8(data, at + 2) & 1) == 0) {
            at += 4;
        }
        Layer ip = Layer.ip(data, at + 4);
        if (!ip.equals(Layer.NOT_IP)) {
            return ip;
        }
        // A control word begins with four zero bits.
        int control = u8(data, at + 4) >> 4 == 0 ? 4 : 0;
        return new Layer.Link(LinkType.ETHERNET, tail(data, at + 4 + control));
    }

    /** IEEE 802.1AE, if it authenticates without encryption. */
    private static Layer macsec(Bytes data) {
        int flags = u8(data, 0);
        if ((flags & 0x0C) != 0) {
            return new Layer.End(SkipReason.ENCRYPTED);
        }
        return frame(data, (flags & 0x20) != 0 ? 14 : 6);
    }

    /** RFC 8300. */
    private static Layer serviceHeader(Bytes data) {
        int length = (u8(data, 1) & 0x3F) * 4;
        return length < 8 ? Layer.NOT_IP : numbered(u8(data, 3), tail(data, length));
    }

    /** The content of a service header or of VXLAN-GPE, by its protocol number. */
    static Layer numbered(int protocol, Bytes data) {
        return switch (protocol) {
            case 1 -> new Layer.Typed(EtherType.IPV4, data);
            case 2 -> new Layer.Typed(EtherType.IPV6, data);
            case 3 -> new Layer.Link(LinkType.ETHERNET, data);
            case 4 -> new Layer.Typed(EtherType.SERVICE_HEADER, data);
            case 5 -> new Layer.Typed(EtherType.MPLS, data);
            default -> Layer.NOT_IP;
        };
    }
}
