package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** The bytes that a flood of joins costs: each client joins, and vanishes after a moment. */
@Tag("slow")
class JoinFloodTest {
    private static final long SECOND = 1_000_000_000;
    private static final int SECONDS = TestEffort.times(2);
    private static final int JOINS_A_SECOND = 200;
    private static final int PRESENT = 60;
    private static final long MAX_VANISHED_BYTES = 10 << 20;
    private static final List<AddressRange> TRUSTED = List.of(AddressRange.parse("127.0.0.0/8"));

    private final Random random = new Random(7);
    private final SimulatedNetwork network = new SimulatedNetwork(7);
    private final List<TestClient> witnesses = new ArrayList<>();
    private long toWitnesses;
    private long toOthers;

    static List<Game> games() {
        return FourGames.ALL;
    }

    @ParameterizedTest
    @MethodSource("games")
    void boundsBytesOfJoins(Game game) throws IOException {
        FourGames server = new FourGames(network, random, 128, "", TRUSTED);
        Set<String> ports = new TreeSet<>();
        for (Game each : FourGames.ALL) {
            ports.add(server.address(each.name()).toString());
            for (int i = 0; i < 2; i++) {
                witnesses.add(server.guest(each, each.name() + i));
                network.run(SECOND / 10);
            }
        }
        server.await(witnesses);
        network.run(3 * SECOND);
        InetAddress here = InetAddress.getLoopbackAddress();
        network.tap((_, from, to, data) -> {
            if (!ports.contains(from.toString())) {
                return;
            }
            if (to.getAddress().equals(here)) {
                toWitnesses += data.length;
            } else {
                toOthers += data.length;
            }
        });
        network.run(SECONDS * SECOND);
        long quiet = toWitnesses;
        toWitnesses = 0;
        List<TestClient> crowd = new ArrayList<>();
        for (int i = 0; i < SECONDS * JOINS_A_SECOND; i++) {
            String from = "127.3." + i % 200 + "." + (1 + i / 200);
            crowd.add(server.guest(game, from, "x" + i, "", TestClient.CIRCLES));
            network.run(SECOND / JOINS_A_SECOND);
            if (crowd.size() > PRESENT) {
                crowd.removeFirst().cycle.close();
            }
        }
        crowd.forEach(guest -> guest.cycle.close());
        assertThat(toWitnesses).as("to those who play").isLessThan(4 * quiet);
        toOthers = 0;
        network.run(10 * SECOND);
        assertThat(toOthers).as("to those who have vanished").isLessThan(MAX_VANISHED_BYTES);
        assertThat(witnesses).allMatch(TestClient::in);
    }
}
