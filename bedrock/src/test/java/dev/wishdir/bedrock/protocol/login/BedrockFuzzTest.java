package dev.wishdir.bedrock.protocol.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.bedrock.inspect.BedrockVersionsTest;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage.Login;
import dev.wishdir.bedrock.message.Nbt;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.Batches;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression;
import dev.wishdir.nethernet.identity.IdentityIssuer;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.WireLaws.Walk;
import dev.wishdir.wire.Writer;

import org.jose4j.json.JsonUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** Whatever the bytes are, they are decoded or malformed, and what was decoded is written back. */
@Tag("slow")
class BedrockFuzzTest {
    private static final LoginKeys KEYS = LoginKeys.generate(new SecureRandom());
    private static final long NOW = 1_800_000_000L;
    private static final Login HONEST =
            LoginIdentity.selfSigned(748, KEYS, "Eve", new UUID(1, 2), Map.of(), NOW);
    private static final int MAX_BATCH_BYTES = 1 << 16;
    private static final List<BedrockCodec> VERSIONS =
            List.of(
                    BedrockCodec.V748,
                    BedrockCodec.of(729).orElseThrow(),
                    BedrockCodec.of(766).orElseThrow(),
                    BedrockCodec.OLDEST,
                    BedrockCodec.NEWEST);

    /** The first byte chooses the version; the rest is the packet. */
    @FuzzTest
    void message(byte[] data) {
        if (data.length > 0) {
            message(
                    VERSIONS.get((data[0] & 0xFF) % VERSIONS.size()),
                    Arrays.copyOfRange(data, 1, data.length));
        }
    }

    private static void message(BedrockCodec codec, byte[] packet) {
        BedrockMessage read;
        try {
            read = codec.read(new Reader(packet));
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
            return;
        }
        Writer writer = new Writer(16 << 20);
        codec.write(writer, read);
        assertThat(codec.read(new Reader(writer.toBytes()))).isEqualTo(read);
        assertThat(codec.name(read)).isNotEmpty();
    }

    @FuzzTest
    void batch(byte[] batch) {
        for (Compression.Algorithm algorithm : Compression.Algorithm.values()) {
            BatchCodec codec = new BatchCodec(MAX_BATCH_BYTES, BatchCodec.MAX_PACKETS);
            codec.compress(algorithm, 0);
            batch(codec, batch);
        }
        BatchCodec codec = new BatchCodec(MAX_BATCH_BYTES, BatchCodec.MAX_PACKETS);
        batch(codec, batch);
        codec.encrypt(new byte[32]);
        batch(codec, batch);
    }

    private static void batch(BatchCodec codec, byte[] batch) {
        int[] bytes = new int[1];
        int[] messages = new int[1];
        try {
            codec.read(
                    batch,
                    reader -> {
                        messages[0]++;
                        bytes[0] += reader.remaining();
                    });
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
        }
        assertThat(bytes[0]).isLessThanOrEqualTo(MAX_BATCH_BYTES);
        assertThat(messages[0]).isLessThanOrEqualTo(BatchCodec.MAX_PACKETS);
    }

    /** What a batch holds comes out again, however it was compressed. */
    @FuzzTest
    void batched(byte[] packet) {
        if (packet.length == 0 || packet.length > MAX_BATCH_BYTES / 2) {
            return;
        }
        for (Compression.Algorithm algorithm : Compression.Algorithm.values()) {
            BatchCodec codec = new BatchCodec(MAX_BATCH_BYTES, BatchCodec.MAX_PACKETS);
            codec.compress(algorithm, 0);
            codec.encrypt(new byte[32]);
            codec.read(
                    Batches.pack(codec, packet),
                    reader ->
                            assertThat(
                                            reader.bytes("packet", Bytes.EMPTY, reader.remaining())
                                                    .toArray())
                                    .isEqualTo(packet));
        }
    }

    /** The first byte chooses how much of a login holds; the rest is what does not. */
    @FuzzTest
    void login(byte[] data) {
        if (data.length == 0) {
            return;
        }
        Bytes rest = Bytes.copyOf(data, 1, data.length - 1);
        String text = new String(rest.toArray(), StandardCharsets.UTF_8);
        switch (data[0] & 3) {
            case 0 -> verify(new Login(748, rest));
            case 1 -> {
                verify(LoginIdentity.login(748, chain(text), text));
                verify(LoginIdentity.login(748, text, text));
            }
            case 2 -> {
                String signed = KEYS.sign(text);
                verify(LoginIdentity.login(748, chain(signed), signed));
            }
            default -> {
                Reader honest = new Reader(HONEST.tokens());
                Bytes chain = honest.bytes("chain", Bytes.EMPTY, honest.i32le("length", 0));
                verify(
                        LoginIdentity.login(
                                748,
                                new String(chain.toArray(), StandardCharsets.UTF_8),
                                KEYS.sign(text)));
            }
        }
    }

    private static String chain(String token) {
        return JsonUtil.toJson(Map.of("chain", List.of(token)));
    }

    private static void verify(Login login) {
        for (String root : List.of("", LoginKeys.MOJANG_KEY)) {
            try {
                LoginIdentity who =
                        LoginIdentity.verify(
                                login, new TrustPolicy(root, IdentityIssuer.MOJANG), NOW);
                assertThat(root).isEmpty();
                assertThat(who.name()).isNotBlank();
                assertThat(Skins.of(who, "skin")).isNotNull();
            } catch (LoginRejectedException e) {
                assertThat(e.reason()).isNotEmpty();
            }
        }
    }

    @FuzzTest
    void nbt(byte[] data) {
        for (Nbt.Flavour flavour : Nbt.Flavour.values()) {
            Walk<Nbt.Compound> walk = (w, m) -> Nbt.wire(w, "nbt", m, flavour);
            Nbt.Compound read;
            try {
                read = walk.walk(new Reader(data), Nbt.EMPTY);
            } catch (MalformedPacketException e) {
                assertThat(e.field()).isNotEmpty();
                continue;
            }
            byte[] written = WireLaws.write(read, walk);
            assertThat(walk.walk(new Reader(written), Nbt.EMPTY)).isEqualTo(read);
            assertThat(read.plain()).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 748, 2193})
    void neverThrowsOnMutatedMessages(int protocol) {
        BedrockCodec codec = BedrockCodec.of(protocol).orElseThrow();
        Random random = new Random(protocol);
        List<byte[]> all = BedrockVersionsTest.packets(protocol);
        for (int i = 0; i < 20_000; i++) {
            byte[] packet = all.get(random.nextInt(all.size())).clone();
            for (int k = random.nextInt(3); k >= 0; k--) {
                packet[random.nextInt(packet.length)] = (byte) random.nextInt();
            }
            message(codec, Arrays.copyOf(packet, packet.length - i % 2));
            message(i % 3 == 0 ? BedrockCodec.OLDEST : BedrockCodec.NEWEST, packet);
        }
    }
}
