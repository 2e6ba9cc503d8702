package dev.wishdir.sauerbraten.protocol;

import java.math.BigInteger;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A player's private key, with which it answers challenges:
 * docs/protocols/sauerbraten.md#auth-keys.
 */
public final class AuthPrivateKey {
    private final BigInteger number;

    private AuthPrivateKey(BigInteger number) {
        this.number = number;
    }

    /**
     * A key of 192 random bits.
     *
     * @param random a secure one for keys and challenges that must not be guessed
     */
    public static AuthPrivateKey generate(RandomGenerator random) {
        byte[] bytes = new byte[P192Curve.BYTES];
        while (true) {
            random.nextBytes(bytes);
            BigInteger number = new BigInteger(1, bytes);
            if (number.signum() > 0 && number.compareTo(P192Curve.ORDER) < 0) {
                return new AuthPrivateKey(number);
            }
        }
    }

    /**
     * Reads a key as {@link #text} and the game write it.
     *
     * @throws IllegalArgumentException if it is none; the message does not contain the text
     */
    public static AuthPrivateKey parse(String text) {
        return AuthNumber.parse(text)
                .filter(number -> number.mod(P192Curve.ORDER).signum() > 0)
                .map(AuthPrivateKey::new)
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "private key must be 4 to 48 hex digits and not 0"));
    }

    /** The digits of the key: a secret. */
    public String text() {
        return AuthNumber.text(number);
    }

    public AuthPublicKey publicKey() {
        return new AuthPublicKey(P192Curve.multiple(number, P192Curve.GENERATOR));
    }

    /** The answer to a challenge; empty if the challenge is no point of the curve. */
    public Optional<String> answer(String challenge) {
        return AuthNumber.parsePoint(challenge).map(point -> AuthNumber.text(times(point)));
    }

    /**
     * A challenge for the owner of a public key, with this key, which is generated for it only;
     * takes about 2 ms.
     */
    public AuthChallenge challenge(AuthPublicKey owner) {
        return new AuthChallenge(publicKey().toString(), times(owner.point()));
    }

    /** The x of the point multiplied by this key. */
    private BigInteger times(P192Curve.Point point) {
        return P192Curve.multiple(number, point).x();
    }

    @Override
    public String toString() {
        return "private key";
    }
}
