package dev.wishdir.net.limit;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/** The first bits of an address, which approximate one owner. */
record Prefix(long bits, int length) {
    /** The network by which forgeable senders are counted: an IPv4 /24 or an IPv6 /64. */
    static Prefix network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? new Prefix(first(bytes, 3), 24) : subnet(bytes);
    }

    /** The addresses of one subscriber: one IPv4 address or an IPv6 /64. */
    static Prefix subscriber(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? new Prefix(first(bytes, 4), 32) : subnet(bytes);
    }

    /** One address; that of IPv6 as a hash. */
    static Prefix single(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4
                ? subscriber(address)
                : new Prefix(
                        31 * first(bytes, 8) + first(Arrays.copyOfRange(bytes, 8, 16), 8), 128);
    }

    /**
     * The prefixes by which an address is counted, narrowest first: /32 and /24 of IPv4; /64, /56
     * and /48 of IPv6.
     */
    static List<Prefix> all(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4
                ? List.of(subscriber(address), network(address))
                : List.of(
                        subnet(bytes),
                        new Prefix(first(bytes, 7), 56),
                        new Prefix(first(bytes, 6), 48));
    }

    private static Prefix subnet(byte[] bytes) {
        return new Prefix(first(bytes, 8), 64);
    }

    private static long first(byte[] bytes, int count) {
        long bits = 0;
        for (int i = 0; i < count; i++) {
            bits = bits << 8 | bytes[i] & 0xFF;
        }
        return bits;
    }
}
