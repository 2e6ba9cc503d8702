package dev.wishdir.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.config.RoutesConfig;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The limits of the web port: in virtual time, and over real sockets. */
@Tag("slow")
class WebConnectionsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final WebConnections connections = new WebConnections(InetAddress::isLoopbackAddress);

    /** A connection without a socket. */
    private final class Peer implements WebConnections.Connection {
        private final InetAddress from;
        long sent;
        boolean blocked = true;
        boolean closed;

        Peer(String from) {
            this.from = InetAddress.ofLiteral(from);
        }

        @Override
        public InetAddress from() {
            return from;
        }

        @Override
        public long sent() {
            return sent;
        }

        @Override
        public boolean isBlocked() {
            return blocked;
        }

        @Override
        public void close() {
            closed = true;
            connections.onClosed(this, false);
        }
    }

    private Peer open(long now, String from) {
        Peer peer = new Peer(from);
        connections.onOpened(now, peer);
        return peer;
    }

    private static long open(List<Peer> peers) {
        return peers.stream().filter(peer -> !peer.closed).count();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 0, 32",
        "192.0.2.%d, 1, 64",
        "2001:db8:0:1::%x, 1, 32",
        "2001:db8:0:1%02x::1, 1, 64",
        "2001:db8:0:%x00::1, 1, 128",
        "203.%d.113.1, 1, 256"
    })
    @DisplayName("R2 half requests are limited by prefix and in all, the oldest is closed")
    void limitsHalfRequests(String form, int varies, int most) {
        Peer honest = open(0, "2a00:1450::1");
        connections.onRequest(0, honest);
        List<Peer> flood =
                IntStream.range(0, 250).mapToObj(i -> open(0, form.formatted(i))).toList();
        List<Peer> more =
                IntStream.range(0, 6).mapToObj(i -> open(0, form.formatted(i * varies))).toList();
        assertThat(open(flood) + open(more)).isEqualTo(most);
        assertThat(open(more)).isEqualTo(6);
        assertThat(honest.closed).isFalse();
        assertThat(connections.retainedBytes()).isLessThan((most + 1) * (96L << 10));
    }

    @Test
    @DisplayName("R2 R3 this machine's own requests have places that no stranger takes")
    void reservesPlacesForThisMachine() {
        Peer waiting = open(0, "127.0.0.1");
        Peer answered = open(0, "::1");
        connections.onRequest(0, answered);
        for (int i = 0; i < 2000; i++) {
            Peer stranger = open(0, "203." + i / 250 + "." + i % 250 + ".1");
            if (i % 2 == 0) {
                connections.onRequest(0, stranger);
            }
        }
        assertThat(waiting.closed).isFalse();
        assertThat(answered.closed).isFalse();
        assertThat(connections.size()).isEqualTo(2 * WebConnections.MAX_CONNECTIONS + 2);
        connections.abort(0, "memory is short");
        assertThat(connections.size()).as("strangers are ended where memory is short").isEqualTo(2);
    }

    @Test
    @DisplayName("R3 a connection that does not read is closed, and one that reads slowly")
    void closesSlowReaders() {
        Peer silent = open(0, "192.0.2.1");
        Peer stalls = open(0, "192.0.2.2");
        Peer trickles = open(0, "192.0.2.3");
        Peer reads = open(0, "192.0.2.4");
        for (Peer peer : List.of(stalls, trickles, reads)) {
            connections.onRequest(0, peer);
        }
        for (int second = 1; second <= 60; second++) {
            trickles.sent += 100;
            reads.sent += 40_000;
            connections.sweep(second * SECOND);
            assertThat(silent.closed).isEqualTo(second > 15);
            assertThat(stalls.closed).isEqualTo(second > 10);
        }
        assertThat(trickles.closed).isTrue();
        assertThat(reads.closed).isFalse();
        connections.onAnswered(60 * SECOND, reads);
        connections.sweep(76 * SECOND);
        assertThat(reads.closed).as("idle after its answer").isTrue();
        assertThat(connections.size()).isZero();
        assertThat(connections.retainedBytes()).isZero();
    }

    @Test
    @DisplayName("R3 an answer that the server takes long for does not close its connection")
    void keepsConnectionDuringSlowAnswer() {
        Peer peer = open(0, "127.0.0.1");
        connections.onRequest(0, peer);
        peer.blocked = false;
        for (int second = 1; second <= 60; second++) {
            connections.sweep(second * SECOND);
        }
        assertThat(peer.closed).isFalse();
        peer.blocked = true;
        for (int second = 61; second <= 72; second++) {
            connections.sweep(second * SECOND);
        }
        assertThat(peer.closed).as("it reads nothing of the answer").isTrue();
    }

    @Test
    @DisplayName("R2 an address that asks without end is refused, and this machine is not")
    void limitsRequestRate() {
        int granted = 0;
        for (int i = 0; i < 1000; i++) {
            granted += request("192.0.2.1") ? 1 : 0;
            assertThat(request("127.0.0.1")).isTrue();
        }
        assertThat(granted).isEqualTo(400);
        assertThat(request("198.51.100.1")).isTrue();
    }

    private boolean request(String from) {
        Peer peer = open(0, from);
        boolean granted = connections.onRequest(0, peer);
        peer.close();
        return granted;
    }

    private record Large() implements Page {
        private static final byte[] CONTENT = new byte[2 << 20];

        @Override
        public void add(RoutesConfig routes) {
            routes.get("/large", context -> context.result(CONTENT));
            routes.get("/healthz", context -> context.result("ok"));
        }

        @Override
        public void close() {}
    }

    @Test
    @DisplayName("R2 R3 /healthz answers during 300 half requests and 300 that do not read")
    void answersHealthOverSocketsUnderLoad() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);
        List<Socket> open = new ArrayList<>();
        try (WebServer server =
                WebServer.start(any, new WebHosts(List.of()), List.of(new Large()))) {
            String host = "Host: 127.0.0.1:" + server.port() + "\r\n";
            for (int i = 0; i < 300; i++) {
                open.add(say(server, "GET /healthz HTTP/1.1\r\n" + host));
            }
            for (int i = 0; i < 300; i++) {
                open.add(say(server, "GET /large HTTP/1.1\r\n" + host + "\r\n"));
                if (i % 30 == 29) {
                    assertThat(health(server, host)).startsWith("HTTP/1.1 200").endsWith("ok");
                }
            }
            assertThat(server.connections().retainedBytes()).isBetween(1L, 32L << 20);
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private static Socket say(WebServer server, String text) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(10_000);
        socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.port()));
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String health(WebServer server, String host) throws IOException {
        String request = "GET /healthz HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n";
        try (Socket socket = say(server, request)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
