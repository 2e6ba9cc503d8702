package dev.wishdir.nethernet.identity;

import dev.wishdir.nethernet.sdp.Sdp;

import org.jose4j.json.JsonUtil;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The verified identity in a peer's SDP.
 *
 * @param key the peer's public key; the game's login must name the same one, else it is a replay
 * @param issued whether a trusted issuer signed the claims; else the peer did, and they are
 *     unverified
 * @param claims the token's claims
 * @param domain the issuer's self-given name; free text
 */
public record Identity(ECPublicKey key, boolean issued, Map<String, Object> claims, String domain) {
    private static final long TOKEN_LIFETIME_SECONDS = 3600;
    private static final String DETACHED_HEADER = "{\"alg\":\"ES384\"}";

    public Identity {
        claims = Map.copyOf(claims);
    }

    /**
     * The policy by which identities are accepted.
     *
     * @param required whether every client needs an identity
     * @param selfSigned whether unverified claims are accepted: a token signed with the key that it
     *     names, or one of an issuer whose key is unknown. The peer proves in any case that it has
     *     the named key
     * @param issuer of the other tokens
     */
    public record Policy(boolean required, boolean selfSigned, IdentityIssuer issuer) {
        /** Accepts any client, with or without an identity. */
        public static final Policy OFFLINE = new Policy(false, true, IdentityIssuer.MOJANG);
    }

    /**
     * Verifies the identity of an SDP: cheap checks first, signatures last.
     *
     * @param seconds since 1970
     * @return null if there is none and none is required
     * @throws IdentityRejectedException if it is not valid
     */
    public static @Nullable Identity check(Sdp sdp, Policy policy, long seconds)
            throws IdentityRejectedException {
        String line = sdp.identity();
        if (line == null) {
            if (policy.required) {
                throw new IdentityRejectedException("an identity is needed here");
            }
            return null;
        }
        Map<String, Object> envelope = CompactJws.json(decoded(line));
        if (!(envelope.get("idp") instanceof Map<?, ?> idp)
                || !"default".equals(idp.get("protocol"))) {
            throw new IdentityRejectedException("the identity is of another protocol");
        }
        Map<String, Object> assertion = CompactJws.json(CompactJws.text(envelope, "assertion"));
        CompactJws.Parts token = CompactJws.parts(CompactJws.text(assertion, "token"));
        CompactJws.Parts fingerprints =
                CompactJws.detached(
                        CompactJws.text(assertion, "fingerprints"), canonical(sdp.fingerprints()));
        Map<String, Object> claims = CompactJws.json(token.payload());
        CompactJws.checkTimes(claims, seconds);
        ECPublicKey key = P384.key(claims.get("cpk"));
        boolean issued = false;
        if (CompactJws.ES384.equals(token.algorithm())) {
            if (!policy.selfSigned) {
                throw new IdentityRejectedException(
                        "no trusted issuer signed the identity: sign in");
            }
            token.verify(key, CompactJws.ES384);
        } else {
            policy.issuer.checkNames(token, claims);
            if (!policy.selfSigned || policy.issuer.isKnown()) {
                policy.issuer.verify(token);
                issued = true;
            }
        }
        fingerprints.verify(key, CompactJws.ES384);
        String domain = idp.get("domain") instanceof String text ? text : "";
        claims.values().removeIf(value -> value == null);
        return new Identity(key, issued, claims, domain);
    }

    private static String decoded(String line) throws IdentityRejectedException {
        try {
            return new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IdentityRejectedException("the identity is not base64");
        }
    }

    /** The signed part of an SDP: its fingerprints, byte for byte. */
    static String canonical(List<Sdp.Fingerprint> fingerprints) {
        StringBuilder text = new StringBuilder("{\"fingerprint\":[");
        for (Sdp.Fingerprint each : fingerprints) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("algorithm", each.algorithm());
            object.put("digest", each.digest());
            text.append(text.charAt(text.length() - 1) == '[' ? "" : ",");
            text.append(JsonUtil.toJson(object));
        }
        return text.append("]}").toString();
    }

    /**
     * Creates identities with one key. A signed one is reused while it is valid, so that an answer
     * costs no signature.
     */
    public static final class Maker {
        private final IdentityKey key;
        private final String domain;
        private final Map<String, Object> claims;
        private @Nullable String token;
        private @Nullable List<Sdp.Fingerprint> signed;
        private String detached = "";
        private long made;

        /**
         * @param claims of the token, besides its key and times
         */
        public Maker(IdentityKey key, String domain, Map<String, Object> claims) {
            this.key = key;
            this.domain = domain;
            this.claims = Map.copyOf(claims);
        }

        /** A copy of an SDP with an identity. */
        public Sdp sign(Sdp sdp, long seconds) {
            if (!sdp.fingerprints().equals(signed)) {
                signed = sdp.fingerprints();
                detached =
                        CompactJws.signDetached(
                                DETACHED_HEADER, canonical(signed), key.keys().getPrivate());
            }
            String current = token;
            if (current == null || seconds < made || seconds - made > TOKEN_LIFETIME_SECONDS / 2) {
                current = token(seconds);
                token = current;
                made = seconds;
            }
            Map<String, Object> assertion = new LinkedHashMap<>();
            assertion.put("fingerprints", detached);
            assertion.put("token", current);
            Map<String, Object> idp = new LinkedHashMap<>();
            idp.put("domain", domain);
            idp.put("protocol", "default");
            Map<String, Object> envelope = new LinkedHashMap<>();
            envelope.put("assertion", JsonUtil.toJson(assertion));
            envelope.put("idp", idp);
            byte[] json = JsonUtil.toJson(envelope).getBytes(StandardCharsets.UTF_8);
            return sdp.with(Base64.getEncoder().encodeToString(json));
        }

        private String token(long seconds) {
            Map<String, Object> header = new LinkedHashMap<>();
            header.put("alg", CompactJws.ES384);
            header.put("x5u", Base64.getEncoder().encodeToString(key.publicKey().getEncoded()));
            Map<String, Object> payload = new LinkedHashMap<>();
            payload.put("cpk", P384.jwk(key.publicKey()));
            payload.put("exp", seconds + TOKEN_LIFETIME_SECONDS);
            payload.put("iat", seconds);
            payload.putAll(claims);
            return CompactJws.sign(
                    JsonUtil.toJson(header), JsonUtil.toJson(payload), key.keys().getPrivate());
        }
    }
}
