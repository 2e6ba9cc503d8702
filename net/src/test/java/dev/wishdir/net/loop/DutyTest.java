package dev.wishdir.net.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DutyTest {
    @Test
    void keepsRhythmWhenLate() {
        assertThat(Duty.nextDeadline(100, 30, 100)).isEqualTo(130);
        assertThat(Duty.nextDeadline(100, 30, 129)).isEqualTo(130);
        assertThat(Duty.nextDeadline(100, 30, 130)).isEqualTo(160);
        assertThat(Duty.nextDeadline(100, 30, 1_005)).isEqualTo(1_030);
    }
}
