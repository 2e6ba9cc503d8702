package dev.wishdir.net.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.http.HttpHandler;
import dev.wishdir.net.http.HttpRequest;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.limit.PrefixLimits;
import dev.wishdir.net.loop.DutyCycle;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A port of HTTP over real sockets, and what is thrown at it. */
class HttpTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final long MILLI = 1_000_000;
    private static final int SOON_MILLIS = 60_000;

    /** Longer than a test waits. */
    private static final long NEVER = 10 * SOON_MILLIS * MILLI;

    private final NettyLoop loop = new NettyLoop("http-test");
    private final DutyCycle cycle = loop.cycle();
    private final List<String> asked = new ArrayList<>();
    private final Set<MemoryConsumer> debtors = ConcurrentHashMap.newKeySet();
    private InetSocketAddress address = new InetSocketAddress(LOOPBACK, 0);

    private static int free() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, LOOPBACK)) {
            return free.getLocalPort();
        }
    }

    @BeforeEach
    void serve() throws IOException {
        serve(300 * MILLI);
    }

    /**
     * @param headNanos time-out of the head of a request
     */
    private void serve(long headNanos) throws IOException {
        address = new InetSocketAddress(LOOPBACK, free());
        HttpSettings settings =
                new HttpSettings(
                        16,
                        new PrefixLimits(8, 12, 14),
                        headNanos,
                        2 * headNanos,
                        2000 * MILLI,
                        1000,
                        List.of(),
                        null);
        cycle.serve(address, settings, new Answers());
    }

    private final class Answers implements HttpHandler {
        @Override
        public void onOpened(MemoryConsumer connection) {
            debtors.add(connection);
        }

        @Override
        public void onClosed(MemoryConsumer connection) {
            debtors.remove(connection);
        }

        @Override
        public void handle(HttpRequest request, Consumer<HttpResponse> answer) {
            asked.add(request.method() + " " + request.path());
            answer.accept(HttpResponse.of(200, request.body().text()));
        }
    }

    @AfterEach
    void close() {
        cycle.close();
        loop.close();
    }

    /** What comes back until the server closes. */
    private String send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String send(byte[] bytes) throws IOException {
        try (Socket socket = new Socket(LOOPBACK, address.getPort())) {
            socket.setSoTimeout(SOON_MILLIS);
            socket.getOutputStream().write(bytes);
            try {
                return new String(
                        socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            } catch (java.net.SocketException e) {
                return "";
            }
        }
    }

    @Test
    void answersWholeRequestAndCloses() throws IOException {
        String answer = send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
        assertThat(answer)
                .startsWith("HTTP/1.1 200 OK")
                .contains("connection: close")
                .contains("content-length: 5")
                .endsWith("\r\n\r\nhello");
        assertThat(send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")).startsWith("HTTP/1.1 200");
        assertThat(asked).containsExactly("POST /a", "GET /b");
    }

    @Test
    void reportsFailureToClient() throws Exception {
        CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
        HttpBody body = HttpBody.of("text/plain", "hi");
        HttpFetch fetch =
                new HttpFetch(address, "x", HttpFetch.Tls.NONE, "POST", "/c", body, 1000, NEVER);
        cycle.fetch(fetch, answer::complete, answer::completeExceptionally);
        assertThat(answer.get(60, TimeUnit.SECONDS).body().text()).isEqualTo("hi");
        CompletableFuture<HttpResponse> refused = new CompletableFuture<>();
        HttpFetch tls =
                new HttpFetch(
                        address, "x", HttpFetch.Tls.ANY, "GET", "/", HttpBody.NONE, 1000, NEVER);
        cycle.fetch(tls, refused::complete, refused::completeExceptionally);
        assertThat(refused).failsWithin(60, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("H2 a TLS hello on the plain port is closed at once")
    void closesOnTlsHello() throws IOException {
        byte[] hello = HexFormat.of().parseHex("16030100c8010000c40303");
        // Not by the time-out of the head.
        serve(NEVER);
        assertThat(send(hello)).isEmpty();
    }

    @Test
    @DisplayName("H2 requests that are malformed, coded or too large are refused")
    void refusesMalformedRequests() throws IOException {
        String post = "POST / HTTP/1.1\r\nHost: x\r\n";
        assertThat(send(post + "\r\n")).startsWith("HTTP/1.1 411");
        assertThat(send(post + "Content-Length: 2000\r\n\r\n")).startsWith("HTTP/1.1 413");
        assertThat(send(post + "Content-Length: -1\r\n\r\n")).startsWith("HTTP/1.1 400");
        assertThat(send(post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(send(post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(send("GET /" + "x".repeat(3000) + " HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(send("GET / HTTP/1.1\r\n" + "A: b\r\n".repeat(150) + "\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(send("GET / HTTP/1.1\r\nA: " + "b".repeat(9000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(send("\0\1\2\3\r\n\r\n")).doesNotContain("200");
        assertThat(asked).isEmpty();
    }

    @Test
    @DisplayName("H1 who sends slowly is closed in time, and others are answered meanwhile")
    void closesSlowConnections() throws Exception {
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            Socket socket = new Socket(LOOPBACK, address.getPort());
            socket.setSoTimeout(SOON_MILLIS);
            slow.add(socket);
            String part =
                    switch (i % 3) {
                        case 0 -> "";
                        case 1 -> "POST / HT";
                        default -> "POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc";
                    };
            socket.getOutputStream().write(part.getBytes(StandardCharsets.ISO_8859_1));
        }
        assertThat(send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")).startsWith("HTTP/1.1 200");
        for (Socket socket : slow) {
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(answer).doesNotContain("200 OK");
            socket.close();
        }
    }

    @Test
    @DisplayName("H1 of an address with too many connections the oldest is closed")
    void closesOldestConnectionOfAddress() throws Exception {
        List<Socket> open = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            open.add(silent("127.0.0.1"));
        }
        assertThat(send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")).startsWith("HTTP/1.1 200");
        assertThat(open.getFirst().getInputStream().read()).isEqualTo(-1);
        for (Socket socket : open) {
            socket.close();
        }
    }

    @Test
    @DisplayName("R11 silent connections from 60 addresses close none that sends its request")
    void keepsRequestsDuringSilentConnections() throws Exception {
        List<Socket> open = new ArrayList<>();
        int answered = 0;
        for (int i = 0; i < 240; i++) {
            open.add(silent("127.0." + i % 60 + ".1"));
            if (i % 5 == 0) {
                String answer = send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
                answered += answer.startsWith("HTTP/1.1 200") ? 1 : 0;
            }
        }
        assertThat(answered).isEqualTo(48);
        assertThat(debtors.stream().mapToLong(MemoryConsumer::retainedBytes).sum())
                .as("bytes of 16 that wait and at most 16 that are answered")
                .isBetween(16L << 10, 32L * 32 << 10);
        for (Socket socket : open) {
            socket.close();
        }
    }

    private Socket silent(String from) throws IOException {
        Socket socket = new Socket(LOOPBACK, address.getPort(), InetAddress.ofLiteral(from), 0);
        socket.setSoTimeout(SOON_MILLIS);
        return socket;
    }

    @Test
    void namesPortInUse() throws Exception {
        HttpSettings settings = HttpSettings.standard(List.of(), null);
        assertThatThrownBy(() -> cycle.serve(address, settings, (_, _) -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot bind TCP")
                .hasMessageContaining(":" + address.getPort());
        CompletableFuture<IOException> refused = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                cycle.serve(address, settings, (_, _) -> {});
                refused.complete(new IOException("nothing was refused"));
            } catch (IOException e) {
                refused.complete(e);
            }
        });
        assertThat(refused.get(60, TimeUnit.SECONDS)).hasMessageContaining("cannot bind TCP");
    }

    @Test
    void servesFromTask() throws Exception {
        address = new InetSocketAddress(LOOPBACK, free());
        CompletableFuture<AutoCloseable> served = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                served.complete(
                        cycle.serve(
                                address,
                                HttpSettings.standard(List.of(), null),
                                (_, answer) -> answer.accept(HttpResponse.of(200, "here"))));
            } catch (IOException e) {
                served.completeExceptionally(e);
            }
        });
        try (AutoCloseable _ = served.get(60, TimeUnit.SECONDS)) {
            assertThat(send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")).endsWith("here");
        }
    }
}
