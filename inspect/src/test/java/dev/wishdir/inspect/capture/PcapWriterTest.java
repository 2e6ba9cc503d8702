package dev.wishdir.inspect.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Random;

class PcapWriterTest {
    private static final long START = 1_790_000_000_123_456_789L;

    private static InetSocketAddress address(String text, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(text), port);
    }

    private static byte[] payload(int length) {
        byte[] payload = new byte[length];
        new Random(length).nextBytes(payload);
        return payload;
    }

    private static byte[] capture(InetSocketAddress a, InetSocketAddress b, byte[]... payloads)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PcapWriter writer = new PcapWriter(out)) {
            for (int i = 0; i < payloads.length; i++) {
                writer.write(START + i * 1_000_000L, a, b, Bytes.wrap(payloads[i]));
            }
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 198.51.100.2, 65507",
        "2001:db8::1, 2001:db8::2, 65527",
        "2001:db8::1, 198.51.100.2, 65527"
    })
    void isReadBackEqual(String from, String to, int longest) throws Exception {
        InetSocketAddress a = address(from, 27_960);
        InetSocketAddress b = address(to, 65_535);
        byte[][] payloads = {payload(1), payload(2), payload(1400), payload(longest)};
        byte[] capture = capture(a, b, payloads);
        try (CaptureReader reader = CaptureReader.of(new ByteArrayInputStream(capture))) {
            for (int i = 0; i < payloads.length; i++) {
                Datagram read = reader.next().orElseThrow();
                assertThat(read.source()).isEqualTo(a);
                assertThat(read.destination()).isEqualTo(b);
                assertThat(read.payload()).isEqualTo(Bytes.wrap(payloads[i]));
                assertThat(read.frame()).isEqualTo(i + 1);
                assertThat(read.time()).isEqualTo(i / 1e3);
            }
            assertThat(reader.next()).isEmpty();
            assertThat(reader.skipped()).isEmpty();
        }
    }

    /** RFC 1071: the sum of all words with the checksum is all ones. */
    @ParameterizedTest
    @CsvSource({"192.0.2.1, 198.51.100.2", "2001:db8::1, 2001:db8::2"})
    void hasValidChecksums(String from, String to) throws Exception {
        for (int length = 1; length < 300; length++) {
            byte[] capture = capture(address(from, 1), address(to, 2), payload(length));
            byte[] packet = Arrays.copyOfRange(capture, 40, capture.length);
            boolean v4 = packet[0] >> 4 == 4;
            int udp = v4 ? 20 : 40;
            if (v4) {
                assertThat(sum(packet, 0, 20)).isEqualTo(0xFFFF);
            }
            int addresses = v4 ? 12 : 8;
            long sum = sum(packet, addresses, packet.length) + 17 + packet.length - udp;
            assertThat((sum & 0xFFFF) + (sum >> 16)).isEqualTo(0xFFFF);
        }
    }

    private static long sum(byte[] bytes, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += (bytes[i] & 0xFF) << ((i - from) % 2 == 0 ? 8 : 0);
        }
        while (sum > 0xFFFF) {
            sum = (sum & 0xFFFF) + (sum >> 16);
        }
        return sum;
    }

    @Test
    void refusesTimeThatItsSecondsWouldCut() throws IOException {
        InetSocketAddress a = address("192.0.2.1", 1);
        try (PcapWriter writer = new PcapWriter(new ByteArrayOutputStream())) {
            writer.write(0xFFFF_FFFFL * 1_000_000_000, a, a, Bytes.wrap(payload(1)));
            for (long seconds : new long[] {-1, 1L << 32}) {
                assertThatThrownBy(() ->
                                writer.write(seconds * 1_000_000_000, a, a, Bytes.wrap(payload(1))))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("time must be 0..4294967295 seconds after 1970, is " + seconds);
            }
        }
    }

    @Test
    void refusesPayloadThatFitsIntoNoPacket() {
        InetSocketAddress a = address("192.0.2.1", 1);
        assertThatThrownBy(() -> capture(a, a, payload(65_508)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("payload must be at most 65507 bytes, is 65508");
    }
}
