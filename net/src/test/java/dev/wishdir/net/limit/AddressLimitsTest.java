package dev.wishdir.net.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

class AddressLimitsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AddressLimits addressLimits = AddressLimits.standard(7);

    private static InetAddress at(String literal) {
        return InetAddress.ofLiteral(literal);
    }

    @Test
    @DisplayName("G12: 200 connects from one address, loopback like any other")
    void limitsSessionsPerAddress() {
        for (String address : List.of("127.0.0.1", "192.0.2.1", "::1")) {
            int in = 0;
            for (int i = 0; i < 200; i++) {
                in += addressLimits.enter(0, at(address)) == null ? 0 : 1;
            }
            assertThat(in).isEqualTo(8);
            assertThat(addressLimits.sessions(at(address))).isEqualTo(8);
        }
        assertThat(addressLimits.enter(0, at("127.0.0.2"))).isNotNull();
    }

    @Test
    @DisplayName("G22: the eighth player of an address leaves and comes again")
    void readmitsEighthPlayer() {
        List<AddressLimits.Place> places = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            places.add(Objects.requireNonNull(addressLimits.enter(0, at("192.0.2.1"))));
        }
        assertThat(addressLimits.enter(0, at("192.0.2.1"))).isNull();
        places.getLast().leave();
        // A second end of the same session frees no other place.
        places.getLast().leave();
        assertThat(addressLimits.sessions(at("192.0.2.1"))).isEqualTo(7);
        assertThat(addressLimits.enter(0, at("192.0.2.1"))).isNotNull();
        assertThat(addressLimits.enter(0, at("192.0.2.1"))).isNull();
        places.subList(0, 7).forEach(AddressLimits.Place::leave);
        assertThat(addressLimits.sessions(at("192.0.2.1"))).isEqualTo(1);
    }

    private int joinsAndLeaves(long now, String address, int times) {
        int joined = 0;
        for (int i = 0; i < times; i++) {
            AddressLimits.Place place = addressLimits.enter(now, at(address));
            if (place != null) {
                place.leave();
                joined++;
            }
        }
        return joined;
    }

    @Test
    @DisplayName("G12: 500 joins and leaves a second from one address, and from one network")
    void limitsRateOfNewSessions() {
        assertThat(joinsAndLeaves(0, "192.0.2.1", 500)).isEqualTo(32);
        assertThat(joinsAndLeaves(10 * SECOND, "192.0.2.1", 500)).isEqualTo(10);
        assertThat(joinsAndLeaves(10 * SECOND, "198.51.100.1", 1)).isEqualTo(1);
        int joined = 0;
        for (int i = 0; i < 256; i++) {
            joined += joinsAndLeaves(20 * SECOND, "203.0.113." + i, 32);
        }
        assertThat(joined).isEqualTo(16 * 32);
    }

    @Test
    void countsIpv6PrefixAsOneAddress() {
        for (int i = 0; i < 8; i++) {
            assertThat(addressLimits.enter(0, at("2001:db8:0:1::" + i))).isNotNull();
        }
        assertThat(addressLimits.enter(0, at("2001:db8:0:1:ffff::1"))).isNull();
        assertThat(addressLimits.enter(0, at("2001:db8:0:2::1"))).isNotNull();
    }

    @Test
    void liftsOnlyCountsForTrustedAddresses() {
        AddressLimits trusting =
                AddressLimits.trusting(List.of(AddressRange.parse("127.0.0.0/24")), 7);
        for (int i = 0; i < 200; i++) {
            assertThat(trusting.enter(0, at("127.0.0.1"))).isNotNull();
        }
        HalfOpenTable<Integer> halfOpen = trusting.halfOpen(100);
        for (int i = 0; i < 100; i++) {
            assertThat(halfOpen.add(at("127.0.0.1"), i)).isNull();
        }
        assertThat(halfOpen.add(at("127.0.0.1"), 100)).isEqualTo(0);
        int sent = 0;
        while (trusting.amplificationLimiter().tryAcquire(0, at("127.0.0.1"), 100)) {
            sent += 100;
        }
        assertThat(sent).isEqualTo(4000);
        assertThat(guesses(trusting.passwords(), 0, "127.0.0.1")).isEqualTo(10);
        assertThat(trusting.isTrusted(at("127.0.1.1"))).isFalse();
    }

    private static int guesses(FailedAttemptLimiter attemptLimiter, long now, String from) {
        int looked = 0;
        for (int i = 0; i < 1000; i++) {
            if (attemptLimiter.isAllowed(now, at(from))) {
                attemptLimiter.recordFailure(now, at(from));
                looked++;
            }
        }
        return looked;
    }

    @Test
    @DisplayName("G22: passwords guessed at the message rate, from all of a network")
    void limitsPasswordGuesses() {
        FailedAttemptLimiter attemptLimiter = addressLimits.passwords();
        int ofOne = 0;
        int ofNetwork = 0;
        for (long now = 0; now < 3600 * SECOND; now += SECOND / 50) {
            ofOne += guess(attemptLimiter, now, at("192.0.2.1"));
            ofNetwork += guess(attemptLimiter, now, at("198.51.100." + now / SECOND % 256));
        }
        assertThat(ofOne).isBetween(300, 371);
        assertThat(ofNetwork).isBetween(16 * 300, 16 * 371);
        assertThat(attemptLimiter.isAllowed(3600 * SECOND, at("192.0.2.2")))
                .as("a neighbour")
                .isTrue();
        assertThat(attemptLimiter.isAllowed(3611 * SECOND, at("192.0.2.1"))).isTrue();
    }

    @Test
    void chargesNothingForRightPassword() {
        for (int i = 0; i < 1000; i++) {
            assertThat(addressLimits.passwords().isAllowed(0, at("192.0.2.1"))).isTrue();
        }
    }

    @Test
    @DisplayName("G4: rcon guessed from forged addresses costs their owners no try of their own")
    void chargesNothingForForgedGuesses() {
        assertThat(guesses(addressLimits.passwords(false), 0, "192.0.2.1")).isEqualTo(10);
        assertThat(addressLimits.passwords().isAllowed(0, at("192.0.2.1"))).isTrue();
    }

    @Test
    @DisplayName("R8: the operator's answer is looked at whatever strangers guess")
    void letsOperatorInDuringGuesses() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            long now = i * (SECOND / 1000);
            guess(
                    addressLimits.passwords(false),
                    now,
                    at("10." + i % 256 + "." + random.nextInt(256) + ".1"));
            guess(addressLimits.passwords(false), now, at("192.0.2." + (2 + random.nextInt(250))));
            assertThat(addressLimits.passwords(false).isAllowed(now, at("192.0.2.1"))).isTrue();
        }
    }

    private static int guess(FailedAttemptLimiter attemptLimiter, long now, InetAddress from) {
        if (!attemptLimiter.isAllowed(now, from)) {
            return 0;
        }
        attemptLimiter.recordFailure(now, from);
        return 1;
    }

    @Test
    @DisplayName("A8: a clock that steps back an hour gives no tries, and locks no client out")
    void survivesClockStepBack() {
        long now = TimeUnit.DAYS.toNanos(30);
        assertThat(guesses(addressLimits.passwords(), now, "192.0.2.1")).isEqualTo(10);
        now -= TimeUnit.HOURS.toNanos(1);
        assertThat(addressLimits.passwords().isAllowed(now, at("192.0.2.1"))).isFalse();
        assertThat(addressLimits.passwords().isAllowed(now + 11 * SECOND, at("192.0.2.1")))
                .isTrue();
    }

    @Test
    @DisplayName("G12: half-open handshakes by the thousand; the oldest unproven goes")
    void boundsHalfOpenPerNetwork() {
        HalfOpenTable<String> halfOpen = addressLimits.halfOpen(100);
        assertThat(halfOpen.add(at("198.51.100.1"), "honest")).isNull();
        for (int i = 0; i < 32; i++) {
            assertThat(halfOpen.add(at("192.0.2." + i), "flood" + i)).isNull();
        }
        for (int i = 32; i < 10_000; i++) {
            assertThat(halfOpen.add(at("192.0.2." + i % 256), "flood" + i))
                    .isEqualTo("flood" + (i - 32));
        }
        assertThat(halfOpen.size()).isEqualTo(33);
        assertThat(halfOpen.remove("honest")).isTrue();
        assertThat(halfOpen.remove("honest")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"8, 32", "7, 32", "6, 64"})
    @DisplayName("R11 half-open peers of one /64, /56 and /48 of IPv6 are counted together")
    void countsHalfOpenByPrefixes(int shared, int most) {
        HalfOpenTable<Integer> halfOpen = addressLimits.halfOpen(1000);
        halfOpen.add(at("2001:db8::1"), -1);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = at("2a00::").getAddress();
            bytes[shared] = (byte) i;
            bytes[shared + 1] = (byte) (i >> 8);
            Integer gone = halfOpen.add(address(bytes), i);
            assertThat(gone).isEqualTo(i < most ? null : (Integer) (i - most));
        }
        assertThat(halfOpen.contains(-1)).as("who is of another network").isTrue();
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    @DisplayName("G12: half-open handshakes from everywhere; the oldest of all goes")
    void evictsOldestHalfOpen() {
        HalfOpenTable<Integer> halfOpen = addressLimits.halfOpen(100);
        for (int i = 0; i < 10_000; i++) {
            Integer gone = halfOpen.add(at("10." + i / 256 + "." + i % 256 + ".1"), i);
            assertThat(gone).isEqualTo(i < 100 ? null : (Integer) (i - 100));
        }
        assertThat(halfOpen.size()).isEqualTo(100);
        assertThat(halfOpen.remove(9_950)).isTrue();
        assertThat(halfOpen.add(at("10.0.0.1"), -1)).isNull();
        assertThatThrownBy(() -> halfOpen.add(at("10.0.0.1"), -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void containsOnlyItsAddresses() {
        AddressRange ten = AddressRange.parse("10.0.0.0/8");
        assertThat(ten.contains(at("10.255.0.1"))).isTrue();
        assertThat(ten.contains(at("11.0.0.0"))).isFalse();
        assertThat(ten.contains(at("a00::"))).isFalse();
        AddressRange odd = AddressRange.parse("192.168.4.0/22");
        assertThat(odd.contains(at("192.168.7.255"))).isTrue();
        assertThat(odd.contains(at("192.168.8.0"))).isFalse();
        assertThat(odd.contains(at("192.168.3.255"))).isFalse();
        assertThat(AddressRange.parse("0.0.0.0/0").contains(at("203.0.113.9"))).isTrue();
        assertThat(AddressRange.parse("127.0.0.1").contains(at("127.0.0.1"))).isTrue();
        assertThat(AddressRange.parse("127.0.0.1").contains(at("127.0.0.2"))).isFalse();
        assertThat(AddressRange.parse("fd00::/8").contains(at("fdab::1"))).isTrue();
        assertThat(AddressRange.parse("::1").contains(at("::2"))).isFalse();
        assertThat(AddressRange.parse("10.0.0.0/8")).isEqualTo(ten).hasToString("10.0.0.0/8");
        assertThat(AddressRange.parse("127.0.0.1/32")).hasToString("127.0.0.1");
    }

    @Test
    void ordersAddressesOfRange() {
        AddressRange range = AddressRange.parse("127.0.1.0/24");
        assertThat(range.address(0)).isEqualTo(at("127.0.1.0"));
        assertThat(range.address(255)).isEqualTo(at("127.0.1.255"));
        assertThat(range.address(258)).isEqualTo(at("127.0.1.2"));
        assertThat(AddressRange.parse("127.0.0.0/8").address(65_537)).isEqualTo(at("127.1.0.1"));
        assertThat(AddressRange.parse("127.0.0.9").address(5)).isEqualTo(at("127.0.0.9"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "localhost",
                "10.1",
                "10.0.0",
                "10.0.0.256",
                "1.2.3.4.5",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/8/8",
                "10.0.0.1/8",
                "::/129",
                "::g",
                " 127.0.0.1",
                "10.0.0.0/0x8",
                "0x7f.0.0.1",
                "2130706433",
                ":",
                "1::2::3"
            })
    void refusesInvalidRange(String text) {
        assertThatThrownBy(() -> AddressRange.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("\"" + text + "\" ");
    }
}
