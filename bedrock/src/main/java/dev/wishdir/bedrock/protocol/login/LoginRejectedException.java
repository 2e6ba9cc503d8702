package dev.wishdir.bedrock.protocol.login;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** A login was rejected; the message is the reason, for the log and the player. */
public final class LoginRejectedException extends Exception {
    private static final long serialVersionUID = 1;

    private final @Nullable String unknownKeyId;

    LoginRejectedException(String reason) {
        this(reason, null);
    }

    private LoginRejectedException(String reason, @Nullable String unknownKeyId) {
        super(reason, null, false, false);
        this.unknownKeyId = unknownKeyId;
    }

    /** All but the signature of a token is valid, and its key is not known. */
    static LoginRejectedException ofUnknownKey(String keyId) {
        return new LoginRejectedException("the key of the sign-in is not known", keyId);
    }

    /** The ID of the only unknown key; empty if the login was rejected for another reason. */
    public Optional<String> unknownKeyId() {
        return Optional.ofNullable(unknownKeyId);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
