package dev.wishdir.game;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * A line of an operator, read from its front. Words are parted by blanks; what is in quotes is one
 * word, where {@code \"} and {@code \\} stand for the characters themselves.
 */
final class Order {
    private String rest;

    Order(String line) {
        rest = line.strip();
    }

    /** What has not been read. */
    String rest() {
        return rest;
    }

    boolean isEmpty() {
        return rest.isEmpty();
    }

    boolean isQuoted() {
        return rest.startsWith("\"");
    }

    /** The next word without reading it; empty where there is none. */
    String ahead() {
        return new Order(rest).word();
    }

    /** Reads the next word; empty where there is none. A quote that is not closed ends with it. */
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

    /** Reads a text whose word this is, whichever case it is written in. */
    void skip(String text) {
        cut(text, text.length());
    }

    private String cut(String word, int length) {
        rest = rest.substring(length).strip();
        return word;
    }

    /** Whether the line goes on with this text, and a word ends there. */
    boolean begins(String text) {
        return rest.regionMatches(true, 0, text, 0, text.length())
                && (rest.length() == text.length()
                        || Character.isWhitespace(rest.charAt(text.length())));
    }

    /** Reads all words. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        while (!isEmpty()) {
            words.add(word());
        }
        return words;
    }

    /** A number as one of {@code 7} or {@code #7}; nothing for all else. */
    static OptionalInt number(String word) {
        String digits = word.startsWith("#") ? word.substring(1) : word;
        return digits.matches("[0-9]{1,9}")
                ? OptionalInt.of(Integer.parseInt(digits))
                : OptionalInt.empty();
    }

    /** A text as {@link #word} reads it back. */
    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
