package dev.wishdir.nethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;

import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityRejectedException;
import dev.wishdir.nethernet.sdp.Sdp;
import dev.wishdir.wire.MalformedPacketException;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The vectors and the captured session, made by peers of other makes. */
class NetherNetVectorsTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final long CAPTURED = 1_795_300_000L;

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @TestFactory
    Stream<DynamicTest> readsFraming() {
        return NetherNetCaptures.vectors("framing").stream()
                .map(vector ->
                        DynamicTest.dynamicTest(
                                vector.get("name").getAsString(), () -> framing(vector)));
    }

    private static void framing(JsonObject vector) {
        byte[] payload = HEX.parseHex(vector.get("payload").getAsString());
        List<String> messages =
                vector.getAsJsonArray("messages").asList().stream()
                        .map(each -> each.getAsString())
                        .toList();
        int most = vector.get("max_message").getAsInt();
        assertThat(
                        SegmentCodec.split(payload, 0, payload.length, most).stream()
                                .map(HEX::formatHex))
                .isEqualTo(messages.stream().toList());
        SegmentCodec codec = new SegmentCodec(1000);
        byte[] joined = null;
        for (String message : messages) {
            assertThat(joined).isNull();
            joined = codec.join(HEX.parseHex(message));
        }
        assertThat(joined).isEqualTo(payload);
        assertThat(codec.retainedBytes()).isZero();
    }

    @TestFactory
    Stream<DynamicTest> refusesFramingErrors() {
        return NetherNetCaptures.vectors("framing-error").stream()
                .map(vector ->
                        DynamicTest.dynamicTest(
                                vector.get("name").getAsString(),
                                () -> {
                                    SegmentCodec codec = new SegmentCodec(1000);
                                    assertThatThrownBy(
                                                    () -> {
                                                        for (var each :
                                                                vector.getAsJsonArray("messages")) {
                                                            byte[] message =
                                                                    HEX.parseHex(
                                                                            each.getAsString());
                                                            if (vector.has("label")) {
                                                                SegmentCodec.whole(message);
                                                            } else {
                                                                codec.join(message);
                                                            }
                                                        }
                                                    })
                                            .isInstanceOf(MalformedPacketException.class);
                                }));
    }

    @Test
    void readsCapturedOffersAndAnswers() throws IdentityRejectedException {
        List<Sdp> all = NetherNetCaptures.offersAndAnswers();
        assertThat(all).hasSize(3);
        assertThat(Identity.check(all.get(0), Identity.Policy.OFFLINE, CAPTURED)).isNotNull();
        assertThat(Identity.check(all.get(1), Identity.Policy.OFFLINE, CAPTURED)).isNotNull();
        assertThatThrownBy(() -> Identity.check(all.get(2), Identity.Policy.OFFLINE, CAPTURED))
                .hasMessageContaining("signature");
        for (Sdp sdp : all) {
            assertThat(sdp.maxMessageSize()).isEqualTo(262_144);
            assertThat(sdp.candidates()).isNotEmpty();
            assertThat(Sdp.read(utf8(sdp.text()))).isEqualTo(sdp);
        }
        assertThat(all.get(0).setup()).isEqualTo(Sdp.Setup.ACTPASS);
        assertThat(all.get(1).setup()).isEqualTo(Sdp.Setup.ACTIVE);
    }

    @Test
    void readsCapturedChannelMessages() {
        for (JsonObject line : NetherNetCaptures.FILES.lines("datachannel.jsonl")) {
            String hex = line.get("hex").getAsString();
            if (hex.endsWith("...")) {
                continue;
            }
            byte[] message = HEX.parseHex(hex);
            byte[] packet =
                    line.get("label").getAsString().startsWith("Reliable")
                            ? new SegmentCodec(1 << 20).join(message)
                            : SegmentCodec.whole(message);
            assertThat(packet).isEqualTo(HEX.parseHex(hex.substring(2)));
        }
    }
}
