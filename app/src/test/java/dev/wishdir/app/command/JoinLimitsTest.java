package dev.wishdir.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class JoinLimitsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "the identity is not certified: sign in to Xbox | --bedrock-auth off",
                "disconnectionScreen.notAuthenticated | online-mode=false",
                "Too many players or joins from your address. | --trust ADDRESS",
                "The server is full. | ''",
            })
    void namesOptionThatLiftsLimit(String reason, String option) {
        String text = JoinLimits.reasons(List.of(reason));
        assertThat(text).startsWith(": " + reason).contains(option);
        assertThat(text.contains("(")).isEqualTo(!option.isEmpty());
    }
}
