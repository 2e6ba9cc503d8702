package dev.wishdir.nethernet.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jose4j.json.JsonUtil;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who may vouch for players. */
@Tag("slow")
class IdentityIssuerTest {
    private static final long NOW = 1_800_000_000L;
    private static final String ID = "a key";

    @TempDir private Path folder;

    private static RsaJsonWebKey key(String id, int bits) throws JoseException {
        RsaJsonWebKey key = RsaJwkGenerator.generateJwk(bits);
        key.setKeyId(id);
        return key;
    }

    private IdentityIssuer of(String text) throws IOException {
        return IdentityIssuer.MOJANG.withKeysOf(
                Files.writeString(folder.resolve("keys.json"), text));
    }

    private static String set(JsonWebKeySet keys) {
        return keys.toJson(OutputControlLevel.PUBLIC_ONLY);
    }

    private static Map<String, Object> claims() {
        Map<String, Object> claims = new HashMap<>();
        claims.put("iss", IdentityIssuer.MOJANG.name());
        claims.put("aud", List.of("another", IdentityIssuer.AUDIENCE));
        claims.put("exp", NOW + 1);
        claims.put("xname", "Ann");
        return claims;
    }

    private static String token(RsaJsonWebKey key, Map<String, Object> claims)
            throws JoseException {
        JsonWebSignature token = new JsonWebSignature();
        token.setAlgorithmHeaderValue("RS256");
        token.setKeyIdHeaderValue(key.getKeyId());
        token.setKey(key.getRsaPrivateKey());
        token.setPayload(JsonUtil.toJson(claims));
        return token.getCompactSerialization();
    }

    private static String pem(RsaJsonWebKey key) {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(key.getRsaPublicKey().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
    }

    @Test
    @DisplayName("H4 tokens are those of the keys in the file, for servers and for now")
    void trustsKeysOfFile() throws Exception {
        RsaJsonWebKey known = key(ID, 2048);
        RsaJsonWebKey next = key("the next", 2048);
        RsaJsonWebKey stranger = key(ID, 2048);
        IdentityIssuer issuer =
                of(
                        set(
                                new JsonWebKeySet(
                                        EcJwkGenerator.generateJwk(EllipticCurves.P256),
                                        known,
                                        next)));
        assertThat(issuer.isKnown()).isTrue();
        assertThat(issuer.verified(token(known, claims()), NOW)).containsEntry("xname", "Ann");
        assertThat(issuer.verified(token(next, claims()), NOW)).containsEntry("xname", "Ann");
        for (Map<String, Object> change :
                List.<Map<String, Object>>of(
                        Map.of("iss", "https://other/"),
                        Map.of("aud", "api://other"),
                        Map.of("exp", NOW),
                        Map.of("nbf", NOW + 61))) {
            Map<String, Object> claims = claims();
            claims.putAll(change);
            String token = token(known, claims);
            assertThatThrownBy(() -> issuer.verified(token, NOW))
                    .as(change.toString())
                    .isInstanceOf(IdentityRejectedException.class);
        }
        String forged = token(stranger, claims());
        assertThatThrownBy(() -> issuer.verified(forged, NOW)).hasMessageContaining("wrong");
        stranger.setKeyId("unknown");
        String unknown = token(stranger, claims());
        assertThatThrownBy(() -> issuer.verified(unknown, NOW))
                .hasMessageContaining("known issuer");
        String honest = token(known, claims());
        assertThatThrownBy(() -> IdentityIssuer.MOJANG.verified(honest, NOW))
                .hasMessageContaining("known issuer");
    }

    @Test
    void trustsSingleKeyWithAnyId() throws Exception {
        RsaJsonWebKey known = key(ID, 2048);
        IdentityIssuer issuer = of(pem(known));
        assertThat(issuer.verified(token(known, claims()), NOW)).containsEntry("xname", "Ann");
        String forged = token(key(ID, 2048), claims());
        assertThatThrownBy(() -> issuer.verified(forged, NOW)).hasMessageContaining("wrong");
    }

    @Test
    void refusesDepthThatTextHides() {
        assertThatThrownBy(() -> of("{\"a\":\"\\\"]]]]]]]]\",\"b\":" + "[".repeat(8)))
                .hasMessageContaining("nested too deep");
    }

    @Test
    void namesFilesWithoutKey() throws Exception {
        JsonWebKeySet curve = new JsonWebKeySet(EcJwkGenerator.generateJwk(EllipticCurves.P256));
        for (String text :
                List.of(
                        "",
                        "nothing",
                        "{",
                        "{\"keys\":5}",
                        "{\"keys\":[]}",
                        set(curve),
                        set(new JsonWebKeySet(key(ID, 1024))),
                        pem(key(ID, 1024)),
                        " ".repeat(300_000))) {
            assertThatThrownBy(() -> of(text))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("keys.json");
        }
        assertThatThrownBy(() -> IdentityIssuer.MOJANG.withKeysOf(folder.resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none");
    }
}
