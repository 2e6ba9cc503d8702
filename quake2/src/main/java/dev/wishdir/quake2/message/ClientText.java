package dev.wishdir.quake2.message;

/**
 * A text of a client.
 *
 * @param value Latin-1
 * @param terminated whether a zero byte follows; not after the stock client's {@code disconnect}
 */
public record ClientText(String value, boolean terminated) {
    static final ClientText BLANK = new ClientText("", false);

    /** A terminated text, as all but the last text of a packet must be. */
    public static ClientText of(String value) {
        return new ClientText(value, true);
    }
}
