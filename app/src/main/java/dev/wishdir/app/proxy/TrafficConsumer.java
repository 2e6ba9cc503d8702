package dev.wishdir.app.proxy;

import dev.wishdir.game.proxy.ProxiedDatagram;

import java.io.IOException;

/** Uses the datagrams of a proxy: prints, captures or records them. On one thread of its own. */
interface TrafficConsumer extends AutoCloseable {
    /**
     * Uses a datagram; may block.
     *
     * @param frame its number, from 1, the same for all consumers
     * @throws IOException if it can't be written; the consumer then gets no further datagram
     */
    void accept(long frame, ProxiedDatagram datagram) throws IOException;

    /**
     * Writes what has waited in memory for long; called about once a second while there are no
     * datagrams.
     */
    default void flush() throws IOException {}

    @Override
    void close() throws IOException;
}
