package dev.wishdir.inspect.capture;

import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Writes UDP datagrams as a capture in libpcap's format, with times in nanoseconds and packets of
 * raw IP (link type 101), which all capture programs read. A datagram between addresses of both IP
 * versions is one of IPv6, with the other address mapped (RFC 4291, section 2.5.5.2).
 *
 * <p>Not thread-safe. Sources: draft-ietf-opsawg-pcap, RFC 791, 768, 8200.
 */
public final class PcapWriter implements AutoCloseable {
    /** Link type of packets that begin with their IP header. */
    static final int LINK_TYPE_RAW = 101;

    /** As of capture programs. */
    static final int SNAP_LENGTH = 262_144;

    private static final int FILE_HEADER_BYTES = 24;
    private static final int RECORD_HEADER_BYTES = 16;
    private static final int IPV4_HEADER_BYTES = 20;
    private static final int IPV6_HEADER_BYTES = 40;
    private static final int UDP_HEADER_BYTES = 8;
    private static final int IPV6_ADDRESS_BYTES = 16;
    private static final int UDP = 17;
    private static final int HOPS = 64;
    private static final int DO_NOT_FRAGMENT = 0x4000;
    private static final int MAX_LENGTH = 0xFFFF;
    private static final long MAX_SECONDS = 0xFFFF_FFFFL;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final OutputStream out;

    /**
     * Begins a capture.
     *
     * @param out is closed with the capture
     */
    public PcapWriter(OutputStream out) throws IOException {
        this.out = out;
        ByteBuffer header = ByteBuffer.allocate(FILE_HEADER_BYTES);
        header.putInt(Pcap.NANOSECONDS).putShort((short) 2).putShort((short) 4);
        header.putInt(0).putInt(0).putInt(SNAP_LENGTH).putInt(LINK_TYPE_RAW);
        out.write(header.array());
    }

    /**
     * Writes a datagram.
     *
     * @param nanos time since 1970, up to the year 2106
     * @throws IllegalArgumentException if the payload does not fit into one IP packet, or the time
     *     not into 32 bits of seconds
     */
    public void write(
            long nanos, InetSocketAddress source, InetSocketAddress destination, Bytes payload)
            throws IOException {
        long seconds = Math.floorDiv(nanos, NANOS_PER_SECOND);
        if (seconds != (seconds & MAX_SECONDS)) {
            throw new IllegalArgumentException(
                    "time must be 0.." + MAX_SECONDS + " seconds after 1970, is " + seconds);
        }
        byte[] packet = packet(source, destination, payload);
        out.write(
                ByteBuffer.allocate(RECORD_HEADER_BYTES)
                        .putInt((int) seconds)
                        .putInt((int) Math.floorMod(nanos, NANOS_PER_SECOND))
                        .putInt(packet.length)
                        .putInt(packet.length)
                        .array());
        out.write(packet);
    }

    /**
     * A datagram with headers of IP and UDP.
     *
     * @throws IllegalArgumentException if the payload does not fit into one IP packet
     */
    static byte[] packet(InetSocketAddress source, InetSocketAddress destination, Bytes payload) {
        boolean v4 =
                source.getAddress() instanceof Inet4Address
                        && destination.getAddress() instanceof Inet4Address;
        int headers = (v4 ? IPV4_HEADER_BYTES : 0) + UDP_HEADER_BYTES;
        if (headers + payload.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "payload must be at most "
                            + (MAX_LENGTH - headers)
                            + " bytes, is "
                            + payload.length());
        }
        return v4 ? v4(source, destination, payload) : v6(source, destination, payload);
    }

    private static byte[] v4(
            InetSocketAddress source, InetSocketAddress destination, Bytes payload) {
        byte[] packet = new byte[IPV4_HEADER_BYTES + UDP_HEADER_BYTES + payload.length()];
        ByteBuffer header = ByteBuffer.wrap(packet);
        header.putShort((short) 0x4500).putShort((short) packet.length);
        header.putShort((short) 0).putShort((short) DO_NOT_FRAGMENT);
        header.put((byte) HOPS).put((byte) UDP).putShort((short) 0);
        header.put(source.getAddress().getAddress()).put(destination.getAddress().getAddress());
        header.putShort(10, checksum(sum(packet, 0, IPV4_HEADER_BYTES)));
        udp(packet, IPV4_HEADER_BYTES, 12, source, destination, payload);
        return packet;
    }

    private static byte[] v6(
            InetSocketAddress source, InetSocketAddress destination, Bytes payload) {
        int length = UDP_HEADER_BYTES + payload.length();
        byte[] packet = new byte[IPV6_HEADER_BYTES + length];
        ByteBuffer header = ByteBuffer.wrap(packet);
        header.putInt(0x60000000).putShort((short) length);
        header.put((byte) UDP).put((byte) HOPS);
        header.put(mapped(source.getAddress())).put(mapped(destination.getAddress()));
        udp(packet, IPV6_HEADER_BYTES, 8, source, destination, payload);
        return packet;
    }

    private static byte[] mapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == IPV6_ADDRESS_BYTES) {
            return bytes;
        }
        return ByteBuffer.allocate(IPV6_ADDRESS_BYTES)
                .putShort(10, (short) 0xFFFF)
                .put(12, bytes)
                .array();
    }

    /**
     * @param start offset of the UDP header
     * @param addresses offset of both addresses, which end there
     */
    private static void udp(
            byte[] packet,
            int start,
            int addresses,
            InetSocketAddress source,
            InetSocketAddress destination,
            Bytes payload) {
        int length = UDP_HEADER_BYTES + payload.length();
        ByteBuffer header = ByteBuffer.wrap(packet).position(start);
        header.putShort((short) source.getPort()).putShort((short) destination.getPort());
        header.putShort((short) length).putShort((short) 0);
        payload.copyTo(packet, start + UDP_HEADER_BYTES);
        long pseudoHeader = sum(packet, addresses, start - addresses) + UDP + length;
        short checksum = checksum(pseudoHeader + sum(packet, start, length));
        // 0 stands for no checksum.
        header.putShort(start + 6, checksum == 0 ? -1 : checksum);
    }

    private static long sum(byte[] bytes, int offset, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            int value = bytes[offset + i] & 0xFF;
            sum += i % 2 == 0 ? value << Byte.SIZE : value;
        }
        return sum;
    }

    /** The internet checksum (RFC 1071) of a sum of 16-bit words. */
    private static short checksum(long sum) {
        long folded = sum;
        while (folded >> Short.SIZE != 0) {
            folded = (folded & 0xFFFF) + (folded >> Short.SIZE);
        }
        return (short) ~folded;
    }

    /** Hands what was written to the operating system. */
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
