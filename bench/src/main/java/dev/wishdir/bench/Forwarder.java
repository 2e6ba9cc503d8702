package dev.wishdir.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;

/**
 * The least that a proxy does: forwards datagrams between clients and a server, each client by a
 * port of its own, without a look at them. A baseline for {@link ProxyCost}. Usage: {@code
 * Forwarder LISTEN_PORT SERVER_PORT}, both on loopback; runs until it is killed.
 */
public final class Forwarder {
    private static final int MAX_DATAGRAM_BYTES = 65_536;

    private final DatagramChannel clients;
    private final InetSocketAddress server;
    private final Map<SocketAddress, DatagramChannel> ports = new HashMap<>();

    private Forwarder(int listen, int server) throws IOException {
        clients = DatagramChannel.open().bind(loopback(listen));
        this.server = loopback(server);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    public static void main(String[] arguments) throws IOException {
        new Forwarder(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1])).run();
    }

    private void run() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_DATAGRAM_BYTES);
        while (true) {
            buffer.clear();
            SocketAddress client = clients.receive(buffer);
            DatagramChannel port = ports.get(client);
            if (port == null) {
                port = DatagramChannel.open().connect(server);
                ports.put(client, port);
                answer(client, port);
            }
            port.write(buffer.flip());
        }
    }

    /** Forwards what the server sends to a client, in a thread of its own. */
    private void answer(SocketAddress client, DatagramChannel port) {
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_DATAGRAM_BYTES);
                    try {
                        while (true) {
                            port.read(buffer.clear());
                            clients.send(buffer.flip(), client);
                        }
                    } catch (IOException e) {
                        throw new IllegalStateException("cannot forward", e);
                    }
                });
    }
}
