package dev.wishdir.quake2.protocol;

import dev.wishdir.game.AsciiTransliterator;
import dev.wishdir.game.NameTruncation;

/**
 * Text between this game and the arena, whose text is plain. The game draws printable ASCII, each
 * character again in green where its eighth bit is set, and brackets and golden digits below the
 * blank.
 */
public final class Quake2Text {
    /** The most characters of a name. */
    public static final int NAME_LENGTH = 15;

    private static final int GREEN = 0x80;
    private static final int DELETE = 0x7F;
    private static final int BRACKET = 0x10;
    private static final String GOLDEN = "[]0123456789";

    private Quake2Text() {}

    /** What a client sent, in Latin-1, as one reads it: without colours and pieces of boxes. */
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
     * A line as the game draws it, without colours: of what it cannot draw what comes near, or a
     * question mark.
     *
     * @param length the most characters of the result
     */
    public static String line(String text, int length) {
        String ascii = AsciiTransliterator.like(text);
        StringBuilder line = new StringBuilder(Math.min(ascii.length(), length));
        for (int i = 0; i < ascii.length() && line.length() < length; i++) {
            char c = ascii.charAt(i);
            if (!Character.isISOControl(c)) {
                line.append(c);
            }
        }
        return line.toString();
    }

    /**
     * A value of an info string or of a list in quotes: nothing in it ends it, nor a command.
     *
     * @param length the most characters of the result
     */
    public static String value(String text, int length) {
        return line(text, length).replace('\\', '/').replace('"', '\'').replace(';', ',');
    }

    /** A name, never nothing. */
    public static String name(String name) {
        return name("", name);
    }

    /** A name behind the sign of its game, never nothing. */
    public static String name(String sign, String name) {
        String value = value(name, Integer.MAX_VALUE).strip();
        return sign
                + NameTruncation.truncate(
                        value.isEmpty() ? "unnamed" : value, NAME_LENGTH - sign.length());
    }
}
