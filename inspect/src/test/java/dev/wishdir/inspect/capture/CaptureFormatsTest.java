package dev.wishdir.inspect.capture;

import static dev.wishdir.inspect.capture.CaptureBytes.hex;
import static dev.wishdir.inspect.capture.CaptureBytes.join;
import static dev.wishdir.inspect.capture.EncapsulationTest.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.inspect.link.LinkType;
import dev.wishdir.wire.Bytes;

import io.airlift.compress.v3.bzip2.BZip2HadoopStreams;
import io.airlift.compress.v3.zstd.ZstdOutputStream;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Compressed captures, and files of formats that are not supported. */
public final class CaptureFormatsTest {
    private static final byte[] ETHERNET = resource("ethernet.pcap");

    private static List<Bytes> payloads(byte[] file, long limit) throws IOException {
        List<Bytes> all = new ArrayList<>();
        try (CaptureReader capture = CaptureReader.of(new ByteArrayInputStream(file), limit)) {
            for (var next = capture.next(); next.isPresent(); next = capture.next()) {
                all.add(next.get().payload());
            }
        }
        return all;
    }

    private static List<Bytes> payloads(byte[] file) throws IOException {
        return payloads(file, CaptureReader.MAX_UNPACKED_BYTES);
    }

    /** Everything that is not a capture's own exception is a defect. */
    private static void readToAnyEnd(byte[] file) throws IOException {
        try {
            payloads(file, 1 << 20);
        } catch (CaptureException e) {
            assertThat(e).message().doesNotContain("null");
        }
    }

    static Stream<byte[]> files() {
        return Stream.of(
                ETHERNET,
                pack(Compression.GZIP, ETHERNET),
                pack(Compression.ZSTD, ETHERNET),
                pack(Compression.BZIP2, ETHERNET),
                pack(Compression.ZSTD, pack(Compression.GZIP, ETHERNET)),
                join(pack(Compression.GZIP, ETHERNET), new byte[100]));
    }

    @ParameterizedTest
    @MethodSource("files")
    void readsEveryFormat(byte[] file) throws IOException {
        assertThat(payloads(file)).isEqualTo(payloads(ETHERNET)).hasSize(6);
    }

    /** F5: cut anywhere, or with any octet wrong, a file ends in its own exception. */
    @ParameterizedTest
    @MethodSource("files")
    void throwsOwnExceptionOnCutOrWrongFile(byte[] file) throws IOException {
        for (int cut = 0; cut < file.length; cut++) {
            readToAnyEnd(Arrays.copyOf(file, cut));
        }
        for (int at = 0; at < file.length; at++) {
            byte[] changed = file.clone();
            changed[at] ^= (byte) 0xFF;
            readToAnyEnd(changed);
        }
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void reportsTruncatedCompressedFile(Compression compression) throws IOException {
        byte[] whole = pack(compression, noise());

        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> payloads(Arrays.copyOf(whole, whole.length * 2 / 3)))
                .withMessageContaining("the compressed file ")
                .withMessageNotContaining("null");
    }

    /** A capture that no compression makes much smaller. */
    private static byte[] noise() {
        byte[] noise = new byte[60_000];
        new java.util.Random(1).nextBytes(noise);
        return CaptureBytes.pcap(LinkType.RAW).record(0, 0, noise).record(0, 0, noise).bytes();
    }

    /** F5: every kind of bomb. */
    @ParameterizedTest
    @EnumSource(Compression.class)
    void stopsDecompressionBombAtBound(Compression compression) {
        byte[] bomb = pack(compression, join(ETHERNET, new byte[4 << 20]));
        assertThat(bomb.length).isLessThan(30_000);

        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> payloads(bomb, 1 << 20))
                .withMessageContaining("has more than 1048576 bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "736e6f6f7000000000000002, a capture of Solaris' snoop, editcap -F pcapng IN OUT",
        "a1b2cd34, a relative of pcap (a1b2cd34), editcap -F pcapng IN OUT",
        "34cdb2a1, a relative of pcap (a1b2cd34), editcap -F pcapng IN OUT",
        "4d564432, a multi-view recording of Q2PRO, use a recording of one client (.dm2)",
        "504b0304, a zip archive, extract it with unzip FILE",
        "fd377a585a00, an xz file, decompress it with xz -d FILE",
        "04224d18, an LZ4 file, decompress it with lz4 -d FILE"
    })
    void refusesOtherFormatsWithAdvice(String start, String name, String advice)
            throws IOException {
        byte[] file = Arrays.copyOf(hex(start), 200);

        for (byte[] each : List.of(file, pack(Compression.GZIP, file))) {
            assertThatExceptionOfType(CaptureException.class)
                    .isThrownBy(() -> payloads(each))
                    .withMessageStartingWith("the file is " + name + ", which is not supported: ")
                    .withMessageContaining(advice);
            try (CaptureFile opened = CaptureFile.of(new ByteArrayInputStream(each))) {
                assertThat(opened.isCapture()).isTrue();
            }
        }
    }

    /** A file of ERF has no magic number, one of pcap 2.3 may have its lengths exchanged. */
    @Test
    void refusesUnknownFormatAndOldPcapWithAdvice() {
        byte[] erf = hex("00000000 00f15365 0204 0064 0000 0052");
        byte[] old = CaptureBytes.pcap(LinkType.ETHERNET).bytes();
        old[6] = 3;

        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> payloads(erf))
                .withMessageContaining("is not a capture (pcap, pcapng)")
                .withMessageContaining("editcap -F pcapng IN OUT");
        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> payloads(old))
                .withMessageContaining("pcap version 2.3 is not supported")
                .withMessageContaining("editcap -F pcapng IN OUT");
    }

    public static byte[] pack(Compression compression, byte[] content) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out =
                switch (compression) {
                    case GZIP -> new GZIPOutputStream(packed);
                    case ZSTD -> new ZstdOutputStream(packed);
                    case BZIP2 -> new BZip2HadoopStreams().createOutputStream(packed);
                }) {
            out.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return packed.toByteArray();
    }

    /** Each of them was a call within the call for the one before. */
    @Test
    @DisplayName("F5 thousands of empty gzip members end")
    void readsManyMembers() throws IOException {
        ByteArrayOutputStream member = new ByteArrayOutputStream();
        new GZIPOutputStream(member).close();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (int i = 0; i < 50_000; i++) {
            member.writeTo(file);
        }
        try (OutputStream last = new GZIPOutputStream(file)) {
            last.write(ETHERNET);
        }
        assertThat(payloads(file.toByteArray())).isEqualTo(payloads(ETHERNET));
    }
}
