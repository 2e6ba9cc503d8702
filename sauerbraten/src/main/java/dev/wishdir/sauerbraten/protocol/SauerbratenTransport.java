package dev.wishdir.sauerbraten.protocol;

import dev.wishdir.enet.EnetSettings;

/** How the game sets up ENet, and what its three channels are for. */
public final class SauerbratenTransport {
    /** Positions, teleports and jump pads, unreliable. */
    public static final int POSITIONS = 0;

    /** All other messages. */
    public static final int MESSAGES = 1;

    /** Maps and recordings; of several messages in a packet there is one. */
    public static final int FILES = 2;

    /** The longest datagram, bytes. */
    public static final int MTU = 1400;

    /** What the names of all counters of drops begin with. */
    public static final String DROPS = "sauerbraten.drop";

    /** A map of the most bytes that players may send, 4 MiB, with its fragments. */
    private static final int MAP_MEMORY = 5 << 20;

    /** What a server tells a player while he joins is some KiB; a file is not counted here. */
    private static final int SEND_MEMORY = 2 << 20;

    /** The longest map that a server may send, 16 MiB, with its fragments. */
    private static final int FILE_MEMORY = 17 << 20;

    private SauerbratenTransport() {}

    /**
     * A server's host.
     *
     * @param maxPeers connections at once
     * @param maxPeersPerAddress of them from one IP address
     */
    public static EnetSettings server(int maxPeers, int maxPeersPerAddress) {
        return usual().maxPeers(maxPeers)
                .maxPeersPerAddress(maxPeersPerAddress)
                .receiveMemory(MAP_MEMORY)
                .sendMemory(SEND_MEMORY)
                .build();
    }

    /** A client's host: one connection, nobody can connect to it. */
    public static EnetSettings client() {
        return usual().maxPeers(1)
                .maxHalfOpen(0)
                .receiveMemory(FILE_MEMORY)
                .sendMemory(MAP_MEMORY)
                .build();
    }

    private static EnetSettings.Builder usual() {
        return EnetSettings.builder()
                .channels(FILES + 1)
                .mtu(MTU)
                .counters(DROPS)
                .overflowReason(DisconnectReason.OVERFLOW.code())
                .timeoutReason(DisconnectReason.TIMEOUT.code());
    }
}
