package dev.wishdir.game.operator;

import java.util.List;
import java.util.stream.Stream;

/** The lines of an answer to an operator, where a game shows a limited number of them. */
public final class AnswerLines {
    private AnswerLines() {}

    /** The first lines of an answer; if there are more, the last one says how many. */
    public static List<String> first(String answer, int max) {
        List<String> lines = answer.lines().toList();
        return lines.size() <= max
                ? lines
                : Stream.concat(
                                lines.stream().limit(max - 1),
                                Stream.of(leftOut(lines.size() - max + 1)))
                        .toList();
    }

    /** The line in place of others. */
    static String leftOut(int count) {
        return "("
                + count
                + (count == 1 ? " more line" : " more lines")
                + ": the terminal of the server shows all, its ban file all bans)";
    }
}
