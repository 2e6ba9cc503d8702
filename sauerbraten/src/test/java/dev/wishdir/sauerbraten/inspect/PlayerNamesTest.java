package dev.wishdir.sauerbraten.inspect;

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
                TestMessages.of(direction, "sauerbraten", message, Map.of(field, text)));
    }

    private static Optional<String> name(
            Direction direction, String message, String field, String text) {
        return named(direction, message, field, text).player().map(PlayerName::text);
    }

    @Test
    void readsNamesThatClientsSend() {
        assertThat(name(Direction.C2S, "N_CONNECT", "name", "alice")).hasValue("alice");
        assertThat(name(Direction.C2S, "N_SWITCHNAME", "name", "bob")).hasValue("bob");
    }

    @Test
    void ignoresOtherTexts() {
        assertThat(name(Direction.S2C, "N_INITCLIENT", "name", "eve")).isEmpty();
        assertThat(name(Direction.S2C, "N_CONNECT", "name", "eve")).isEmpty();
        assertThat(name(Direction.C2S, "N_CONNECT", "name", "")).isEmpty();
        assertThat(name(Direction.C2S, "N_TEXT", "name", "eve")).isEmpty();
    }

    @Test
    void takesColoursOutOfPlainName() {
        PlayerName name =
                named(Direction.C2S, "N_CONNECT", "name", "\f3Zed").player().orElseThrow();
        assertThat(name).isEqualTo(new PlayerName("\f3Zed", "Zed"));
        assertThat(name.matches("zed")).isTrue();
        assertThat(name.matches("ze")).isFalse();
    }
}
