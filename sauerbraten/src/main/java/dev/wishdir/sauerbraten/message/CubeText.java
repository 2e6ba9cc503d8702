package dev.wishdir.sauerbraten.message;

import dev.wishdir.game.NameTruncation;

import java.text.Normalizer;
import java.util.Arrays;

/**
 * The game's 8-bit character set and its text filter: Cube 2: Sauerbraten, encodings. Every byte is
 * one character, so that text survives reading and writing; a Java string may hold characters that
 * the game does not have.
 */
public final class CubeText {
    /** The most characters of a player's name. */
    public static final int MAX_NAME = 15;

    /** The most characters of a team's name. */
    public static final int MAX_TEAM = 4;

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

    /** Cyrillic letters that the game draws as the Latin ones below them. */
    private static final String CYRILLIC = "АВЕЁЅІЇЈКМНОРСТХаеёѕіїјорсух";

    private static final String LATIN = "ABEËSIÏJKMHOPCTXaeësiïjopcyx";

    /** Punctuation that the game has in a plainer form, below it. */
    private static final String PUNCTUATION = "‘’‚‛“”„‟‹›«»‐‑‒–—―−•·×¡¿";

    private static final String LIKE = "''''\"\"\"\"<>\"\"-------**x!?";

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

    /** The character that a byte, 0..255, stands for. */
    public static char character(int code) {
        return CHARACTERS.charAt(code);
    }

    /** The byte of a character, 0..255; -1 if the game does not have it. */
    public static int code(char character) {
        return character < CODES.length ? CODES[character] : -1;
    }

    /**
     * A player's name as the game allows it: printable, no colours, never empty. What the game does
     * not have is left out.
     */
    public static String playerName(String text) {
        return playerName("", text);
    }

    /** The same behind the sign of a game. */
    public static String playerName(String sign, String text) {
        String shown = shown(text, "");
        String name = filter(shown, false, shown.length());
        String before = filter(sign, false, MAX_NAME);
        return before
                + NameTruncation.truncate(
                        name.isEmpty() ? "unnamed" : name, MAX_NAME - before.length());
    }

    /** A team's name as the game allows it; may be empty. */
    public static String team(String text) {
        return filter(text, false, MAX_TEAM);
    }

    /** A map's name as the game allows it; may be empty. It is not checked as a file name. */
    public static String map(String text) {
        return filter(text, false, CubeWire.MAX_NAME - 1);
    }

    /**
     * A chat line as the game allows it: no colours, any white space is a blank, and a question
     * mark stands for what the game does not have.
     */
    public static String chat(String text) {
        return filter(shown(text, "?"), true, CubeWire.MAX_TEXT - 1);
    }

    /** Text in the characters that the game has, or that come closest. */
    private static String shown(String text, String unknown) {
        if (text.chars().allMatch(c -> code((char) c) >= 0)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> {
                    int like = PUNCTUATION.indexOf(c);
                    if (like >= 0) {
                        shown.append(LIKE.charAt(like));
                    } else if (Character.isBmpCodePoint(c) && code((char) c) >= 0) {
                        shown.append((char) c);
                    } else if (isSeen(c)) {
                        int before = shown.length();
                        Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKD)
                                .chars()
                                .filter(part -> code((char) part) >= ' ')
                                .forEach(part -> shown.append((char) part));
                        if (shown.length() == before) {
                            shown.append(unknown);
                        }
                    }
                });
        return shown.toString();
    }

    private static boolean isSeen(int c) {
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
     * Drops colour codes (a form feed and the character after it) and what the game does not have.
     *
     * @param blanks whether white space becomes a blank, or is dropped
     * @param limit the most characters of the result
     */
    public static String filter(String text, boolean blanks, int limit) {
        StringBuilder kept = new StringBuilder(Math.min(text.length(), limit));
        for (int i = 0; i < text.length() && kept.length() < limit; i++) {
            char c = text.charAt(i);
            if (c == '\f') {
                i++;
            } else if (c == ' ' || c >= '\t' && c <= '\r') {
                if (blanks) {
                    kept.append(' ');
                }
            } else if (code(c) > 0) {
                kept.append(CHARACTERS.charAt(code(c)));
            }
        }
        return kept.toString();
    }
}
