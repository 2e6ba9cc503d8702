package dev.wishdir.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.limit.AddressRange;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

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
        assertThat(hosts.isAllowed(host, "https://MAP.example.org:8443", CONTAINER))
                .as("a page behind a reverse proxy that passes on another host")
                .isEqualTo(answered);
        assertThat(hosts.isAllowed(host, "https://map.example.org.evil", CONTAINER)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // A browser may write what it likes in front.
                "127.0.0.1 | 10.9.9.9, 192.0.2.1            | 192.0.2.1",
                "::1       | 192.0.2.1, 203.0.113.7         | 192.0.2.1",
                "127.0.0.1 | 192.0.2.1:4711                 | 192.0.2.1",
                "127.0.0.1 | [2001:db8::1]:4711             | 2001:db8::1",
                "127.0.0.1 | 2001:db8::1                    | 2001:db8::1",
                "203.0.113.7 | 192.0.2.1                    | 192.0.2.1",
                "127.0.0.1 | 192.0.2.1, unknown             | ''",
                "127.0.0.1 | ''                             | ''",
                "127.0.0.1 |                                | ''",
                "198.51.100.1 | 192.0.2.1                   | 198.51.100.1",
                "198.51.100.1 |                             | 198.51.100.1",
            })
    @DisplayName("R24 what a browser forges in front of its address does not count")
    void countsRequestsForAddressOfBrowser(String from, String forwarded, String counted) {
        WebHosts hosts =
                new WebHosts(List.of(), List.of(), List.of(AddressRange.parse("203.0.113.0/24")));
        assertThat(
                        hosts.client(InetAddress.ofLiteral(from), forwarded)
                                .map(InetAddress::getHostAddress))
                .isEqualTo(
                        Optional.of(counted)
                                .filter(it -> !it.isEmpty())
                                .map(InetAddress::ofLiteral)
                                .map(InetAddress::getHostAddress));
    }
}
