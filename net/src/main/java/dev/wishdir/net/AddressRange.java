package dev.wishdir.net;

import io.netty.util.NetUtil;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Addresses that share their first bits: one address, or a network such as 10.0.0.0/8. */
public final class AddressRange {
    private final byte[] network;
    private final int length;

    private AddressRange(byte[] network, int length) {
        this.network = network;
        this.length = length;
    }

    /**
     * Reads {@code 127.0.0.1}, {@code 10.0.0.0/8}, {@code ::1} or {@code fd00::/8}; of IPv6 in
     * brackets, too, and with a zone, which is left out. Nothing is looked up: names are refused.
     *
     * @throws IllegalArgumentException with a sentence that says what is wrong with the text
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        byte[] network = address(slash < 0 ? text : text.substring(0, slash), text);
        int bits = network.length * 8;
        if (slash < 0) {
            return new AddressRange(network, bits);
        }
        String given = text.substring(slash + 1);
        int length = given.matches("[0-9]{1,3}") ? Integer.parseInt(given) : -1;
        if (length < 0 || length > bits) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" needs 0.." + bits + " after the slash, as 10.0.0.0/8");
        }
        byte[] masked = masked(network, length);
        if (!Arrays.equals(masked, network)) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no network: it has bits set past its first " + length);
        }
        return new AddressRange(network, length);
    }

    /** An address as a log has it, without the port that may follow it. */
    public static String withoutPort(String text) {
        return text.replaceFirst("^(\\[[^]]*]|[0-9.]+|[0-9a-fA-F:.]+%[^:]*):[0-9]{1,5}$", "$1");
    }

    /** What one household has: an address of IPv4, or the /64 of one of IPv6. */
    public static AddressRange subscriberPrefix(InetAddress of) {
        byte[] bytes = of.getAddress();
        int length = bytes.length == 4 ? 32 : 64;
        return new AddressRange(masked(bytes, length), length);
    }

    /** What logs count together: a /24 of IPv4, or the /64 of an address of IPv6. */
    public static AddressRange network(InetAddress of) {
        byte[] bytes = of.getAddress();
        int length = bytes.length == 4 ? 24 : 64;
        return new AddressRange(masked(bytes, length), length);
    }

    private static byte[] address(String typed, String text) {
        String bare =
                typed.startsWith("[") && typed.endsWith("]")
                        ? typed.substring(1, typed.length() - 1)
                        : typed;
        // A zone is of the machine that printed it, and is no part of the address.
        String literal = bare.replaceFirst("(?<=:[0-9a-fA-F]{0,4})%[0-9A-Za-z_.-]{1,16}$", "");
        // Java also reads 10.1, which is not meant here.
        boolean v4 = literal.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
        boolean v6 = literal.matches("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
        if (v4 || v6) {
            try {
                return InetAddress.ofLiteral(literal).getAddress();
            } catch (IllegalArgumentException e) {
                throw unreadable(text, e);
            }
        }
        throw unreadable(text, null);
    }

    private static IllegalArgumentException unreadable(
            String text, @Nullable IllegalArgumentException cause) {
        return new IllegalArgumentException(
                "\"" + text + "\" is no address or network, such as 127.0.0.1, 10.0.0.0/8 or ::1",
                cause);
    }

    private static byte[] masked(byte[] address, int length) {
        byte[] masked = address.clone();
        for (int i = 0; i < masked.length; i++) {
            int kept = Math.clamp(length - 8 * i, 0, 8);
            masked[i] &= (byte) (0xFF << 8 - kept);
        }
        return masked;
    }

    /** Whether an address is one of these. */
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == network.length && Arrays.equals(masked(bytes, length), network);
    }

    /**
     * The address of a number in this range, from its first on; past the last it starts again.
     *
     * @param index 0 or more
     */
    public InetAddress address(long index) {
        byte[] bytes = network.clone();
        int free = bytes.length * 8 - length;
        long rest = free < 63 ? index % (1L << free) : index;
        for (int i = bytes.length - 1; i >= 0 && rest != 0; i--) {
            bytes[i] |= (byte) rest;
            rest >>>= 8;
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressRange range
                && length == range.length
                && Arrays.equals(network, range.network);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(network) + length;
    }

    /** As it is written: {@code 10.0.0.0/8}, {@code 127.0.0.1}. */
    @Override
    public String toString() {
        String first = NetUtil.toAddressString(address(0));
        return length == network.length * 8 ? first : first + "/" + length;
    }
}
