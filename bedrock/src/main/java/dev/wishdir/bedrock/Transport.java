package dev.wishdir.bedrock;

import java.net.InetSocketAddress;

/**
 * A connection that carries the game's batches whole, once and in order: all that the game layer
 * knows of what is below it. RakNet is the one that there is today; the game is leaving it for
 * another.
 */
public interface Transport {
    /** How a connection ended. */
    enum Ending {
        /** {@link Transport#close} ended it. */
        CLOSED,
        /** The other side ended it. */
        LEFT,
        /** The other side did not let us in. */
        REFUSED,
        /** The other side fell silent. */
        TIMED_OUT,
        /** The other side broke the protocol or a limit. */
        VIOLATION
    }

    /** Whom a connection tells what happens; called inside the state machine's own calls. */
    interface Listener {
        /** The connection is open: batches may be sent. */
        void connected(long now, Transport transport);

        /** A batch came in; the array is the listener's to keep. */
        void received(long now, Transport transport, byte[] batch);

        /** The connection is gone; nothing follows. It may never have been open. */
        void ended(long now, Transport transport, Ending ending, String reason);
    }

    /** The other side. */
    InetSocketAddress remote();

    /** The smoothed round trip, nanoseconds; 0 while none was measured. */
    long roundTrip();

    /** Sends a batch; the bytes are copied. Does nothing once the connection is closing. */
    void send(byte[] batch, int offset, int length);

    /** Ends the connection once what was sent has arrived, or a short time has passed. */
    void close();
}
