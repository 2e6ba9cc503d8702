package dev.wishdir.bedrock.protocol;

import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.TrafficCounters;
import dev.wishdir.nethernet.NetherNetPeer;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.security.interfaces.ECPublicKey;

/**
 * A connection that carries the game's batches whole, once and in order: all that the game layer
 * knows of what is below it, which is {@link RakNetTransport} or {@link NetherNetTransport}. What a
 * transport puts around a batch is its own affair. Each is equal to itself alone.
 */
public interface Transport extends MemoryConsumer {
    /** How a connection ended. */
    enum Ending {
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

    /** Whom a connection tells what happens; called inside the state machine's own calls. */
    interface Listener {
        /** The connection is open: batches may be sent. */
        void onConnected(long now, Transport transport);

        /**
         * The connection is open, but there is no place for it: who knows how tells the other side
         * why, and closes it.
         */
        default void onRefused(long now, Transport transport, NetherNetPeer.Refusal reason) {
            transport.abort(now, reason.text());
        }

        /** A batch came in; the array is the listener's to keep. */
        void onReceived(long now, Transport transport, byte[] batch);

        /**
         * A batch came in beside the others, of which any may be missing or late; the array is the
         * listener's to keep.
         */
        default void onReceivedUnreliably(long now, Transport transport, byte[] batch) {}

        /** The connection is gone; nothing follows. It may never have been open. */
        void onEnded(long now, Transport transport, Ending ending, String reason);
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

    /** Whether nobody else can read what it carries: the game then does not encrypt it again. */
    boolean encrypts();

    /**
     * The key that the other side has proved to have by connecting, which its login must name, or
     * it is another's recording; null where a connection proves none.
     */
    default @Nullable ECPublicKey key() {
        return null;
    }

    /** The other side has logged in: the limits of one who has hold from now on. */
    default void admit() {}

    /** Ends the connection at once; the other side is told once, whether that arrives or not. */
    @Override
    void abort(long now, String reason);

    /** Ends the connection once what was sent has arrived, or a short time has passed. */
    void close();
}
