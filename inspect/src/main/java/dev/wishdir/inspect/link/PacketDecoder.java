package dev.wishdir.inspect.link;

import static dev.wishdir.inspect.link.Octets.tail;
import static dev.wishdir.inspect.link.Octets.u16;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;

/** Extracts the UDP datagrams of captured packets: removes headers and reassembles IP fragments. */
public final class PacketDecoder {
    /** Maximum number of nested headers, including those of IP. */
    static final int MAX_LAYERS = 24;

    private static final int FRAGMENT = 44;
    private static final int UDP = 17;
    private static final Layer.End MALFORMED = new Layer.End(SkipReason.MALFORMED);

    private final IpFragments fragments;
    private final Map<SkipReason, Long> skipped;
    private Packet packet = new Packet(0, LinkType.RAW, Bytes.EMPTY, false);
    private long frame;
    private double time;

    /**
     * @param skipped receives the number of packets without a datagram, by reason
     */
    public PacketDecoder(IpFragments fragments, Map<SkipReason, Long> skipped) {
        this.fragments = fragments;
        this.skipped = skipped;
    }

    /**
     * Decodes a packet.
     *
     * @param frame its number
     * @param time seconds since the first packet
     * @return its datagram; empty if it has none or is an incomplete fragment of one
     */
    public Optional<Datagram> decode(Packet packet, long frame, double time) {
        this.packet = packet;
        this.frame = frame;
        this.time = time;
        Layer layer = new Layer.Link(packet.link(), packet.data());
        for (int i = 0; i < MAX_LAYERS; i++) {
            switch (layer) {
                case Layer.Link l -> layer = LinkHeader.inside(l.type(), l.data());
                case Layer.Typed t ->
                        layer =
                                switch (t.etherType()) {
                                    case Layer.Typed.IPV4 -> ip4(t.data());
                                    case Layer.Typed.IPV6 -> ip6(t.data());
                                    default -> LinkHeader.insideTyped(t.etherType(), t.data());
                                };
                case Layer.Payload p when p.protocol() == UDP -> {
                    return udp(p);
                }
                case Layer.Payload p -> layer = notUdp(p.protocol());
                case Layer.Incomplete _ -> {
                    return Optional.empty();
                }
                case Layer.End end -> {
                    return skip(end.why());
                }
            }
        }
        return skip(SkipReason.NESTED);
    }

    private Optional<Datagram> skip(SkipReason why) {
        skipped.merge(why, 1L, Long::sum);
        return Optional.empty();
    }

    private Layer ip4(Bytes ip) {
        if (ip.length() == 0 || ip.get(0) >> 4 != 4) {
            return Layer.NOT_IP;
        }
        if (ip.length() < 20) {
            return tooShort();
        }
        int header = (ip.get(0) & 0xF) * 4;
        // With segmentation offload, the network card fills in the length later.
        int total = u16(ip, 2) == 0 ? ip.length() : u16(ip, 2);
        if (header < 20 || total < header) {
            return MALFORMED;
        }
        if (total > ip.length()) {
            return tooShort();
        }
        Bytes source = ip.slice(12, 4);
        Bytes destination = ip.slice(16, 4);
        int protocol = ip.get(9) & 0xFF;
        Bytes payload = ip.slice(header, total - header);
        int place = u16(ip, 6);
        boolean last = (place & 0x2000) == 0;
        int offset = (place & 0x1FFF) * 8;
        if (protocol != UDP) {
            return notUdp(protocol);
        }
        if (last && offset == 0) {
            return new Layer.Payload(protocol, source, destination, payload);
        }
        var key = new IpFragments.Key(copy(source), copy(destination), protocol, u16(ip, 4));
        return fragment(new IpFragments.Fragment(key, offset, protocol, last, payload));
    }

    private Layer ip6(Bytes ip) {
        if (ip.length() == 0 || (ip.get(0) >> 4 & 0xF) != 6) {
            return Layer.NOT_IP;
        }
        if (ip.length() < 40) {
            return tooShort();
        }
        int length = u16(ip, 4) == 0 ? ip.length() - 40 : u16(ip, 4);
        if (length > ip.length() - 40) {
            return tooShort();
        }
        return chain(
                ip.slice(8, 16), ip.slice(24, 16), ip.get(6) & 0xFF, ip.slice(40, length), true);
    }

    /** Skips the extension headers of IPv6. */
    private Layer chain(
            Bytes source, Bytes destination, int first, Bytes payload, boolean mayBeFragment) {
        int protocol = first;
        Bytes rest = payload;
        while (isExtension(protocol)) {
            if (rest.length() < 8) {
                return tooShort();
            }
            int next = rest.get(0) & 0xFF;
            int length = (rest.get(1) & 0xFF) * 8 + 8;
            if (protocol == FRAGMENT) {
                length = 8;
                int place = u16(rest, 2);
                boolean last = (place & 1) == 0;
                if (!mayBeFragment) {
                    return MALFORMED;
                }
                if (!last || place >= 8) {
                    int id = u16(rest, 4) << 16 | u16(rest, 6);
                    var key = new IpFragments.Key(copy(source), copy(destination), FRAGMENT, id);
                    return fragment(
                            new IpFragments.Fragment(key, place & ~7, next, last, tail(rest, 8)));
                }
            }
            if (length > rest.length()) {
                return tooShort();
            }
            rest = tail(rest, length);
            protocol = next;
        }
        return new Layer.Payload(protocol, source, destination, rest);
    }

    private static boolean isExtension(int protocol) {
        return switch (protocol) {
            // Hop by hop, routing, destination options, mobility, HIP, Shim6.
            case 0, 43, FRAGMENT, 60, 135, 139, 140 -> true;
            default -> false;
        };
    }

    /** The end at a protocol of IP, which may be that of a tunnel: IP in IP, GRE, EtherIP, MPLS. */
    private static Layer notUdp(int protocol) {
        return switch (protocol) {
            case 4, 41, 47, 97, 137, 143 -> Layer.UNSUPPORTED;
            default -> new Layer.End(SkipReason.NOT_UDP);
        };
    }

    private Layer fragment(IpFragments.Fragment fragment) {
        if (!IpFragments.isValid(fragment)) {
            return MALFORMED;
        }
        var key = fragment.key();
        return fragments
                .add(packet.nanos(), fragment)
                .map(whole ->
                        chain(
                                key.source(),
                                key.destination(),
                                whole.protocol(),
                                whole.payload(),
                                false))
                .orElse(new Layer.Incomplete());
    }

    private Optional<Datagram> udp(Layer.Payload ip) {
        Bytes udp = ip.data();
        if (udp.length() < 8) {
            return skip(tooShort().why());
        }
        int length = u16(udp, 4) == 0 ? udp.length() : u16(udp, 4);
        if (length < 8) {
            return skip(SkipReason.MALFORMED);
        }
        if (length > udp.length()) {
            return skip(tooShort().why());
        }
        return Optional.of(
                new Datagram(
                        frame,
                        time,
                        new InetSocketAddress(address(ip.source()), u16(udp, 0)),
                        new InetSocketAddress(address(ip.destination()), u16(udp, 2)),
                        udp.slice(8, length - 8)));
    }

    private static InetAddress address(Bytes bytes) {
        try {
            return InetAddress.getByAddress(bytes.toArray());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The end at a header that claims more bytes than there are, truncated or malformed. */
    private Layer.End tooShort() {
        return packet.cut() ? new Layer.End(SkipReason.CUT) : MALFORMED;
    }

    /** A copy of an address, which does not keep the packet's memory alive. */
    private static Bytes copy(Bytes address) {
        return Bytes.wrap(address.toArray());
    }
}
