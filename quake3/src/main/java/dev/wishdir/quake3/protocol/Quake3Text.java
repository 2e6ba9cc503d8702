package dev.wishdir.quake3.protocol;

import dev.wishdir.game.text.AsciiTransliterator;
import dev.wishdir.game.text.LineText;
import dev.wishdir.game.text.NameTruncation;

import java.util.regex.Pattern;

/**
 * Converts text between this game and the arena, whose text is plain. The game displays printable
 * ASCII but {@code %}. A caret followed by another character than a caret is a colour code; a quote
 * ends an argument of a command, a backslash a part of an info string.
 */
public final class Quake3Text {
    /** Limit of a name in characters. */
    static final int NAME_LENGTH = 31;

    /** Colour code of printed text and names. */
    static final char WHITE = '7';

    /** Colour code of chat. */
    public static final char CHAT_COLOUR = '2';

    /** Colour code of team chat. */
    public static final char TEAM_CHAT_COLOUR = '5';

    /** Colour code of private messages. */
    public static final char WHISPER_COLOUR = '6';

    private static final Pattern COLOUR = Pattern.compile("\\^[^^]");

    private Quake3Text() {}

    /** Text of a client without colour codes. */
    public static String plain(String text) {
        return COLOUR.matcher(text).replaceAll("");
    }

    /** Printable ASCII of a server's text, without colour codes, in one line. */
    public static String shown(String text) {
        return LineText.join(plain(text)).replaceAll("[^ -~]", "").strip();
    }

    /**
     * White text for a quoted argument.
     *
     * @param length limit of the result in characters
     */
    public static String line(String text, int length) {
        return line(text, length, WHITE);
    }

    /**
     * Text for a quoted argument.
     *
     * @param length limit of the result in characters
     * @param colour of the text: a caret is written as two and this colour code again
     */
    public static String line(String text, int length, char colour) {
        return shown(text, length, colour, false);
    }

    /**
     * Text for a value of an info string, also a quoted one.
     *
     * @param length limit of the result in characters
     */
    public static String value(String text, int length) {
        return shown(text, length, WHITE, true);
    }

    /** The server's name in server lists, at most 63 characters; colour codes are kept. */
    public static String serverName(String name) {
        return AsciiTransliterator.transliterate(name.replaceAll("[\\p{Cntrl}\\s]+", " "))
                .replace('\\', '/')
                .replace('"', '\'')
                .replace(';', ',')
                .replace('%', '.')
                .replaceFirst("(?s)(?<=^.{63}).*", "");
    }

    /** A name for a quoted argument or info string; never blank. */
    public static String name(String name) {
        return name("", name);
    }

    /** A name after a tag, which is used unchanged. */
    public static String name(String tag, String name) {
        int length = NAME_LENGTH - tag.length();
        String shown =
                value(
                        NameTruncation.truncate(AsciiTransliterator.transliterate(name), length),
                        length);
        return tag + (shown.isBlank() ? "unnamed" : shown);
    }

    private static String shown(String text, int length, char colour, boolean value) {
        String asciiText = AsciiTransliterator.transliterate(text);
        StringBuilder shown = new StringBuilder(Math.min(asciiText.length(), length));
        for (int i = 0; i < asciiText.length(); i++) {
            char c = asciiText.charAt(i);
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
