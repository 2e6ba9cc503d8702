package dev.wishdir.quake2;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

class MoveChecksumTest {
    private final JsonObject vectors = vectors();

    private static JsonObject vectors() {
        try {
            return JsonParser.parseString(
                            Files.readString(Path.of("src/test/resources/vectors/checksum.json")))
                    .getAsJsonObject();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Iterable<JsonElement> list(String name) {
        assertThat(vectors.getAsJsonArray(name)).isNotEmpty();
        return vectors.getAsJsonArray(name);
    }

    private static byte[] body(JsonObject vector) {
        return Bytes.ofHex(vector.get("body_hex").getAsString()).toArray();
    }

    @Test
    void livingEngines() {
        for (JsonElement element : list("crc_variant")) {
            JsonObject vector = element.getAsJsonObject();
            byte[] body = body(vector);
            assertThat(MoveChecksum.of(body, 0, body.length, vector.get("seq").getAsInt()))
                    .as("%s", vector)
                    .isEqualTo(vector.get("checksum").getAsInt());
        }
    }

    @Test
    void release314AndBefore() {
        for (JsonElement element : list("md4_variant_1")) {
            JsonObject vector = element.getAsJsonObject();
            byte[] body = body(vector);
            assertThat(MoveChecksum.before315(body, 0, body.length, vector.get("seq").getAsInt()))
                    .as("%s", vector)
                    .isEqualTo(vector.get("checksum").getAsInt());
        }
    }

    @Test
    void release315() {
        for (JsonElement element : list("md4_variant_2")) {
            JsonObject vector = element.getAsJsonObject();
            byte[] body = body(vector);
            assertThat(
                            MoveChecksum.of315(
                                    body,
                                    0,
                                    body.length,
                                    vector.get("seq").getAsInt(),
                                    vector.get("challenge").getAsInt()))
                    .as("%s", vector)
                    .isEqualTo(vector.get("checksum").getAsInt());
        }
    }

    @Test
    void digestsOfRfc1320() {
        for (JsonElement element : list("md4_digest")) {
            JsonObject vector = element.getAsJsonObject();
            byte[] text = vector.get("text").getAsString().getBytes(StandardCharsets.US_ASCII);
            String hex = "";
            for (int word : Md4.digest(text, text.length)) {
                hex += "%08x".formatted(Integer.reverseBytes(word));
            }
            assertThat(hex).isEqualTo(vector.get("digest_hex").getAsString());
            assertThat(Integer.toUnsignedLong(Md4.fold(text, text.length)))
                    .isEqualTo(vector.get("folded").getAsLong());
        }
    }

    @Test
    void checksumsOfMaps() {
        for (JsonElement element : list("map_checksum")) {
            JsonObject vector = element.getAsJsonObject();
            byte[] map = Captures.file(vector.get("file").getAsString()).toArray();
            assertThat(Integer.toString(Md4.fold(map, map.length)))
                    .isEqualTo(vector.get("configstring_31").getAsString());
        }
    }
}
