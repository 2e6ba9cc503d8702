package dev.wishdir.bedrock.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.inspect.ExpectedLines;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Movement messages that others encoded, decoded and encoded again. */
class MovementVectorsTest {
    private static final Path CAPTURES = Path.of("src/test/resources/captures");

    private static List<JsonObject> vectors(String name) throws IOException {
        List<JsonObject> vectors = new ArrayList<>();
        for (String line : Files.readAllLines(CAPTURES.resolve(name))) {
            vectors.add(JsonParser.parseString(line).getAsJsonObject());
        }
        return vectors;
    }

    private static BedrockMessage decoded(JsonObject vector) {
        Bytes bytes = Bytes.ofHex(vector.get("hex").getAsString());
        Reader reader = new Reader(bytes);
        BedrockMessage message = BedrockCodec.V748.read(reader);
        assertThat(reader.remaining()).as("left of %s", vector).isZero();
        Writer writer = new Writer(4096);
        BedrockCodec.V748.write(writer, message);
        assertThat(writer.toBytes()).as("%s", vector).isEqualTo(bytes);
        return message;
    }

    private static float number(JsonElement value) {
        return value.getAsString().equals("-0") ? -0f : (float) value.getAsDouble();
    }

    private static List<Float> numbers(JsonElement values) {
        return values.getAsJsonArray().asList().stream().map(MovementVectorsTest::number).toList();
    }

    @Test
    void readsVectorsOfMovePlayer() throws IOException {
        List<JsonObject> vectors = vectors("move_player-vectors.jsonl");
        assertThat(vectors).hasSize(400);
        for (JsonObject v : vectors) {
            MovePlayer m = (MovePlayer) decoded(v);
            assertThat(Long.toUnsignedString(m.runtimeId()))
                    .isEqualTo(v.get("runtime_id").getAsString());
            assertThat(List.of(m.position().x(), m.position().y(), m.position().z()))
                    .isEqualTo(List.of(number(v.get("x")), number(v.get("y")), number(v.get("z"))));
            assertThat(List.of(m.rotation().x(), m.rotation().y(), m.headYaw()))
                    .isEqualTo(
                            List.of(
                                    number(v.get("pitch")),
                                    number(v.get("yaw")),
                                    number(v.get("head_yaw"))));
            assertThat(m.mode()).isEqualTo(v.get("mode").getAsInt());
            assertThat(m.onGround()).isEqualTo(v.get("on_ground").getAsBoolean());
            assertThat(Long.toUnsignedString(m.ridingId()))
                    .isEqualTo(v.get("ridden_runtime_id").getAsString());
            assertThat(Long.toUnsignedString(m.tick())).isEqualTo(v.get("tick").getAsString());
            if (m.mode() == MovePlayer.TELEPORT) {
                assertThat(m.teleportCause()).isEqualTo(v.get("teleport_cause").getAsInt());
                assertThat(m.teleportSourceType()).isEqualTo(v.get("source_actor_type").getAsInt());
            }
        }
    }

    @Test
    void readsVectorsOfPlayerAuthInput() throws IOException {
        List<JsonObject> vectors = vectors("player_auth_input-vectors.jsonl");
        assertThat(vectors).hasSize(240);
        for (JsonObject v : vectors) {
            PlayerAuthInput m = (PlayerAuthInput) decoded(v);
            assertThat(m.rotation().x()).isEqualTo(number(v.get("pitch")));
            assertThat(m.rotation().y()).isEqualTo(number(v.get("yaw")));
            assertThat(List.of(m.position().x(), m.position().y(), m.position().z()))
                    .isEqualTo(numbers(v.get("position")));
            assertThat(List.of(m.move().x(), m.move().y()))
                    .isEqualTo(numbers(v.get("move_vector")));
            assertThat(m.headYaw()).isEqualTo(number(v.get("head_yaw")));
            assertThat(Long.toUnsignedString(m.input()))
                    .isEqualTo(v.get("input_data").getAsString());
            assertThat(m.inputMode()).isEqualTo(v.get("input_mode").getAsInt());
            assertThat(m.playMode()).isEqualTo(v.get("play_mode").getAsInt());
            assertThat(m.interaction()).isEqualTo(v.get("interaction_model").getAsInt());
            assertThat(List.of(m.interactRotation().x(), m.interactRotation().y()))
                    .isEqualTo(numbers(v.get("interact_rotation")));
            assertThat(Long.toUnsignedString(m.tick())).isEqualTo(v.get("tick").getAsString());
            assertThat(List.of(m.delta().x(), m.delta().y(), m.delta().z()))
                    .isEqualTo(numbers(v.get("delta")));
            assertThat(List.of(m.analogue().x(), m.analogue().y()))
                    .isEqualTo(numbers(v.get("analogue_move_vector")));
            assertThat(List.of(m.camera().x(), m.camera().y(), m.camera().z()))
                    .isEqualTo(numbers(v.get("camera_orientation")));
        }
    }

    /** Every movement of the captures writes back as its own bytes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain-client-auth",
                "plain-server-auth",
                "no-compression",
                "lossy",
                "encrypted"
            })
    void writesCapturedMovementsBack(String name) throws IOException {
        BedrockDissector dissector =
                new BedrockDissector(
                        false,
                        Optional.of(CAPTURES.resolve("encrypted.keys.jsonl")),
                        BedrockCodec.V748);
        int count = 0;
        for (DissectedMessage line :
                ExpectedLines.dissect(CAPTURES.resolve(name + ".pcap"), dissector)) {
            if (line.bytes().length() > 0) {
                Reader reader = new Reader(line.bytes());
                BedrockMessage message = BedrockCodec.V748.read(reader);
                assertThat(reader.remaining()).as("left of %s", message).isZero();
                Writer writer = new Writer(4096);
                BedrockCodec.V748.write(writer, message);
                assertThat(writer.toBytes()).as("%s", message).isEqualTo(line.bytes());
                count++;
            }
        }
        assertThat(count).isGreaterThan(30);
    }
}
