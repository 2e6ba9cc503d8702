package dev.wishdir.net;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.limit.PrefixLimits;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.List;

class RequirementsTest {
    @Test
    void refusesPercentForProbability() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LinkConditions(5, 0, 0, 0, 0, 0))
                .withMessage("loss must be a probability from 0 to 1, is 5.0; 5 % is 0.05");
        assertThatIllegalArgumentException().isThrownBy(() -> new Conditions(5, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Conditions(0, Double.NaN, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Conditions(0, 0, -1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Conditions(0, 0, 0, -1));
    }

    @Test
    void refusesCapacitiesThatHoldNothing() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TokenBucket(-1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new TokenBucket(1, Double.NaN));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new HttpSettings(0, new PrefixLimits(1, 1, 1), 1, 1, 1, 1, List.of(), null))
                .withMessage("maxConnections must be positive, is 0");
    }

    @Test
    void refusesUnresolvedAddresses() {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 5);
        SimulatedNetwork network = new SimulatedNetwork(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        network.cycle()
                                .open(
                                        unresolved,
                                        _ -> {
                                            throw new AssertionError();
                                        }))
                .withMessageStartingWith("local address nowhere.invalid:5 is not resolved");
    }
}
