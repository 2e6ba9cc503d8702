package dev.wishdir.enet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class EnetSettingsTest {
    @Test
    void matchesDefaultsOfEnet() {
        EnetSettings settings = EnetSettings.builder().build();
        assertThat(settings.mtu()).isEqualTo(1392);
        assertThat(settings.channels()).isEqualTo(1);
        assertThat(settings.inBandwidth()).isZero();
        assertThat(settings.counters()).isEqualTo("enet.drop");
    }

    @Test
    void refusesInexpressibleSettingsByName() {
        EnetSettings.Builder builder = EnetSettings.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.mtu(575).build())
                .withMessage("mtu is 575, must be 576..4096");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EnetSettings.builder().maxPeers(4000).maxHalfOpen(96).build())
                .withMessageContaining("maxHalfOpen is 96, must be 0..95");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EnetSettings.builder().overflowReason(1L << 32).build())
                .withMessageContaining("overflowReason");
    }
}
