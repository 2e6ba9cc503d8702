package dev.wishdir.wire;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.StringJoiner;

/**
 * Formats addresses so that other programs can parse them. IPv6 follows RFC 5952 and stands in
 * brackets before a port. A zone is printed only for a link-local address, which cannot be used
 * without it.
 */
public final class AddressText {
    private static final int GROUPS = 8;

    private AddressText() {}

    /** An address and its port, {@code 10.0.0.1:27960} or {@code [2001:db8::1]:27960}. */
    public static String of(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        String host = ip == null ? address.getHostString() : of(ip);
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /** An address without a port, {@code 192.0.2.7} or {@code fe80::1%eth0}. */
    public static String of(InetAddress address) {
        if (!(address instanceof Inet6Address ip)) {
            return address.getHostAddress();
        }
        byte[] bytes = ip.getAddress();
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = (bytes[2 * i] & 0xFF) << 8 | bytes[2 * i + 1] & 0xFF;
        }
        String zone =
                ip.getScopedInterface() != null
                        ? "%" + ip.getScopedInterface().getName()
                        : ip.getScopeId() != 0 ? "%" + ip.getScopeId() : "";
        return text(groups) + (ip.isLinkLocalAddress() ? zone : "");
    }

    /** Writes the longest run of two or more zeros, the first of equal runs, as two colons. */
    private static String text(int[] groups) {
        int begin = GROUPS;
        int length = 1;
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && groups[end] == 0) {
                end++;
            }
            if (end - i > length) {
                begin = i;
                length = end - i;
            }
        }
        if (begin == GROUPS) {
            return joined(groups, 0, GROUPS);
        }
        return joined(groups, 0, begin) + "::" + joined(groups, begin + length, GROUPS);
    }

    private static String joined(int[] groups, int from, int to) {
        StringJoiner text = new StringJoiner(":");
        for (int i = from; i < to; i++) {
            text.add(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }
}
