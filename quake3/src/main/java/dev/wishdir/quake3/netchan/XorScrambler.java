package dev.wishdir.quake3.netchan;

/**
 * What legacy protocols do to the bytes of a message: Quake III, XOR scrambling. It is its own
 * inverse.
 */
public final class XorScrambler {
    /** The first byte of a client's message that is scrambled. */
    public static final int CLIENT_START = 12;

    /** The first byte of a server's message that is scrambled. */
    public static final int SERVER_START = 4;

    private XorScrambler() {}

    /** Where the scrambling of a message by {@code from} starts. */
    public static int start(Side from) {
        return from == Side.CLIENT ? CLIENT_START : SERVER_START;
    }

    /**
     * Scrambles or unscrambles a message.
     *
     * @param key its low eight bits count
     * @param text the reliable command that the message acknowledges, empty where there is none
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
