package dev.wishdir.nethernet.identity;

import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.TextFile;

import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.Use;
import org.jose4j.lang.JoseException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An issuer of identity tokens for players, signed with RS256.
 *
 * @param name the issuer claim of its tokens
 * @param keys by key ID, the empty ID for any; without keys its tokens can't be verified
 */
public record IdentityIssuer(String name, Map<String, RSAPublicKey> keys) {
    /** Mojang's service, without its keys. */
    public static final IdentityIssuer MOJANG =
            new IdentityIssuer("https://authorization.franchise.minecraft-services.net/", Map.of());

    /** The audience claim of tokens for servers. */
    public static final String AUDIENCE = "api://auth-minecraft-services/multiplayer";

    private static final String ANY_ID = "";
    private static final int MAX_FILE_BYTES = 256 << 10;
    private static final int MAX_SET_DEPTH = 8;
    private static final int MIN_KEY_BITS = 2048;
    private static final int MAX_KEY_BITS = 8192;

    public IdentityIssuer {
        keys = Map.copyOf(keys);
    }

    /**
     * A copy with the keys of a file: a JSON Web Key Set (RFC 7517) or one public key in PEM.
     *
     * <p>Of a set, RSA keys of at least {@value #MIN_KEY_BITS} bits for signatures are used, by
     * their IDs; a single key is used for tokens of any ID.
     *
     * @throws IOException if the file can't be read or has no such key; the message names the file
     */
    public IdentityIssuer withKeysOf(Path file) throws IOException {
        if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IOException(file + " is too large for the keys of an issuer");
        }
        String text = TextFile.read(file, MAX_FILE_BYTES);
        return text.stripLeading().startsWith("{")
                ? withSet(text, file.toString())
                : withKey(text, file.toString());
    }

    /**
     * A copy with the keys of a JSON Web Key Set, as {@link #withKeysOf}.
     *
     * @param origin of the text, for messages
     */
    IdentityIssuer withSet(String text, String origin) throws IOException {
        Map<String, RSAPublicKey> found = new HashMap<>();
        try {
            // The library's own parser recurses with the depth of the text.
            CompactJws.json(text, MAX_SET_DEPTH);
            for (JsonWebKey each : new JsonWebKeySet(text).getJsonWebKeys()) {
                if (each instanceof RsaJsonWebKey rsa
                        && each.getKeyId() != null
                        && !each.getKeyId().equals(ANY_ID)
                        && (each.getUse() == null || each.getUse().equals(Use.SIGNATURE))) {
                    found.put(each.getKeyId(), rsa.getRsaPublicKey());
                }
            }
        } catch (JoseException | IdentityRejectedException | RuntimeException e) {
            throw noKeys(origin, e);
        }
        return with(found, origin);
    }

    private IdentityIssuer withKey(String pem, String origin) throws IOException {
        try {
            byte[] der = IdentityKey.block(pem, "PUBLIC KEY");
            RSAPublicKey key =
                    (RSAPublicKey)
                            KeyFactory.getInstance("RSA")
                                    .generatePublic(new X509EncodedKeySpec(der));
            return with(new HashMap<>(Map.of(ANY_ID, key)), origin);
        } catch (GeneralSecurityException | IdentityRejectedException | RuntimeException e) {
            throw noKeys(origin, e);
        }
    }

    private static IOException noKeys(String origin, Exception cause) {
        return new IOException(
                origin + " holds no keys of an issuer: " + ExceptionMessage.of(cause), cause);
    }

    private IdentityIssuer with(Map<String, RSAPublicKey> found, String origin) throws IOException {
        found.values().removeIf(IdentityIssuer::isOfWrongSize);
        if (found.isEmpty()) {
            throw new IOException(
                    origin + " holds no key for RS256 of " + MIN_KEY_BITS + " bits or more");
        }
        return new IdentityIssuer(name, found);
    }

    /**
     * Rejects short keys, which can be broken, and long ones, which cost the server more than the
     * sender.
     */
    private static boolean isOfWrongSize(RSAPublicKey key) {
        int bits = key.getModulus().bitLength();
        return bits < MIN_KEY_BITS
                || bits > MAX_KEY_BITS
                || key.getPublicExponent().bitLength() > 32;
    }

    /** Whether its tokens can be verified. */
    public boolean isKnown() {
        return !keys.isEmpty();
    }

    /**
     * Verifies a token for servers and returns its claims.
     *
     * @param seconds since 1970
     * @throws UnknownKeyException if all but the signature is valid, and its key is not known
     * @throws IdentityRejectedException if it did not sign the token, or the token is not valid now
     */
    public Map<String, Object> verified(String token, long seconds)
            throws IdentityRejectedException {
        CompactJws.Parts parts = CompactJws.parts(token);
        Map<String, Object> claims = CompactJws.json(parts.payload());
        CompactJws.checkTimes(claims, seconds);
        checkNames(parts, claims);
        verify(parts);
        return claims;
    }

    /** Checks the algorithm, issuer and audience that a token claims, but not its signature. */
    void checkNames(CompactJws.Parts token, Map<String, Object> claims)
            throws IdentityRejectedException {
        if (!CompactJws.RS256.equals(token.algorithm())) {
            throw new IdentityRejectedException("the token is not signed with RS256");
        }
        boolean forServers =
                AUDIENCE.equals(claims.get("aud"))
                        || claims.get("aud") instanceof List<?> all && all.contains(AUDIENCE);
        if (!name.equals(claims.get("iss")) || !forServers) {
            throw new IdentityRejectedException(
                    "the token is another issuer's or for another audience");
        }
    }

    /** Whether it has a key for tokens of a key ID. */
    boolean hasKey(String keyId) {
        return keys.containsKey(keyId) || keys.containsKey(ANY_ID);
    }

    /** Checks that one of the issuer's keys signed a token. */
    void verify(CompactJws.Parts token) throws IdentityRejectedException {
        Object id = token.header().get("kid");
        RSAPublicKey any = keys.get(ANY_ID);
        RSAPublicKey key = id instanceof String text ? keys.getOrDefault(text, any) : any;
        if (key != null) {
            token.verify(key, CompactJws.RS256);
        } else if (id instanceof String text) {
            throw new UnknownKeyException(text);
        } else {
            throw new IdentityRejectedException("the token names no key");
        }
    }
}
