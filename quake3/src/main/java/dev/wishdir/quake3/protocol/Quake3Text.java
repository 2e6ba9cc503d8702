package dev.wishdir.quake3.protocol;

import dev.wishdir.game.AsciiTransliterator;
import dev.wishdir.game.NameTruncation;

import java.util.regex.Pattern;

/**
 * Text between this game and the arena, whose text is plain. The game shows what is printable in
 * ASCII but for {@code %}; a caret and a character other than a caret are a colour; a quote ends a
 * part of a command, a backslash one of an info string.
 */
public final class Quake3Text {
    /** The most characters of a name. */
    static final int NAME_LENGTH = 31;

    /** The colour of what is printed and of names. */
    static final char WHITE = '7';

    /** The colour of what is said to all. */
    public static final char SAID = '2';

    /** The colour of what is said to a team. */
    public static final char TO_TEAM = '5';

    /** The colour of what is said to one. */
    public static final char TO_ONE = '6';

    private static final Pattern COLOUR = Pattern.compile("\\^[^^]");

    private Quake3Text() {}

    /** What a client sent, as one sees it: without colours. */
    public static String plain(String text) {
        return COLOUR.matcher(text).replaceAll("");
    }

    /** What a server sent, as a reader of plain text sees it: printable, without colours. */
    public static String shown(String text) {
        return plain(text).replaceAll("[^ -~]", "").strip();
    }

    /**
     * Text for a place in quotes, where it is white.
     *
     * @param length the most characters of the result
     */
    public static String line(String text, int length) {
        return line(text, length, WHITE);
    }

    /**
     * Text for a place in quotes.
     *
     * @param length the most characters of the result
     * @param colour of the text there: a caret is shown by two and the same colour again
     */
    public static String line(String text, int length, char colour) {
        return shown(text, length, colour, false);
    }

    /**
     * Text as a value of an info string, also in quotes.
     *
     * @param length the most characters of the result
     */
    public static String value(String text, int length) {
        return shown(text, length, WHITE, true);
    }

    /** The server's name as lists show it, at most 63 characters; its colours are kept. */
    public static String serverName(String name) {
        return AsciiTransliterator.like(name.replaceAll("[\\p{Cntrl}\\s]+", " "))
                .replace('\\', '/')
                .replace('"', '\'')
                .replace(';', ',')
                .replace('%', '.')
                .replaceFirst("(?s)(?<=^.{63}).*", "");
    }

    /** A name, in quotes or in an info string; never nothing. */
    public static String name(String name) {
        return name("", name);
    }

    /** The same behind a sign, which is as it should be shown. */
    public static String name(String sign, String name) {
        int length = NAME_LENGTH - sign.length();
        String shown =
                value(NameTruncation.truncate(AsciiTransliterator.like(name), length), length);
        return sign + (shown.isBlank() ? "unnamed" : shown);
    }

    private static String shown(String text, int length, char colour, boolean value) {
        String ascii = AsciiTransliterator.like(text);
        StringBuilder shown = new StringBuilder(Math.min(ascii.length(), length));
        for (int i = 0; i < ascii.length(); i++) {
            char c = ascii.charAt(i);
            String next =
                    switch (c) {
                        case '^' -> "^^" + colour;
                        case '"' -> "'";
                        case '%' -> ".";
                        case '\\' -> value ? "/" : "\\";
                        case ';' -> value ? "," : ";";
                        default -> c >= ' ' && c <= '~' ? Character.toString(c) : "?";
                    };
            if (shown.length() + next.length() > length) {
                break;
            }
            shown.append(next);
        }
        return shown.toString();
    }
}
