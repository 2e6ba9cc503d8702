package dev.wishdir.net.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.netty.NettyLoop;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Lines over TCP on a real loop. */
@Timeout(20)
class LineConnectionTest {
    private static final int MAX_LINE_BYTES = 100;

    private final NettyLoop loop = new NettyLoop("test");
    private final ServerSocket server;
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    LineConnectionTest() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        loop.close();
        server.close();
    }

    private LineConnection connect(InetSocketAddress to) {
        CompletableFuture<LineConnection> connection = new CompletableFuture<>();
        DutyCycle cycle = loop.cycle();
        cycle.execute(() ->
                connection.complete(
                        cycle.connect(
                                new LineConnection.Target(
                                        to,
                                        Optional.of(InetAddress.getLoopbackAddress()),
                                        MAX_LINE_BYTES,
                                        TimeUnit.SECONDS.toNanos(5)),
                                new LineConnection.Listener() {
                                    @Override
                                    public void onConnected() {
                                        events.add("connected");
                                    }

                                    @Override
                                    public void onLine(String line) {
                                        events.add(line);
                                    }

                                    @Override
                                    public void onClosed(String reason) {
                                        events.add("closed: " + reason);
                                    }
                                })));
        return connection.join();
    }

    private LineConnection connect() {
        return connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
    }

    private static void write(Socket to, String text) throws IOException {
        to.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void exchangesLines() throws Exception {
        LineConnection connection = connect();
        try (Socket accepted = server.accept()) {
            assertThat(events.take()).isEqualTo("connected");
            loop.cycle().execute(() -> connection.send("regserv 28785"));
            BufferedReader reader =
                    new BufferedReader(
                            new InputStreamReader(
                                    accepted.getInputStream(), StandardCharsets.ISO_8859_1));
            assertThat(reader.readLine()).isEqualTo("regserv 28785");
            write(accepted, "succreg\r\nadd");
            write(accepted, "gban 192.0.2.7\nunfinished");
            assertThat(events.take()).isEqualTo("succreg");
            assertThat(events.take()).isEqualTo("addgban 192.0.2.7");
        }
        assertThat(events.take()).isEqualTo("closed: it closed the connection");
    }

    @Test
    void reportsRefusedConnection() throws Exception {
        InetSocketAddress nobody =
                new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
        server.close();
        connect(nobody);
        assertThat(events.take()).isEqualTo("closed: it refused the connection");
    }

    @Test
    void reportsResetConnection() throws Exception {
        connect();
        try (Socket accepted = server.accept()) {
            assertThat(events.take()).isEqualTo("connected");
            accepted.setSoLinger(true, 0);
        }
        assertThat(events.take()).isEqualTo("closed: connection reset");
    }

    @Test
    void reportsNothingAfterClose() throws Exception {
        LineConnection connection = connect();
        try (Socket accepted = server.accept()) {
            assertThat(events.take()).isEqualTo("connected");
            loop.cycle().execute(connection::close);
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(events).isEmpty();
    }

    @Test
    @DisplayName("B22 a line without end closes the connection")
    void closesAtLineThatIsTooLong() throws Exception {
        connect();
        try (Socket accepted = server.accept()) {
            write(accepted, "x".repeat(MAX_LINE_BYTES + 1));
            assertThat(events.take()).isEqualTo("connected");
            assertThat(events.take()).isEqualTo("closed: it sent a line that is too long");
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(events).isEmpty();
    }

    @Test
    @DisplayName("B22 a flood of lines is read at 256 KiB a second")
    void readsFloodSlowly() throws Exception {
        connect();
        String line = "addgban 192.0.2.7\n";
        int lines = (384 << 10) / line.length();
        long start = System.nanoTime();
        try (Socket accepted = server.accept()) {
            Thread writer =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    write(accepted, line.repeat(lines));
                                } catch (IOException e) {
                                    events.add("failed: " + e);
                                }
                            });
            for (int i = 0; i <= lines; i++) {
                assertThat(events.take()).isNotNull();
            }
            writer.join();
        }
        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(400));
    }
}
