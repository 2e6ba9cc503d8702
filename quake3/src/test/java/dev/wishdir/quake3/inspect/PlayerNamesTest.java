package dev.wishdir.quake3.inspect;

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
                TestMessages.of(direction, "quake3", message, Map.of(field, text)));
    }

    private static Optional<String> name(
            Direction direction, String message, String field, String text) {
        return named(direction, message, field, text).player().map(PlayerName::text);
    }

    @Test
    void readsNamesThatClientsSend() {
        assertThat(name(Direction.C2S, "connect", "text", "connect \"\\rate\\8\\name\\a b\""))
                .hasValue("a b");
        assertThat(name(Direction.C2S, "clientCommand", "text", "userinfo \"\\x\\1\\name\\last\""))
                .hasValue("last");
    }

    @Test
    void ignoresOtherTexts() {
        assertThat(name(Direction.S2C, "connect", "text", "\\name\\eve")).isEmpty();
        assertThat(name(Direction.C2S, "clientCommand", "text", "say \\name\\eve")).isEmpty();
    }

    @Test
    void takesColoursOutOfPlainName() {
        PlayerName name =
                named(Direction.C2S, "clientCommand", "text", "userinfo \"\\name\\^1Z^7ed\"")
                        .player()
                        .orElseThrow();
        assertThat(name).isEqualTo(new PlayerName("^1Z^7ed", "Zed"));
        assertThat(name.matches("zed")).isTrue();
        assertThat(name.matches("ze")).isFalse();
    }
}
