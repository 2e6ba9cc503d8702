package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

final class AddressTextTest {
    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7",
        "0:0:0:0:0:0:0:1, ::1",
        "0:0:0:0:0:0:0:0, ::",
        "2001:DB8:0:0:0:0:2:1, 2001:db8::2:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "fe80:0:0:0:0:0:0:0, fe80::",
        "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::"
    })
    void writesWhatRfc5952Wants(String address, String text) {
        assertThat(AddressText.of(InetAddress.ofLiteral(address))).isEqualTo(text);
    }

    @Test
    void leavesTheZoneOutAndPutsBracketsBeforeAPort() throws UnknownHostException {
        byte[] bytes = InetAddress.ofLiteral("fe80::1").getAddress();
        InetAddress zoned = Inet6Address.getByAddress("", bytes, 3);

        assertThat(AddressText.of(new InetSocketAddress(zoned, 27_960)))
                .isEqualTo("[fe80::1]:27960");
        assertThat(AddressText.of(new InetSocketAddress("192.0.2.7", 1))).isEqualTo("192.0.2.7:1");
    }
}
