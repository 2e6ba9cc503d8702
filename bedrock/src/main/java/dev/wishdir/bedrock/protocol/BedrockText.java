package dev.wishdir.bedrock.protocol;

/**
 * Conversion of text between this game and the others. In this game a section sign and the next
 * character are a colour or style, and clients replace a percent sign with a key by a translation;
 * other games have neither.
 */
public final class BedrockText {
    private static final char SIGN = '\u00A7';

    /** Looks like a percent sign, and has no meaning in the game. */
    private static final char WIDE_PERCENT = '\uFF05';

    private BedrockText() {}

    /** A text from a client of this game without colours and styles, for all games. */
    public static String withoutCodes(String text) {
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
     * A text or name from any game in a form that clients of this game show literally: one line,
     * without colours and without keys of translations.
     */
    public static String literal(String text) {
        String plain = withoutCodes(text);
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

    /** Whether keys or placeholders may begin with a character. */
    private static boolean isKey(char c) {
        return Character.isLetterOrDigit(c) || c == '%' || c == '$';
    }

    /** As {@link #literal}, for a name; a name of which nothing is left gets a substitute. */
    public static String literalName(String name) {
        String shown = literal(name);
        return shown.isEmpty() ? "unnamed" : shown;
    }
}
