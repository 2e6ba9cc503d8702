package dev.wishdir.bedrock.protocol;

/** A login that is not let in; the message says why, for the log and the player. */
public final class LoginRejectedException extends Exception {
    private static final long serialVersionUID = 1;

    LoginRejectedException(String reason) {
        super(reason, null, false, false);
    }

    /** Why. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
