package dev.wishdir.inspect;

/**
 * The link types of captures, with the numbers of their registry (the IETF's
 * draft-ietf-opsawg-pcaplinktype).
 */
final class LinkType {
    static final int BSD_LOOPBACK = 0;
    static final int ETHERNET = 1;
    static final int PPP = 9;
    static final int RAW_BSD = 12;
    static final int RAW_OPENBSD = 14;
    static final int PPP_HDLC = 50;
    static final int PPPOE = 51;

    /** RFC 2684: LLC and SNAP, also without ATM. */
    static final int LLC = 100;

    static final int RAW = 101;
    static final int CISCO_HDLC = 104;
    static final int WIFI = 105;
    static final int FRAME_RELAY = 107;
    static final int OPENBSD_LOOPBACK = 108;
    static final int OPENBSD_ENC = 109;
    static final int LINUX_COOKED = 113;
    static final int OPENBSD_PFLOG = 117;
    static final int WIFI_PRISM = 119;
    static final int SUN_ATM = 123;
    static final int WIFI_RADIOTAP = 127;
    static final int FIREWIRE_IP = 138;
    static final int WIFI_AVS = 163;
    static final int PPP_PPPD = 166;
    static final int PPI = 192;
    static final int PPP_WITH_DIRECTION = 204;
    static final int CISCO_HDLC_WITH_DIRECTION = 205;
    static final int SOLARIS_IPNET = 226;
    static final int IPV4 = 228;
    static final int IPV6 = 229;
    static final int NFLOG = 239;
    static final int NETANALYZER = 240;
    static final int NETANALYZER_PREAMBLE = 241;
    static final int INFINIBAND_IP = 242;
    static final int APPLE_PKTAP = 258;
    static final int ETHERNET_PREAMBLE = 274;
    static final int LINUX_COOKED_2 = 276;
    static final int SWITCH_TAG_BROADCOM = 281;
    static final int SWITCH_TAG_BROADCOM_PREPENDED = 282;
    static final int SWITCH_TAG_MARVELL = 283;
    static final int SWITCH_TAG_MARVELL_LONG = 284;

    private LinkType() {}

    /** Whether packets of a link type can be decoded. */
    static boolean isKnown(int link) {
        return switch (link) {
            case BSD_LOOPBACK,
                    ETHERNET,
                    PPP,
                    RAW_BSD,
                    RAW_OPENBSD,
                    PPP_HDLC,
                    PPPOE,
                    LLC,
                    RAW,
                    CISCO_HDLC,
                    WIFI,
                    FRAME_RELAY,
                    OPENBSD_LOOPBACK,
                    OPENBSD_ENC,
                    LINUX_COOKED,
                    OPENBSD_PFLOG,
                    WIFI_PRISM,
                    SUN_ATM,
                    WIFI_RADIOTAP,
                    FIREWIRE_IP,
                    WIFI_AVS,
                    PPP_PPPD,
                    PPI,
                    PPP_WITH_DIRECTION,
                    CISCO_HDLC_WITH_DIRECTION,
                    SOLARIS_IPNET,
                    IPV4,
                    IPV6,
                    NFLOG,
                    NETANALYZER,
                    NETANALYZER_PREAMBLE,
                    INFINIBAND_IP,
                    APPLE_PKTAP,
                    ETHERNET_PREAMBLE,
                    LINUX_COOKED_2,
                    SWITCH_TAG_BROADCOM,
                    SWITCH_TAG_BROADCOM_PREPENDED,
                    SWITCH_TAG_MARVELL,
                    SWITCH_TAG_MARVELL_LONG ->
                    true;
            default -> false;
        };
    }

    /** The error for a link type that cannot be decoded. */
    static String unknown(int link) {
        return "link type "
                + link
                + " is not supported; supported are Ethernet, Wi-Fi, PPP, Linux cooked, raw IP,"
                + " loopback, NFLOG and others, see docs/inspect.md";
    }
}
