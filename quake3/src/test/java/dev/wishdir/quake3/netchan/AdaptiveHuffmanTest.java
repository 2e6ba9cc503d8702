package dev.wishdir.quake3.netchan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.quake3.Quake3Captures;
import dev.wishdir.quake3.message.Quake3VectorsTest;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The code of a connect. */
class AdaptiveHuffmanTest {
    @Test
    void buildsCodeFromFrequencies() throws IOException {
        AdaptiveHuffman tree = new AdaptiveHuffman();
        for (String[] row : Quake3VectorsTest.rows("quake3-huffman-frequencies.csv")) {
            for (int i = 0; i < Integer.parseInt(row[1]); i++) {
                tree.add(Integer.parseInt(row[0]));
            }
        }
        for (String[] row : Quake3VectorsTest.rows("quake3-huffman-codes.csv")) {
            int symbol = row[0].equals("NYT") ? 256 : Integer.parseInt(row[0]);
            assertThat(tree.code(symbol)).as("code of %s", row[0]).isEqualTo(row[3]);
        }
    }

    @Test
    void packsVectorsOfConnect() throws IOException {
        JsonObject vectors =
                JsonParser.parseString(
                                Files.readString(
                                        Quake3Captures.FILES.path("quake3-vectors-connect.json")))
                        .getAsJsonObject();
        for (JsonElement element : vectors.getAsJsonArray("adaptive")) {
            Bytes plain = Bytes.ofHex(element.getAsJsonObject().get("plainHex").getAsString());
            Bytes compressed =
                    Bytes.ofHex(element.getAsJsonObject().get("compressedHex").getAsString());
            assertThat(AdaptiveHuffman.compress(plain)).isEqualTo(compressed);
            assertThat(AdaptiveHuffman.decompress(compressed, 1024)).isEqualTo(plain);
        }
    }

    /** D3. */
    @Test
    void refusesEmptyCutOrOverlongConnect() {
        for (String hex : List.of("", "00", "0101", "ffff00", "0005", "000500")) {
            assertThatExceptionOfType(MalformedPacketException.class)
                    .as(hex)
                    .isThrownBy(() -> AdaptiveHuffman.decompress(Bytes.ofHex(hex), 255));
        }
        assertThat(AdaptiveHuffman.decompress(Bytes.ofHex("0000"), 255)).isEqualTo(Bytes.EMPTY);
    }
}
