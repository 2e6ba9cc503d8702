package dev.wishdir.bedrock.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

/** Fields of messages by name, as rules use them. */
class BedrockFieldsTest {
    private final BedrockFields fields = new BedrockFields();

    @Test
    void setsNumbersBooleansAndTexts() {
        BedrockMessage moved = fields.with(MovePlayer.BLANK, "position.y", "64.5");
        moved = fields.with(moved, "runtime_id", "9223372036854775807");
        moved = fields.with(moved, "on_ground", "true");
        moved = fields.with(moved, "mode", "2");
        assertThat(moved)
                .isInstanceOfSatisfying(
                        MovePlayer.class,
                        move -> {
                            assertThat(move.position().y()).isEqualTo(64.5f);
                            assertThat(move.runtimeId()).isEqualTo(Long.MAX_VALUE);
                            assertThat(move.onGround()).isTrue();
                            assertThat(move.mode()).isEqualTo(2);
                        });
        assertThat(fields.with(Text.chat("anna", "hello"), "message", "good bye"))
                .isEqualTo(Text.chat("anna", "good bye"));
    }

    @Test
    void printsWhatInspectorPrints() {
        assertThat(fields.name(Text.BLANK)).isEqualTo("text");
        assertThat(fields.values(Text.chat("anna", "hello")))
                .containsEntry("message", "hello")
                .doesNotContainValue(null);
    }

    @Test
    void hasExampleOfEachMessageThatCanBeNamed() {
        assertThat(fields.examples().stream().map(fields::name))
                .contains("text", "move_player", "player_auth_input", "level_sound_event");
        assertThat(fields.examples())
                .allSatisfy(each -> {
                    assertThat(fields.name(each)).matches("[a-z_0-9]+");
                    assertThat(fields.values(each)).isNotNull();
                });
    }

    @Test
    void refusesFieldsThatItCannotSet() {
        assertThatThrownBy(() -> fields.with(MovePlayer.BLANK, "speed", "1"))
                .hasMessageContaining("field 'speed' can't be set; allowed: runtimeId, position");
        assertThatThrownBy(() -> fields.with(MovePlayer.BLANK, "runtime_id", "x"))
                .hasMessageContaining("must be a whole number of 64 bits");
        assertThatThrownBy(() -> fields.with(MovePlayer.BLANK, "position.y", "NaN"))
                .hasMessageContaining("must be a number");
        assertThatThrownBy(() -> fields.with(new Unknown(123, Bytes.EMPTY), "length", "1"))
                .hasMessageContaining("can't be set; allowed: none");
    }
}
