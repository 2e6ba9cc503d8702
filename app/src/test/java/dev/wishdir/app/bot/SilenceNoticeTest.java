package dev.wishdir.app.bot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When it is said that a server does not answer. */
class SilenceNoticeTest {
    private final SilenceNotice notice = new SilenceNotice("127.0.0.1:5", 100);

    @Test
    void appearsOnceAfterThreeSeconds() {
        assertThat(notice.poll(99 + SilenceNotice.NOTICE_DELAY_NANOS, 0)).isEmpty();
        assertThat(notice.poll(100 + SilenceNotice.NOTICE_DELAY_NANOS, 0))
                .hasValueSatisfying(
                        text -> assertThat(text).contains("127.0.0.1:5 does not answer yet"));
        assertThat(notice.poll(200 + SilenceNotice.NOTICE_DELAY_NANOS, 0)).isEmpty();
    }

    @Test
    void doesNotAppearAfterAnswer() {
        assertThat(notice.poll(200, 1)).isEmpty();
        assertThat(notice.poll(100 + SilenceNotice.NOTICE_DELAY_NANOS, 1)).isEmpty();
    }
}
