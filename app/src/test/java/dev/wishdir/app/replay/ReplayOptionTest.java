package dev.wishdir.app.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

class ReplayOptionTest {
    @Test
    void readsFileAndSettings() {
        assertThat(ReplayOption.parse("a.mcap"))
                .isEqualTo(new ReplayOption(Path.of("a.mcap"), false, 1, 0));
        assertThat(ReplayOption.parse("a,b.mcap,from=1:30.5,loop,speed=0.5"))
                .isEqualTo(new ReplayOption(Path.of("a,b.mcap"), true, 0.5, 90.5));
        assertThat(ReplayOption.parse("loop"))
                .isEqualTo(new ReplayOption(Path.of("loop"), false, 1, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ",loop", "a,speed=fast", "a,speed=-1", "a,from=yesterday", "a,from="})
    void refusesInvalidSettings(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ReplayOption.parse(text));
    }
}
