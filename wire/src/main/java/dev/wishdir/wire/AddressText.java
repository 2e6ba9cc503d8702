package dev.wishdir.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * IP addresses as other programs read them: IPv6 by RFC 5952, without a zone, and in brackets where
 * a port follows.
 */
public final class AddressText {
    private static final int GROUPS = 8;

    private AddressText() {}

    /** An address, as {@code 192.0.2.7} or {@code 2001:db8::1}. */
    public static String of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? address.getHostAddress() : compressed(bytes);
    }

    /** An address and its port, as {@code 192.0.2.7:27960} or {@code [2001:db8::1]:27960}. */
    public static String of(InetSocketAddress address) {
        if (address.isUnresolved()) {
            return address.getHostString() + ":" + address.getPort();
        }
        String host = of(address.getAddress());
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /** The first longest run of two or more zero groups becomes a double colon. */
    private static String compressed(byte[] bytes) {
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = (bytes[2 * i] & 0xFF) << 8 | bytes[2 * i + 1] & 0xFF;
        }
        int first = GROUPS;
        int length = 1;
        for (int i = 0; i < GROUPS; i++) {
            int run = 0;
            while (i + run < GROUPS && groups[i + run] == 0) {
                run++;
            }
            if (run > length) {
                first = i;
                length = run;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == first) {
                text.append("::");
                i += length - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }
}
