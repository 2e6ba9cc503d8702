package dev.wishdir.game.operator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class RconHandlerTest {
    private static final int MAX_CHARS = 1_000;

    private final RconHandler handler = new RconHandler(MAX_CHARS, UnaryOperator.identity());

    private static String answer(int lines) {
        return IntStream.range(0, lines)
                .mapToObj("%5d 10.1.2.3 forever by console: cheats"::formatted)
                .collect(Collectors.joining("\n"));
    }

    private List<String> lines(long now, String answer) {
        List<String> packets = handler.packets(now, answer);
        assertThat(packets).allMatch(packet -> packet.length() <= MAX_CHARS);
        return String.join("", packets).lines().toList();
    }

    @Test
    void sendsWholeAnswerWithinLimit() {
        String answer = answer(1_000);
        assertThat(lines(0, answer)).isEqualTo(answer.lines().toList());
        assertThat(handler.packets(0, "")).containsExactly("");
    }

    @Test
    void saysHowManyLinesOfLongAnswerAreLeftOut() {
        int all = 20_000;
        List<String> lines = lines(0, answer(all));
        List<String> shown = lines.subList(0, lines.size() - 1);
        assertThat(shown).isEqualTo(answer(shown.size()).lines().toList());
        assertThat(shown).hasSizeGreaterThan(1_000);
        assertThat(lines.getLast())
                .startsWith("(" + (all - shown.size()) + " more lines: ")
                .contains("ban file");
        assertThat(handler.packets(0, "status")).as("the limit holds").isEmpty();
        assertThat(lines(1_000_000_000, answer(all)).getLast()).contains(" more lines: ");
    }

    @Test
    void endsAnswerInChatWithNumberOfFurtherLines() {
        assertThat(AnswerLines.first("a\nb", 2)).containsExactly("a", "b");
        assertThat(AnswerLines.first("a\nb\nc", 2)).first().isEqualTo("a");
        assertThat(AnswerLines.first("a\nb\nc", 2).getLast()).startsWith("(2 more lines: ");
    }
}
