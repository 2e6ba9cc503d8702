package dev.wishdir.nethernet.identity;

import dev.wishdir.nethernet.sdp.Sdp;

import java.util.Map;

/** The parts of identities, signed with any key, for tests that put them together wrongly. */
public final class IdentityTokens {
    private IdentityTokens() {}

    /** A public key as a claim. */
    public static Map<String, Object> jwk(IdentityKey key) {
        return P384.jwk(key.publicKey());
    }

    /** A token. */
    public static String sign(IdentityKey key, String header, String payload) {
        return CompactJws.sign(header, payload, key.keys().getPrivate());
    }

    /** The detached signature of a description's fingerprints. */
    public static String signFingerprints(IdentityKey key, Sdp sdp) {
        return CompactJws.signDetached(
                "{\"alg\":\"ES384\"}",
                Identity.canonical(sdp.fingerprints()),
                key.keys().getPrivate());
    }
}
