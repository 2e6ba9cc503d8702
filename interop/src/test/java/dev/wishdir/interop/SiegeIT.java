package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
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
        List<Questions.Question> questions = Questions.all(this::address);
        List<DatagramChannel> open = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            open.add(stranger(Questions.network(i)));
        }
        long began = System.nanoTime();
        try {
            besiege(
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
}
