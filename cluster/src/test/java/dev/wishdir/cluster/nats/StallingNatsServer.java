package dev.wishdir.cluster.nats;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * A NATS server that can stop to read while it goes on answering pings, as a slow one does. It
 * keeps the subjects of what it is sent, and delivers nothing.
 */
final class StallingNatsServer implements AutoCloseable {
    private static final String INFO =
            "INFO {\"server_id\":\"test\",\"version\":\"2.9.10\",\"proto\":1,\"headers\":true,"
                    + "\"max_payload\":1048576}\r\n";
    private static final int RECEIVE_BUFFER_BYTES = 64 << 10;
    private static final long ANSWER_INTERVAL_NANOS = 50_000_000;

    /** First line of each command that was read. */
    final Queue<String> commands = new ConcurrentLinkedQueue<>();

    private final ServerSocket listener = new ServerSocket();
    private final List<Socket> clients = new CopyOnWriteArrayList<>();
    private volatile boolean stalled;

    StallingNatsServer() throws IOException {
        listener.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "nats://127.0.0.1:" + listener.getLocalPort();
    }

    /** Reads nothing more, at most one command after this. */
    void stall() {
        stalled = true;
    }

    void resume() {
        stalled = false;
    }

    /** Asks the newest client for an answer. */
    void ping() throws IOException {
        write(clients.getLast(), "PING\r\n");
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                clients.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException _) {
            // The test has ended.
        }
    }

    private static void write(Socket client, String line) throws IOException {
        OutputStream out = client.getOutputStream();
        synchronized (client) {
            out.write(line.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void serve(Socket client) {
        try {
            DataInputStream in =
                    new DataInputStream(new BufferedInputStream(client.getInputStream()));
            write(client, INFO);
            while (true) {
                while (stalled) {
                    write(client, "PONG\r\n");
                    LockSupport.parkNanos(ANSWER_INTERVAL_NANOS);
                }
                String line = readLine(in);
                commands.add(line);
                if (line.equals("PING")) {
                    write(client, "PONG\r\n");
                } else if (line.startsWith("PUB ")) {
                    int length = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
                    in.skipNBytes(length + 2);
                }
            }
        } catch (IOException _) {
            // The client has closed the connection.
        }
    }

    private static String readLine(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
            line.append((char) next);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        stalled = false;
        listener.close();
        for (Socket client : clients) {
            client.close();
        }
    }
}
