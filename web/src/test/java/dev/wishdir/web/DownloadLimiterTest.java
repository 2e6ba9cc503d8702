package dev.wishdir.web;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.javalin.http.ServiceUnavailableResponse;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.util.Optional;

class DownloadLimiterTest {
    private final DownloadLimiter limiter = new DownloadLimiter();

    private void refuses(String address, String reason) {
        assertThatExceptionOfType(ServiceUnavailableResponse.class)
                .isThrownBy(() -> limiter.enter(Optional.of(InetAddress.ofLiteral(address))))
                .withMessageContaining(reason);
    }

    @Test
    @DisplayName("M9 an address that takes its clips or exports slowly keeps no other from its own")
    void limitsDownloadsOfAddress() {
        for (int i = 0; i < DownloadLimiter.MAX_DOWNLOADS_PER_ADDRESS; i++) {
            limiter.enter(Optional.of(InetAddress.ofLiteral("10.0.0.1")));
        }
        for (int i = 0; i < 100; i++) {
            refuses("10.0.0.1", "to your address");
        }
        assertThatCode(() -> limiter.enter(Optional.of(InetAddress.ofLiteral("10.0.0.2"))))
                .doesNotThrowAnyException();
        limiter.leave(Optional.of(InetAddress.ofLiteral("10.0.0.1")));
        assertThatCode(() -> limiter.enter(Optional.of(InetAddress.ofLiteral("10.0.0.1"))))
                .doesNotThrowAnyException();
        refuses("10.0.0.1", "to your address");
        limiter.enter(Optional.of(InetAddress.ofLiteral("2001:db8::1")));
        limiter.enter(Optional.of(InetAddress.ofLiteral("2001:db8::2")));
        refuses("2001:db8::ffff:3", "to your address");
        assertThatCode(() -> limiter.enter(Optional.of(InetAddress.ofLiteral("2001:db8:0:1::1"))))
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("M9 downloads of all addresses together are bounded")
    void limitsDownloadsOfAll() {
        for (int i = 0; i < DownloadLimiter.MAX_DOWNLOADS; i++) {
            limiter.enter(Optional.of(InetAddress.ofLiteral("10.0.0." + i)));
        }
        refuses("10.0.1.1", "8 downloads are being sent: ");
        limiter.leave(Optional.of(InetAddress.ofLiteral("10.0.0.0")));
        assertThatCode(() -> limiter.enter(Optional.of(InetAddress.ofLiteral("10.0.1.1"))))
                .doesNotThrowAnyException();
        refuses("10.0.1.2", "8 downloads are being sent: ");
    }
}
