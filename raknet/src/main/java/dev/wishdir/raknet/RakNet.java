package dev.wishdir.raknet;

import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Constants of RakNet, and encodings that several of its messages share. */
final class RakNet {
    /** Length of the magic that marks a message outside a connection, bytes. */
    static final int MAGIC_LENGTH = 16;

    /** Mask of datagram numbers and of all indices of frames, which count modulo 2^24. */
    static final int INDEX_MASK = 0xFFFFFF;

    /** Number of its own addresses that a peer lists; unused ones are {@link #NO_ADDRESS}. */
    static final int LISTED_ADDRESSES = 20;

    /** Maximum length of a frame's payload: 16 bits that count bits. */
    static final int MAX_FRAME_BYTES = 8191;

    static final InetSocketAddress NO_ADDRESS = new InetSocketAddress(v4(new byte[4]), 0);

    private static final int V4_LENGTH = 7;
    private static final int V6_LENGTH = 29;
    private static final int AF_INET6 = 23;
    private static final int TIMES_LENGTH = 16;

    private RakNet() {}

    /** Length of the IP and UDP headers before a payload, bytes. */
    static int headers(InetAddress address) {
        return address instanceof Inet6Address ? 48 : 28;
    }

    /** The number nearest to {@code expected} with the given low 24 bits. */
    static long unwrap(int index, long expected) {
        return expected + ((index - (int) expected) << 8 >> 8);
    }

    /** A limit or rule that a peer broke, to be thrown. */
    static MalformedPacketException violation(String field, String problem) {
        return new MalformedPacketException(0, field, problem);
    }

    static void magic(Wire w, Bytes magic) {
        if (!w.bytes("magic", magic, MAGIC_LENGTH).equals(magic)) {
            throw w.malformed("magic", "is not RakNet's");
        }
    }

    /**
     * Walks the padding up to the end of the packet, which tests the path's MTU; content is
     * ignored.
     */
    static int padding(Wire w, int value) {
        int length = w.reading() ? w.remaining() : value;
        w.bytes("padding", w.reading() ? Bytes.EMPTY : Bytes.wrap(new byte[length]), length);
        return length;
    }

    /** Walks an address: the bytes of IPv4 are inverted, those of IPv6 are not. */
    static InetSocketAddress address(Wire w, String name, InetSocketAddress value) {
        w.begin(name);
        InetAddress ip = value.getAddress();
        int type = w.u8("type", ip instanceof Inet6Address ? 6 : 4);
        InetSocketAddress walked;
        if (type == 4 || type == 0) {
            byte[] bytes = w.bytes("ip", inverted(ip), 4).toArray();
            for (int i = 0; i < 4; i++) {
                bytes[i] = (byte) ~bytes[i];
            }
            walked = new InetSocketAddress(v4(bytes), w.u16be("port", value.getPort()));
        } else if (type == 6) {
            w.u16le("family", AF_INET6);
            int port = w.u16be("port", value.getPort());
            w.i32be("flow", 0);
            byte[] bytes = w.bytes("ip", Bytes.of(ip.getAddress()), 16).toArray();
            int scope = w.i32be("scope", ip instanceof Inet6Address v6 ? v6.getScopeId() : 0);
            walked = new InetSocketAddress(v6(bytes, scope), port);
        } else {
            throw w.malformed(name, "has the unknown address type " + type);
        }
        if (w.tracing()) {
            w.end(AddressText.of(walked));
        }
        return walked;
    }

    private static Bytes inverted(InetAddress ip) {
        if (!(ip instanceof Inet4Address)) {
            return Bytes.EMPTY;
        }
        byte[] bytes = ip.getAddress();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ~bytes[i];
        }
        return Bytes.wrap(bytes);
    }

    /**
     * Walks the sender's addresses up to the two times that end the message.
     *
     * <p>There are 10, 20 or any other number. Some proxies write unreadable entries, which are
     * ignored.
     */
    static List<InetSocketAddress> addresses(Wire w, List<InetSocketAddress> value) {
        if (!(w instanceof Reader reader)) {
            value.forEach(address -> address(w, "address", address));
            return value;
        }
        List<InetSocketAddress> read = new ArrayList<>();
        while (w.remaining() > TIMES_LENGTH) {
            int type = reader.peek("address");
            int length = type == 4 || type == 0 ? V4_LENGTH : type == 6 ? V6_LENGTH : -1;
            if (length < 0 || w.remaining() - length < TIMES_LENGTH) {
                w.bytes("unreadable", Bytes.EMPTY, w.remaining() - TIMES_LENGTH);
                break;
            }
            read.add(address(w, "address", NO_ADDRESS));
        }
        return List.copyOf(read);
    }

    private static InetAddress v4(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not 4 bytes", e);
        }
    }

    private static InetAddress v6(byte[] bytes, int scope) {
        try {
            return Inet6Address.getByAddress(null, bytes, Math.max(0, scope));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not 16 bytes", e);
        }
    }
}
