package dev.wishdir.sauerbraten.protocol;

/** A player's public key, with which a server challenges the player. */
public final class AuthPublicKey {
    private final P192Curve.Point point;

    AuthPublicKey(P192Curve.Point point) {
        this.point = point;
    }

    /**
     * Reads a key as {@link #toString} and the game write it.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static AuthPublicKey parse(String text) {
        return AuthNumber.parsePoint(text)
                .map(AuthPublicKey::new)
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "public key must be + or - and 4 to 48 hex digits that are a point"
                                        + " of the curve P-192, is "
                                        + text));
    }

    /** Whether a text is a key or a challenge. */
    public static boolean isPoint(String text) {
        return AuthNumber.parsePoint(text).isPresent();
    }

    /** Whether a text is a number as answers are. */
    public static boolean isNumber(String text) {
        return AuthNumber.parse(text).isPresent();
    }

    P192Curve.Point point() {
        return point;
    }

    @Override
    public String toString() {
        return AuthNumber.text(point);
    }
}
