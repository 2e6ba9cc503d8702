package dev.wishdir.net;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Sockets and duties that belong together and are run by one thread: a whole server, or one client.
 * A turn of the cycle is: take in the datagrams that have come, {@link Duty#advance advance} every
 * handler and duty in the order in which they were added, send what they sent. A turn happens when
 * datagrams come, when the earliest deadline has come, and after {@link #execute}.
 *
 * <p>A server adds its arena first and opens its sockets after it, so that a movement that a turn
 * brought in is relayed by the same turn.
 */
public interface DutyCycle extends AutoCloseable {
    /** The clock of this cycle: monotonic nanoseconds, from any origin. */
    long now();

    /**
     * Opens a socket.
     *
     * @throws IOException if the address can't be bound; its message names the address
     */
    UdpSocket open(InetSocketAddress local, DatagramHandler handler) throws IOException;

    /** Adds a duty that has no socket. */
    void add(Duty duty);

    /** Runs a task on the cycle's thread, then a turn. May be called by any thread. */
    void execute(Runnable task);

    /** Closes all sockets and drops all duties. May be called by any thread. */
    @Override
    void close();
}
