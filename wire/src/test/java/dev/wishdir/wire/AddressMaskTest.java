package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressMaskTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rcon 127.0.0.1:52080 banned 127.0.77.0/24 (anna) | rcon (hidden) banned (hidden)"
                        + " (anna)",
                "banned 10.0.0.1,xuid:25332 (a) forever by b | banned (hidden),(hidden) (a) forever"
                        + " by b",
                "from [2001:db8::7]:27960 | from (hidden)",
                "unbanned 2001:db8:0:1::/64. | unbanned (hidden).",
                "1:2:3:4:5:6:7:8, ::1, fe80::1%eth0 | (hidden), (hidden), (hidden)",
                "::ffff:192.0.2.1 | (hidden)",
                "anna (sauerbraten 192.0.2.7) became admin | anna (sauerbraten (hidden)) became"
                        + " admin",
                "until 2026-12-31 12:00 UTC, 12:30:00 and 1:00:00:00 | until 2026-12-31 12:00 UTC,"
                        + " 12:30:00 and 1:00:00:00",
                "version 1.21.50, speed 30.00 m/s, 1.2.3.4.5 | version 1.21.50, speed 30.00 m/s,"
                        + " 1.2.3.4.5",
                "Foo::bar at a.b.C:12 | Foo::bar at a.b.C:12",
            })
    @DisplayName("R21 addresses and accounts that are hidden stand in no line")
    void hidesAddressesAndAccountsOnly(String text, String expected) {
        assertThat(AddressMask.hide(text)).isEqualTo(expected);
    }
}
