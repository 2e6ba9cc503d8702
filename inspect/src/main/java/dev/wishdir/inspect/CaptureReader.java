package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Datagram;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the UDP datagrams of a capture, one after the other: pcap (either byte order, microseconds
 * or nanoseconds) and pcapng, also compressed with gzip; Ethernet with or without VLAN tags, Linux
 * cooked (both versions), raw IP and BSD loopback; IPv4 and IPv6, fragments put together.
 *
 * {@snippet :
 * try (CaptureReader capture = CaptureReader.open(file)) {
 *     for (Optional<Datagram> next = capture.next(); next.isPresent(); next = capture.next()) {
 *         dissector.datagram(next.get(), direction, lines);
 *     }
 * }
 * }
 *
 * <p>Memory is bounded whatever the capture claims: one packet of at most 256 KiB, and 64
 * unfinished IP packets. A packet that holds no whole UDP datagram is counted and passed over; a
 * file that does not follow its format ends in a {@link CaptureException} with the place.
 *
 * <p>Sources: the pcap and pcapng drafts of the IETF's OPSAWG, RFC 791, 768, 8200, 5722.
 */
public final class CaptureReader implements AutoCloseable {
    /** Why a packet gave no datagram. */
    public enum Skipped {
        /** Neither IPv4 nor IPv6, or a link type that is not known. */
        NOT_IP("not IP"),
        /** IP with something else than UDP in it. */
        NOT_UDP("not UDP"),
        /** The capture kept only the packet's beginning. */
        CUT("cut short by the capture"),
        /** Lengths in the headers contradict one another. */
        MALFORMED("malformed"),
        /** An IP packet whose fragments overlapped. */
        OVERLAPPING("overlapping fragments"),
        /** An IP packet of which fragments are missing. */
        UNFINISHED("missing fragments");

        private final String label;

        Skipped(String label) {
            this.label = label;
        }

        /** The reason in words. */
        public String label() {
            return label;
        }
    }

    /** The most bytes that a compressed capture may unpack to. */
    public static final long MOST_UNPACKED = 1L << 30;

    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int UDP = 17;

    private final CaptureInput in;
    private final PacketSource source;
    private final IpFragments fragments = new IpFragments();
    private final Map<Skipped, Long> skipped = new EnumMap<>(Skipped.class);
    private long frame;
    private long firstNanos;
    private Packet packet = new Packet(0, Link.RAW, Bytes.EMPTY, false);

    private CaptureReader(CaptureInput in) throws IOException {
        this.in = in;
        int magic = in.peek();
        if (magic == Pcapng.SECTION) {
            source = new Pcapng(in);
        } else if (Pcap.recognises(magic)) {
            source = new Pcap(in);
        } else {
            throw new CaptureException(0, "neither pcap nor pcapng");
        }
    }

    /**
     * Opens a capture file.
     *
     * @throws CaptureException if it is none, or of a link type that is not known
     * @throws IOException if it can't be read
     */
    public static CaptureReader open(Path file) throws IOException {
        return of(Files.newInputStream(file));
    }

    /**
     * Reads a capture from a stream, which is closed with the reader.
     *
     * @throws CaptureException if it is no capture, or of a link type that is not known; the stream
     *     is closed then
     */
    public static CaptureReader of(InputStream stream) throws IOException {
        return of(stream, MOST_UNPACKED);
    }

    static CaptureReader of(InputStream stream, long mostUnpacked) throws IOException {
        try {
            return new CaptureReader(new CaptureInput(stream, mostUnpacked));
        } catch (IOException e) {
            stream.close();
            throw e;
        }
    }

    /** Whether a file begins like a capture, compressed or not. */
    public static boolean recognises(Path file) throws IOException {
        try (CaptureInput in = new CaptureInput(Files.newInputStream(file), MOST_UNPACKED)) {
            int magic = in.peek();
            return magic == Pcapng.SECTION || Pcap.recognises(magic);
        } catch (CaptureException _) {
            return false;
        }
    }

    /**
     * The next datagram, or empty at the end of the capture.
     *
     * @throws CaptureException where the file does not follow its format; it can't be read on
     */
    public Optional<Datagram> next() throws IOException {
        while (true) {
            Optional<Packet> read = source.next();
            if (read.isEmpty()) {
                return Optional.empty();
            }
            packet = read.get();
            if (frame++ == 0) {
                firstNanos = packet.nanos();
            }
            int ip = Link.isKnown(packet.link()) ? Link.ip(packet.link(), packet.data()) : -1;
            Optional<Datagram> datagram =
                    ip < 0 ? skip(Skipped.NOT_IP) : ip(from(packet.data(), ip));
            if (datagram.isPresent()) {
                return datagram;
            }
        }
    }

    /** The number of packets read so far. */
    public long frames() {
        return frame;
    }

    /** Bytes of the capture read so far, unpacked. */
    public long position() {
        return in.position();
    }

    /** How many packets gave no datagram so far, and why. */
    public Map<Skipped, Long> skipped() {
        Map<Skipped, Long> all = new EnumMap<>(skipped);
        if (fragments.overlapping() > 0) {
            all.put(Skipped.OVERLAPPING, fragments.overlapping());
        }
        if (fragments.unfinished() > 0) {
            all.put(Skipped.UNFINISHED, fragments.unfinished());
        }
        return all;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private Optional<Datagram> ip(Bytes ip) {
        if (ip.length() == 0) {
            return skip(Skipped.NOT_IP);
        }
        return switch (ip.get(0) >> 4 & 0xF) {
            case 4 -> ip4(ip);
            case 6 -> ip6(ip);
            default -> skip(Skipped.NOT_IP);
        };
    }

    private Optional<Datagram> ip4(Bytes ip) {
        if (ip.length() < 20) {
            return tooShort();
        }
        int header = (ip.get(0) & 0xF) * 4;
        // A card that cuts packets itself leaves the length to be filled in.
        int total = u16(ip, 2) == 0 ? ip.length() : u16(ip, 2);
        if (header < 20 || total < header) {
            return skip(Skipped.MALFORMED);
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
            return skip(Skipped.NOT_UDP);
        }
        if (last && offset == 0) {
            return udp(source, destination, payload);
        }
        var key = new IpFragments.Key(copy(source), copy(destination), protocol, u16(ip, 4));
        return fragment(new IpFragments.Fragment(key, offset, protocol, last, payload));
    }

    private Optional<Datagram> ip6(Bytes ip) {
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

    /** Follows the extension headers of IPv6 to the UDP header. */
    private Optional<Datagram> chain(
            Bytes source, Bytes destination, int first, Bytes payload, boolean mayBeFragment) {
        int protocol = first;
        Bytes rest = payload;
        while (protocol != UDP) {
            if (!isExtension(protocol)) {
                return skip(Skipped.NOT_UDP);
            }
            if (rest.length() < 8) {
                return tooShort();
            }
            int next = rest.get(0) & 0xFF;
            int units = rest.get(1) & 0xFF;
            int length = protocol == AUTHENTICATION ? units * 4 + 8 : units * 8 + 8;
            if (protocol == FRAGMENT) {
                length = 8;
                int place = u16(rest, 2);
                boolean last = (place & 1) == 0;
                if (!mayBeFragment) {
                    return skip(Skipped.MALFORMED);
                }
                if (!last || place >= 8) {
                    int id = u16(rest, 4) << 16 | u16(rest, 6);
                    var key = new IpFragments.Key(copy(source), copy(destination), FRAGMENT, id);
                    return fragment(
                            new IpFragments.Fragment(key, place & ~7, next, last, from(rest, 8)));
                }
            }
            if (length > rest.length()) {
                return tooShort();
            }
            rest = from(rest, length);
            protocol = next;
        }
        return udp(source, destination, rest);
    }

    private static boolean isExtension(int protocol) {
        return switch (protocol) {
            // Hop by hop, routing, destination options, mobility, HIP, Shim6.
            case 0, 43, FRAGMENT, AUTHENTICATION, 60, 135, 139, 140 -> true;
            default -> false;
        };
    }

    private Optional<Datagram> fragment(IpFragments.Fragment fragment) {
        if (!IpFragments.isValid(fragment)) {
            return skip(Skipped.MALFORMED);
        }
        var key = fragment.key();
        return fragments
                .add(packet.nanos(), fragment)
                .flatMap(whole ->
                        chain(
                                key.source(),
                                key.destination(),
                                whole.protocol(),
                                whole.payload(),
                                false));
    }

    private Optional<Datagram> udp(Bytes source, Bytes destination, Bytes udp) {
        if (udp.length() < 8) {
            return tooShort();
        }
        int length = u16(udp, 4) == 0 ? udp.length() : u16(udp, 4);
        if (length < 8) {
            return skip(Skipped.MALFORMED);
        }
        if (length > udp.length()) {
            return tooShort();
        }
        return Optional.of(
                new Datagram(
                        frame,
                        (packet.nanos() - firstNanos) / 1e9,
                        new InetSocketAddress(address(source), u16(udp, 0)),
                        new InetSocketAddress(address(destination), u16(udp, 2)),
                        udp.slice(8, length - 8)));
    }

    private static InetAddress address(Bytes bytes) {
        try {
            return InetAddress.getByAddress(bytes.toArray());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Headers that say more than there is: the capture's doing where it cut the packet. */
    private Optional<Datagram> tooShort() {
        return skip(packet.cut() ? Skipped.CUT : Skipped.MALFORMED);
    }

    private Optional<Datagram> skip(Skipped why) {
        skipped.merge(why, 1L, Long::sum);
        return Optional.empty();
    }

    /** An address that does not keep the memory of its packet. */
    private static Bytes copy(Bytes address) {
        return Bytes.wrap(address.toArray());
    }

    private static Bytes from(Bytes bytes, int at) {
        return at > bytes.length() ? Bytes.EMPTY : bytes.slice(at, bytes.length() - at);
    }

    private static int u16(Bytes bytes, int at) {
        return (bytes.get(at) & 0xFF) << 8 | bytes.get(at + 1) & 0xFF;
    }
}
