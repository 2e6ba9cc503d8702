package dev.wishdir.nethernet;

/** Why an identity is not taken. Its message names what is wrong, and never the token. */
public final class IdentityRejectedException extends Exception {
    private static final long serialVersionUID = 1;

    IdentityRejectedException(String reason) {
        super(reason, null, false, false);
    }
}
