package dev.wishdir.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.util.List;

/** A request that reached a container through a port of its machine. */
class WebHostsTest {
    private static final InetAddress CONTAINER = InetAddress.ofLiteral("10.89.0.3");

    @ParameterizedTest
    @CsvSource({
        "localhost:8260,      true",
        "127.0.0.1:8260,      true",
        "[::1]:8260,          true",
        "10.89.0.3:8260,      true",
        "map.example.org,     true",
        "192.0.2.1:8260,      false",
        "localhost.evil:8260, false",
        "evil.example:8260,   false",
    })
    void answersPublishedPort(String host, boolean answered) {
        WebHosts hosts = new WebHosts(List.of("map.example.org"));
        assertThat(hosts.isAllowed(host, null, CONTAINER)).isEqualTo(answered);
        assertThat(hosts.isAllowed(host, "http://" + host, CONTAINER)).isEqualTo(answered);
        assertThat(hosts.isAllowed(host, "http://evil.example", CONTAINER)).isFalse();
    }
}
