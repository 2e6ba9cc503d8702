package dev.wishdir.app.bot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

class BotNamesTest {
    @Test
    void givesHundredNamesThatAllGamesShow() {
        assertThat(BotNames.ALL).hasSize(100).doesNotHaveDuplicates();
        assertThat(BotNames.ALL).allMatch(name -> name.matches("[A-Z][a-z]{2,7}"));
    }

    @Test
    void givesNoNameTwice() {
        BotNames names = new BotNames(new Random(1));
        List<String> given = Stream.generate(names::next).limit(1_000).toList();

        assertThat(given).doesNotHaveDuplicates().allMatch(name -> name.length() <= 10);
        assertThat(given.subList(0, 100)).containsExactlyInAnyOrderElementsOf(BotNames.ALL);
    }

    @Test
    void beginsWithAnotherNameEachTime() {
        assertThat(new BotNames(new Random(1)).next())
                .isNotEqualTo(new BotNames(new Random(2)).next());
    }
}
