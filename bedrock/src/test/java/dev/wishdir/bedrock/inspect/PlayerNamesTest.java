package dev.wishdir.bedrock.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.PlayerName;
import dev.wishdir.wire.dissect.TestMessages;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Optional;

class PlayerNamesTest {
    private static DissectedMessage named(
            Direction direction, String message, String field, String text) {
        return PlayerNames.named(
                TestMessages.of(direction, "bedrock", message, Map.of(field, text)));
    }

    private static Optional<String> name(
            Direction direction, String message, String field, String text) {
        return named(direction, message, field, text).player().map(PlayerName::text);
    }

    @Test
    void readsNamesThatClientsSend() {
        assertThat(name(Direction.C2S, "login", "name", "Ann")).hasValue("Ann");
    }

    @Test
    void ignoresOtherTexts() {
        assertThat(name(Direction.S2C, "login", "name", "eve")).isEmpty();
        assertThat(name(Direction.C2S, "login", "name", "")).isEmpty();
        assertThat(name(Direction.C2S, "text", "name", "eve")).isEmpty();
    }

    @Test
    void takesColoursOutOfPlainName() {
        PlayerName name = named(Direction.C2S, "login", "name", "§cZed").player().orElseThrow();
        assertThat(name).isEqualTo(new PlayerName("§cZed", "Zed"));
        assertThat(name.matches("zed")).isTrue();
        assertThat(name.matches("ze")).isFalse();
    }
}
