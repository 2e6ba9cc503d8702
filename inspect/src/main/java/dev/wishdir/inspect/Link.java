package dev.wishdir.inspect;

import dev.wishdir.wire.Bytes;

/** What lies around the IP packet on each link type that is known, by its registered number. */
final class Link {
    static final int BSD_LOOPBACK = 0;
    static final int ETHERNET = 1;
    static final int RAW_BSD = 12;
    static final int RAW_OPENBSD = 14;
    static final int RAW = 101;
    static final int OPENBSD_LOOPBACK = 108;
    static final int LINUX_COOKED = 113;
    static final int IPV4 = 228;
    static final int IPV6 = 229;
    static final int LINUX_COOKED_2 = 276;

    private static final int TYPE_IPV4 = 0x0800;
    private static final int TYPE_IPV6 = 0x86DD;
    private static final int VLAN = 0x8100;
    private static final int VLAN_SERVICE = 0x88A8;
    private static final int VLAN_OLD_SERVICE = 0x9100;

    private Link() {}

    static boolean isKnown(int link) {
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
                    LINUX_COOKED_2 ->
                    true;
            default -> false;
        };
    }

    static String unknown(int link) {
        return "the link type "
                + link
                + " is not known, only Ethernet, Linux cooked, raw IP and BSD loopback are";
    }

    /**
     * Where the IP packet begins in a packet of a known link type, or -1 if it holds none. That it
     * is IP still shows in its first half byte.
     */
    static int ip(int link, Bytes packet) {
        return switch (link) {
            case ETHERNET -> etherType(packet, 12, 14);
            case LINUX_COOKED -> etherType(packet, 14, 16);
            case LINUX_COOKED_2 -> etherType(packet, 0, 20);
            // An address family, in the byte order and with the numbers of the system that saw it.
            case BSD_LOOPBACK, OPENBSD_LOOPBACK -> 4;
            default -> 0;
        };
    }

    /** The packet behind an EtherType, and behind the VLAN tags that may follow it. */
    private static int etherType(Bytes packet, int typeAt, int next) {
        int type = u16(packet, typeAt);
        int at = next;
        while (type == VLAN || type == VLAN_SERVICE || type == VLAN_OLD_SERVICE) {
            type = u16(packet, at + 2);
            at += 4;
        }
        return type == TYPE_IPV4 || type == TYPE_IPV6 ? at : -1;
    }

    private static int u16(Bytes packet, int at) {
        return at + 2 > packet.length()
                ? -1
                : (packet.get(at) & 0xFF) << 8 | packet.get(at + 1) & 0xFF;
    }
}
