package dev.wishdir.game.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Reads an operator's line from its front. Words are separated by white space; text in quotes is
 * one word, in which {@code \"} and {@code \\} stand for the characters themselves.
 */
final class CommandReader {
    private String rest;

    CommandReader(String line) {
        rest = line.strip();
    }

    boolean isEmpty() {
        return rest.isEmpty();
    }

    boolean isQuoted() {
        return rest.startsWith("\"");
    }

    /** The next word, without reading it; empty at the end. */
    String peek() {
        return new CommandReader(rest).word();
    }

    /** Reads the next word; empty at the end. A missing closing quote is implied. */
    String word() {
        if (!isQuoted()) {
            int end = 0;
            while (end < rest.length() && !Character.isWhitespace(rest.charAt(end))) {
                end++;
            }
            return cut(rest.substring(0, end), end);
        }
        StringBuilder word = new StringBuilder();
        int at = 1;
        for (; at < rest.length() && rest.charAt(at) != '"'; at++) {
            boolean escaped =
                    rest.charAt(at) == '\\'
                            && at + 1 < rest.length()
                            && (rest.charAt(at + 1) == '"' || rest.charAt(at + 1) == '\\');
            if (escaped) {
                at++;
            }
            word.append(rest.charAt(at));
        }
        return cut(word.toString(), Math.min(at + 1, rest.length()));
    }

    /**
     * Reads all that is left as one text: what is in quotes, or, where anything stands outside the
     * quotes, the whole as it is typed.
     */
    String text() {
        String typed = rest;
        String word = word();
        if (typed.startsWith("\"") && isEmpty()) {
            return word;
        }
        rest = "";
        return typed;
    }

    /** Skips a text with which the rest begins, in any case. */
    void skip(String text) {
        cut(text, text.length());
    }

    private String cut(String word, int length) {
        rest = rest.substring(length).strip();
        return word;
    }

    /**
     * The beginnings of the rest that end at the end of a word, longest first.
     *
     * @param maxChars of one beginning
     */
    List<String> prefixes(int maxChars) {
        List<String> prefixes = new ArrayList<>();
        for (int end = Math.min(maxChars, rest.length()); end > 0; end--) {
            if ((end == rest.length() || Character.isWhitespace(rest.charAt(end)))
                    && !Character.isWhitespace(rest.charAt(end - 1))) {
                prefixes.add(rest.substring(0, end));
            }
        }
        return prefixes;
    }

    /** Reads all words. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        while (!isEmpty()) {
            words.add(word());
        }
        return words;
    }

    /** A number written as {@code 7} or {@code #7}; empty for any other word. */
    static OptionalInt number(String word) {
        String digits = word.startsWith("#") ? word.substring(1) : word;
        return digits.matches("[0-9]{1,9}")
                ? OptionalInt.of(Integer.parseInt(digits))
                : OptionalInt.empty();
    }

    /** A text in quotes, as {@link #word} reads it. */
    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
