package dev.wishdir.bedrock.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.BedrockMessageTest;
import dev.wishdir.bedrock.message.InventoryMessage;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.ItemPalette;
import dev.wishdir.inspect.ExpectedLines;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;

/** Messages of fights that another program wrote in five versions. */
class CombatVectorsTest {
    private static final Path FILE =
            Path.of("src/test/resources/captures/versions/combat-vectors.jsonl.gz");

    /** Messages that this server neither sends nor handles. */
    private static final Set<String> UNKNOWN =
            Set.of(
                    "camera_shake",
                    "client_start_item_cooldown",
                    "completed_using_item",
                    "game_rules_changed",
                    "hurt_armor",
                    "interact",
                    "level_event",
                    "level_sound_event",
                    "movement_effect",
                    "player_hotbar",
                    "set_player_game_type",
                    "stop_sound",
                    "toast_request",
                    "update_player_game_type");

    /**
     * Fields that are constants of the encoding, that this program keeps opaque, or that it shows
     * in another form, which the vectors of movement compare.
     */
    private static final Set<String> NOT_SHOWN =
            Set.of(
                    "has_type",
                    "has_actions",
                    "dynamic_window",
                    "dynamic_size",
                    "kind_name",
                    "responses",
                    "attributes",
                    "meta",
                    "props");

    private record Vector(int protocol, String name, Bytes bytes, JsonObject fields) {
        static Vector of(String line) {
            JsonObject json = JsonParser.parseString(line).getAsJsonObject();
            return new Vector(
                    json.get("protocol").getAsInt(),
                    json.get("name").getAsString(),
                    Bytes.ofHex(json.get("hex").getAsString()),
                    shown(json.getAsJsonObject("fields")).getAsJsonObject());
        }

        private static JsonElement shown(JsonElement value) {
            return switch (value) {
                case JsonObject map -> {
                    JsonObject kept = new JsonObject();
                    map.entrySet().stream()
                            .filter(entry -> !entry.getValue().isJsonNull())
                            .filter(entry -> !NOT_SHOWN.contains(entry.getKey()))
                            .forEach(entry -> kept.add(entry.getKey(), shown(entry.getValue())));
                    yield kept;
                }
                case JsonArray list -> {
                    JsonArray kept = new JsonArray();
                    list.forEach(item -> kept.add(shown(item)));
                    yield kept;
                }
                default -> value;
            };
        }
    }

    private static List<Vector> vectors() throws IOException {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(Files.newInputStream(FILE)),
                                StandardCharsets.UTF_8))) {
            return lines.lines().map(Vector::of).toList();
        }
    }

    private static List<Vector> vectors(int protocol) throws IOException {
        return vectors().stream().filter(vector -> vector.protocol == protocol).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 748, 827, 1001, 2193})
    void readsAndWritesEachVector(int protocol) throws IOException {
        BedrockCodec codec = BedrockCodec.of(protocol).orElseThrow();
        List<Vector> vectors = vectors(protocol);
        assertThat(vectors).hasSizeGreaterThan(110);
        Set<String> unknown = new TreeSet<>();
        for (Vector vector : vectors) {
            Tracer reader = new Tracer(vector.bytes);
            BedrockMessage message = codec.read(reader);
            assertThat(reader.remaining()).as("bytes left of %s", vector).isZero();
            assertThat(codec.name(message)).isEqualTo(vector.name);
            Writer writer = new Writer(1 << 16);
            codec.write(writer, message);
            assertThat(writer.toBytes()).as("%s", vector).isEqualTo(vector.bytes);
            if (message instanceof Unknown) {
                unknown.add(vector.name);
            } else {
                assertThat(
                                ExpectedLines.differenceOfFields(
                                        vector.fields,
                                        BedrockMessageFields.of(message, codec.dialect())))
                        .as("%s of %d", vector.name, protocol)
                        .isEmpty();
                BedrockMessage blank = new Unknown(0, Bytes.EMPTY);
                if (message instanceof InventoryMessage.ItemStackResponse) {
                    WireLaws.holdToTheEnd(message, blank, BedrockMessageTest.walk(codec));
                } else {
                    WireLaws.hold(message, blank, BedrockMessageTest.walk(codec));
                }
            }
        }
        assertThat(UNKNOWN).containsAll(unknown);
    }

    @Test
    void vectorsAreWhole() throws IOException {
        assertThat(vectors()).hasSize(576);
        assertThat(vectors().stream().filter(vector -> !UNKNOWN.contains(vector.name)))
                .hasSizeGreaterThan(270);
    }

    @ParameterizedTest
    @CsvSource({
        "685, iron_sword, 313",
        "712, iron_sword, 314",
        "729, bow, 307",
        "748, iron_sword, 331",
        "859, fire_charge, 542",
        "1001, snowball, 406",
        "2193, iron_sword, 309",
        "2193, crossbow, 585"
    })
    void numbersItemsAsInEachVersion(int protocol, String name, int number) {
        assertThat(ItemPalette.number(BedrockCodec.of(protocol).orElseThrow(), "minecraft:" + name))
                .isEqualTo(number);
    }
}
