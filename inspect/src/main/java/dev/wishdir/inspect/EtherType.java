package dev.wishdir.inspect;

/** Registered EtherTypes. */
final class EtherType {
    static final int IPV4 = 0x0800;
    static final int IPV6 = 0x86DD;
    static final int MPLS = 0x8847;

    /** A whole Ethernet frame in a tunnel. */
    static final int BRIDGED = 0x6558;

    static final int PPP = 0x880B;
    static final int SERVICE_HEADER = 0x894F;

    private EtherType() {}
}
