package dev.wishdir.inspect.capture;

import static dev.wishdir.inspect.capture.PcapngWriter.MAX_COMMENT_BYTES;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;

class PcapngWriterTest {
    private static final long START = 1_790_000_000_123_456_789L;
    private static final InetSocketAddress CLIENT =
            new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 27_960);
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.ofLiteral("2001:db8::1"), 65_535);

    private static byte[] capture(List<String> comments) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PcapngWriter writer = new PcapngWriter(out, "wishdir-fake")) {
            for (int i = 0; i < 5; i++) {
                byte[] payload = new byte[i + 1];
                writer.write(START + i * 250L, CLIENT, SERVER, Bytes.wrap(payload), comments);
            }
        }
        return out.toByteArray();
    }

    private static void assertReadable(byte[] capture) throws IOException {
        try (CaptureReader reader = CaptureReader.of(new ByteArrayInputStream(capture))) {
            for (int i = 0; i < 5; i++) {
                Datagram read = reader.next().orElseThrow();
                assertThat(read.destination()).isEqualTo(SERVER);
                assertThat(read.payload().length()).isEqualTo(i + 1);
                assertThat(read.time()).isEqualTo(i * 250 / 1e9);
            }
            assertThat(reader.next()).isEmpty();
            assertThat(reader.skipped()).isEmpty();
        }
    }

    @Test
    void isReadBackEqual() throws IOException {
        assertReadable(capture(List.of()));
        byte[] commented = capture(List.of("N_POS", "x: 16.25 units", ""));
        assertReadable(commented);
        assertThat(new String(commented, StandardCharsets.UTF_8)).contains("x: 16.25 units");
    }

    @Test
    void refusesNameThatItsLengthWouldCut() throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PcapngWriter(new ByteArrayOutputStream(), "€".repeat(23_334)))
                .withMessage("name must be at most 65535 bytes of UTF-8, is 70002");
        new PcapngWriter(new ByteArrayOutputStream(), "x".repeat(0xFFFF)).close();
    }

    @Test
    void cutsLongAndManyComments() throws IOException {
        // Each character has three bytes, which the limit does not divide by.
        byte[] capture = capture(Collections.nCopies(10_000, "€".repeat(50_000)));

        assertReadable(capture);
        assertThat(capture.length)
                .isBetween(
                        4 * PcapngWriter.MAX_COMMENTS_BYTES,
                        5 * PcapngWriter.MAX_COMMENTS_BYTES + 1000);
        // 1365 whole characters, and a byte up to a multiple of four.
        assertThat(new String(capture, StandardCharsets.UTF_8))
                .contains("€".repeat(MAX_COMMENT_BYTES / 3) + "\0")
                .doesNotContain("€".repeat(MAX_COMMENT_BYTES / 3 + 1));
    }
}
