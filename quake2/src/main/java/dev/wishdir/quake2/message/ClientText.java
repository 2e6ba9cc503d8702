package dev.wishdir.quake2.message;

/**
 * A text that a client sent.
 *
 * @param value Latin-1
 * @param terminated whether a zero byte follows; the stock client's {@code disconnect} has none
 */
public record ClientText(String value, boolean terminated) {
    static final ClientText BLANK = new ClientText("", false);

    /** With a zero byte after it, as all but the last text of a packet must have. */
    public static ClientText of(String value) {
        return new ClientText(value, true);
    }
}
