package dev.wishdir.sauerbraten;

/**
 * What an {@link EnetHost} allows.
 *
 * @param maxPeers connections at once
 * @param maxHalfOpen CONNECTs that were answered but whose sender has not proved yet that it
 *     receives at its address; the oldest gives way to a new one. 0 for a host that only connects
 * @param maxPeersPerAddress connections at once from one IP address
 * @param channels the most channels that a connection has, 1..255
 * @param mtu the longest datagram to send in bytes, 576..4096
 * @param inBandwidth bytes a second that this host takes in, 0 for unlimited
 * @param outBandwidth bytes a second that this host puts out, 0 for unlimited
 * @param receiveMemory the most heap to keep of a peer's messages that are incomplete or wait for
 *     an earlier one; also the longest message in fragments
 * @param sendMemory the most heap to keep for a peer until it is sent and acknowledged, without an
 *     {@link EnetFile}
 */
public record EnetSettings(
        int maxPeers,
        int maxHalfOpen,
        int maxPeersPerAddress,
        int channels,
        int mtu,
        long inBandwidth,
        long outBandwidth,
        int receiveMemory,
        int sendMemory) {
    /** Sauerbraten's own longest datagram. */
    public static final int MTU = 1400;

    /** Sauerbraten's channels: positions, messages, files. */
    public static final int CHANNELS = 3;

    /** A map of the most bytes that players may send, 4 MiB, with its fragments. */
    private static final int RECEIVE_MEMORY = 5 << 20;

    /** What a server tells a player while he joins is some KiB; a file is not counted here. */
    private static final int SEND_MEMORY = 2 << 20;

    /**
     * @throws IllegalArgumentException if a value is outside what ENet can express
     */
    public EnetSettings {
        require("maxPeers", maxPeers, 1, EnetHeader.NO_PEER);
        require("maxHalfOpen", maxHalfOpen, 0, EnetHeader.NO_PEER - maxPeers);
        require("maxPeersPerAddress", maxPeersPerAddress, 1, Integer.MAX_VALUE);
        require("channels", channels, 1, 255);
        require("mtu", mtu, EnetHost.MIN_MTU, EnetHost.MAX_MTU);
        require("inBandwidth", inBandwidth, 0, 0xFFFFFFFFL);
        require("outBandwidth", outBandwidth, 0, 0xFFFFFFFFL);
        require("receiveMemory", receiveMemory, EnetHost.MAX_MTU, Integer.MAX_VALUE);
        require("sendMemory", sendMemory, EnetHost.MAX_MTU, Integer.MAX_VALUE);
    }

    /** A Sauerbraten server's host: three channels, no bandwidth limits. */
    public static EnetSettings server(int maxPeers, int maxPeersPerAddress) {
        return new EnetSettings(
                maxPeers,
                1024,
                maxPeersPerAddress,
                CHANNELS,
                MTU,
                0,
                0,
                RECEIVE_MEMORY,
                SEND_MEMORY);
    }

    /** A Sauerbraten client's host: one connection, nobody can connect to it. */
    public static EnetSettings client() {
        return new EnetSettings(1, 0, 1, CHANNELS, MTU, 0, 0, 17 << 20, RECEIVE_MEMORY);
    }

    private static void require(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + " is " + value + ", must be " + min + ".." + max);
        }
    }
}
