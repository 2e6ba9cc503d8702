package dev.wishdir.net.limit;

import io.netty.util.NetUtil;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/** An address prefix (CIDR): one address, or a network such as 10.0.0.0/8. */
public final class AddressRange {
    private static final Pattern ZONE =
            Pattern.compile("(?<=:[0-9a-fA-F]{0,4})%[0-9A-Za-z_.-]{1,16}$");

    private static final Pattern V4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private static final Pattern PORT =
            Pattern.compile("^(\\[[^]]*]|[0-9.]+|[0-9a-fA-F:.]+%[^:]*):[0-9]{1,5}$");

    private final byte[] network;
    private final int length;

    private AddressRange(byte[] network, int length) {
        this.network = network;
        this.length = length;
    }

    /**
     * Parses {@code 127.0.0.1}, {@code 10.0.0.0/8}, {@code ::1} or {@code fd00::/8}. IPv6 addresses
     * may be in brackets and have a zone, which is ignored. Names are refused; nothing is resolved.
     *
     * @throws IllegalArgumentException if the text is malformed; the message says why
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
                    "\""
                            + text
                            + "\" needs a prefix length 0.."
                            + bits
                            + " after the slash, as 10.0.0.0/8");
        }
        byte[] masked = masked(network, length);
        if (!Arrays.equals(masked, network)) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a network: it has bits set past its first " + length);
        }
        return new AddressRange(network, length);
    }

    /** Removes the port, if there is one, from the text of an address. */
    public static String withoutPort(String text) {
        return PORT.matcher(text).replaceFirst("$1");
    }

    /** The addresses of one subscriber: one IPv4 address, or the /64 of an IPv6 address. */
    public static AddressRange subscriberPrefix(InetAddress address) {
        byte[] bytes = address.getAddress();
        int length = bytes.length == 4 ? 32 : 64;
        return new AddressRange(masked(bytes, length), length);
    }

    /**
     * The range of all addresses with the same first bits.
     *
     * @param length in bits, at most those of the address
     */
    public static AddressRange prefix(InetAddress address, int length) {
        return new AddressRange(masked(address.getAddress(), length), length);
    }

    /** Number of first bits that all of its addresses share. */
    public int length() {
        return length;
    }

    /** The network that logs count as one: an IPv4 /24, or the /64 of an IPv6 address. */
    public static AddressRange network(InetAddress address) {
        byte[] bytes = address.getAddress();
        int length = bytes.length == 4 ? 24 : 64;
        return new AddressRange(masked(bytes, length), length);
    }

    private static byte[] address(String typed, String text) {
        String bare =
                typed.startsWith("[") && typed.endsWith("]")
                        ? typed.substring(1, typed.length() - 1)
                        : typed;
        // A zone is local to the machine that printed it.
        String literal = bare.indexOf('%') < 0 ? bare : ZONE.matcher(bare).replaceFirst("");
        // InetAddress also accepts 10.1, which is ambiguous.
        boolean v4 = V4.matcher(literal).matches();
        boolean v6 = !v4 && V6.matcher(literal).matches();
        if (v4 || v6) {
            try {
                return InetAddress.ofLiteral(literal).getAddress();
            } catch (IllegalArgumentException e) {
                throw malformed(text, e);
            }
        }
        throw malformed(text, null);
    }

    private static IllegalArgumentException malformed(
            String text, @Nullable IllegalArgumentException cause) {
        return new IllegalArgumentException(
                "\""
                        + text
                        + "\" is not an address or network, such as 127.0.0.1, 10.0.0.0/8 or ::1",
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

    /** Whether the range contains an address. */
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == network.length && Arrays.equals(masked(bytes, length), network);
    }

    /**
     * The address at an index of this range; past the last it starts again.
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

    /** In the form that {@link #parse} reads: {@code 10.0.0.0/8}, {@code 127.0.0.1}. */
    @Override
    public String toString() {
        String first = NetUtil.toAddressString(address(0));
        return length == network.length * 8 ? first : first + "/" + length;
    }
}
