package dev.wishdir.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Sockets and duties that belong together and are run by one thread: a whole server, or one client.
 * A turn of the cycle is: take in the datagrams that have come, {@link Duty#advance advance} every
 * handler and duty in the order in which they were added, send what they sent. A turn happens when
 * datagrams come, when the earliest deadline has come, and after {@link #execute}.
 *
 * <p>Whatever a handler, a duty or a task throws is logged and ends nothing else: a duty is
 * advanced again a second later.
 *
 * <p>A server adds its arena first and opens its sockets after it, so that a movement that a turn
 * brought in is relayed by the same turn.
 */
public interface DutyCycle extends AutoCloseable {
    /** How much offloaded work may wait at once. */
    int MAX_OFFLOADED_TASKS = 64;

    /** How long offloaded work may take, with its time in the queue: 5 s. */
    long OFFLOAD_TIMEOUT_NANOS = 5_000_000_000L;

    /**
     * How long work may take that is {@linkplain #offloadLong prepared}, with its time in the
     * queue.
     */
    long LONG_OFFLOAD_TIMEOUT_NANOS = 60_000_000_000L;

    /**
     * The clock of this cycle: monotonic nanoseconds, from any origin. It stands still while the
     * cycle's thread does, so that no deadline passes then; see {@link #sleptNanos}.
     */
    long now();

    /**
     * The time that the cycle's thread has worked, nanoseconds: while the thread or the whole
     * process is held up it stands still, where {@link #now} goes on. For the cycle's thread.
     */
    long worked();

    /**
     * How long the cycle's thread has slept so far, in pauses of the machine or of Java, without
     * the clock. Peers went on meanwhile: what they did is judged by the time of both together.
     */
    long sleptNanos();

    /**
     * Opens a socket, and has its handler made on the cycle's thread. Nothing is handed to the
     * handler, and it is not advanced, before it is made.
     *
     * @return what was made
     * @throws IOException if the address can't be bound; its message names the address. Or what the
     *     maker throws
     */
    <H extends DatagramHandler> H open(InetSocketAddress local, DatagramHandler.Maker<H> maker)
            throws IOException;

    /** Adds a duty that has no socket. */
    void add(Duty duty);

    /** Runs a task on the cycle's thread, then a turn. May be called by any thread. */
    void execute(Runnable task);

    /**
     * Does work that would hold up the cycle's thread, as checking a signature, in another thread;
     * one of two consumers then gets what came of it on the cycle's thread, and a turn follows.
     * After {@link #close} neither does. The work must share nothing with the cycle that changes.
     *
     * @param then gets the work's result
     * @param otherwise gets what the work threw, or a {@link TimeoutException} if it was not done
     *     within {@value #OFFLOAD_TIMEOUT_NANOS} ns, waiting included; it is interrupted then
     * @return false if {@value #MAX_OFFLOADED_TASKS} are waiting already; neither consumer is
     *     called
     */
    <T> boolean offload(Callable<T> work, Consumer<T> then, Consumer<Throwable> otherwise);

    /**
     * As {@link #offload}, for work of many seconds that nobody is kept waiting by: one after the
     * other, apart from what is offloaded, and for {@value #LONG_OFFLOAD_TIMEOUT_NANOS} ns.
     */
    default <T> boolean offloadLong(
            Callable<T> work, Consumer<T> then, Consumer<Throwable> otherwise) {
        return offload(work, then, otherwise);
    }

    /**
     * Answers HTTP on a TCP port, on the cycle's thread; a turn follows each request.
     *
     * @return what closes the port and its connections
     * @throws IOException if the address can't be bound, or a certificate can't be read
     * @throws UnsupportedOperationException if this cycle has none
     */
    default AutoCloseable serve(InetSocketAddress local, HttpSettings settings, HttpHandler handler)
            throws IOException {
        throw new UnsupportedOperationException("no HTTP here");
    }

    /**
     * Asks a server over HTTP; one of two consumers gets what came of it on the cycle's thread, and
     * a turn follows.
     *
     * @param otherwise gets what went wrong before an answer of any status came, time included
     * @throws UnsupportedOperationException if this cycle has none
     */
    default void fetch(
            HttpFetch request, Consumer<HttpResponse> then, Consumer<Throwable> otherwise) {
        throw new UnsupportedOperationException("no HTTP here");
    }

    /** Closes all sockets and drops all duties. May be called by any thread. */
    @Override
    void close();
}
