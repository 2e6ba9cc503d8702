package dev.wishdir.inspect;

import static dev.wishdir.inspect.Octets.tail;
import static dev.wishdir.inspect.Octets.u16;
import static dev.wishdir.inspect.Octets.u32;
import static dev.wishdir.inspect.Octets.u8;

import dev.wishdir.wire.Bytes;

import java.util.Optional;

/** Removes the headers of tunnels, which are recognised by an IP protocol or a UDP port. */
final class Tunnel {
    private static final int UDP_HEADER = 8;

    private Tunnel() {}

    /** Whether an IP protocol is a supported tunnel. */
    static boolean isKnown(int protocol) {
        return switch (protocol) {
            case 4, 41, 47, 97, 137, 143 -> true;
            default -> false;
        };
    }

    /** The layer inside the payload of an IP protocol. */
    static Layer inside(int protocol, Bytes data) {
        return switch (protocol) {
            // RFC 2003, 4213, 3378, 4023, 8986.
            case 4, 41 -> Layer.ip(data, 0);
            case 47 -> gre(data);
            case 97 -> new Layer.Link(LinkType.ETHERNET, tail(data, 2));
            case 137 -> new Layer.Typed(EtherType.MPLS, data);
            case 143 -> new Layer.Link(LinkType.ETHERNET, data);
            default -> new Layer.End(SkipReason.NOT_UDP);
        };
    }

    /**
     * RFC 2784 with the fields of RFC 2890, RFC 1701 without routing; version 1 is PPTP (RFC 2637).
     */
    private static Layer gre(Bytes data) {
        int flags = u16(data, 0);
        int type = u16(data, 2);
        if (flags < 0 || (flags & 0x4000) != 0) {
            return Layer.NOT_IP;
        }
        boolean checksum = (flags & 0x8000) != 0;
        boolean sequence = (flags & 0x1000) != 0;
        int at = 4 + (checksum ? 4 : 0) + ((flags & 0x2000) != 0 ? 4 : 0) + (sequence ? 4 : 0);
        if ((flags & 7) == 1 && (flags & 0x0080) != 0) {
            at += 4;
        }
        Bytes inner = tail(data, at);
        return switch (type) {
            // ERSPAN version 1, which has no header, and version 2; then version 3.
            case 0x88BE -> new Layer.Link(LinkType.ETHERNET, tail(inner, sequence ? 8 : 0));
            case 0x22EB ->
                    new Layer.Link(
                            LinkType.ETHERNET, tail(inner, (u8(inner, 11) & 1) != 0 ? 20 : 12));
            // WCCP; version 2 has a header.
            case 0x883E -> Layer.ip(inner, u8(inner, 0) >> 4 == 4 ? 0 : 4);
            default -> new Layer.Typed(type, inner);
        };
    }

    /**
     * The layer inside a datagram whose port and header are those of a tunnel. The headers inside
     * must confirm it, as a game may use such a port.
     */
    static Optional<Layer> inside(int source, int destination, Bytes data) {
        Layer layer =
                switch (destination) {
                    // RFC 7348, also on Linux's own port; the draft of VXLAN-GPE; RFC 8926.
                    case 4789, 8472 ->
                            u32(data, 0) == 0x0800_0000L
                                    ? new Layer.Link(LinkType.ETHERNET, tail(data, 8))
                                    : Layer.NOT_IP;
                    case 4790 ->
                            (u8(data, 0) & 0xC8) == 0x08
                                    ? (u8(data, 0) & 0x04) == 0
                                            ? new Layer.Link(LinkType.ETHERNET, tail(data, 8))
                                            : EtherHeader.numbered(u8(data, 3), tail(data, 8))
                                    : Layer.NOT_IP;
                    case 6081 -> geneve(data);
                    // RFC 7510; LISP data, RFC 9300; TZSP, with which routers send captured
                    // packets.
                    case 6635 -> new Layer.Typed(EtherType.MPLS, data);
                    case 4341 -> Layer.ip(data, 8);
                    case 37008 -> tzsp(data);
                    default -> Layer.NOT_IP;
                };
        if (isEither(2152, source, destination)) {
            layer = gtp(data);
        } else if (isEither(1701, source, destination)) {
            layer = l2tp(data);
        } else if (isEither(3544, source, destination)) {
            layer = teredo(data);
        }
        return layer.equals(Layer.NOT_IP) ? Optional.empty() : Optional.of(layer);
    }

    private static boolean isEither(int port, int source, int destination) {
        return source == port || destination == port;
    }

    private static Layer geneve(Bytes data) {
        int first = u8(data, 0);
        return first >> 6 == 0
                ? new Layer.Typed(u16(data, 2), tail(data, UDP_HEADER + (first & 0x3F) * 4))
                : Layer.NOT_IP;
    }

    /** A packet of a user on a mobile network (3GPP TS 29.281). */
    private static Layer gtp(Bytes data) {
        int flags = u8(data, 0);
        if (flags >> 4 != 3 || u8(data, 1) != 0xFF) {
            return Layer.NOT_IP;
        }
        int at = 8;
        if ((flags & 7) != 0) {
            at = 12;
            int extension = (flags & 4) != 0 ? u8(data, 11) : 0;
            while (extension > 0) {
                int length = u8(data, at) * 4;
                if (length <= 0) {
                    return Layer.NOT_IP;
                }
                at += length;
                extension = u8(data, at - 1);
            }
        }
        return Layer.ip(data, at);
    }

    /** RFC 2661: a data message, with the fields that its flags announce. */
    private static Layer l2tp(Bytes data) {
        int flags = u16(data, 0);
        if (flags < 0 || (flags & 0x800F) != 2) {
            return Layer.NOT_IP;
        }
        int at = 6 + ((flags & 0x4000) != 0 ? 2 : 0) + ((flags & 0x0800) != 0 ? 4 : 0);
        if ((flags & 0x0200) != 0) {
            at += 2 + Math.max(0, u16(data, at));
        }
        return new Layer.Link(LinkType.PPP, tail(data, at));
    }

    /** RFC 4380: IPv6, possibly after authentication data and the sender's own address. */
    private static Layer teredo(Bytes data) {
        int at = u16(data, 0) == 1 ? 13 + Math.max(0, u8(data, 2)) + Math.max(0, u8(data, 3)) : 0;
        if (u16(data, at) == 0) {
            at += 8;
        }
        return u8(data, at) >> 4 == 6
                ? new Layer.Typed(EtherType.IPV6, tail(data, at))
                : Layer.NOT_IP;
    }

    private static Layer tzsp(Bytes data) {
        if (u8(data, 0) != 1 || u8(data, 1) != 0) {
            return Layer.NOT_IP;
        }
        int at = 4;
        while (u8(data, at) > 1 || u8(data, at) == 0) {
            at += u8(data, at) == 0 ? 1 : 2 + Math.max(0, u8(data, at + 1));
        }
        return new Layer.Link(wifiOrEthernet(u16(data, 2)), tail(data, at + 1));
    }

    private static int wifiOrEthernet(int encapsulated) {
        return switch (encapsulated) {
            case 18 -> LinkType.WIFI;
            case 119 -> LinkType.WIFI_PRISM;
            case 127 -> LinkType.WIFI_AVS;
            default -> LinkType.ETHERNET;
        };
    }
}
