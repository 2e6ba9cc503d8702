package dev.wishdir.enet;

import java.util.Objects;

/**
 * What an {@link EnetHost} allows and how it names things: made by {@link #builder}, with defaults
 * for all of it.
 */
public final class EnetSettings {
    static final int MIN_MTU = 576;
    static final int MAX_MTU = 4096;
    static final int MAX_CHANNELS = 255;

    /** The longest datagram of ENet's own hosts where nothing else is set, bytes. */
    private static final int USUAL_MTU = 1392;

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
        inBandwidth = word("inBandwidth", b.inBandwidth);
        outBandwidth = word("outBandwidth", b.outBandwidth);
        receiveMemory = within("receiveMemory", b.receiveMemory, MAX_MTU, Integer.MAX_VALUE);
        sendMemory = within("sendMemory", b.sendMemory, MAX_MTU, Integer.MAX_VALUE);
        counters = b.counters;
        overflowReason = word("overflowReason", b.overflowReason);
        timeoutReason = word("timeoutReason", b.timeoutReason);
    }

    /** Settings to begin with: what ENet's own hosts have, 16 peers, one channel. */
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

    private static long word(String name, long value) {
        return within(name, value, 0xFFFFFFFFL);
    }

    private static int within(String name, int value, int min, int max) {
        if (value < min) {
            throw refused(name, value, min, max);
        }
        return (int) within(name, value, max);
    }

    private static long within(String name, long value, long max) {
        if (value < 0 || value > max) {
            throw refused(name, value, 0, max);
        }
        return value;
    }

    private static IllegalArgumentException refused(String name, long value, long min, long max) {
        return new IllegalArgumentException(
                name + " is " + value + ", must be " + min + ".." + max);
    }

    /** Collects settings; {@link #build} checks them. */
    public static final class Builder {
        private int maxPeers = 16;
        private int maxHalfOpen = 1024;
        private int maxPeersPerAddress = EnetHeader.NO_PEER;
        private int channels = 1;
        private int mtu = USUAL_MTU;
        private long inBandwidth;
        private long outBandwidth;
        private int receiveMemory = 5 << 20;
        private int sendMemory = 2 << 20;
        private String counters = "enet.drop";
        private long overflowReason;
        private long timeoutReason;

        private Builder() {}

        /** Connections at once, begun by either side, 1..4095. */
        public Builder maxPeers(int peers) {
            maxPeers = peers;
            return this;
        }

        /**
         * CONNECTs that were answered but whose sender has not proved yet that it receives at its
         * address; the oldest gives way to a new one. With the connections at most 4095; 0 for a
         * host that only connects.
         */
        public Builder maxHalfOpen(int halfOpen) {
            maxHalfOpen = halfOpen;
            return this;
        }

        /** Connections at once from one IP address, at least 1. */
        public Builder maxPeersPerAddress(int peers) {
            maxPeersPerAddress = peers;
            return this;
        }

        /** The most channels that a connection has, 1..255. */
        public Builder channels(int most) {
            channels = most;
            return this;
        }

        /** The longest datagram to send in bytes, 576..4096. */
        public Builder mtu(int bytes) {
            mtu = bytes;
            return this;
        }

        /** Bytes a second that this host takes in, 0..2^32-1; 0 for unlimited. */
        public Builder inBandwidth(long bytes) {
            inBandwidth = bytes;
            return this;
        }

        /** Bytes a second that this host puts out, 0..2^32-1; 0 for unlimited. */
        public Builder outBandwidth(long bytes) {
            outBandwidth = bytes;
            return this;
        }

        /**
         * The most heap to keep of a peer's messages that are incomplete or wait for an earlier
         * one, bytes, at least 4096; also the longest message in fragments.
         */
        public Builder receiveMemory(int bytes) {
            receiveMemory = bytes;
            return this;
        }

        /**
         * The most heap to keep for a peer until it is sent and acknowledged, bytes, at least 4096,
         * without an {@link EnetSharedPayload}.
         */
        public Builder sendMemory(int bytes) {
            sendMemory = bytes;
            return this;
        }

        /** What the names of the counters of drops begin with, {@code enet.drop} if not set. */
        public Builder counters(String prefix) {
            counters = Objects.requireNonNull(prefix);
            return this;
        }

        /**
         * The disconnect data, 0..2^32-1, for a peer that sends, or leaves unacknowledged, more
         * than is kept for it.
         */
        public Builder overflowReason(long reason) {
            overflowReason = reason;
            return this;
        }

        /** The disconnect data, 0..2^32-1, for a peer that does not continue a message. */
        public Builder timeoutReason(long reason) {
            timeoutReason = reason;
            return this;
        }

        /**
         * The settings.
         *
         * @throws IllegalArgumentException if a value is outside what ENet can express
         */
        public EnetSettings build() {
            return new EnetSettings(this);
        }
    }
}
