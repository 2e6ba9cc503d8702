package dev.wishdir.bedrock.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.PlayerAuthInput.Input;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.BotController.PlayerInput;

import org.junit.jupiter.api.Test;

class LocalPlayerTest {
    private static final long SPRINT =
            Input.SPRINTING | Input.START_SPRINTING | Input.STOP_SPRINTING;

    private final LocalPlayer player = new LocalPlayer(BedrockCodec.NEWEST);

    @Test
    void tellsServerStartAndEndOfSprint() {
        assertThat(sprintInputs(false)).isZero();
        assertThat(sprintInputs(true)).isEqualTo(Input.SPRINTING | Input.START_SPRINTING);
        assertThat(sprintInputs(true)).isEqualTo(Input.SPRINTING);
        assertThat(sprintInputs(false)).isEqualTo(Input.STOP_SPRINTING);
        assertThat(sprintInputs(false)).isZero();
    }

    private long sprintInputs(boolean sprint) {
        PlayerInput wanted = new PlayerInput(0, 0, 1, 0, false, false, sprint);
        return ((PlayerAuthInput) player.step(0, wanted).orElseThrow()).input() & SPRINT;
    }
}
