package dev.wishdir.bedrock.protocol;

import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.TrafficCounters;
import dev.wishdir.nethernet.NetherNetPeer;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.security.interfaces.ECPublicKey;

/**
 * A connection that carries the game's batches whole, once and in order. It is all that the game
 * layer knows of what is below it, which is {@link RakNetTransport} or {@link NetherNetTransport}.
 * The framing of a batch is private to the transport. A transport is equal only to itself.
 */
public interface Transport extends MemoryConsumer {
    /** How a connection ended. */
    enum EndReason {
        /** {@link Transport#close} ended it. */
        CLOSED,
        /** The other side ended it. */
        LEFT,
        /** The other side did not let us in. */
        REFUSED,
        /** The other side fell silent, or does not take what it is sent. */
        TIMED_OUT,
        /** {@link Transport#abort} ended it. */
        SENT_AWAY,
        /** The other side broke the protocol or a limit. */
        VIOLATION
    }

    /** A listener for a connection's events; called inside the state machine's own calls. */
    interface Listener {
        /** The connection is open: batches may be sent. */
        void onConnected(long now, Transport transport);

        /**
         * The connection is open, but there is no place for it. A listener that can report the
         * reason to the peer does so and closes the connection; the default aborts it.
         */
        default void onRefused(long now, Transport transport, NetherNetPeer.Refusal reason) {
            transport.abort(now, reason.text());
        }

        /** A batch came in; the array is the listener's to keep. */
        void onReceived(long now, Transport transport, byte[] batch);

        /**
         * A batch came in on the unreliable channel, where any batch may be missing or late; the
         * array is the listener's to keep.
         */
        default void onReceivedUnreliably(long now, Transport transport, byte[] batch) {}

        /** The connection is gone; nothing follows. It may never have been open. */
        void onEnded(long now, Transport transport, EndReason ending, String reason);
    }

    /** The other side. */
    InetSocketAddress remote();

    /** When the other side last gave a sign of life that it could not give without being there. */
    long lastHeard();

    /** The smoothed round trip, nanoseconds; 0 while none was measured. */
    long roundTrip();

    /** What came and went. */
    TrafficCounters traffic();

    /** Sends a batch; the bytes are copied. Does nothing once the connection is closing. */
    void send(byte[] batch, int offset, int length);

    /**
     * The heap of all that waits: what is queued, sent and not acknowledged, incomplete or held
     * back. Overheads of objects are in it; what a connection without traffic takes is not.
     */
    @Override
    long retainedBytes();

    /**
     * Whether much waits to be sent or acknowledged. What is sent now comes late: state should be
     * sent as its newest value when this is over, and what others say is better left out.
     */
    boolean isCongested();

    /** Whether the transport encrypts what it carries: the game then does not do so again. */
    boolean encrypts();

    /**
     * The key that the other side has proved to have by connecting, which its login must name, or
     * it is another's recording; null where a connection proves none.
     */
    default @Nullable ECPublicKey key() {
        return null;
    }

    /** The other side has logged in: the limits for logged-in peers hold from now on. */
    default void admit() {}

    /** Ends the connection at once; notifies the other side once, whether that arrives or not. */
    @Override
    void abort(long now, String reason);

    /** Ends the connection once what was sent has arrived, or a short time has passed. */
    void close();
}
