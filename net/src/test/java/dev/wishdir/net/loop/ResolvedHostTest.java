package dev.wishdir.net.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Names of the settings that are not known yet, and that change. */
class ResolvedHostTest {
    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Map<String, String> known = new HashMap<>();
    private final List<InetSocketAddress> changes = new ArrayList<>();
    private int asked;

    private InetAddress resolve(String host) throws UnknownHostException {
        asked++;
        String address = known.get(host);
        if (address == null) {
            throw new UnknownHostException(host);
        }
        return InetAddress.ofLiteral(address);
    }

    private ResolvedHost start(String text) {
        ResolvedHost host = ResolvedHost.parse("--master", text, 5, this::resolve);
        DutyCycle cycle = network.cycle();
        cycle.add(now -> {
            host.advance(cycle, changes::add);
            return now + 1_000_000_000L;
        });
        return host;
    }

    @Test
    void resolvesOnceKnownAndAfterChange() {
        ResolvedHost host = start("master.invalid:7");
        network.run(2 * ResolvedHost.RETRY_NANOS);
        assertThat(host.address()).isEmpty();
        assertThat(asked).isBetween(2, 3);

        known.put("master.invalid", "192.0.2.1");
        network.run(2 * ResolvedHost.RETRY_NANOS);
        assertThat(host.address()).contains(at("192.0.2.1", 7));

        known.put("master.invalid", "192.0.2.2");
        network.run(ResolvedHost.REFRESH_NANOS + ResolvedHost.RETRY_NANOS);
        assertThat(host.address()).contains(at("192.0.2.2", 7));

        known.clear();
        network.run(2 * ResolvedHost.REFRESH_NANOS);
        assertThat(host.address()).as("the last address stays").contains(at("192.0.2.2", 7));
        assertThat(changes).containsExactly(at("192.0.2.1", 7), at("192.0.2.2", 7));
    }

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1, 5",
        "192.0.2.1:7, 192.0.2.1, 7",
        "2001:db8::1, 2001:db8::1, 5",
        "[2001:db8::1], 2001:db8::1, 5",
        "[2001:db8::1]:7, 2001:db8::1, 7",
    })
    void takesLiteralsWithoutLookup(String text, String host, int port) {
        ResolvedHost known = start(text);
        network.run(ResolvedHost.REFRESH_NANOS * 2);
        assertThat(known.address()).contains(at(host, port));
        assertThat(asked).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:0", "a:x", "a:65536", "a b", ":7", "a:7:8", "http://a"})
    void refusesOtherForms(String text) {
        assertThatThrownBy(() -> ResolvedHost.parse("--master", text, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--master: '" + text + "'");
    }
}
