package dev.wishdir.game;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * A line of an operator, read from its front. Words are parted by blanks; what is in quotes is one
 * word, where {@code \"} and {@code \\} stand for the characters themselves.
 */
final class CommandReader {
    private String rest;

    CommandReader(String line) {
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
        return new CommandReader(rest).word();
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

    /**
     * The texts with which the line goes on and after which a word ends, the longest first.
     *
     * @param length the most characters of one
     */
    List<String> beginnings(int length) {
        List<String> beginnings = new ArrayList<>();
        for (int end = Math.min(length, rest.length()); end > 0; end--) {
            if ((end == rest.length() || Character.isWhitespace(rest.charAt(end)))
                    && !Character.isWhitespace(rest.charAt(end - 1))) {
                beginnings.add(rest.substring(0, end));
            }
        }
        return beginnings;
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
