package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Floods by those who have not joined. */
@Timeout(600)
class UnauthenticatedFloodIT extends FloodHarness {
    /** What all unproven addresses together may be sent: a burst, and so much a second. */
    private static final long BUDGET = 64 << 10;

    @Test
    @DisplayName(
            "A1, A4 nothing and random bytes from one socket and from twenty thousand addresses")
    void survivesEmptyDatagramsAndRandomBytes() throws Exception {
        try (DatagramChannel one = stranger(7)) {
            attack(
                    "A1, A4",
                    number -> {
                        for (InetSocketAddress address : addresses.values()) {
                            one.send(ByteBuffer.allocate(0), address);
                            one.send(ByteBuffer.wrap(noise()), address);
                            try (DatagramChannel other = stranger(number % 20_000)) {
                                other.send(ByteBuffer.wrap(noise()), address);
                            }
                        }
                    });
        }
    }

    @Test
    @DisplayName("A9 every bucket filled, by questions that deserve an answer")
    void survivesQueryFlood() throws Exception {
        List<Questions.Question> questions = Questions.all(this::address);
        List<DatagramChannel> open = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            open.add(stranger(Questions.network(i)));
        }
        long began = System.nanoTime();
        try {
            attack(
                    "A9",
                    number -> {
                        DatagramChannel one = open.get(number % open.size());
                        try (DatagramChannel other = stranger(Questions.passing(number))) {
                            for (DatagramChannel from : List.of(one, other)) {
                                for (Questions.Question question : questions) {
                                    from.send(
                                            ByteBuffer.wrap(question.data().toArray()),
                                            question.to());
                                }
                            }
                        }
                    });
            long answered = 0;
            ByteBuffer answer = ByteBuffer.allocate(2000);
            for (DatagramChannel channel : open) {
                while (channel.receive(answer.clear()) != null) {
                    answered += answer.position();
                }
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            System.out.printf("A9: %d bytes answered to 500 addresses%n", answered);
            assertThat((double) answered).isPositive().isLessThan(4 * BUDGET * (1 + seconds));
        } finally {
            for (DatagramChannel channel : open) {
                channel.close();
            }
        }
    }

    @Test
    @DisplayName(
            "R2, R3, R4: half requests, connections that do not read, 3,000 challenges a second")
    void survivesFloodOfWebPort() throws Exception {
        byte[] question = "....getchallenge".getBytes(StandardCharsets.US_ASCII);
        Arrays.fill(question, 0, 4, (byte) -1);
        Deque<Socket> open = new ArrayDeque<>();
        try (DatagramChannel one = stranger(7)) {
            Map<String, JsonObject> played =
                    attack(
                            "R2, R3, R4",
                            number -> {
                                one.send(ByteBuffer.wrap(question), address("quake3"));
                                if (number % 10 == 0) {
                                    open.add(ask("/lib/three.module.min.js", number % 20 == 0));
                                }
                                if (open.size() > 2000) {
                                    open.remove().close();
                                }
                                if (number % 500 == 0) {
                                    assertHealthy();
                                }
                            });
            assertThat(played).hasSize(4);
            played.forEach((game, result) -> {
                // The throttle of ENet drops some positions while round trips vary; newer ones
                // follow. A busy server relays only the newest of some.
                assertThat(result.get("relayed").getAsDouble())
                        .as(game)
                        .isGreaterThan(result.get("sent").getAsDouble() * 0.3);
            });
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private Socket ask(String path, boolean half) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(2048);
        socket.setSoTimeout((int) SOON.toMillis());
        socket.connect(web, (int) SOON.toMillis());
        String request =
                "GET "
                        + path
                        + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                        + (half ? "" : "Connection: close\r\n\r\n");
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private void assertHealthy() throws IOException {
        try (Socket socket = ask("/healthz", false)) {
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 200");
        }
        assertThat(alive).exists();
    }
}
