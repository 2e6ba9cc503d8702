package dev.wishdir.nethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
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
    void readsIdentities() throws IdentityRejectedException {
        int valid = 0;
        for (JsonObject vector : NetherNetCaptures.vectors("identity")) {
            Sdp sdp = Sdp.read(utf8(vector.get("sdp").getAsString()));
            if (vector.get("valid").getAsBoolean()) {
                valid++;
                Identity identity =
                        Objects.requireNonNull(
                                Identity.check(sdp, Identity.Policy.OFFLINE, CAPTURED));
                assertThat(identity.domain()).isEqualTo(vector.get("idp_domain").getAsString());
                assertThat(identity.issued()).isFalse();
                assertThat(Base64.getEncoder().encodeToString(identity.key().getEncoded()))
                        .isEqualTo(vector.get("public_key_spki").getAsString());
                assertThat(Identity.canonical(sdp.fingerprints()))
                        .isEqualTo(vector.get("canonical_fingerprints").getAsString());
            } else {
                assertThatThrownBy(() -> Identity.check(sdp, Identity.Policy.OFFLINE, CAPTURED))
                        .as(vector.get("why").getAsString())
                        .isInstanceOf(IdentityRejectedException.class);
            }
        }
        assertThat(valid).isEqualTo(2);
    }

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

    private static List<Sdp> offersAndAnswers() {
        return NetherNetCaptures.FILES.lines("http.jsonl").stream()
                .flatMap(line ->
                        Stream.of("request", "response")
                                .filter(line::has)
                                .map(part -> line.getAsJsonObject(part).get("body").getAsString()))
                .filter(body -> body.startsWith("v=0"))
                .map(body -> Sdp.read(utf8(body)))
                .toList();
    }

    @Test
    void readsCapturedOffersAndAnswers() throws IdentityRejectedException {
        List<Sdp> all = offersAndAnswers();
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
    void verifiesCapturedChecks() {
        List<Sdp> all = offersAndAnswers();
        IceCredentials client = all.get(0).ice();
        IceCredentials server = all.get(1).ice();
        int requests = 0;
        int answers = 0;
        for (Datagram each : NetherNetCaptures.FILES.datagrams("session")) {
            byte[] data = each.payload().toArray();
            if (!Stun.isStun(data)) {
                continue;
            }
            Stun message = Stun.read(data);
            if (message.username().equals(server.fragment() + ":" + client.fragment())) {
                assertThat(message.isSigned(data, server.password())).isTrue();
                assertThat(message.isSigned(data, client.password())).isFalse();
                requests++;
            } else if (message.type() == Stun.SUCCESS
                    && message.isSigned(data, server.password())) {
                InetSocketAddress mapped = Objects.requireNonNull(message.mapped());
                assertThat(mapped.getPort()).isEqualTo(each.destination().getPort());
                byte[] ours = Stun.success(message.transaction(), mapped, server.password());
                assertThat(ours).as("byte for byte").isEqualTo(data);
                answers++;
            }
        }
        assertThat(requests).isPositive();
        assertThat(answers).isPositive();
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
