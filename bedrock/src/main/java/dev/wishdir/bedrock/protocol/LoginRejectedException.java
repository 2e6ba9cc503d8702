package dev.wishdir.bedrock.protocol;

/** A login was rejected; the message is the reason, for the log and the player. */
public final class LoginRejectedException extends Exception {
    private static final long serialVersionUID = 1;

    LoginRejectedException(String reason) {
        super(reason, null, false, false);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
