package dev.wishdir.bedrock.protocol;

import dev.wishdir.nethernet.IdentityIssuer;

/**
 * By whose word a server believes who a client is.
 *
 * @param root the key that must have certified the identity; empty lets everybody in who signed
 *     with the key that they bring
 * @param issuer of the tokens of newer versions; where its keys are known its tokens are proof, and
 *     those that others made in its name are refused
 */
public record TrustPolicy(String root, IdentityIssuer issuer) {
    /** Everybody's own word. */
    public static final TrustPolicy ANYBODY = new TrustPolicy("", IdentityIssuer.MOJANG);

    /** Whether an identity must be certified. */
    public boolean isProofNeeded() {
        return !root.isEmpty();
    }
}
