package dev.wishdir.game.text;

import java.util.stream.Collectors;

/** A text of several lines as one line. */
public final class LineText {
    private LineText() {}

    /** The lines of a text, without blanks around each and without empty ones, joined by spaces. */
    public static String join(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" "));
    }
}
