package dev.wishdir.net.loop;

import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.http.HttpHandler;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.http.HttpSettings;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Sockets and duties that one thread runs together: a whole server, or one client. A turn receives
 * the waiting datagrams, {@linkplain Duty#advance advances} every handler and duty in the order of
 * addition, and flushes what they sent. A turn runs when datagrams arrive, at the earliest
 * deadline, and after {@link #execute}.
 *
 * <p>An exception of a handler, duty or task is {@linkplain #report reported} and stops nothing
 * else: a duty is advanced again a second later.
 *
 * <p>What a cycle runs, and every object that is made with it, is used on the cycle's thread only:
 * {@link #execute} runs a task there.
 *
 * <p>A server adds its arena first and opens its sockets after it, so that a movement that a turn
 * brought in is relayed by the same turn.
 */
public interface DutyCycle extends AutoCloseable {
    /** Maximum number of queued {@link #offload} tasks. */
    int MAX_OFFLOADED_TASKS = 64;

    /** Time-out of {@link #offload}, with the time in the queue: 5 s. */
    long OFFLOAD_TIMEOUT_NANOS = 5_000_000_000L;

    /** Time-out of {@link #offloadLong}, with the time in the queue: 60 s. */
    long LONG_OFFLOAD_TIMEOUT_NANOS = 60_000_000_000L;

    /**
     * The clock of this cycle: monotonic nanoseconds, from any origin. It stands still while the
     * cycle's thread is stalled, so that no deadline passes then; see {@link #sleptNanos}.
     */
    long now();

    /**
     * CPU time of the cycle's thread, nanoseconds: it stands still while the thread or the process
     * is suspended, where {@link #now} goes on. Only for the cycle's thread.
     */
    long cpuNanos();

    /**
     * Total time of stalls, of the machine or the JVM, that the clock left out. Peers went on
     * meanwhile, so what they did must be judged by the sum of both times.
     */
    long sleptNanos();

    /**
     * Recent lateness of the cycle's thread: the times from a deadline to its turn, 20 ms at least,
     * of the last second together. What peers did before seems to be as much later, and to come at
     * once. Only for the cycle's thread.
     */
    long lateNanos();

    /**
     * Opens a socket and creates its handler on the cycle's thread. The handler receives nothing
     * and is not advanced before.
     *
     * @return the handler
     * @throws IOException if the address can't be bound; its message names the address. or what the
     *     maker throws
     */
    <H extends DatagramHandler> H open(InetSocketAddress local, DatagramHandler.Factory<H> maker)
            throws IOException;

    /**
     * Adds a duty without a socket.
     *
     * @throws IllegalStateException on another thread than the cycle's
     */
    void add(Duty duty);

    /**
     * Reports an exception of what the cycle runs, as the cycle itself does for tasks, duties and
     * handlers. Only for the cycle's thread.
     *
     * @param where the object that threw it
     */
    void report(Object where, Throwable thrown);

    /**
     * Checks that the caller runs on the cycle's thread. Does nothing where the cycle has none, or
     * has ended.
     *
     * @param action what the caller does there, for the message
     * @throws IllegalStateException on another thread
     */
    default void checkThread(String action) {}

    /** Runs a task on the cycle's thread, then a turn. Thread-safe. */
    void execute(Runnable task);

    /**
     * Runs work that would block the cycle's thread, such as checking a signature, on another
     * thread. One of the two consumers is then called on the cycle's thread, followed by a turn;
     * after {@link #close} neither is. The work must not share mutable state with the cycle.
     *
     * @param onResult takes the work's result
     * @param onFailure takes what the work threw, or a {@link TimeoutException} if it did not
     *     finish within {@value #OFFLOAD_TIMEOUT_NANOS} ns, waiting included; it is then
     *     interrupted
     * @return false if {@value #MAX_OFFLOADED_TASKS} tasks are queued already; neither consumer is
     *     called
     */
    <T> boolean offload(Callable<T> work, Consumer<T> onResult, Consumer<Throwable> onFailure);

    /**
     * As {@link #offload}, for background work of many seconds: one task at a time, on a thread of
     * its own, with a time-out of {@value #LONG_OFFLOAD_TIMEOUT_NANOS} ns.
     */
    default <T> boolean offloadLong(
            Callable<T> work, Consumer<T> onResult, Consumer<Throwable> onFailure) {
        return offload(work, onResult, onFailure);
    }

    /**
     * Serves HTTP on a TCP port, on the cycle's thread; a turn follows each request.
     *
     * @return closes the port and its connections
     * @throws IOException if the address can't be bound, or a certificate can't be read
     * @throws UnsupportedOperationException if this cycle does not support HTTP
     */
    default AutoCloseable serve(InetSocketAddress local, HttpSettings settings, HttpHandler handler)
            throws IOException {
        throw new UnsupportedOperationException(getClass().getName() + " does not support HTTP");
    }

    /**
     * Sends an HTTP request; one of the two consumers is called on the cycle's thread, and a turn
     * follows.
     *
     * @param onFailure takes the failure, a time-out included, if no response of any status came
     * @throws UnsupportedOperationException if this cycle does not support HTTP
     */
    default void fetch(
            HttpFetch request, Consumer<HttpResponse> onResult, Consumer<Throwable> onFailure) {
        throw new UnsupportedOperationException(getClass().getName() + " does not support HTTP");
    }

    /**
     * Connects to a server of lines of text over TCP.
     *
     * @throws UnsupportedOperationException if this cycle does not support it
     */
    default LineConnection connect(LineConnection.Target target, LineConnection.Listener listener) {
        throw new UnsupportedOperationException(getClass().getName() + " does not support TCP");
    }

    /** Closes all sockets and drops all duties. Thread-safe. */
    @Override
    void close();
}
