package dev.wishdir.nethernet.identity;

/** Thrown for a token whose only fault, as far as it was checked, is an unknown signing key. */
public final class UnknownKeyException extends IdentityRejectedException {
    private static final long serialVersionUID = 1;

    private final String keyId;

    UnknownKeyException(String keyId) {
        super("the token is not signed by a known issuer");
        this.keyId = keyId;
    }

    /** The ID of the key, as the token names it: hostile until the key is known. */
    public String keyId() {
        return keyId;
    }
}
