package dev.wishdir.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class JoinLimitsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bedrock | the identity is not certified: sign in to Xbox | --bedrock-auth off",
                "bedrock | disconnectionScreen.notAuthenticated | online-mode=false",
                "quake3 | disconnectionScreen.notAuthenticated | ''",
                "quake3 | Too many players or joins from your address. | --trust ADDRESS",
                "bedrock | The server is full. | ''",
            })
    void namesOptionThatLiftsLimit(String name, String reason, String option) {
        Game game = new Games.Converter(Games.ALL).convert(name);
        String text = JoinLimits.reasons(game, List.of(reason));
        assertThat(text).startsWith(": " + reason).contains(option);
        assertThat(text.contains("(")).isEqualTo(!option.isEmpty());
    }
}
