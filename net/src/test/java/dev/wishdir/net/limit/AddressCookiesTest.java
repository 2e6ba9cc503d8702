package dev.wishdir.net.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Random;

class AddressCookiesTest {
    private final AddressCookies cookies = new AddressCookies(new Random(5), 0);

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
    void acceptsCookieOnlyFromItsAddressAndPort() {
        long cookie = cookies.cookie(0, address(1, 4000));
        assertThat(cookie).isBetween(0L, 0xFFFF_FFFFL);
        assertThat(cookies.isValid(0, address(1, 4000), cookie)).isTrue();
        assertThat(cookies.isValid(0, address(2, 4000), cookie)).isFalse();
        assertThat(cookies.isValid(0, address(1, 4001), cookie)).isFalse();
        assertThat(cookies.isValid(0, address(1, 4000), cookie ^ 1)).isFalse();
    }

    @Test
    void keepsCookiesDuringFlood() {
        long cookie = cookies.cookie(0, address(1, 4000));
        for (int i = 2; i < 20_000; i++) {
            cookies.cookie(i, address(i, 4000));
        }
        assertThat(cookies.isValid(AddressCookies.KEY_LIFETIME_NANOS, address(1, 4000), cookie))
                .isTrue();
        assertThat(cookies.isValid(2 * AddressCookies.KEY_LIFETIME_NANOS, address(1, 4000), cookie))
                .isFalse();
    }

    @Test
    void keepsCookiesWhenClockStepsBack() {
        long now = 100 * AddressCookies.KEY_LIFETIME_NANOS;
        long cookie = cookies.cookie(now, address(1, 4000));
        long before = now - 50 * AddressCookies.KEY_LIFETIME_NANOS;
        assertThat(cookies.isValid(before, address(1, 4000), cookie)).isTrue();
        assertThat(
                        cookies.isValid(
                                before + AddressCookies.KEY_LIFETIME_NANOS,
                                address(1, 4000),
                                cookie))
                .isTrue();
        assertThat(
                        cookies.isValid(
                                before + 3 * AddressCookies.KEY_LIFETIME_NANOS,
                                address(1, 4000),
                                cookie))
                .isFalse();
    }

    /** A leaver's copied connect is worth nothing, but he himself may come back at once. */
    @Test
    void refusesSpentCookieAndIssuesAnother() {
        long first = cookies.cookie(0, address(1, 4000));
        for (int i = 1; i < 100; i++) {
            long before = cookies.cookie(i, address(1, 4000));
            cookies.spend(address(1, 4000));
            assertThat(cookies.isValid(i, address(1, 4000), before)).isFalse();
            long next = cookies.cookie(i, address(1, 4000));
            assertThat(cookies.isValid(i, address(1, 4000), next)).isTrue();
        }
        assertThat(cookies.isValid(100, address(1, 4000), first)).isFalse();
        long neighbour = cookies.cookie(100, address(1, 4001));
        assertThat(cookies.isValid(100, address(1, 4001), neighbour)).isTrue();
    }

    @Test
    void boundsRememberedSpentCookies() {
        long cookie = cookies.cookie(0, address(1, 4000));
        cookies.spend(address(1, 4000));
        for (int port = 1; port <= 1 << 14; port++) {
            assertThat(cookies.isValid(0, address(1, 4000), cookie)).isFalse();
            cookies.spend(address(2, port));
        }
        assertThat(cookies.isValid(0, address(1, 4000), cookie)).isTrue();
    }

    @Test
    @DisplayName("G4: all 2^16 guesses, and all 32 bits are unknown")
    void resistsGuesses() {
        int allOnes = 0;
        int anyOnes = 0;
        for (int port = 1; port < 2000; port++) {
            long cookie = cookies.cookie(0, address(3, port));
            allOnes = port == 1 ? (int) cookie : allOnes & (int) cookie;
            anyOnes |= (int) cookie;
        }
        assertThat(allOnes).isZero();
        assertThat(anyOnes).isEqualTo(-1);
        for (int guess = 0; guess < 1 << 16; guess++) {
            assertThat(cookies.isValid(0, address(1, 4000), guess)).isFalse();
        }
    }

    @Test
    void readsChallengeWithSign() {
        int port = 1;
        while (cookies.cookie(0, address(1, port)) <= Integer.MAX_VALUE) {
            port++;
        }
        int signed = (int) cookies.cookie(0, address(1, port));
        assertThat(signed).isNegative();
        assertThat(cookies.isValid(0, address(1, port), signed)).isTrue();
        assertThat(cookies.isValid(0, address(1, port), Integer.toUnsignedLong(signed))).isTrue();
    }
}
