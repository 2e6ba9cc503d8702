package dev.wishdir.net.loop;

import dev.wishdir.net.Requirements;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;

/** A TCP connection of lines of text that end with a line feed, for the cycle's thread. */
public interface LineConnection {
    /**
     * Address of a connection.
     *
     * @param from address of this machine, empty for any
     * @param maxLineBytes longest line that is received, without its end; a longer one closes the
     *     connection
     * @param timeoutNanos to connect
     */
    record Target(
            InetSocketAddress server,
            Optional<InetAddress> from,
            int maxLineBytes,
            long timeoutNanos) {
        /**
         * @throws IllegalArgumentException if the address is not resolved, or a number not positive
         */
        public Target {
            Requirements.destination("server", server);
            Objects.requireNonNull(from, "from");
            if (maxLineBytes < 1 || timeoutNanos < 1) {
                throw new IllegalArgumentException(
                        "maxLineBytes and timeoutNanos must be positive, are "
                                + maxLineBytes
                                + " and "
                                + timeoutNanos);
            }
        }
    }

    /** Receives the events of one connection, on the cycle's thread; a turn follows each. */
    interface Listener {
        void onConnected();

        /** A line without its end. Characters are those of ISO 8859-1, one a byte. */
        void onLine(String line);

        /**
         * The connection is over, or was never established. Nothing follows, and nothing comes
         * after {@link LineConnection#close}.
         *
         * @param reason with "it" for the server: {@code it sent a line that is too long}
         */
        void onClosed(String reason);
    }

    /** Sends a line; does nothing before the connection is established or after its end. */
    void send(String line);

    /** Closes the connection. */
    void close();
}
