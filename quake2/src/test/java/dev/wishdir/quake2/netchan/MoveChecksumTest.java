package dev.wishdir.quake2.netchan;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.idtech.Md4;
import dev.wishdir.quake2.Quake2Captures;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.io.IOException;
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
    void matchesLivingEngines() {
        for (JsonElement element : list("crc_variant")) {
            JsonObject vector = element.getAsJsonObject();
            byte[] body = body(vector);
            assertThat(MoveChecksum.of(body, 0, body.length, vector.get("seq").getAsInt()))
                    .as("%s", vector)
                    .isEqualTo(vector.get("checksum").getAsInt());
        }
    }

    /** All that real clients sent, those among them that the netchan refuses as old. */
    @Test
    void matchesEveryCapturedMove() throws IOException {
        int moves = 0;
        int stale = 0;
        for (String capture : Quake2Captures.NAMES) {
            JsonObject packet = new JsonObject();
            for (JsonObject entry : Quake2Captures.FILES.lines(capture + ".expected.jsonl.gz")) {
                JsonObject fields = entry.getAsJsonObject("fields");
                if (entry.get("layer").getAsString().equals("transport")) {
                    packet = fields;
                } else if (entry.get("name").getAsString().equals("move")) {
                    moves++;
                    stale += packet.has("stale") ? 1 : 0;
                    byte[] body = body(fields);
                    assertThat(MoveChecksum.of(body, 0, body.length, packet.get("seq").getAsInt()))
                            .as("%s", entry)
                            .isEqualTo(fields.get("checksum").getAsInt());
                }
            }
        }
        assertThat(moves).isEqualTo(13_505);
        assertThat(stale).as("moves in refused packets").isEqualTo(2);
    }

    @Test
    void matchesMapChecksums() {
        for (JsonElement element : list("map_checksum")) {
            JsonObject vector = element.getAsJsonObject();
            byte[] map = Quake2Captures.FILES.file(vector.get("file").getAsString()).toArray();
            assertThat(Integer.toString(Md4.fold(map, map.length)))
                    .isEqualTo(vector.get("configstring_31").getAsString());
        }
    }
}
