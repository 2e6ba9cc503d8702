package dev.wishdir.app.machine;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The properties of a machine that commands examine; an interface so that tests can fake them. */
public interface Machine {
    /** A process, with its id and name; {@code wishdir serve} if it is Wishdir's. */
    record Owner(long pid, String name) {
        /** Whether it is a server of Wishdir. */
        public boolean isServer() {
            return name.equals("wishdir serve") || name.equals("wishdir demo");
        }

        @Override
        public String toString() {
            return "process " + pid + " (" + name + ")";
        }
    }

    /** The feature version of Java: 25. */
    int java();

    /**
     * Reason for which sockets use Java's own implementation instead of epoll; empty if they use
     * epoll.
     */
    Optional<String> slowSockets();

    /** The text of a file; empty if it cannot be read. */
    Optional<String> read(Path file);

    /** Whether this process runs as root. */
    boolean isRoot();

    /** Whether a program is in root's search path. */
    boolean isInstalled(String program);

    /**
     * The process that has a socket open.
     *
     * @param inode the socket's inode in {@code /proc/net/udp}
     * @return empty if it is not visible
     */
    Optional<Owner> owner(String inode);

    /** The addresses of this machine's interfaces that are up. */
    List<InetAddress> addresses();

    /**
     * Sends a datagram from an address to itself.
     *
     * @return the error; empty if it arrived
     */
    Optional<String> echo(InetAddress address);

    /**
     * Binds a port of an address and closes it again.
     *
     * @return the error; empty if it could be bound
     */
    Optional<String> bind(boolean tcp, InetSocketAddress address);

    /** The output of a program; empty if it is missing, fails, or takes longer than 3 s. */
    Optional<String> run(String... command);

    Instant now();
}
