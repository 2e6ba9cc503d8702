package dev.wishdir.quake3.netchan;

/**
 * The XOR scrambling of messages in legacy protocols, its own inverse:
 * docs/protocols/quake3.md#xor-scrambling.
 */
public final class XorScrambler {
    /** Offset of the first scrambled byte in a client's message. */
    public static final int CLIENT_START = 12;

    /** Offset of the first scrambled byte in a server's message. */
    public static final int SERVER_START = 4;

    private XorScrambler() {}

    /** The offset of the first scrambled byte in a message that {@code from} sends. */
    public static int start(Side from) {
        return from == Side.CLIENT ? CLIENT_START : SERVER_START;
    }

    /**
     * Scrambles or unscrambles a message.
     *
     * @param key of which the low eight bits are used
     * @param text the reliable command that the message acknowledges, empty if there is none
     */
    public static void apply(byte[] message, int start, int key, String text) {
        int k = key & 0xFF;
        int at = 0;
        for (int i = start; i < message.length; i++) {
            if (at >= text.length()) {
                at = 0;
            }
            int c = text.isEmpty() ? 0 : text.charAt(at);
            k = (k ^ (c > 127 || c == '%' ? '.' : c) << (i & 1)) & 0xFF;
            at++;
            message[i] ^= (byte) k;
        }
    }
}
