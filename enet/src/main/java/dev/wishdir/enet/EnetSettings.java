package dev.wishdir.enet;

import java.util.Objects;

/** Settings of an {@link EnetHost}, built by {@link #builder} with a default for each. */
public final class EnetSettings {
    static final int MIN_MTU = 576;
    static final int MAX_MTU = 4096;
    static final int MAX_CHANNELS = 255;

    /** Default MTU of ENet's own hosts, bytes. */
    private static final int DEFAULT_MTU = 1392;

    private final int maxPeers;
    private final int maxHalfOpen;
    private final int maxPeersPerAddress;
    private final int channels;
    private final int mtu;
    private final long inBandwidth;
    private final long outBandwidth;
    private final int receiveMemory;
    private final int sendMemory;
    private final String counters;
    private final long overflowReason;
    private final long timeoutReason;

    private EnetSettings(Builder b) {
        maxPeers = within("maxPeers", b.maxPeers, 1, EnetHeader.NO_PEER);
        maxHalfOpen = within("maxHalfOpen", b.maxHalfOpen, 0, EnetHeader.NO_PEER - maxPeers);
        maxPeersPerAddress =
                within("maxPeersPerAddress", b.maxPeersPerAddress, 1, Integer.MAX_VALUE);
        channels = within("channels", b.channels, 1, MAX_CHANNELS);
        mtu = within("mtu", b.mtu, MIN_MTU, MAX_MTU);
        inBandwidth = unsigned32("inBandwidth", b.inBandwidth);
        outBandwidth = unsigned32("outBandwidth", b.outBandwidth);
        receiveMemory = within("receiveMemory", b.receiveMemory, MAX_MTU, Integer.MAX_VALUE);
        sendMemory = within("sendMemory", b.sendMemory, MAX_MTU, Integer.MAX_VALUE);
        counters = b.counters;
        overflowReason = unsigned32("overflowReason", b.overflowReason);
        timeoutReason = unsigned32("timeoutReason", b.timeoutReason);
    }

    /** The defaults: those of ENet's own hosts, 16 peers, one channel. */
    public static Builder builder() {
        return new Builder();
    }

    int maxPeers() {
        return maxPeers;
    }

    int maxHalfOpen() {
        return maxHalfOpen;
    }

    int maxPeersPerAddress() {
        return maxPeersPerAddress;
    }

    int channels() {
        return channels;
    }

    int mtu() {
        return mtu;
    }

    long inBandwidth() {
        return inBandwidth;
    }

    long outBandwidth() {
        return outBandwidth;
    }

    int receiveMemory() {
        return receiveMemory;
    }

    int sendMemory() {
        return sendMemory;
    }

    String counters() {
        return counters;
    }

    long overflowReason() {
        return overflowReason;
    }

    long timeoutReason() {
        return timeoutReason;
    }

    private static long unsigned32(String name, long value) {
        return within(name, value, 0xFFFFFFFFL);
    }

    private static int within(String name, int value, int min, int max) {
        if (value < min) {
            throw outOfRange(name, value, min, max);
        }
        return (int) within(name, value, max);
    }

    private static long within(String name, long value, long max) {
        if (value < 0 || value > max) {
            throw outOfRange(name, value, 0, max);
        }
        return value;
    }

    private static IllegalArgumentException outOfRange(
            String name, long value, long min, long max) {
        return new IllegalArgumentException(
                name + " is " + value + ", must be " + min + ".." + max);
    }

    /** Collects settings; {@link #build} checks them. */
    public static final class Builder {
        private int maxPeers = 16;
        private int maxHalfOpen = 1024;
        private int maxPeersPerAddress = EnetHeader.NO_PEER;
        private int channels = 1;
        private int mtu = DEFAULT_MTU;
        private long inBandwidth;
        private long outBandwidth;
        private int receiveMemory = 5 << 20;
        private int sendMemory = 2 << 20;
        private String counters = "enet.drop";
        private long overflowReason;
        private long timeoutReason;

        private Builder() {}

        /** Maximum connections, opened by either side, 1..4095. */
        public Builder maxPeers(int peers) {
            maxPeers = peers;
            return this;
        }

        /**
         * Maximum half-open connections, whose sender has not proved its address; the oldest is
         * evicted for a new one. Together with {@link #maxPeers} at most 4095; 0 for a host that
         * only connects.
         */
        public Builder maxHalfOpen(int halfOpen) {
            maxHalfOpen = halfOpen;
            return this;
        }

        /** Maximum connections from one IP address, at least 1. */
        public Builder maxPeersPerAddress(int peers) {
            maxPeersPerAddress = peers;
            return this;
        }

        /** Maximum channels of a connection, 1..255. */
        public Builder channels(int count) {
            channels = count;
            return this;
        }

        /** Maximum length of a sent datagram, 576..4096 bytes. */
        public Builder mtu(int bytes) {
            mtu = bytes;
            return this;
        }

        /** Incoming bandwidth, bytes a second, 0..2^32-1; 0 for unlimited. */
        public Builder inBandwidth(long bytes) {
            inBandwidth = bytes;
            return this;
        }

        /** Outgoing bandwidth, bytes a second, 0..2^32-1; 0 for unlimited. */
        public Builder outBandwidth(long bytes) {
            outBandwidth = bytes;
            return this;
        }

        /**
         * Maximum heap of a peer's messages that are incomplete or wait for an earlier one, bytes,
         * at least 4096; also the maximum length of a fragmented message.
         */
        public Builder receiveMemory(int bytes) {
            receiveMemory = bytes;
            return this;
        }

        /**
         * Maximum heap of a peer's messages that are queued or in flight, bytes, at least 4096,
         * without an {@link EnetSharedPayload}.
         */
        public Builder sendMemory(int bytes) {
            sendMemory = bytes;
            return this;
        }

        /** Prefix of the drop counters' names; {@code enet.drop} by default. */
        public Builder counters(String prefix) {
            counters = Objects.requireNonNull(prefix, "counters");
            return this;
        }

        /** Disconnect reason for a peer that exceeded a memory limit, 0..2^32-1. */
        public Builder overflowReason(long reason) {
            overflowReason = reason;
            return this;
        }

        /**
         * Disconnect reason for a peer that stopped sending the fragments of a message, 0..2^32-1.
         */
        public Builder timeoutReason(long reason) {
            timeoutReason = reason;
            return this;
        }

        /**
         * @throws IllegalArgumentException if a value is out of its range
         */
        public EnetSettings build() {
            return new EnetSettings(this);
        }
    }
}
