package dev.wishdir.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ResolvedHost;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

class MasterServerTest {
    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final List<InetSocketAddress> announced = new ArrayList<>();
    private int resolved;

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ",", " , "})
    void namesNoServerWithoutOption(String configured) {
        assertThat(MasterServer.parse(configured, 28_787)).isEmpty();
    }

    @Test
    void namesAllWrongAddresses() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MasterServer.parse("a:x, b.example, c:0", 28_787))
                .withMessageStartingWith("option master")
                .withMessageContainingAll("a:x", "c:0")
                .withMessageNotContaining("b.example");
    }

    private MasterServer named(InetAddress local, String address) {
        MasterServer master =
                new MasterServer(
                        ResolvedHost.parse(
                                "option master",
                                "master.invalid",
                                28_787,
                                _ -> {
                                    resolved++;
                                    return InetAddress.ofLiteral(address);
                                }));
        DutyCycle cycle = network.cycle();
        cycle.add(now -> {
            master.advance(cycle, local, announced::add);
            return now + TimeUnit.SECONDS.toNanos(1);
        });
        return master;
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 192.0.2.1, false",
        "::1, 192.0.2.1, false",
        "127.0.0.1, 127.0.0.9, true",
        "0.0.0.0, 192.0.2.1, true",
        "0.0.0.0, 127.0.0.9, true"
    })
    void isUsedOnlyWhereItCanReachServer(String local, String address, boolean isUsed) {
        InetAddress own = InetAddress.ofLiteral(local);
        MasterServer master = named(own, address);
        network.run(TimeUnit.SECONDS.toNanos(2));
        assertThat(master.address(own).isPresent()).isEqualTo(isUsed);
        assertThat(announced).hasSize(isUsed ? 1 : 0);
    }

    @Test
    void describesWhyServerHasNoAddress() {
        InetAddress own = InetAddress.ofLiteral("127.0.0.1");
        MasterServer master = named(own, "192.0.2.1");
        assertThat(master.obstacle(own)).contains("its name is not resolved");
        assertThat(master.text()).isEqualTo("master.invalid:28787");
        network.run(TimeUnit.SECONDS.toNanos(2));
        assertThat(master.obstacle(own))
                .hasValueSatisfying(it -> assertThat(it).contains("skipped"));
        assertThat(master.text()).isEqualTo("192.0.2.1:28787");
        InetAddress any = InetAddress.ofLiteral("0.0.0.0");
        assertThat(named(any, "192.0.2.1").obstacle(any)).isPresent();
    }

    @Test
    void isResolvedAgainBeforeListsDropServer() {
        named(InetAddress.ofLiteral("0.0.0.0"), "192.0.2.1");
        network.run(TimeUnit.HOURS.toNanos(1));
        assertThat(resolved).isBetween(12, 13);
        assertThat(announced).as("the same address").hasSize(1);
    }
}
