package dev.wishdir.quake2.protocol;

import dev.wishdir.game.text.AsciiTransliterator;
import dev.wishdir.game.text.NameTruncation;

/**
 * Converts text between this game's character set and plain text. The game draws printable ASCII,
 * each character also in green with its eighth bit set, and brackets and golden digits below the
 * space.
 */
public final class Quake2Text {
    /** Maximum length of a name. */
    public static final int MAX_NAME_CHARS = 15;

    private static final int GREEN = 0x80;
    private static final int DELETE = 0x7F;
    private static final int BRACKET = 0x10;
    private static final String GOLDEN = "[]0123456789";

    private Quake2Text() {}

    /** Text of a client, in Latin-1, as plain text without colours and box characters. */
    public static String plain(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int glyph = c & ~GREEN;
            int golden = glyph - BRACKET;
            if (glyph >= ' ' && glyph != DELETE) {
                plain.append((char) glyph);
            } else if (golden >= 0 && golden < GOLDEN.length()) {
                plain.append(GOLDEN.charAt(golden));
            } else if (Character.isWhitespace(c)) {
                plain.append(' ');
            }
        }
        return plain.toString();
    }

    /**
     * A line that the game can draw, without colours; other characters are transliterated or
     * replaced by a question mark.
     *
     * @param maxChars of the result
     */
    public static String line(String text, int maxChars) {
        String ascii = AsciiTransliterator.transliterate(text);
        StringBuilder line = new StringBuilder(Math.min(ascii.length(), maxChars));
        for (int i = 0; i < ascii.length() && line.length() < maxChars; i++) {
            char c = ascii.charAt(i);
            if (!Character.isISOControl(c)) {
                line.append(c);
            }
        }
        return line.toString();
    }

    /**
     * A value of an info string or of a quoted list, without characters that end it or a command.
     *
     * @param maxChars of the result
     */
    public static String value(String text, int maxChars) {
        return line(text, maxChars).replace('\\', '/').replace('"', '\'').replace(';', ',');
    }

    /** A name, never empty. */
    public static String name(String name) {
        return name("", name);
    }

    /** A name with the tag of its game, never empty. */
    public static String name(String tag, String name) {
        String value = value(name, Integer.MAX_VALUE).strip();
        return tag
                + NameTruncation.truncate(
                        value.isEmpty() ? "unnamed" : value, MAX_NAME_CHARS - tag.length());
    }
}
