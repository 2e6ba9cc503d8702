package dev.wishdir.nethernet.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;

import dev.wishdir.nethernet.NetherNetCaptures;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.util.HexFormat;

/** The vectors of discovery, made by the game's server. */
class LanVectorsTest {
    private static final HexFormat HEX = HexFormat.of();

    @Test
    void readsLanMessages() {
        assertThat(NetherNetCaptures.vectors("lan")).hasSize(4);
        for (JsonObject vector : NetherNetCaptures.vectors("lan")) {
            checkLan(
                    HEX.parseHex(vector.get("plain").getAsString()),
                    HEX.parseHex(vector.get("datagram").getAsString()));
        }
        for (JsonObject line : NetherNetCaptures.FILES.lines("lan-session.jsonl")) {
            checkLan(
                    HEX.parseHex(line.get("plain").getAsString()),
                    HEX.parseHex(line.get("datagram").getAsString()));
        }
    }

    private static void checkLan(byte[] plain, byte[] datagram) {
        assertThat(LanDiscoveryCipher.open(datagram)).isEqualTo(plain);
        assertThat(LanDiscoveryCipher.seal(plain)).isEqualTo(datagram);
        assertThat(LanMessage.write(LanMessage.read(datagram))).isEqualTo(datagram);
    }

    @Test
    void readsLanAdvertisement() {
        JsonObject meaning =
                NetherNetCaptures.vectors("lan").stream()
                        .map(vector -> vector.getAsJsonObject("meaning"))
                        .filter(each -> each.has("protocol"))
                        .findFirst()
                        .orElseThrow();
        Bytes bytes = Bytes.ofHex(meaning.get("advertisement_hex").getAsString());
        LanAdvertisement read = LanAdvertisement.read(bytes);
        assertThat(read)
                .isEqualTo(
                        new LanAdvertisement(
                                "Dedicated Server",
                                2193,
                                "1.26.51",
                                "Bedrock level",
                                3,
                                10,
                                0,
                                false,
                                false,
                                true,
                                false,
                                ""));
        assertThat(read.write()).isEqualTo(bytes);
    }
}
