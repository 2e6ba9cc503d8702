package dev.wishdir.inspect;

import static dev.wishdir.inspect.CaptureBytes.hex;
import static dev.wishdir.inspect.CaptureBytes.join;
import static dev.wishdir.inspect.EncapsulationTest.frames;
import static dev.wishdir.inspect.EncapsulationTest.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.wire.Bytes;

import io.airlift.compress.v3.bzip2.BZip2HadoopStreams;
import io.airlift.compress.v3.zstd.ZstdOutputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The relatives of pcap, other formats of captures, and compressed captures. */
final class CaptureFormatsTest {
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

    private static byte[] erf() {
        CaptureBytes file = CaptureBytes.bigEndian();
        for (byte[] frame : frames()) {
            byte[] time =
                    ByteBuffer.allocate(8)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(1_700_000_000L << 32)
                            .array();
            // Of Ethernet with an extension header.
            file.raw(time).raw((byte) 0x82, (byte) 4);
            file.i16(16 + 8 + 2 + frame.length).i16(0).i16(frame.length);
            file.raw(hex("05 00000000000000 0000")).raw(frame);
        }
        return file.bytes();
    }

    private static byte[] modified(ByteOrder order) {
        CaptureBytes file = CaptureBytes.pcap(order, Pcap.MODIFIED, LinkType.ETHERNET);
        for (byte[] frame : frames()) {
            file.i32(1).i32(2).i32(frame.length).i32(frame.length).i32(3).i32(4).raw(frame);
        }
        return file.bytes();
    }

    /** Before version 2.3 the two lengths of a record were exchanged. */
    private static byte[] old() {
        CaptureBytes file = CaptureBytes.pcap(LinkType.ETHERNET);
        for (byte[] frame : frames()) {
            file.i32(1).i32(2).i32(frame.length + 9).i32(frame.length).raw(frame);
        }
        byte[] bytes = file.bytes();
        bytes[6] = 2;
        return bytes;
    }

    static Stream<byte[]> files() {
        return Stream.of(
                modified(ByteOrder.LITTLE_ENDIAN),
                modified(ByteOrder.BIG_ENDIAN),
                old(),
                erf(),
                resource("ethernet.snoop"),
                resource("rh6_1.pcap"),
                resource("suse6_3.pcap"),
                resource("nokia.pcap"),
                resource("ethernet.pcap.lz4"),
                pack(Compression.GZIP, ETHERNET),
                pack(Compression.XZ, ETHERNET),
                pack(Compression.ZSTD, ETHERNET),
                pack(Compression.BZIP2, ETHERNET),
                pack(Compression.ZIP, ETHERNET),
                pack(Compression.ZIP, pack(Compression.GZIP, ETHERNET)),
                join(pack(Compression.GZIP, ETHERNET), new byte[100]));
    }

    @ParameterizedTest
    @MethodSource("files")
    void readsEveryFormat(byte[] file) throws IOException {
        assertThat(payloads(file)).isEqualTo(payloads(ETHERNET)).hasSize(6);
    }

    @Test
    void readsBlocksThatReferToEarlierOnes() throws IOException {
        byte[] file = resource("linked.pcap.lz4");

        assertThat(payloads(file)).hasSize(2400);
        assertThat(file.length).isLessThan(10_000);
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
        byte[] whole =
                compression == Compression.LZ4
                        ? resource("linked.pcap.lz4")
                        : pack(compression, noise());

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
    @EnumSource(
            value = Compression.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LZ4"})
    void stopsDecompressionBombAtBound(Compression compression) {
        byte[] bomb = pack(compression, join(ETHERNET, new byte[4 << 20]));
        assertThat(bomb.length).isLessThan(30_000);

        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> payloads(bomb, 1 << 20))
                .withMessageContaining("has more than 1048576 bytes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GMBU",
                "RTSS",
                "TRSNIFF data",
                "XCP\0",
                "btsnoop\0",
                "Rar!",
                "iptrace 2.0",
                "MVD2"
            })
    void refusesOtherFormatsByTheirNames(String start) {
        byte[] file = Arrays.copyOf(start.getBytes(StandardCharsets.ISO_8859_1), 200);

        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> payloads(file))
                .withMessageMatching("the file is an? .*, which is not supported: .*");
    }

    @Test
    void refusesAnArchiveOfSeveralCaptures() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(packed)) {
            for (String name : List.of("readme.txt", "a.pcap", "b.pcap")) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.endsWith("txt") ? new byte[] {'h', 'i'} : ETHERNET);
            }
        }

        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> payloads(packed.toByteArray()))
                .withMessageContaining(
                        "the archive also contains \"b.pcap\": extract one file first");
    }

    static byte[] pack(Compression compression, byte[] content) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out =
                switch (compression) {
                    case GZIP -> new GZIPOutputStream(packed);
                    case XZ -> new XZOutputStream(packed, new LZMA2Options(1));
                    case ZSTD -> new ZstdOutputStream(packed);
                    case BZIP2 -> new BZip2HadoopStreams().createOutputStream(packed);
                    case ZIP -> {
                        ZipOutputStream zip = new ZipOutputStream(packed);
                        zip.putNextEntry(new ZipEntry("capture"));
                        yield zip;
                    }
                    case LZ4 -> throw new IllegalArgumentException("made by lz4");
                }) {
            out.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return packed.toByteArray();
    }
}
