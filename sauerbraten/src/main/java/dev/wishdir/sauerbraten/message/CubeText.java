package dev.wishdir.sauerbraten.message;

import dev.wishdir.game.text.NameTruncation;

import java.text.Normalizer;
import java.util.Arrays;

/**
 * The game's 8-bit character set and its text filter: docs/protocols/sauerbraten.md#encodings.
 * Every byte is one character, so text survives reading and writing; a Java string may contain
 * characters that the game does not have.
 */
public final class CubeText {
    /** Maximum length of a player's name. */
    public static final int MAX_NAME_CHARS = 15;

    /** Maximum length of a team's name. */
    public static final int MAX_TEAM_CHARS = 4;

    /** Maximum length of a map's name, and of any other short string. */
    public static final int MAX_STRING_CHARS = 259;

    /** Maximum length of a chat line. */
    static final int MAX_LINE_CHARS = 4999;

    private static final String CHARACTERS =
            "\0ÀÁÂÃÄÅÆÇ\t\n\013\f\rÈÉ"
                    + "ÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛ"
                    + " !\"#$%&'()*+,-./"
                    + "0123456789:;<=>?"
                    + "@ABCDEFGHIJKLMNO"
                    + "PQRSTUVWXYZ[\\]^_"
                    + "`abcdefghijklmno"
                    + "pqrstuvwxyz{|}~Ü"
                    + "Ýßàáâãäåæçèéêëìí"
                    + "îïñòóôõöøùúûüýÿĄ"
                    + "ąĆćČčĎďĘęĚěĞğİıŁ"
                    + "łŃńŇňŐőŒœŘřŚśŞşŠ"
                    + "šŤťŮůŰűŸŹźŻżŽžЄБ"
                    + "ГДЖЗИЙЛПУФЦЧШЩЪЫ"
                    + "ЬЭЮЯбвгджзийклмн"
                    + "птфцчшщъыьэюяєҐґ";

    /** Cyrillic letters that the game draws as Latin ones, in the same order as {@link #LATIN}. */
    private static final String CYRILLIC = "АВЕЁЅІЇЈКМНОРСТХаеёѕіїјорсух";

    private static final String LATIN = "ABEËSIÏJKMHOPCTXaeësiïjopcyx";

    /**
     * Punctuation that the game has only in a simpler form, in the same order as {@link #SIMPLE}.
     */
    private static final String PUNCTUATION = "‘’‚‛“”„‟‹›«»‐‑‒–—―−•·×¡¿";

    private static final String SIMPLE = "''''\"\"\"\"<>\"\"-------**x!?";

    private static final short[] CODES = codes();

    private CubeText() {}

    private static short[] codes() {
        short[] codes = new short['ґ' + 1];
        Arrays.fill(codes, (short) -1);
        for (short code = 0; code < 256; code++) {
            codes[CHARACTERS.charAt(code)] = code;
        }
        for (int i = 0; i < CYRILLIC.length(); i++) {
            codes[CYRILLIC.charAt(i)] = codes[LATIN.charAt(i)];
        }
        return codes;
    }

    /** The character of a byte, 0..255. */
    public static char character(int code) {
        return CHARACTERS.charAt(code);
    }

    /** The byte of a character, 0..255; -1 if the game does not have it. */
    public static int code(char character) {
        return character < CODES.length ? CODES[character] : -1;
    }

    /**
     * A player's name as the game allows it: printable, without colours, never empty. Characters
     * that the game does not have are removed.
     */
    public static String playerName(String text) {
        return playerName("", text);
    }

    /** A player's name with the tag of its game. */
    public static String playerName(String tag, String text) {
        String transliterated = transliterated(text, "");
        String name = filter(transliterated, false, transliterated.length());
        String before = filter(tag, false, MAX_NAME_CHARS);
        return before
                + NameTruncation.truncate(
                        name.isEmpty() ? "unnamed" : name, MAX_NAME_CHARS - before.length());
    }

    /** A team's name as the game allows it; may be empty. */
    public static String team(String text) {
        return filter(text, false, MAX_TEAM_CHARS);
    }

    /** A map's name as the game allows it; may be empty. Not checked as a file name. */
    public static String map(String text) {
        return filter(text, false, MAX_STRING_CHARS);
    }

    /** The server's name as {@link #chat}, cut to the length of a string. */
    public static String serverName(String text) {
        return filter(transliterated(text, "?"), true, MAX_STRING_CHARS);
    }

    /**
     * A chat line as the game allows it: without colours, all white space as spaces, a question
     * mark for characters that the game does not have.
     */
    public static String chat(String text) {
        return filter(transliterated(text, "?"), true, MAX_LINE_CHARS);
    }

    /** Text transliterated to the game's character set. */
    private static String transliterated(String text, String unknown) {
        if (text.chars().allMatch(c -> code((char) c) >= 0)) {
            return text;
        }
        StringBuilder transliterated = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> {
                    int index = PUNCTUATION.indexOf(c);
                    if (index >= 0) {
                        transliterated.append(SIMPLE.charAt(index));
                    } else if (Character.isBmpCodePoint(c) && code((char) c) >= 0) {
                        transliterated.append((char) c);
                    } else if (isVisible(c)) {
                        int before = transliterated.length();
                        Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKD)
                                .chars()
                                .filter(part -> code((char) part) >= ' ')
                                .forEach(part -> transliterated.append((char) part));
                        if (transliterated.length() == before) {
                            transliterated.append(unknown);
                        }
                    }
                });
        return transliterated.toString();
    }

    private static boolean isVisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK ->
                    false;
            default -> true;
        };
    }

    /**
     * Removes colour codes (a form feed and the next character) and characters that the game does
     * not have.
     *
     * @param spaces whether white space becomes a space, or is removed
     * @param limit maximum length of the result
     */
    public static String filter(String text, boolean spaces, int limit) {
        StringBuilder filtered = new StringBuilder(Math.min(text.length(), limit));
        for (int i = 0; i < text.length() && filtered.length() < limit; i++) {
            char c = text.charAt(i);
            if (c == '\f') {
                i++;
            } else if (c == ' ' || c >= '\t' && c <= '\r') {
                if (spaces) {
                    filtered.append(' ');
                }
            } else if (code(c) > 0) {
                filtered.append(CHARACTERS.charAt(code(c)));
            }
        }
        return filtered.toString();
    }
}
