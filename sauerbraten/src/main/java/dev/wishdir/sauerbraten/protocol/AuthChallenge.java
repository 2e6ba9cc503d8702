package dev.wishdir.sauerbraten.protocol;

import java.math.BigInteger;

/** A challenge that only the owner of a key can answer. */
public final class AuthChallenge {
    private final String text;
    private final BigInteger answer;

    AuthChallenge(String text, BigInteger answer) {
        this.text = text;
        this.answer = answer;
    }

    /** The challenge as it is sent to the client. */
    public String text() {
        return text;
    }

    /** Whether an answer is right; the time taken does not reveal where it differs. */
    public boolean isAnswer(String given) {
        return AuthNumber.parse(given).filter(it -> AuthNumber.isSame(it, answer)).isPresent();
    }
}
