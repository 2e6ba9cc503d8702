package dev.wishdir.bedrock.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.BedrockMessageTest;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;
import dev.wishdir.inspect.ExpectedLines;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
public class BedrockVersionsTest {
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
                                        Files.newInputStream(CAPTURES.resolve("vectors.jsonl.gz"))),
                                StandardCharsets.UTF_8))) {
            return lines.lines().map(Vector::of).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes of all shorter messages of a version. */
    public static List<byte[]> packets(int protocol) {
        return VECTORS.stream()
                .filter(vector -> vector.protocol == protocol && vector.bytes.length() < LONG)
                .map(vector -> vector.bytes.toArray())
                .toList();
    }

    static Stream<String> plainSessions() throws IOException {
        return sessions("v");
    }

    static Stream<String> encryptedSessions() throws IOException {
        return sessions("e");
    }

    private static Stream<String> sessions(String kind) throws IOException {
        try (Stream<Path> files = Files.list(CAPTURES)) {
            return files
                    .map(file -> String.valueOf(file.getFileName()))
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
    void speaksAllVersions() throws IOException {
        assertThat(BedrockCodec.protocols())
                .containsExactly(
                        685, 686, 712, 729, 748, 766, 776, 786, 800, 818, 819, 827, 844, 859, 860,
                        898, 924, 944, 975, 1001, 2168, 2169, 2193);
        assertThat(ProtocolChange.values()).hasSizeLessThanOrEqualTo(Long.SIZE);
        assertThat(plainSessions()).hasSize(21);
        assertThat(encryptedSessions()).hasSize(4);
    }

    @ParameterizedTest
    @MethodSource("plainSessions")
    void matchesExpectedLines(String name) throws IOException {
        ExpectedLines.beside(CAPTURES.resolve(name + ".pcap"))
                .assertSaidBy(new BedrockDissector(false, Optional.empty(), BedrockCodec.V748));
    }

    @ParameterizedTest
    @MethodSource("encryptedSessions")
    void matchesExpectedLinesOfEncryptedSession(String name) throws IOException {
        ExpectedLines.beside(CAPTURES.resolve(name + ".pcap"))
                .assertSaidBy(
                        new BedrockDissector(
                                false,
                                Optional.of(CAPTURES.resolve(name + ".keys.jsonl")),
                                BedrockCodec.V748));
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
        List<Vector> vectors = VECTORS.stream().filter(v -> v.protocol == protocol).toList();
        assertThat(vectors).hasSizeGreaterThan(80);
        for (Vector vector : vectors) {
            Tracer reader = new Tracer(vector.bytes);
            BedrockMessage message = codec.read(reader);
            assertThat(reader.remaining()).as("bytes left of %s", vector).isZero();
            assertThat(codec.name(message)).isEqualTo(vector.name);
            assertThat(Bytes.wrap(written(codec, message)))
                    .as("%s", vector)
                    .isEqualTo(vector.bytes);
            Map<String, ?> fields = BedrockMessageFields.of(message, codec.dialect());
            assertThat(ExpectedLines.differenceOfFields(vector.fields, fields))
                    .as("%s of %d", vector.name, protocol)
                    .isEmpty();
        }
        assertThat(VECTORS).hasSize(1886);
    }

    /** What differs in which version from the one before it, as far as the vectors show. */
    private static final Map<Integer, Set<String>> CHANGED =
            Map.ofEntries(
                    Map.entry(
                            712,
                            Set.of(
                                    "disconnect",
                                    "correct_player_move_prediction",
                                    "resource_packs_info",
                                    "add_player",
                                    "serverbound_loading_screen",
                                    "jigsaw_structure_data")),
                    Map.entry(729, Set.of("resource_packs_info", "transfer", "update_attributes")),
                    Map.entry(
                            748,
                            Set.of(
                                    "player_auth_input",
                                    "resource_packs_info",
                                    "set_movement_authority")),
                    Map.entry(766, Set.of("player_auth_input", "resource_packs_info")),
                    Map.entry(
                            776,
                            Set.of(
                                    "start_game",
                                    "item_registry",
                                    "update_abilities",
                                    "add_player")),
                    Map.entry(800, Set.of("biome_definition_list", "player_list")),
                    Map.entry(818, Set.of("start_game", "resource_packs_info")),
                    Map.entry(844, Set.of("biome_definition_list")),
                    Map.entry(859, Set.of("animate")),
                    Map.entry(898, Set.of("text", "animate", "resource_pack_stack", "start_game")),
                    Map.entry(924, Set.of("start_game", "text", "voxel_shapes")),
                    Map.entry(944, Set.of("start_game", "player_action", "voxel_shapes")),
                    Map.entry(
                            2168,
                            Set.of(
                                    "start_game",
                                    "add_player",
                                    "player_list",
                                    "set_entity_data",
                                    "move_player",
                                    "move_entity_delta",
                                    "player_auth_input",
                                    "resource_packs_info",
                                    "resource_pack_client_response",
                                    "transfer")),
                    Map.entry(2193, Set.of("player_auth_input", "move_entity_delta")));

    @ParameterizedTest
    @MethodSource("protocolsWithVectors")
    void differsFromNeighbourExactlyWhereChanged(int protocol) {
        int[] all = BedrockCodec.protocols();
        int place = Arrays.binarySearch(all, protocol);
        if (place == 0) {
            return;
        }
        BedrockCodec own = BedrockCodec.of(protocol).orElseThrow();
        BedrockCodec before = BedrockCodec.of(all[place - 1]).orElseThrow();
        Set<String> wrong = new TreeSet<>();
        for (Vector vector : VECTORS) {
            if (vector.protocol == protocol && !agree(own, before, vector.bytes)) {
                wrong.add(vector.name);
            }
        }
        assertThat(wrong)
                .containsExactlyInAnyOrderElementsOf(CHANGED.getOrDefault(protocol, Set.of()));
    }

    /** Whether two versions read the same message from these bytes, and write them for it. */
    private static boolean agree(BedrockCodec own, BedrockCodec before, Bytes bytes) {
        BedrockMessage meant = own.read(new Reader(bytes));
        try {
            Reader reader = new Reader(bytes);
            BedrockMessage read = before.read(reader);
            return reader.remaining() == 0
                    && read.equals(meant)
                    && before.name(read).equals(own.name(meant))
                    && Bytes.wrap(written(before, read)).equals(bytes);
        } catch (MalformedPacketException e) {
            return false;
        }
    }

    /** Cutting each of a long message's bytes off takes too long for what it shows. */
    private static final int LONG = 700;

    @ParameterizedTest
    @MethodSource("protocolsWithVectors")
    void holdsLawsForEachVector(int protocol) {
        BedrockCodec codec = BedrockCodec.of(protocol).orElseThrow();
        Set<String> held = new TreeSet<>();
        for (Vector vector : VECTORS) {
            if (vector.protocol == protocol && vector.bytes.length() < LONG) {
                held.add(vector.name);
                BedrockMessage message = codec.read(new Reader(vector.bytes));
                BedrockMessage blank = new Unknown(0, Bytes.EMPTY);
                if (message instanceof WorldMessage.CreativeContent) {
                    WireLaws.holdToTheEnd(message, blank, BedrockMessageTest.walk(codec));
                } else {
                    WireLaws.hold(message, blank, BedrockMessageTest.walk(codec));
                }
            }
        }
        assertThat(held).hasSizeGreaterThan(30);
    }

    /** What is captured of a session from its middle on is read as the version that is named. */
    @ParameterizedTest
    @ValueSource(strings = {"v685", "v748", "v944", "v2193"})
    void readsSessionWithoutStartInNamedVersion(String name) throws IOException {
        Path file = CAPTURES.resolve(name + ".pcap");
        Dissector dissector =
                new BedrockGame().ofVersion(name.substring(1)).dissector(false, Optional.empty());
        List<DissectedMessage> whole =
                ExpectedLines.dissect(
                        file, new BedrockDissector(false, Optional.empty(), BedrockCodec.V748));
        long middle = whole.getLast().frame() / 2;
        DissectedMessage server = whole.getFirst();
        List<DissectedMessage> said = new ArrayList<>();
        Inspector inspector = Inspector.of(dissector, port(file, server), said::add);
        try (CaptureReader capture = CaptureReader.open(file)) {
            for (var next = capture.next(); next.isPresent(); next = capture.next()) {
                if (next.get().frame() > middle) {
                    inspector.datagram(next.get());
                }
            }
        }
        assertThat(messages(said, middle)).hasSizeGreaterThan(80);
        assertThat(messages(said, middle)).isEqualTo(messages(whole, middle));
        assertThat(said)
                .extracting(DissectedMessage::name)
                .doesNotContain("malformed", "encrypted_batch");
    }

    private static List<String> messages(List<DissectedMessage> lines, long from) {
        return lines.stream()
                .filter(line ->
                        line.frame() > from && line.layer() == DissectedMessage.Layer.MESSAGE)
                .map(line -> line.frame() + " " + line.name() + " " + line.fields())
                .toList();
    }

    private static int port(Path file, DissectedMessage first) throws IOException {
        try (CaptureReader capture = CaptureReader.open(file)) {
            for (var next = capture.next(); next.isPresent(); next = capture.next()) {
                if (next.get().frame() == first.frame()) {
                    return first.direction() == Direction.C2S
                            ? next.get().destination().getPort()
                            : next.get().source().getPort();
                }
            }
        }
        throw new AssertionError("the capture has no such frame");
    }

    @ParameterizedTest
    @CsvSource({
        "1.21.0, 685", "1.21.1, 685", "1.21.3, 686", "1.21.40, 748", "1.21.44, 748", "1.21.92, 818",
        "1.21.93, 819", "1.21.124, 860", "1.26.0, 924", "1.26.51, 2193", "2168, 2168", "748, 748"
    })
    void namesVersionsAsPlayersKnowThem(String version, int protocol) {
        assertThat(BedrockCodec.named(version).orElseThrow().protocol()).isEqualTo(protocol);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.20.80", "1.26.52", "747", "2194", "", "1.21", "latest"})
    void givesOtherVersionsNoName(String version) {
        assertThat(BedrockCodec.named(version)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BedrockGame().ofVersion(version))
                .withMessageContaining("1.26.51");
    }

    /** The names of the game's items are those that the tables of all sources count. */
    @ParameterizedTest
    @CsvSource({"685, 1599", "748, 1748", "1001, 1933", "2168, 1976", "2193, 1976"})
    void givesEachVersionItsItems(int protocol, int count) {
        BedrockCodec codec = BedrockCodec.of(protocol).orElseThrow();
        List<WorldMessage.Item> items = ItemPalette.of(codec);
        assertThat(items).hasSize(count);
        assertThat(items).extracting(WorldMessage.Item::id).doesNotHaveDuplicates();
        boolean registry = codec.has(ProtocolChange.ITEM_REGISTRY);
        assertThat(items.stream().anyMatch(WorldMessage.Item::componentBased)).isEqualTo(registry);
        assertThat(items.stream().anyMatch(item -> !item.components().values().isEmpty()))
                .isEqualTo(registry);
    }
}
