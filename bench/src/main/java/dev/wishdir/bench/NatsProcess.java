package dev.wishdir.bench;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A nats-server on a port of this machine. */
final class NatsProcess {
    private NatsProcess() {}

    /**
     * Starts one, and waits until it takes connections.
     *
     * @throws IOException if it does not within ten seconds
     */
    static ServerProcess start(int port, String... more) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "/usr/sbin/nats-server",
                                "-a",
                                "127.0.0.1",
                                "-p",
                                Integer.toString(port)));
        command.addAll(List.of(more));
        ServerProcess server =
                ServerProcess.start(command, Path.of(""), Files.createTempFile("nats", ".log"));
        for (int i = 0; i < 5_000; i++) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return server;
            } catch (ConnectException _) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
        }
        server.close();
        throw new IOException("nats-server did not open port " + port);
    }

    static String address(int port) {
        return "nats://127.0.0.1:" + port;
    }
}
