package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

final class AddressTextTest {
    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7:7",
        "::1, [::1]:7",
        "::, [::]:7",
        "2001:DB8:0:0:0:0:2:1, [2001:db8::2:1]:7",
        "2001:DB8:0:0:1:0:0:1, [2001:db8::1:0:0:1]:7",
        "2001:db8:0:1:1:1:1:1, [2001:db8:0:1:1:1:1:1]:7",
        "fe80::1, [fe80::1]:7",
        "1:0:0:2:0:0:0:3, [1:0:0:2::3]:7",
        "2001:0:0:1:0:0:0:1, [2001:0:0:1::1]:7",
        "fe80:0:0:0:0:0:0:0, [fe80::]:7",
        "1:2:3:4:5:6:0:0, [1:2:3:4:5:6::]:7",
        "1::, [1::]:7",
    })
    void writesAddressesAsOthersReadThem(String address, String text) {
        InetAddress ip = InetAddress.ofLiteral(address);

        assertThat(AddressText.of(new InetSocketAddress(ip, 7))).isEqualTo(text);
    }

    @Test
    void namesAZoneOnlyWhereThereIsOne() throws Exception {
        byte[] bytes = InetAddress.ofLiteral("fe80::1").getAddress();

        assertThat(AddressText.of(Inet6Address.getByAddress("", bytes, 0))).isEqualTo("fe80::1");
        InetAddress zoned = Inet6Address.getByAddress("", bytes, 3);
        assertThat(AddressText.of(zoned)).isEqualTo("fe80::1%3");
        assertThat(AddressText.of(new InetSocketAddress(zoned, 7))).isEqualTo("[fe80::1%3]:7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "2001:db8::1", "fd00::1"})
    void leavesOutTheZoneOfAddressesThatNeedNone(String address) throws Exception {
        byte[] bytes = InetAddress.ofLiteral(address).getAddress();

        assertThat(AddressText.of(Inet6Address.getByAddress("", bytes, 3))).isEqualTo(address);
    }
}
