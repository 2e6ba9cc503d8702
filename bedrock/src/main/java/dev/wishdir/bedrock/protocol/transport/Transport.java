package dev.wishdir.bedrock.protocol.transport;

import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.nethernet.NetherNetPeer;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.security.interfaces.ECPublicKey;

/**
 * A connection that delivers the game's batches whole, once and in order, over RakNet or NetherNet.
 * It hides the framing of a batch. A transport is equal only to itself.
 */
public interface Transport extends MemoryConsumer {
    /** End of a connection. */
    enum EndReason {
        /** {@link Transport#close} ended it. */
        CLOSED,
        /** The other side ended it. */
        LEFT,
        /** The other side refused the connection. */
        REFUSED,
        /** The other side was silent, or did not acknowledge. */
        TIMED_OUT,
        /** {@link Transport#abort} ended it. */
        SENT_AWAY,
        /** The other side broke the protocol or a limit. */
        VIOLATION
    }

    /** A listener for a connection's events. Called within calls of the state machine. */
    interface Listener {
        /** The connection is open: batches may be sent. */
        void onConnected(long now, Transport transport);

        /**
         * The connection is open, but refused by a limit. A listener that can report the reason to
         * the peer does so and closes the connection; the default aborts it.
         */
        default void onRefused(long now, Transport transport, NetherNetPeer.Refusal reason) {
            transport.abort(now, reason.text());
        }

        /** A batch was received; the listener may keep the array. */
        void onReceived(long now, Transport transport, byte[] batch);

        /**
         * A batch was received on the unreliable channel, on which batches may be lost or late; the
         * listener may keep the array.
         */
        default void onReceivedUnreliably(long now, Transport transport, byte[] batch) {}

        /**
         * The other side broke a limit: the connection ends after this call. What is sent now is
         * sent once, as a last word.
         */
        default void onViolation(long now, Transport transport, String reason) {}

        /** The connection is gone; nothing follows. It may never have been open. */
        void onEnded(long now, Transport transport, EndReason ending, String reason);
    }

    /** The address of the other side. */
    InetSocketAddress remote();

    /** Time of the last datagram that only the other side can have sent, nanoseconds. */
    long lastHeard();

    /** The smoothed round trip, nanoseconds; 0 while none was measured. */
    long roundTrip();

    /** Counters of sent and received traffic. */
    TrafficCounters traffic();

    /** Sends a batch; the bytes are copied. Does nothing once the connection is closing. */
    void send(byte[] batch, int offset, int length);

    /**
     * The heap of queued, unacknowledged, incomplete and reordered data, bytes. Includes overheads
     * of objects, but not what a connection without traffic takes.
     */
    @Override
    long retainedBytes();

    /**
     * Whether much data is queued or unacknowledged, so that new data arrives late. State should
     * then wait and be sent with its newest value; chat should be dropped.
     */
    boolean isCongested();

    /** Whether the transport encrypts; the game then does not. */
    boolean encrypts();

    /**
     * The key that the other side proved when it connected; null if the transport proves none. A
     * login with another key is a recording of another client's.
     */
    default @Nullable ECPublicKey key() {
        return null;
    }

    /** Applies the limits for logged-in peers from now on. */
    default void admit() {}

    /** Ends the connection at once, with a single unacknowledged notice to the other side. */
    @Override
    void abort(long now, String reason);

    /** Ends the connection once all sent data has arrived, or after a short time. */
    void close();
}
