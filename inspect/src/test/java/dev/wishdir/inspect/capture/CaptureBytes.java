package dev.wishdir.inspect.capture;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;

/** Builds captures and packets for tests, byte by byte, whole or broken. */
public final class CaptureBytes {
    private static final int UDP = 17;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteOrder order;

    private CaptureBytes(ByteOrder order) {
        this.order = order;
    }

    /** A pcap file of little-endian microseconds. */
    public static CaptureBytes pcap(int link) {
        return pcap(ByteOrder.LITTLE_ENDIAN, Pcap.MICROSECONDS, link);
    }

    static CaptureBytes pcap(ByteOrder order, int magic, int link) {
        CaptureBytes file = new CaptureBytes(order);
        return file.i32(magic).i16(2).i16(4).i32(0).i32(0).i32(65_535).i32(link);
    }

    static CaptureBytes pcapng(ByteOrder order) {
        return new CaptureBytes(order).section();
    }

    CaptureBytes section() {
        byte[] fields = new CaptureBytes(order).i32(0x1A2B3C4D).i16(1).i16(0).i64(-1).bytes();
        return block(Pcapng.SECTION, fields);
    }

    CaptureBytes block(int type, byte[] body) {
        int padded = body.length + 3 & ~3;
        return i32(type).i32(padded + 12).raw(Arrays.copyOf(body, padded)).i32(padded + 12);
    }

    /** An interface whose clock counts microseconds, unless options say otherwise. */
    CaptureBytes describe(int link, byte... options) {
        return block(1, new CaptureBytes(order).i16(link).i16(0).i32(65_535).raw(options).bytes());
    }

    CaptureBytes enhanced(int number, long ticks, byte[] packet) {
        CaptureBytes body = new CaptureBytes(order);
        body.i32(number).i32((int) (ticks >>> 32)).i32((int) ticks);
        return block(6, body.i32(packet.length).i32(packet.length).raw(packet).bytes());
    }

    /** A record of a pcap file. */
    public CaptureBytes record(int seconds, int fraction, byte[] packet) {
        return i32(seconds).i32(fraction).i32(packet.length).i32(packet.length).raw(packet);
    }

    CaptureBytes i16(int value) {
        return raw(ByteBuffer.allocate(2).order(order).putShort((short) value).array());
    }

    CaptureBytes i32(int value) {
        return raw(ByteBuffer.allocate(4).order(order).putInt(value).array());
    }

    CaptureBytes i64(long value) {
        return raw(ByteBuffer.allocate(8).order(order).putLong(value).array());
    }

    public CaptureBytes raw(byte... bytes) {
        out.writeBytes(bytes);
        return this;
    }

    /** The file. */
    public byte[] bytes() {
        return out.toByteArray();
    }

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** A UDP datagram. */
    static byte[] udp(int from, int to, byte... payload) {
        return join(
                ByteBuffer.allocate(8)
                        .putShort((short) from)
                        .putShort((short) to)
                        .putShort((short) (8 + payload.length))
                        .array(),
                payload);
    }

    /** An IPv4 packet from 10.0.0.1 to 10.0.0.2. */
    static byte[] ip4(int protocol, byte[] payload) {
        return ip4(protocol, 0, 0, true, payload);
    }

    /** A fragment of an IPv4 packet; {@code offset} in bytes. */
    static byte[] ip4(int protocol, int id, int offset, boolean last, byte[] payload) {
        return join(
                ByteBuffer.allocate(20)
                        .putShort((short) 0x4500)
                        .putShort((short) (20 + payload.length))
                        .putShort((short) id)
                        .putShort((short) (offset / 8 | (last ? 0 : 0x2000)))
                        .put((byte) 64)
                        .put((byte) protocol)
                        .putShort((short) 0)
                        .putInt(0x0A000001)
                        .putInt(0x0A000002)
                        .array(),
                payload);
    }

    static byte[] udp4(int from, int to, byte... payload) {
        return ip4(UDP, udp(from, to, payload));
    }

    /** An IPv6 packet from 2001:db8::1 to 2001:db8::2. */
    static byte[] ip6(int next, byte[] payload) {
        return join(
                ByteBuffer.allocate(8)
                        .putInt(0x60000000)
                        .putShort((short) payload.length)
                        .put((byte) next)
                        .put((byte) 64)
                        .array(),
                hex("20010db8000000000000000000000001 20010db8000000000000000000000002"),
                payload);
    }

    /** An Ethernet frame with a UDP datagram of IPv4. */
    public static byte[] ethernet(int from, int to, byte... payload) {
        return ethernet(hex("0800"), udp4(from, to, payload));
    }

    static byte[] ethernet(byte[] typeAndTags, byte[] packet) {
        return join(new byte[12], typeAndTags, packet);
    }
}
