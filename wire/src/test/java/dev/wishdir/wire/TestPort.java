package dev.wishdir.wire;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports of the loopback address for servers that another process opens later: below those that
 * sockets without a port get, and of this process only, so that no other socket takes them first.
 */
public final class TestPort {
    private static final int FIRST = 10_000;
    private static final int PROCESSES = 128;
    private static final int EACH = 64;
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final AtomicInteger GIVEN = new AtomicInteger();

    private TestPort() {}

    /**
     * A port that is free, as is the next, which Sauerbraten's server takes too.
     *
     * @throws IOException if none is free
     */
    public static int free() throws IOException {
        int first = FIRST + (int) (ProcessHandle.current().pid() % PROCESSES) * EACH;
        for (int i = 0; i < EACH / 2; i++) {
            int port = first + Math.floorMod(GIVEN.getAndAdd(2), EACH);
            if (isFree(port) && isFree(port + 1)) {
                return port;
            }
        }
        throw new IOException("no port of " + first + " to " + (first + EACH - 1) + " is free");
    }

    /**
     * The loopback address with such a port.
     *
     * @throws IOException if none is free
     */
    public static InetSocketAddress freeAddress() throws IOException {
        return new InetSocketAddress(LOOPBACK, free());
    }

    private static boolean isFree(int port) {
        InetSocketAddress address = new InetSocketAddress(LOOPBACK, port);
        try (DatagramSocket _ = new DatagramSocket(address);
                ServerSocket tcp = new ServerSocket()) {
            tcp.bind(address);
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
