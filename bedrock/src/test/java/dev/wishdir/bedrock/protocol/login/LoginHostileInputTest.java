package dev.wishdir.bedrock.protocol.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.bedrock.message.LoginMessage.Login;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.nethernet.identity.IdentityIssuer;

import org.jose4j.json.JsonUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** What a hostile client may say about who it is, by the rows of docs/HOSTILE.md. */
@ParameterizedClass(name = "protocol {0}")
@ValueSource(ints = {685, 748, 2193})
@Tag("slow")
class LoginHostileInputTest {
    private static final Random RANDOM = new Random(1);
    private static final LoginKeys KEYS = LoginKeys.generate(RANDOM);
    private static final long NOW = 1_800_000_000L;
    private static final UUID ID = new UUID(1, 2);

    private final BedrockCodec codec;

    LoginHostileInputTest(int protocol) {
        codec = BedrockCodec.of(protocol).orElseThrow();
    }

    private static String token(
            LoginKeys signer,
            LoginKeys next,
            @Nullable String issuer,
            long from,
            long to,
            String name) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("nbf", from);
        claims.put("exp", to);
        if (issuer != null) {
            claims.put("iss", issuer);
        }
        claims.put("identityPublicKey", next.text());
        if (!name.isEmpty()) {
            claims.put(
                    "extraData",
                    Map.of("displayName", name, "identity", ID.toString(), "XUID", "123"));
        }
        return signer.sign(JsonUtil.toJson(claims));
    }

    private void refused(Login login, String root) {
        assertThatExceptionOfType(LoginRejectedException.class)
                .isThrownBy(() ->
                        LoginIdentity.verify(
                                login, new TrustPolicy(root, IdentityIssuer.MOJANG), NOW));
    }

    private Login chain(List<String> tokens, String data) {
        return LoginIdentity.login(
                codec.protocol(), JsonUtil.toJson(Map.of("chain", tokens)), data);
    }

    @Test
    @DisplayName("E13 only a whole chain from the certifying key proves an identity")
    void requiresWholeCertifiedChain() throws LoginRejectedException {
        LoginKeys root = LoginKeys.generate(RANDOM);
        LoginKeys middle = LoginKeys.generate(RANDOM);
        LoginKeys client = LoginKeys.generate(RANDOM);
        LoginKeys thief = LoginKeys.generate(RANDOM);
        String trusted = root.text();
        long from = NOW - 10;
        long to = NOW + 10;
        String a = token(client, root, null, from, to, "");
        String b = token(root, middle, "Mojang", from, to, "");
        String c = token(middle, client, "Mojang", from, to, "Ann");
        String data = client.sign("{}");
        LoginIdentity ann =
                LoginIdentity.verify(
                        chain(List.of(a, b, c), data),
                        new TrustPolicy(trusted, IdentityIssuer.MOJANG),
                        NOW);
        assertThat(ann.authenticated()).isTrue();
        assertThat(ann.name()).isEqualTo("Ann");
        assertThat(ann.xuid()).isEqualTo("123");
        assertThat(ann.key()).isEqualTo(LoginKeys.key(client.text()));

        refused(chain(List.of(), data), trusted);
        refused(chain(List.of(a, b), data), trusted);
        refused(chain(List.of(a, b, c, c), data), trusted);
        List<String> thousand = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            thousand.add("a.b.c");
        }
        refused(chain(thousand, data), trusted);
        refused(chain(List.of(a, c, b), data), trusted);
        refused(chain(List.of(b, a, c), data), trusted);
        refused(
                LoginIdentity.selfSigned(codec.protocol(), client, "Ann", ID, Map.of(), NOW),
                trusted);
        // A chain of one's own making, from its first to its last key.
        refused(
                chain(
                        List.of(
                                token(thief, thief, null, from, to, ""),
                                token(thief, thief, "Mojang", from, to, ""),
                                token(thief, thief, "Mojang", from, to, "Ann")),
                        thief.sign("{}")),
                trusted);
        // The certifying key named in the header, but one's own signature.
        String forged = token(thief, thief, "Mojang", from, to, "");
        String[] parts = forged.split("\\.", -1);
        String header = b.split("\\.", -1)[0];
        refused(
                chain(
                        List.of(
                                token(thief, root, null, from, to, ""),
                                header + "." + parts[1] + "." + parts[2],
                                token(thief, thief, "Mojang", from, to, "Ann")),
                        thief.sign("{}")),
                trusted);
        refused(
                chain(List.of(a, b, token(thief, client, "Mojang", from, to, "Ann")), data),
                trusted);
        refused(
                chain(List.of(a, b, token(middle, client, "Mojang", from, NOW - 100, "x")), data),
                trusted);
        refused(
                chain(List.of(a, b, token(middle, client, "Mojang", NOW + 100, to, "x")), data),
                trusted);
        refused(chain(List.of(a, b, token(middle, client, "Eve", from, to, "x")), data), trusted);
        refused(chain(List.of(a, b, c), thief.sign("{}")), trusted);
    }

    @Test
    @DisplayName("E14 tokens of other algorithms, keys or signatures are refused")
    void refusesForeignAlgorithmsKeysAndSignatures() throws Exception {
        Login good = LoginIdentity.selfSigned(codec.protocol(), KEYS, "Ann", ID, Map.of(), NOW);
        assertThat(LoginIdentity.verify(good, TrustPolicy.ANYBODY, NOW).authenticated()).isFalse();
        String token = token(KEYS, KEYS, null, NOW - 1, NOW + 1, "Ann");
        String[] parts = token.split("\\.", -1);
        String key = KEYS.text();
        String data = KEYS.sign("{}");
        for (String header :
                List.of(
                        "{\"alg\":\"none\",\"x5u\":\"" + key + "\"}",
                        "{\"alg\":\"HS256\",\"x5u\":\"" + key + "\"}",
                        "{\"alg\":\"ES256\",\"x5u\":\"" + key + "\"}",
                        "{\"alg\":\"RS256\",\"x5u\":\"" + key + "\"}",
                        "{\"alg\":\"es384\",\"x5u\":\"" + key + "\"}",
                        "{\"x5u\":\"" + key + "\"}",
                        "{\"alg\":\"ES384\",\"alg\":\"none\",\"x5u\":\"" + key + "\"}",
                        "{\"alg\":\"ES384\"}",
                        "{\"alg\":\"ES384\",\"x5u\":\"***\"}",
                        "{\"alg\":\"ES384\",\"x5u\":5}")) {
            refused(chain(List.of(base64(header) + "." + parts[1] + "." + parts[2]), data), "");
        }
        for (int length : new int[] {0, 95, 97, 96}) {
            refused(
                    chain(
                            List.of(
                                    parts[0]
                                            + "."
                                            + parts[1]
                                            + "."
                                            + Base64.getUrlEncoder()
                                                    .withoutPadding()
                                                    .encodeToString(new byte[length])),
                            data),
                    "");
        }
        Signature der = Signature.getInstance("SHA384withECDSA");
        der.initSign(KEYS.secret());
        der.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
        refused(
                chain(
                        List.of(
                                parts[0]
                                        + "."
                                        + parts[1]
                                        + "."
                                        + Base64.getUrlEncoder()
                                                .withoutPadding()
                                                .encodeToString(der.sign())),
                        data),
                "");
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(2048);
        KeyPairGenerator other = KeyPairGenerator.getInstance("EC");
        other.initialize(256);
        byte[] off = Base64.getDecoder().decode(KEYS.text());
        off[off.length - 1] ^= 1;
        byte[] infinity = Base64.getDecoder().decode(KEYS.text());
        Arrays.fill(infinity, infinity.length - 96, infinity.length, (byte) 0);
        for (byte[] bad :
                List.of(
                        rsa.generateKeyPair().getPublic().getEncoded(),
                        other.generateKeyPair().getPublic().getEncoded(),
                        off,
                        infinity,
                        new byte[0])) {
            assertThatExceptionOfType(LoginRejectedException.class)
                    .isThrownBy(() -> LoginKeys.key(Base64.getEncoder().encodeToString(bad)));
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("E15 what a client says about itself is bounded")
    void boundsClientData() throws LoginRejectedException {
        String token = token(KEYS, KEYS, null, NOW - 1, NOW + 1, "Ann");
        refused(chain(List.of(token), KEYS.sign("[".repeat(10_000))), "");
        refused(chain(List.of(token), KEYS.sign("{\"a\":".repeat(10_000) + "1")), "");
        refused(chain(List.of(token), KEYS.sign("{\"a\":1,\"a\":2}")), "");
        refused(LoginIdentity.login(codec.protocol(), "{\"chain\":[null]}", KEYS.sign("{}")), "");
        String megabyte = "x".repeat(1 << 20);
        refused(
                chain(
                        List.of(token(KEYS, KEYS, null, NOW - 1, NOW + 1, megabyte)),
                        KEYS.sign("{}")),
                "");
        Map<String, Object> many = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            many.put("p" + i, "\uD800");
        }
        assertThat(
                        LoginIdentity.verify(
                                        chain(List.of(token), KEYS.sign(JsonUtil.toJson(many))),
                                        TrustPolicy.ANYBODY,
                                        NOW)
                                .data())
                .hasSize(100_000);
        for (int[] size : new int[][] {{64, 65}, {-64, -64}, {0, 0}, {1 << 16, 1 << 16}}) {
            Map<String, Object> data = Skins.clientData(codec.game(), "Ann", "s");
            data.put("SkinImageWidth", size[0]);
            data.put("SkinImageHeight", size[1]);
            LoginIdentity who =
                    LoginIdentity.verify(
                            chain(List.of(token), KEYS.sign(JsonUtil.toJson(data))),
                            TrustPolicy.ANYBODY,
                            NOW);
            assertThat(Skins.of(who, "own")).isEqualTo(Skins.plain("own"));
        }
    }
}
