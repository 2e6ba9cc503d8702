package dev.wishdir.nethernet.identity;

import dev.wishdir.wire.Bytes;

import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Compact JWS (RFC 7515) as identities use it: ES384 over P-384, or an issuer's RS256. */
final class CompactJws {
    static final String ES384 = "ES384";
    static final String RS256 = "RS256";

    private static final int DEPTH = 4;
    private static final long MAX_CLOCK_SKEW_SECONDS = 60;
    private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

    private CompactJws() {}

    /**
     * A token in its parts, not verified.
     *
     * @param signed what the signature covers
     */
    record Parts(Map<String, Object> header, String payload, String signed, Bytes signature) {
        @Nullable String algorithm() {
            return header.get("alg") instanceof String text ? text : null;
        }

        /** Verifies the signature; its algorithm must be the key's. */
        void verify(PublicKey key, String algorithm) throws IdentityRejectedException {
            if (!algorithm.equals(algorithm())) {
                throw new IdentityRejectedException("a token is not signed with " + algorithm);
            }
            try {
                Signature check = Signature.getInstance(java(algorithm));
                check.initVerify(key);
                check.update(signed.getBytes(StandardCharsets.US_ASCII));
                if (check.verify(signature.toArray())) {
                    return;
                }
            } catch (GeneralSecurityException e) {
                throw new IdentityRejectedException("a signature can't be verified");
            }
            throw new IdentityRejectedException("a signature is wrong");
        }
    }

    private static String java(String algorithm) {
        return algorithm.equals(RS256) ? "SHA256withRSA" : "SHA384withECDSAinP1363Format";
    }

    /** Splits a compact token. */
    static Parts parts(String token) throws IdentityRejectedException {
        String[] words = token.split("\\.", -1);
        if (words.length != 3) {
            throw new IdentityRejectedException("a token does not have three parts");
        }
        return new Parts(
                json(new String(base64(words[0]), StandardCharsets.UTF_8)),
                new String(base64(words[1]), StandardCharsets.UTF_8),
                words[0] + "." + words[1],
                Bytes.wrap(base64(words[2])));
    }

    /** Splits a detached token, whose payload is known and omitted. */
    static Parts detached(String token, String payload) throws IdentityRejectedException {
        int dots = token.indexOf("..");
        if (dots < 0) {
            throw new IdentityRejectedException(
                    "the signature of the fingerprints is not detached");
        }
        return parts(token.substring(0, dots + 1) + url(payload) + token.substring(dots + 1));
    }

    /** Signs a text with ES384. */
    static String sign(String header, String payload, PrivateKey key) {
        String signed = url(header) + "." + url(payload);
        try {
            Signature signature = Signature.getInstance(java(ES384));
            signature.initSign(key);
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + URL.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("our own key does not sign", e);
        }
    }

    /** Signs a text with ES384 and omits it from the token. */
    static String signDetached(String header, String payload, PrivateKey key) {
        String whole = sign(header, payload, key);
        return whole.substring(0, whole.indexOf('.') + 1) + whole.substring(whole.lastIndexOf('.'));
    }

    private static String url(String text) {
        return URL.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] base64(String text) throws IdentityRejectedException {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IdentityRejectedException("a part of a token is not base64url");
        }
    }

    /** An object of JSON without repeated names, at most {@value #DEPTH} deep. */
    static Map<String, Object> json(String text) throws IdentityRejectedException {
        return json(text, DEPTH);
    }

    /** As {@link #json(String)}, of another depth: the library's parser recurses. */
    static Map<String, Object> json(String text, int maxDepth) throws IdentityRejectedException {
        int depth = 0;
        boolean isQuoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (isQuoted) {
                i += c == '\\' ? 1 : 0;
            } else if ((c == '{' || c == '[') && ++depth > maxDepth) {
                throw new IdentityRejectedException("a part of the identity is nested too deep");
            } else if (c == '}' || c == ']') {
                depth--;
            }
        }
        try {
            return JsonUtil.parseJson(text);
        } catch (JoseException | RuntimeException e) {
            throw new IdentityRejectedException("a part of the identity is not JSON");
        }
    }

    /** Checks that claims are valid at the given time. */
    static void checkTimes(Map<String, Object> claims, long seconds)
            throws IdentityRejectedException {
        if (!(claims.get("exp") instanceof Number end) || end.longValue() <= seconds) {
            throw new IdentityRejectedException("the token has expired");
        }
        for (String claim : List.of("nbf", "iat")) {
            if (claims.get(claim) instanceof Number begin
                    && begin.longValue() > seconds + MAX_CLOCK_SKEW_SECONDS) {
                throw new IdentityRejectedException("the token is not valid yet");
            }
        }
    }

    static String text(Map<String, Object> object, String name) throws IdentityRejectedException {
        if (object.get(name) instanceof String text) {
            return text;
        }
        throw new IdentityRejectedException("the identity has no " + name);
    }
}
