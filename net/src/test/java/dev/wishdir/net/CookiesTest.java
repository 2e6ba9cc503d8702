package dev.wishdir.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Random;

class CookiesTest {
    private final Cookies cookies = new Cookies(new Random(5), 0);

    private static InetSocketAddress address(int host, int port) {
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(new byte[] {10, 0, (byte) (host >> 8), (byte) host}),
                    port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCookieIsGoodForItsAddressAndPortAlone() {
        long cookie = cookies.cookie(0, address(1, 4000));
        assertThat(cookie).isBetween(0L, 0xFFFF_FFFFL);
        assertThat(cookies.isGood(0, address(1, 4000), cookie)).isTrue();
        assertThat(cookies.isGood(0, address(2, 4000), cookie)).isFalse();
        assertThat(cookies.isGood(0, address(1, 4001), cookie)).isFalse();
        assertThat(cookies.isGood(0, address(1, 4000), cookie ^ 1)).isFalse();
    }

    @Test
    void aFloodOfOthersTakesNobodysCookieAway() {
        long cookie = cookies.cookie(0, address(1, 4000));
        for (int i = 2; i < 20_000; i++) {
            cookies.cookie(i, address(i, 4000));
        }
        assertThat(cookies.isGood(Cookies.KEY_LIFE, address(1, 4000), cookie)).isTrue();
        assertThat(cookies.isGood(2 * Cookies.KEY_LIFE, address(1, 4000), cookie)).isFalse();
    }

    @Test
    void aClockThatStepsBackTakesNobodysCookieAway() {
        long now = 100 * Cookies.KEY_LIFE;
        long cookie = cookies.cookie(now, address(1, 4000));
        long before = now - 50 * Cookies.KEY_LIFE;
        assertThat(cookies.isGood(before, address(1, 4000), cookie)).isTrue();
        assertThat(cookies.isGood(before + Cookies.KEY_LIFE, address(1, 4000), cookie)).isTrue();
        assertThat(cookies.isGood(before + 3 * Cookies.KEY_LIFE, address(1, 4000), cookie))
                .isFalse();
    }
}
