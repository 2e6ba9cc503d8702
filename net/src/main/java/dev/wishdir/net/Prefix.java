package dev.wishdir.net;

import java.net.InetAddress;
import java.util.List;

/** The first bits of an address: what belongs to one owner, as far as we can know. */
record Prefix(long bits, int length) {
    /** The network that is counted as one where senders can be forged: a /24, or a /64 of IPv6. */
    static Prefix network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? new Prefix(first(bytes, 3), 24) : subnet(bytes);
    }

    /** What one household has: an address of IPv4, or a /64 of IPv6. */
    static Prefix household(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? new Prefix(first(bytes, 4), 32) : subnet(bytes);
    }

    /**
     * All prefixes by which what comes from an address is counted, the narrowest first: /32 and /24
     * of IPv4; /64, /56 and /48 of IPv6.
     */
    static List<Prefix> all(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4
                ? List.of(household(address), network(address))
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
