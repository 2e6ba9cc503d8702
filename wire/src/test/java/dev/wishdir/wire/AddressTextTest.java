package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

final class AddressTextTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1:7",
        "::1, [::1]:7",
        "::, [::]:7",
        "2001:DB8:0:0:1:0:0:1, [2001:db8::1:0:0:1]:7",
        "2001:db8:0:1:1:1:1:1, [2001:db8:0:1:1:1:1:1]:7",
        "fe80::1, [fe80::1]:7",
        "1:0:0:2:0:0:0:3, [1:0:0:2::3]:7",
        "1::, [1::]:7",
    })
    void writesAddressesAsOthersReadThem(String address, String text) {
        InetAddress ip = InetAddress.ofLiteral(address);

        assertThat(AddressText.of(new InetSocketAddress(ip, 7))).isEqualTo(text);
    }

    @org.junit.jupiter.api.Test
    void namesAZoneOnlyWhereThereIsOne() throws Exception {
        byte[] bytes = InetAddress.ofLiteral("fe80::1").getAddress();

        assertThat(AddressText.of(Inet6Address.getByAddress("", bytes, 0))).isEqualTo("fe80::1");
        assertThat(AddressText.of(Inet6Address.getByAddress("", bytes, 3))).isEqualTo("fe80::1%3");
    }
}
