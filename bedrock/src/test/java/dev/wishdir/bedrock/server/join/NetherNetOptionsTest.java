package dev.wishdir.bedrock.server.join;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;

class NetherNetOptionsTest {
    @ParameterizedTest
    @CsvSource({
        "203.0.113.9, 203.0.113.9, 19132",
        "203.0.113.9:0, 203.0.113.9, 19132",
        "203.0.113.9:5000, 203.0.113.9, 5000",
        "[2001:db8::9], 2001:db8::9, 19132",
        "[2001:db8::9]:5000, 2001:db8::9, 5000"
    })
    void announcesSamePortWhenHostIsResolvedAgain(String setting, String address, int port) {
        NetherNetOptions.PublicAddress parsed =
                NetherNetOptions.of(Map.of("public-address", setting), true)
                        .publicAddress()
                        .orElseThrow();
        InetSocketAddress expected = new InetSocketAddress(InetAddress.ofLiteral(address), port);
        assertThat(parsed.atStart(19132)).isEqualTo(expected);
        assertThat(parsed.host(19132).address()).contains(expected);
    }
}
