package dev.wishdir.bedrock;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.inspect.ExpectedLines;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Line;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Every version against sessions and single messages of a library that speaks them all. */
class BedrockVersionsTest {
    private static final Path CAPTURES = Path.of("src/test/resources/captures/versions");

    /** One message of a version, as another program wrote it. */
    private record Vector(int protocol, String name, Bytes bytes, JsonObject fields) {
        static Vector of(String line) {
            JsonObject json = JsonParser.parseString(line).getAsJsonObject();
            return new Vector(
                    json.get("protocol").getAsInt(),
                    json.get("name").getAsString(),
                    Bytes.ofHex(json.get("hex").getAsString()),
                    json.getAsJsonObject("fields"));
        }
    }

    private static final List<Vector> VECTORS = vectors();

    private static List<Vector> vectors() {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(
                                        Files.newInputStream(
                                                CAPTURES.resolve("vectors.jsonl.gz"))),
                                StandardCharsets.UTF_8))) {
            return lines.lines().map(Vector::of).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<String> plainSessions() throws IOException {
        return sessions("v");
    }

    static Stream<String> encryptedSessions() throws IOException {
        return sessions("e");
    }

    private static Stream<String> sessions(String kind) throws IOException {
        try (Stream<Path> files = Files.list(CAPTURES)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.startsWith(kind) && name.endsWith(".pcap"))
                    .map(name -> name.replace(".pcap", ""))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    static IntStream protocols() {
        return Arrays.stream(BedrockCodec.protocols());
    }

    static IntStream protocolsWithVectors() {
        return VECTORS.stream().mapToInt(Vector::protocol).distinct();
    }

    @Test
    void allVersionsAreSpoken() throws IOException {
        assertThat(BedrockCodec.protocols())
                .containsExactly(
                        685, 686, 712, 729, 748, 766, 776, 786, 800, 818, 819, 827, 844, 859, 860,
                        898, 924, 944, 975, 1001, 2168, 2169, 2193);
        assertThat(plainSessions()).hasSize(21);
        assertThat(encryptedSessions()).hasSize(4);
    }

    @ParameterizedTest
    @MethodSource("plainSessions")
    void saysWhatIsExpectedOf(String name) throws IOException {
        ExpectedLines.beside(CAPTURES.resolve(name + ".pcap"))
                .assertSaidBy(new BedrockDissector(false, Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("encryptedSessions")
    void saysWhatIsExpectedOfEncrypted(String name) throws IOException {
        ExpectedLines.beside(CAPTURES.resolve(name + ".pcap"))
                .assertSaidBy(
                        new BedrockDissector(
                                false, Optional.of(CAPTURES.resolve(name + ".keys.jsonl"))));
    }

    private static byte[] written(BedrockCodec codec, BedrockMessage message) {
        Writer writer = new Writer(1 << 20);
        codec.write(writer, message);
        return writer.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("protocolsWithVectors")
    void readsAndWritesEachVector(int protocol) {
        BedrockCodec codec = BedrockCodec.of(protocol).orElseThrow();
        List<Line> lines = new ArrayList<>();
        List<Vector> vectors = VECTORS.stream().filter(v -> v.protocol == protocol).toList();
        assertThat(vectors).hasSizeGreaterThan(80);
        for (Vector vector : vectors) {
            Tracer reader = new Tracer(vector.bytes);
            BedrockMessage message = codec.read(reader);
            assertThat(reader.remaining()).as("bytes left of %s", vector).isZero();
            assertThat(codec.name(message)).isEqualTo(vector.name);
            assertThat(Bytes.wrap(written(codec, message))).as("%s", vector).isEqualTo(vector.bytes);
            Map<String, ?> fields = MessageFields.of(message, codec.dialect());
            assertThat(ExpectedLines.differenceOfFields(vector.fields, fields))
                    .as("%s of %d", vector.name, protocol)
                    .isEmpty();
        }
        assertThat(VECTORS).hasSize(1886);
    }
}
