package dev.wishdir.quake2.netchan;

import java.util.ArrayList;
import java.util.List;

/** Splits command lines into words as the game's console does. */
public final class CommandTokenizer {
    /** Maximum number of words; the rest is dropped. */
    private static final int MAX_WORDS = 80;

    private CommandTokenizer() {}

    /** The words of a line, separated by white space or in double quotes. */
    public static List<String> of(String line) {
        List<String> words = new ArrayList<>();
        int at = 0;
        while (words.size() < MAX_WORDS) {
            while (at < line.length() && line.charAt(at) <= ' ') {
                at++;
            }
            if (at == line.length()) {
                break;
            }
            int from = at;
            if (line.charAt(at) == '"') {
                from++;
                at = line.indexOf('"', from);
                at = at < 0 ? line.length() : at;
                words.add(line.substring(from, at));
                at = Math.min(at + 1, line.length());
            } else {
                while (at < line.length() && line.charAt(at) > ' ' && line.charAt(at) != '"') {
                    at++;
                }
                words.add(line.substring(from, at));
            }
        }
        return words;
    }

    /** A line without its first word, stripped. */
    public static String afterFirst(String line) {
        String clean = line.strip();
        int at = 0;
        while (at < clean.length() && clean.charAt(at) > ' ') {
            at++;
        }
        return clean.substring(at).strip();
    }
}
