package dev.wishdir.quake2.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake2.netchan.InfoString;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientSettingsTest {
    private static ClientSettings settings(String text) {
        return new ClientSettings(InfoString.parse(text).get());
    }

    @ParameterizedTest
    @CsvSource({"\\name\\a, 5000", "\\rate\\1, 100", "\\rate\\9000, 9000", "\\rate\\99999, 15000"})
    void limitsTheRate(String text, int rate) {
        assertThat(settings(text).rate()).isEqualTo(rate);
    }

    @Test
    void requestsTenFramesPerSecondUnlessSet() {
        assertThat(settings("\\name\\a").framesPerSecond()).isEqualTo(10);
        assertThat(settings("\\frames\\60").framesPerSecond()).isEqualTo(60);
    }

    @Test
    void isSpectatorWithAnyValueButZero() {
        assertThat(settings("\\name\\a").isSpectator()).isFalse();
        assertThat(settings("\\spectator\\0").isSpectator()).isFalse();
        assertThat(settings("\\spectator\\1").isSpectator()).isTrue();
        assertThat(settings("\\spectator\\yes").isSpectator()).isTrue();
    }

    @Test
    void findsWhatDiffers() {
        ClientSettings before = settings("\\name\\a\\skin\\male/grunt");
        ClientSettings after = settings("\\name\\a\\skin\\female/athena\\spectator\\1");
        assertThat(after.differs(before, "name")).isFalse();
        assertThat(after.differs(before, "skin")).isTrue();
        assertThat(after.differs(before, "spectator")).isTrue();
    }
}
