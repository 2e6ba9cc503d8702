package dev.wishdir.sauerbraten.protocol;

import dev.wishdir.enet.EnetSettings;

/** The game's ENet settings, and the purposes of its three channels. */
public final class SauerbratenTransport {
    /** Positions, teleports and jump pads; unreliable. */
    public static final int POSITIONS = 0;

    /** All other messages. */
    public static final int MESSAGES = 1;

    /** Maps and demos; a packet contains only one. */
    public static final int FILES = 2;

    /** Maximum datagram size, bytes. */
    public static final int MTU_BYTES = 1400;

    /** Prefix of the counters of dropped packets. */
    public static final String DROPS = "sauerbraten.drop";

    /** The largest map that a player may send, 4 MiB, with its fragments. */
    private static final int MAP_MEMORY_BYTES = 5 << 20;

    /** A joining player is sent some KiB; files are not counted here. */
    private static final int SEND_MEMORY_BYTES = 2 << 20;

    /** The largest map that a server may send, 16 MiB, with its fragments. */
    private static final int FILE_MEMORY_BYTES = 17 << 20;

    private SauerbratenTransport() {}

    /**
     * Settings of a server's host.
     *
     * @param maxPeers maximum number of connections
     * @param maxPeersPerAddress of them from one IP address
     */
    public static EnetSettings server(int maxPeers, int maxPeersPerAddress) {
        return common().maxPeers(maxPeers)
                .maxPeersPerAddress(maxPeersPerAddress)
                .receiveMemory(MAP_MEMORY_BYTES)
                .sendMemory(SEND_MEMORY_BYTES)
                .build();
    }

    /** Settings of a client's host: one connection, and no inbound connections. */
    public static EnetSettings client() {
        return common().maxPeers(1)
                .maxHalfOpen(0)
                .receiveMemory(FILE_MEMORY_BYTES)
                .sendMemory(MAP_MEMORY_BYTES)
                .build();
    }

    /** Settings of a proxy's host for one client. */
    public static EnetSettings proxyForClient() {
        return common().maxPeers(2)
                .maxHalfOpen(2)
                .receiveMemory(MAP_MEMORY_BYTES)
                .sendMemory(FILE_MEMORY_BYTES)
                .build();
    }

    /** Settings of a proxy's host for one server, with a connection that is still ending. */
    public static EnetSettings proxyForServer() {
        return common().maxPeers(4)
                .maxHalfOpen(0)
                .receiveMemory(FILE_MEMORY_BYTES)
                .sendMemory(MAP_MEMORY_BYTES)
                .build();
    }

    private static EnetSettings.Builder common() {
        return EnetSettings.builder()
                .channels(FILES + 1)
                .mtu(MTU_BYTES)
                .counters(DROPS)
                .overflowReason(DisconnectReason.OVERFLOW.code())
                .timeoutReason(DisconnectReason.TIMEOUT.code());
    }
}
