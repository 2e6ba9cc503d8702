package dev.wishdir.inspect;

import static dev.wishdir.inspect.capture.CaptureBytes.ethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.inspect.capture.CaptureBytes;
import dev.wishdir.inspect.capture.CaptureException;
import dev.wishdir.inspect.capture.CaptureFormatsTest;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.inspect.capture.Compression;
import dev.wishdir.inspect.link.LinkType;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

final class InspectorTest {
    private final List<DissectedMessage> lines = new ArrayList<>();
    private final FakeDissector red = new FakeDissector("red", 'c', 's');
    private final FakeDissector blue = new FakeDissector("blue", 'c', 'z');

    private static Datagram datagram(int from, int to, String text) {
        InetAddress host = InetAddress.getLoopbackAddress();
        return new Datagram(
                1,
                0,
                new InetSocketAddress(host, from),
                new InetSocketAddress(host, to),
                Bytes.of(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
    }

    @Test
    void assignsFlowToFirstRecognisingDissector() {
        Inspector inspector = Inspector.of(List.of(red, blue), lines::add);

        inspector.datagram(datagram(1, 2, "?"));
        inspector.datagram(datagram(1, 2, "c"));
        inspector.datagram(datagram(2, 1, "?"));
        inspector.datagram(datagram(1, 2, "z"));
        inspector.datagram(datagram(3, 2, "z"));
        inspector.datagram(datagram(2, 3, "c"));

        assertThat(lines)
                .extracting(DissectedMessage::game)
                .containsExactly("red", "red", "red", "blue", "blue");
        assertThat(lines)
                .extracting(DissectedMessage::direction)
                .containsExactly(
                        Direction.C2S, Direction.S2C, Direction.C2S, Direction.S2C, Direction.C2S);
        assertThat(lines).extracting(DissectedMessage::client).containsExactly(1, 1, 1, 2, 2);
        assertThat(inspector.unclaimed()).isEqualTo(1);
    }

    @Test
    void asksOncePerDatagram() {
        Inspector inspector = Inspector.of(List.of(red, blue), Map.of(9, red), lines::add);

        inspector.datagram(datagram(1, 2, "z"));
        inspector.datagram(datagram(1, 2, "z"));
        inspector.datagram(datagram(1, 9, "c"));

        assertThat(lines).hasSize(3);
        assertThat(red.asked).isEqualTo(2);
        assertThat(blue.asked).isEqualTo(1);
    }

    @Test
    void assignsFlowsOfPortToOnlyGame() {
        Inspector inspector = Inspector.of(blue, 28_785, lines::add);

        inspector.datagram(datagram(28_785, 5, "?"));
        inspector.datagram(datagram(5, 28_785, "?"));
        inspector.datagram(datagram(5, 6, "?"));
        inspector.datagram(datagram(28_785, 28_785, "?"));
        inspector.datagram(datagram(6, 7, "c"));

        assertThat(lines).extracting(DissectedMessage::client).containsExactly(5, 5, 6);
        assertThat(lines)
                .extracting(DissectedMessage::direction)
                .containsExactly(Direction.S2C, Direction.C2S, Direction.C2S);
        assertThat(inspector.unclaimed()).isEqualTo(2);
    }

    @Test
    void prefersKnownPort() {
        Inspector inspector =
                Inspector.of(List.of(red, blue), Map.of(28_785, blue, 28_786, blue), lines::add);

        inspector.datagram(datagram(5, 28_785, "c"));
        inspector.datagram(datagram(28_786, 6, "?"));
        inspector.datagram(datagram(28_786, 7, "c"));
        inspector.datagram(datagram(8, 9, "c"));
        inspector.datagram(datagram(28_785, 28_786, "?"));

        assertThat(lines)
                .extracting(message -> message.game() + message.client())
                .containsExactly("blue5", "blue6", "blue28786", "red8");
        assertThat(inspector.unclaimed()).isEqualTo(1);
    }

    @Test
    void evictsLongestSilentFlow() {
        Inspector inspector = Inspector.of(List.of(red), _ -> {});
        for (int i = 0; i < Inspector.MAX_FLOWS; i++) {
            inspector.datagram(datagram(i % 60_000, 60_001 + i / 60_000, "c"));
        }
        inspector.datagram(datagram(0, 60_001, "known"));
        assertThat(inspector.unclaimed()).isZero();
        inspector.datagram(datagram(60_000, 60_001, "c"));
        inspector.datagram(datagram(1, 60_001, "forgotten"));
        assertThat(inspector.unclaimed()).isEqualTo(1);
    }

    @Test
    void explainsBrokenCaptureUpToBreak() throws IOException {
        byte[] file =
                CaptureBytes.pcap(LinkType.ETHERNET)
                        .record(0, 0, ethernet(1, 2, (byte) 'c'))
                        .record(0, 500_000, ethernet(1, 2, (byte) 1))
                        .raw((byte) 0)
                        .bytes();
        Inspector inspector = Inspector.of(List.of(red), lines::add);

        try (CaptureReader capture = CaptureReader.of(new ByteArrayInputStream(file))) {
            assertThatExceptionOfType(CaptureException.class)
                    .isThrownBy(() -> inspector.capture(capture))
                    .withMessage("the file ends within a record header, at byte 142");
        }
        assertThat(lines).extracting(DissectedMessage::frame).containsExactly(1L, 2L);
        assertThat(lines).extracting(DissectedMessage::time).containsExactly(0.0, 0.5);
    }

    @Test
    void sendsRecordingsToTheirGame(@TempDir Path folder) throws IOException {
        Inspector inspector = Inspector.of(List.of(red, blue), lines::add);
        Path known = Files.write(folder.resolve("demo.blue"), new byte[] {1, 2, -1});
        Path unknown = Files.write(folder.resolve("demo.txt"), new byte[] {1});

        assertThat(inspector.recording(unknown)).isFalse();
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> inspector.recording(known));
        assertThat(lines).hasSize(2).extracting(DissectedMessage::game).containsOnly("blue");
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void unpacksRecordings(Compression compression, @TempDir Path folder) throws IOException {
        Inspector inspector = Inspector.of(List.of(red, blue), lines::add);
        byte[] recording = new byte[5000];
        byte[] packed = CaptureFormatsTest.pack(compression, recording);
        Path whole = Files.write(folder.resolve("demo.blue.GZ"), packed);
        Path cut =
                Files.write(
                        folder.resolve("cut.blue.gz"), Arrays.copyOf(packed, packed.length - 9));

        assertThat(inspector.recording(whole)).isTrue();
        assertThat(lines).hasSize(5000).extracting(DissectedMessage::game).containsOnly("blue");
        if (compression == Compression.GZIP) {
            assertThatExceptionOfType(CaptureException.class)
                    .isThrownBy(() -> inspector.recording(cut))
                    .withMessageContaining("the compressed file is truncated");
            assertThat(lines).hasSizeGreaterThan(9000);
        }
    }
}
