package dev.wishdir.quake2.inspect;

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
                TestMessages.of(direction, "quake2", message, Map.of(field, text)));
    }

    private static Optional<String> name(
            Direction direction, String message, String field, String text) {
        return named(direction, message, field, text).player().map(PlayerName::text);
    }

    @Test
    void readsNamesThatClientsSend() {
        assertThat(
                        name(
                                Direction.C2S,
                                "connect",
                                "text",
                                "connect 34 8200 7 \"\\fov\\90\\NAME\\a b\\rate\\8\"\n"))
                .hasValue("a b");
        assertThat(name(Direction.C2S, "userinfo", "text", "\\name\\last")).hasValue("last");
    }

    @Test
    void ignoresOtherTexts() {
        assertThat(name(Direction.S2C, "connect", "text", "\\name\\eve")).isEmpty();
        assertThat(name(Direction.C2S, "stringcmd", "text", "say \\name\\eve")).isEmpty();
        assertThat(name(Direction.C2S, "userinfo", "text", "\\name\\")).isEmpty();
    }
}
