package dev.wishdir.interop;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/** What anybody may do to NetherNet's signalling, over real sockets. */
@Timeout(600)
class NetherNetAbuseIT extends FloodHarness {
    /** As many as the server lets be open, and more. */
    private static final int OPEN = 400;

    private final ArrayDeque<SocketChannel> open = new ArrayDeque<>();

    @AfterEach
    void close() throws IOException {
        for (SocketChannel each : open) {
            each.close();
        }
    }

    /** Opens a connection from 127.NUMBER, says something, and leaves it open. */
    private void say(int number, String text) throws IOException {
        SocketChannel channel = SocketChannel.open();
        byte[] from = {127, (byte) (16 + (number >> 16)), (byte) (number >> 8), (byte) number};
        channel.bind(new InetSocketAddress(InetAddress.getByAddress(from), 0));
        try {
            channel.connect(address("bedrock"));
            channel.configureBlocking(false);
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            // It was closed at once, as it should be.
            channel.close();
            return;
        }
        open.add(channel);
        if (open.size() > OPEN) {
            open.remove().close();
        }
    }

    @Test
    @DisplayName("H1 H2 slow HTTP, half of it, TLS on the plain port and heads without end")
    void survivesSlowHttp() throws Exception {
        String[] texts = {
            "",
            "POST / HT",
            "POST /v1/join/1 HTTP/1.1\r\nContent-Length: 2000\r\n\r\nv=0",
            "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
            "GET /v1/join HTTP/1.1\r\nX: " + "y".repeat(9000),
            "POST /v1/join/1 HTTP/1.1\r\nContent-Length: 99999\r\n\r\n",
            "POST /v1/join/1 HTTP/1.1\r\nContent-Length: 3\r\n\r\nv=0"
        };
        try (DatagramChannel one = stranger(9)) {
            attack(
                    "H1 H2",
                    number -> {
                        say(number % 60_000, texts[number % texts.length]);
                        // What makes the server count a drop as the other sieges do.
                        one.send(ByteBuffer.wrap(noise()), address("bedrock"));
                    });
        }
    }

    @Test
    @DisplayName("H6 H7 offers without end from many addresses, and STUN and DTLS from more")
    void survivesOfferFlood() throws Exception {
        String offer =
                "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"
                        + "m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n"
                        + "a=ice-ufrag:abcdefgh\r\na=ice-pwd:abcdefghijklmnopqrstuvwx\r\n"
                        + "a=fingerprint:sha-256 "
                        + "AA:".repeat(31)
                        + "AA\r\na=setup:actpass\r\na=mid:0\r\na=max-message-size:262144\r\n";
        String request =
                "POST /v1/join/1 HTTP/1.1\r\nContent-Type: application/sdp\r\nContent-Length: "
                        + offer.length()
                        + "\r\n\r\n"
                        + offer;
        attack(
                "H6 H7",
                number -> {
                    say(number % 60_000, request);
                    try (DatagramChannel other = stranger(number % 20_000)) {
                        byte[] stun = new byte[40];
                        random.nextBytes(stun);
                        ByteBuffer.wrap(stun)
                                .putShort((short) 1)
                                .putShort((short) 20)
                                .putInt(0x2112A442);
                        other.send(ByteBuffer.wrap(stun), address("bedrock"));
                        stun[0] = 22;
                        other.send(ByteBuffer.wrap(stun), address("bedrock"));
                    }
                });
    }
}
