package dev.wishdir.app;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What of a machine is looked at, so that checks can be tried against machines that ail. */
interface Machine {
    /** A process, by its number and name. */
    record Owner(long pid, String name) {
        @Override
        public String toString() {
            return "process " + pid + " (" + name + ")";
        }
    }

    /** The version of Java, its first number. */
    int java();

    /** Why sockets are not Linux's epoll but Java's own; empty where they are epoll. */
    Optional<String> slowSockets();

    /** The text of a file; empty where it can't be read. */
    Optional<String> read(Path file);

    /** Whether this process has the rights of root. */
    boolean isRoot();

    /** Whether a program is installed where root finds it. */
    boolean isInstalled(String program);

    /**
     * Which process has a socket open.
     *
     * @param inode as {@code /proc/net/udp} has it
     * @return empty where that can't be seen
     */
    Optional<Owner> owner(String inode);

    /** The addresses of this machine that are up. */
    List<InetAddress> addresses();

    /**
     * Sends a datagram from an address to itself.
     *
     * @return what went wrong; empty where it came
     */
    Optional<String> echo(InetAddress address);

    /**
     * Binds a port for a moment.
     *
     * @return what went wrong; empty where it could be bound
     */
    Optional<String> bind(boolean tcp, int port);

    /** What a program prints; empty where it is missing, may not, or says nothing in time. */
    Optional<String> run(String... command);

    Instant now();
}
