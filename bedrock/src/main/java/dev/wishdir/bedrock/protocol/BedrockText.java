package dev.wishdir.bedrock.protocol;

/**
 * Text that crosses between this game and the others. Here a section sign and the character behind
 * it are a colour or a style, and clients put a text of the game in the place of a percent sign and
 * its key; neither is anything to the other games.
 */
public final class BedrockText {
    private static final char SIGN = '\u00A7';

    /** Reads as a percent sign, and means nothing to the game. */
    private static final char WIDE_PERCENT = '\uFF05';

    private BedrockText() {}

    /** What a client of this game said, without colours and styles: as all games may have it. */
    public static String removed(String text) {
        if (text.indexOf(SIGN) < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != SIGN) {
                plain.append(c);
            } else if (i + 1 < text.length() && isCode(text.charAt(i + 1))) {
                i++;
            }
        }
        return plain.toString();
    }

    private static boolean isCode(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == SIGN;
    }

    /**
     * A text or name of a player of any game, so that clients of this game show it word for word:
     * it colours nothing, is one line, and is not a key of the game's own texts.
     */
    public static String shown(String text) {
        String plain = removed(text);
        StringBuilder shown = new StringBuilder(plain.length());
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (c == '%' && i + 1 < plain.length() && isKey(plain.charAt(i + 1))) {
                shown.append(WIDE_PERCENT);
            } else if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                shown.append(' ');
            } else {
                shown.append(c);
            }
        }
        return shown.toString().strip();
    }

    /** Whether keys or placeholders begin with a character. */
    private static boolean isKey(char c) {
        return Character.isLetterOrDigit(c) || c == '%' || c == '$';
    }

    /** A name that is {@linkplain #shown shown}, where anything of it can be. */
    public static String shownName(String name) {
        String shown = shown(name);
        return shown.isEmpty() ? "unnamed" : shown;
    }
}
