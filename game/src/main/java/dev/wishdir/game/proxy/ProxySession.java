package dev.wishdir.game.proxy;

import dev.wishdir.net.loop.Duty;
import dev.wishdir.wire.dissect.Direction;

import java.net.InetSocketAddress;

/**
 * One client's session in a proxy, between its datagrams and an {@link Interceptor} of its
 * messages. Used by one thread.
 */
public interface ProxySession extends Duty {
    /** Output of a session. */
    interface Output {
        /** The client's address. */
        InetSocketAddress client();

        /** Sends a datagram; the array must not change afterwards. */
        void send(Direction direction, byte[] datagram);

        /** Reports what went wrong, in a few words. A session reports each kind of problem once. */
        void report(String problem);
    }

    /** Opens the session of a client. */
    @FunctionalInterface
    interface Factory {
        /** Sessions that pass on every datagram unchanged. */
        Factory UNCHANGED = out -> (_, direction, datagram) -> out.send(direction, datagram);

        ProxySession open(Output out);
    }

    /**
     * Handles a datagram of the client or the server. It is sent on unchanged, or others in its
     * place.
     *
     * @param datagram must not change afterwards
     */
    void receive(long now, Direction direction, byte[] datagram);

    @Override
    default long advance(long now) {
        return NEVER;
    }

    /** The heap of what waits for either side, bytes; 0 if it is bounded by a few KiB. */
    default long retainedBytes() {
        return 0;
    }

    /** Ends the session at once, with a notice to both sides if the game has one. */
    default void abort() {}
}
