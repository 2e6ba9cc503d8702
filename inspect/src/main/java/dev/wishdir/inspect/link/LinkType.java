package dev.wishdir.inspect.link;

/**
 * The link types that are decoded, with the numbers of their registry (the IETF's
 * draft-ietf-opsawg-pcaplinktype).
 */
public final class LinkType {
    public static final int BSD_LOOPBACK = 0;
    public static final int ETHERNET = 1;
    public static final int RAW_BSD = 12;
    public static final int RAW_OPENBSD = 14;
    public static final int RAW = 101;
    public static final int OPENBSD_LOOPBACK = 108;
    public static final int LINUX_COOKED = 113;
    public static final int IPV4 = 228;
    public static final int IPV6 = 229;
    public static final int NFLOG = 239;

    /** The metadata that macOS puts before the packets of {@code tcpdump -i any}. */
    public static final int APPLE_PKTAP = 258;

    public static final int LINUX_COOKED_2 = 276;

    private LinkType() {}

    /** Whether packets of a link type can be decoded. */
    public static boolean isKnown(int link) {
        return switch (link) {
            case BSD_LOOPBACK,
                    ETHERNET,
                    RAW_BSD,
                    RAW_OPENBSD,
                    RAW,
                    OPENBSD_LOOPBACK,
                    LINUX_COOKED,
                    IPV4,
                    IPV6,
                    NFLOG,
                    APPLE_PKTAP,
                    LINUX_COOKED_2 ->
                    true;
            default -> false;
        };
    }

    /** The error for a link type that cannot be decoded. */
    public static String unknown(int link) {
        String name =
                switch (link) {
                    case 9, 50, 51, 166, 204 -> " (PPP)";
                    case 105, 119, 127, 163, 192 -> " (Wi-Fi)";
                    default -> "";
                };
        return "link type "
                + link
                + name
                + " is not supported, only Ethernet, Linux cooked, raw IP, loopback, NFLOG and"
                + " PKTAP: convert it with tshark -r IN -U IP -w OUT";
    }
}
