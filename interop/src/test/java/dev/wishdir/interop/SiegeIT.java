package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Floods by those who have not joined. */
@Timeout(300)
class SiegeIT extends Siege {
    /** What all unproven addresses together may be sent: a burst, and so much a second. */
    private static final long BUDGET = 64 << 10;

    @Test
    @DisplayName("A1 empty datagrams")
    void emptyDatagrams() throws Exception {
        try (DatagramChannel one = stranger(7)) {
            besiege(
                    "A1",
                    _ -> {
                        for (InetSocketAddress address : addresses.values()) {
                            one.send(ByteBuffer.allocate(0), address);
                        }
                    });
        }
    }

    @Test
    @DisplayName("A4 random bytes from one socket and from twenty thousand addresses")
    void randomBytes() throws Exception {
        try (DatagramChannel one = stranger(7)) {
            besiege(
                    "A4",
                    number -> {
                        for (InetSocketAddress address : addresses.values()) {
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
    void questions() throws Exception {
        byte[] status = "\u00ff\u00ff\u00ff\u00ffgetstatus\n".getBytes(StandardCharsets.ISO_8859_1);
        byte[] challenge =
                "\u00ff\u00ff\u00ff\u00ffgetchallenge\n".getBytes(StandardCharsets.ISO_8859_1);
        List<DatagramChannel> open = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            open.add(stranger(i << 8 | 9));
        }
        long began = System.nanoTime();
        try {
            besiege(
                    "A9",
                    number -> {
                        DatagramChannel one = open.get(number % open.size());
                        try (DatagramChannel other = stranger(number % 20_000)) {
                            for (DatagramChannel from : List.of(one, other)) {
                                from.send(ByteBuffer.wrap(status), address("quake2"));
                                from.send(ByteBuffer.wrap(challenge), address("quake2"));
                                from.send(ByteBuffer.wrap(status), address("quake3"));
                                from.send(ByteBuffer.wrap(challenge), address("quake3"));
                                from.send(ByteBuffer.wrap(ping()), address("bedrock"));
                                from.send(
                                        ByteBuffer.wrap(new byte[] {1}),
                                        loopback(address("sauerbraten").getPort() + 1));
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

    /** An unconnected ping of RakNet. */
    private static byte[] ping() {
        ByteBuffer ping = ByteBuffer.allocate(33);
        ping.put((byte) 1).putLong(5);
        ping.putLong(0x00ffff00fefefefeL).putLong(0xfdfdfdfd12345678L).putLong(7);
        return ping.array();
    }
}
