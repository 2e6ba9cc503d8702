package dev.wishdir.net.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;

class AmplificationLimiterTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AmplificationLimiter limiter = AmplificationLimiter.standard(7);

    private static InetAddress v4(int a, int b, int c, int d) {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) a, (byte) b, (byte) c, (byte) d});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void grantsBurstThenRatePerPrefix() {
        long sent = 0;
        for (long now = 0; now < 10 * SECOND; now += SECOND / 1000) {
            // All hosts of one /24 share the bucket.
            if (limiter.tryAcquire(now, v4(20, 0, 0, (int) (now / 1_000_000) & 0xFF), 100)) {
                sent += 100;
            }
        }
        assertThat(sent).isBetween(20_000L, 4096 + 10 * 2048L);
    }

    @Test
    void keepsTotalOverAllPrefixes() {
        long sent = 0;
        for (int i = 0; i < 100_000; i++) {
            long now = i * (10 * SECOND / 100_000);
            if (limiter.tryAcquire(now, v4(i >> 16, i >> 8, i, 1), 60)) {
                sent += 60;
            }
        }
        assertThat(sent).isBetween(600_000L, 11 * 65_536L);
    }

    @Test
    void answersHonestQueryAfterFlood() {
        for (int i = 0; i < 20_000; i++) {
            limiter.tryAcquire(0, v4(1, i >> 8, i, 9), 60);
        }
        assertThat(limiter.tryAcquire(0, v4(10, 9, 8, 7), 60)).isFalse();
        assertThat(limiter.tryAcquire(SECOND, v4(10, 9, 8, 7), 60)).isTrue();
    }

    @Test
    void answersHonestHandshakeDuringFlood() {
        int answered = 0;
        for (int i = 0; i < 100_000; i++) {
            long now = i * (10 * SECOND / 100_000);
            limiter.tryAcquire(now, v4(127, 1, i % 100, 9), 60);
            limiter.tryAcquire(now, v4(127, 2, i % 100, 9), 700);
            if (i % 20_000 == 10_000) {
                for (int step = 0; step < 2; step++) {
                    answered += limiter.tryAcquire(now, v4(10, 0, i / 20_000, 1), 100) ? 1 : 0;
                }
            }
        }
        assertThat(answered).isEqualTo(10);
    }

    @Test
    void answersPrefixShortlyAfterFlood() {
        for (int i = 0; i < 9_000; i++) {
            limiter.tryAcquire(i * (SECOND / 30_000), v4(127, i % 500 >> 8, i % 500, 9), 60);
        }
        for (int i = 0; i < 8; i++) {
            assertThat(limiter.tryAcquire(3 * SECOND / 10, v4(10, 0, 0, 1), 60)).isTrue();
        }
    }

    @Test
    @DisplayName("A11 all browsers of a private network are answered at once")
    void answersAllBrowsersOfPrivateNetwork() throws UnknownHostException {
        for (InetAddress network :
                new InetAddress[] {
                    v4(127, 0, 5, 0),
                    v4(10, 1, 2, 0),
                    v4(172, 20, 0, 0),
                    v4(192, 168, 0, 0),
                    v4(169, 254, 1, 0),
                    InetAddress.getByName("fd00::"),
                    InetAddress.getByName("fe80::")
                }) {
            AmplificationLimiter fresh = AmplificationLimiter.standard(7);
            int answered = 0;
            for (int i = 1; i <= 20; i++) {
                byte[] browser = network.getAddress();
                browser[browser.length - 1] = (byte) i;
                answered += fresh.tryAcquire(0, InetAddress.getByAddress(browser), 1_300) ? 1 : 0;
            }
            assertThat(answered).as("%s", network).isEqualTo(20);
        }
        int answered = 0;
        for (int i = 1; i <= 20; i++) {
            answered += limiter.tryAcquire(0, v4(20, 0, 0, i), 1_300) ? 1 : 0;
        }
        assertThat(answered).as("anywhere else").isEqualTo(3);
    }

    @Test
    @DisplayName("A11 an address of a private network, and all of them, have their limits")
    void limitsAddressesOfPrivateNetwork() {
        int sent = 0;
        while (limiter.tryAcquire(0, v4(10, 0, 0, 1), 100)) {
            sent += 100;
        }
        assertThat(sent).isEqualTo(4_000);
        for (int i = 0; i < 2_000; i++) {
            sent += limiter.tryAcquire(0, v4(10, 0, i >> 8, i), 100) ? 100 : 0;
        }
        assertThat(sent).isLessThan(65_536);
    }

    @Test
    void chargesProvenAddressesSeparately() {
        for (int i = 0; i < 20_000; i++) {
            limiter.tryAcquire(0, v4(1, i >> 8, i, 9), 60);
        }
        int sent = 0;
        while (limiter.tryAcquireVerified(0, v4(20, 9, 8, 7), 60)) {
            sent += 60;
        }
        assertThat(sent).isBetween(4_000, 4_096);
        assertThat(limiter.tryAcquire(SECOND, v4(20, 9, 8, 7), 60)).isTrue();
    }

    @Test
    void sharesBucketsRarely() {
        PrefixRateLimiter buckets = new PrefixRateLimiter(1, 0, 7);
        for (int i = 0; i < 600; i++) {
            buckets.take(buckets.buckets(v4(1, i >> 8, i, 9)), 1);
        }
        int poor = 0;
        for (int i = 0; i < 20_000; i++) {
            poor += buckets.left(0, buckets.buckets(v4(2, i >> 8, i, 9))) < 1 ? 1 : 0;
        }
        assertThat(poor).isLessThan(20);
    }

    @Test
    void survivesClockStepBack() {
        long now = TimeUnit.DAYS.toNanos(30);
        while (limiter.tryAcquire(now, v4(20, 0, 0, 1), 500)) {}
        now -= TimeUnit.HOURS.toNanos(1);
        assertThat(limiter.tryAcquire(now, v4(20, 0, 0, 1), 500)).isFalse();
        assertThat(limiter.tryAcquire(now + SECOND, v4(20, 0, 0, 1), 500)).isTrue();
        assertThat(limiter.tryAcquire(now + TimeUnit.DAYS.toNanos(60), v4(20, 0, 0, 1), 4000))
                .isTrue();
    }

    @Test
    void countsIpv6PrefixAsOne() throws UnknownHostException {
        byte[] address = new byte[16];
        address[0] = 0x20;
        address[15] = 1;
        InetAddress one = InetAddress.getByAddress(address);
        address[15] = 2;
        InetAddress two = InetAddress.getByAddress(address);
        assertThat(limiter.tryAcquire(0, one, 4096)).isTrue();
        assertThat(limiter.tryAcquire(0, two, 1)).isFalse();
    }
}
