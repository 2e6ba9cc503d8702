package dev.wishdir.bedrock.protocol.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.bedrock.message.LoginMessage.Login;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.nethernet.identity.IdentityIssuer;

import org.jose4j.json.JsonUtil;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** Logins in each form that the versions have. */
class LoginTokenTest {
    private static final LoginKeys CLIENT = LoginKeys.generate(new SecureRandom());
    private static final LoginKeys OTHER = LoginKeys.generate(new SecureRandom());
    private static final long NOW = 1_800_000_000L;
    private static final UUID ID = new UUID(3, 4);
    private static final String DATA = CLIENT.sign("{\"ArmSize\":\"slim\"}");

    static IntStream protocols() {
        return Arrays.stream(BedrockCodec.protocols());
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void logsInEachVersionInItsForm(int protocol) throws LoginRejectedException {
        Login login =
                LoginIdentity.selfSigned(
                        protocol, CLIENT, "Ann", ID, Map.of("ArmSize", "slim"), NOW);
        String text = new String(login.tokens().toArray(), StandardCharsets.UTF_8);
        assertThat(text.contains("AuthenticationType")).isEqualTo(protocol >= 818);
        assertThat(text.contains("\"Token\":\"ey")).isEqualTo(protocol >= 944);
        LoginIdentity who = LoginIdentity.verify(login, TrustPolicy.ANYBODY, NOW);
        assertThat(who.name()).isEqualTo("Ann");
        assertThat(who.uuid()).isEqualTo(ID);
        assertThat(who.authenticated()).isFalse();
        assertThat(who.xuid()).isEmpty();
        assertThat(who.key()).isEqualTo(LoginKeys.key(CLIENT.text()));
        assertThat(who.text("ArmSize", "")).isEqualTo("slim");
        refused(login, LoginKeys.MOJANG_KEY, "");
    }

    /** The claims of an honest token. */
    private static Map<String, Object> claims() {
        Map<String, Object> claims = new HashMap<>(LoginClaims.times(NOW));
        claims.put("cpk", CLIENT.text());
        claims.put("xname", "Ann");
        claims.put("leguuid", ID.toString());
        return claims;
    }

    private static Map<String, Object> with(String claim, Object value) {
        Map<String, Object> claims = claims();
        claims.put(claim, value);
        return claims;
    }

    private static String signed(Map<String, Object> claims) {
        return CLIENT.sign(JsonUtil.toJson(claims));
    }

    private static Login login(int type, List<String> chain, String token, String data) {
        return LoginIdentity.login(
                944,
                JsonUtil.toJson(
                        Map.of(
                                "AuthenticationType",
                                type,
                                "Certificate",
                                JsonUtil.toJson(Map.of("chain", chain)),
                                "Token",
                                token)),
                data);
    }

    private static Login login(String token) {
        return login(2, List.of(""), token, DATA);
    }

    private static void refused(Login login, String root, String why) {
        refused(login, new TrustPolicy(root, IdentityIssuer.MOJANG), why);
    }

    private static void refused(Login login, TrustPolicy trust, String why) {
        assertThatExceptionOfType(LoginRejectedException.class)
                .isThrownBy(() -> LoginIdentity.verify(login, trust, NOW))
                .satisfies(e -> assertThat(e.reason()).contains(why));
    }

    @Test
    @DisplayName(
            "E14 a token is signed with the key that it names, is valid now, and names an identity")
    void checksTokensAgainstTheirKey() throws LoginRejectedException {
        String honest = signed(claims());
        assertThat(LoginIdentity.verify(login(honest), TrustPolicy.ANYBODY, NOW).uuid())
                .isEqualTo(ID);
        assertThat(
                        LoginIdentity.verify(login("MCToken " + honest), TrustPolicy.ANYBODY, NOW)
                                .name())
                .isEqualTo("Ann");
        refused(login(honest.substring(0, honest.length() - 4) + "AAAA"), "", "signature");
        refused(login(signed(with("cpk", OTHER.text()))), "", "another key");
        refused(login(2, List.of(""), honest, OTHER.sign("{}")), "", "signature");
        refused(login(signed(with("exp", NOW - 61))), "", "expired");
        refused(login(signed(with("nbf", NOW + 61))), "", "not valid yet");
        refused(login(signed(with("xname", ""))), "", "name");
        refused(login(signed(with("xname", "x".repeat(65)))), "", "name");
        refused(login(signed(with("xname", 5))), "", "not contain a name");
        refused(login(signed(with("leguuid", "none"))), "", "not a UUID");
        refused(login(signed(with("cpk", "AAAA"))), "", "key");
        refused(login("a.b.c"), "", "not a valid");
        refused(login("MCToken "), "", "not a valid");
        refused(login(1, List.of(""), honest, DATA), "", "guests");
    }

    @Test
    void derivesMissingIdentityFromAccount() throws LoginRejectedException {
        Map<String, Object> claims = with("xid", "2535412345678901");
        claims.remove("leguuid");
        UUID uuid = LoginIdentity.verify(login(signed(claims)), TrustPolicy.ANYBODY, NOW).uuid();
        assertThat(uuid.version()).isEqualTo(3);
        assertThat(uuid)
                .isEqualTo(
                        UUID.nameUUIDFromBytes(
                                "pocket-auth-1-xuid:2535412345678901"
                                        .getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * What Xbox signed can't be checked here: it lets in where no proof is asked for, as claims.
     */
    @Test
    void doesNotTrustXboxToken() throws Exception {
        JsonWebSignature xbox = new JsonWebSignature();
        xbox.setAlgorithmHeaderValue("RS256");
        xbox.setKeyIdHeaderValue("a key of the service");
        xbox.setKey(rsa().getPrivate());
        xbox.setPayload(JsonUtil.toJson(with("xid", "2535412345678901")));
        Login login = login(0, List.of(""), serialized(xbox), DATA);
        LoginIdentity who = LoginIdentity.verify(login, TrustPolicy.ANYBODY, NOW);
        assertThat(who.name()).isEqualTo("Ann");
        assertThat(who.authenticated()).isFalse();
        assertThat(who.xuid()).isEmpty();
        refused(login, LoginKeys.MOJANG_KEY, "another issuer");
        refused(login(0, List.of(""), serialized(xbox), OTHER.sign("{}")), "", "signature");
    }

    @Test
    @DisplayName("E14 where the issuer's keys are known its tokens are proof, and nothing else is")
    void trustsTokenOfKnownIssuer() throws Exception {
        KeyPair keys = rsa();
        TrustPolicy trust =
                new TrustPolicy(
                        LoginKeys.MOJANG_KEY,
                        new IdentityIssuer(
                                IdentityIssuer.MOJANG.name(),
                                Map.of("k1", (RSAPublicKey) keys.getPublic())));
        Map<String, Object> claims = with("xid", "2535412345678901");
        claims.put("iss", IdentityIssuer.MOJANG.name());
        claims.put("aud", IdentityIssuer.AUDIENCE);
        Login honest = login(0, List.of(""), issued(keys, claims), DATA);
        for (TrustPolicy each : List.of(trust, new TrustPolicy("", trust.issuer()))) {
            LoginIdentity who = LoginIdentity.verify(honest, each, NOW);
            assertThat(who.authenticated()).isTrue();
            assertThat(who.xuid()).isEqualTo("2535412345678901");
            assertThat(who.name()).isEqualTo("Ann");
            assertThat(who.uuid()).isEqualTo(ID);
            String forged = issued(rsa(), claims);
            refused(login(0, List.of(""), forged, DATA), each, "signature");
            refused(login(0, List.of(""), issued(keys, claims()), DATA), each, "issuer");
            Map<String, Object> nobody = new HashMap<>(claims);
            nobody.put("xid", "");
            refused(login(0, List.of(""), issued(keys, nobody), DATA), each, "empty");
            refused(
                    login(0, List.of(""), issued(keys, claims), OTHER.sign("{}")),
                    each,
                    "signature");
        }
        refused(login(signed(claims)), trust, "sign in");
        assertThat(
                        LoginIdentity.verify(
                                        login(signed(claims)),
                                        new TrustPolicy("", trust.issuer()),
                                        NOW)
                                .authenticated())
                .isFalse();
    }

    private static String issued(KeyPair keys, Map<String, Object> claims) throws JoseException {
        JsonWebSignature token = new JsonWebSignature();
        token.setAlgorithmHeaderValue("RS256");
        token.setKeyIdHeaderValue("k1");
        token.setKey(keys.getPrivate());
        token.setPayload(JsonUtil.toJson(claims));
        return serialized(token);
    }

    private static KeyPair rsa() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private static String serialized(JsonWebSignature token) throws JoseException {
        return token.getCompactSerialization();
    }

    /** A certified chain is proof, whatever token comes with it. */
    @Test
    void trustsCertifiedChainNextToToken() throws LoginRejectedException {
        LoginKeys root = LoginKeys.generate(new SecureRandom());
        LoginKeys between = LoginKeys.generate(new SecureRandom());
        Map<String, Object> extra =
                Map.of("displayName", "Ann", "identity", ID.toString(), "XUID", "2535");
        List<String> chain =
                List.of(
                        token(CLIENT, root, Map.of()),
                        token(root, between, Map.of()),
                        token(between, CLIENT, Map.of("extraData", extra)));
        Login login = login(0, chain, signed(claims()), DATA);
        LoginIdentity who =
                LoginIdentity.verify(
                        login, new TrustPolicy(root.text(), IdentityIssuer.MOJANG), NOW);
        assertThat(who.authenticated()).isTrue();
        assertThat(who.xuid()).isEqualTo("2535");
        refused(login, LoginKeys.MOJANG_KEY, "certifying key");
    }

    private static String token(LoginKeys signer, LoginKeys next, Map<String, Object> more) {
        Map<String, Object> claims = new HashMap<>(LoginClaims.times(NOW));
        claims.put("iss", "Mojang");
        claims.put("identityPublicKey", next.text());
        claims.putAll(more);
        return signer.sign(JsonUtil.toJson(claims));
    }
}
