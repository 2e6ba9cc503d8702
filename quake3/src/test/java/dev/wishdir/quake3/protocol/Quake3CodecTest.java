package dev.wishdir.quake3.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.quake3.Quake3Captures;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;

/** What legacy protocols do to the bytes of a message. */
class Quake3CodecTest {
    private static JsonElement json(String name) throws IOException {
        return JsonParser.parseString(Files.readString(Quake3Captures.FILES.path(name)));
    }

    @Test
    void scramblesAsTheVectorsDo() throws IOException {
        for (JsonElement element : json("quake3-vectors-xor.json").getAsJsonArray()) {
            JsonObject vector = element.getAsJsonObject();
            Quake3Codec codec =
                    new Quake3Codec(
                            Protocol.OPENARENA_71, (int) vector.get("challenge").getAsLong());
            byte[] bytes = Bytes.ofHex(vector.get("plainHex").getAsString()).toArray();
            String text = vector.get("string").getAsString();
            if (vector.get("direction").getAsString().startsWith("client")) {
                codec.serverCommands().receive(5, text);
                codec.scramble(
                        bytes,
                        vector.get("serverId").getAsInt(),
                        vector.get("messageAcknowledge").getAsInt(),
                        5);
            } else {
                codec.clientCommands().receive(5, text);
                codec.scramble(bytes, vector.get("sequence").getAsInt(), 5);
            }
            assertThat(Bytes.wrap(bytes).hex()).isEqualTo(vector.get("cipherHex").getAsString());
        }
    }
}
