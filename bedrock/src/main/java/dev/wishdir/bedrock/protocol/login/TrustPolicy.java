package dev.wishdir.bedrock.protocol.login;

import dev.wishdir.nethernet.identity.IdentityIssuer;

/**
 * The signers whose identities a server trusts.
 *
 * @param root the key that must have certified an identity; empty to accept identities that clients
 *     sign themselves
 * @param issuer of the tokens of newer versions. If its keys are known, its tokens are proof, and
 *     forged ones are rejected
 */
public record TrustPolicy(String root, IdentityIssuer issuer) {
    /** Accepts identities that clients sign themselves. */
    public static final TrustPolicy ANYBODY = new TrustPolicy("", IdentityIssuer.MOJANG);

    /** A copy with other keys of the issuer. */
    public TrustPolicy with(IdentityIssuer issuer) {
        return new TrustPolicy(root, issuer);
    }

    /** Whether an identity must be certified. */
    public boolean isProofNeeded() {
        return !root.isEmpty();
    }
}
