package dev.wishdir.nethernet.identity;

/** Thrown when an identity is not valid; the message names the reason, never the token. */
public class IdentityRejectedException extends Exception {
    private static final long serialVersionUID = 1;

    IdentityRejectedException(String reason) {
        super(reason, null, false, false);
    }
}
