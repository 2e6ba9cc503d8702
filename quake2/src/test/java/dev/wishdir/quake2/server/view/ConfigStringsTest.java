package dev.wishdir.quake2.server.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.quake2.combat.PrecacheTable;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.LayoutProgram;

import org.junit.jupiter.api.Test;

import java.util.Optional;

class ConfigStringsTest {
    private final ConfigStrings strings = new ConfigStrings(_ -> {});

    @Test
    void refusesTextsThatClientsHaveNoRoomFor() {
        strings.set(1312, "x".repeat(63));
        assertThatThrownBy(() -> strings.set(1312, "x".repeat(64)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("63");
        assertThat(strings.get(1312)).hasSize(63);
    }

    @Test
    void hasAStatusBarAndTablesInAMatch() throws Exception {
        strings.describe(new Quake2MapCatalog(Optional.empty()).load(""));
        strings.describe(new PrecacheTable(0), LayoutProgram.STATUS_BAR);
        assertThat(strings.get(ConfigStrings.STATUS_BAR)).startsWith("yb -24 xv 0 hnum ");
        // Up to the slot of the air acceleration.
        assertThat(strings.get(ConfigStrings.STATUS_BAR)).hasSizeLessThan(24 * 64);
        assertThat(strings.get(34)).isEqualTo("models/weapons/v_blast/tris.md2");
        assertThat(strings.get(1056 + 7)).isEqualTo("Blaster");
    }
}
