package dev.wishdir.sauerbraten.server.chat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MasterModeTest {
    @Test
    void hasNumbersOfProtocol() {
        assertThat(MasterMode.of(-1)).isEmpty();
        assertThat(MasterMode.of(0)).contains(MasterMode.OPEN);
        assertThat(MasterMode.of(1)).contains(MasterMode.VETO);
        assertThat(MasterMode.of(2)).contains(MasterMode.LOCKED);
        assertThat(MasterMode.of(3)).contains(MasterMode.PRIVATE);
        assertThat(MasterMode.of(4)).isEmpty();
        assertThat(MasterMode.PRIVATE.code()).isEqualTo(3);
    }

    @Test
    void includesModesBefore() {
        assertThat(MasterMode.PRIVATE.isAtLeast(MasterMode.LOCKED)).isTrue();
        assertThat(MasterMode.LOCKED.isAtLeast(MasterMode.LOCKED)).isTrue();
        assertThat(MasterMode.VETO.isAtLeast(MasterMode.LOCKED)).isFalse();
    }
}
