package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When it is said that a server does not answer. */
class SilenceNoticeTest {
    private final SilenceNotice notice = new SilenceNotice("127.0.0.1:5", 100);

    @Test
    void appearsOnceAfterThreeSeconds() {
        assertThat(notice.at(99 + SilenceNotice.SILENCE_NANOS, 0)).isEmpty();
        assertThat(notice.at(100 + SilenceNotice.SILENCE_NANOS, 0))
                .hasValueSatisfying(
                        text -> assertThat(text).contains("nothing answers at 127.0.0.1:5"));
        assertThat(notice.at(200 + SilenceNotice.SILENCE_NANOS, 0)).isEmpty();
    }

    @Test
    void doesNotAppearAfterAnswer() {
        assertThat(notice.at(200, 1)).isEmpty();
        assertThat(notice.at(100 + SilenceNotice.SILENCE_NANOS, 1)).isEmpty();
    }
}
