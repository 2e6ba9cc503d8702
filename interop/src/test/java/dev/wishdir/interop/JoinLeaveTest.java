package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Who comes and goes, in all four games. */
@Tag("slow")
class JoinLeaveTest {
    private static final long SECOND = 1_000_000_000;

    private final Random random = new Random(5);
    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final LoggedErrors errors = new LoggedErrors();

    private static TestClient guest(FourGames server, Game game) throws IOException {
        return server.guest(game, "witness");
    }

    @AfterEach
    void nothingFailed() {
        errors.close();
        assertThat(errors.lines()).isEmpty();
    }

    private List<TestClient> witnesses(FourGames server) throws IOException {
        List<TestClient> witnesses = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            witnesses.add(guest(server, game));
            network.run(SECOND / 10);
        }
        server.await(witnesses);
        return witnesses;
    }

    @Test
    @DisplayName(
            "F3: who comes and goes at once under one name leaves no body and no number behind")
    void leavesNoBodyOrNumberBehind() throws IOException {
        FourGames server = new FourGames(network, random, 64);
        int rounds = TestEffort.times(8);
        Set<PlayerId> joined = new HashSet<>();
        List<PlayerId> twice = new ArrayList<>();
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.Joined e && !joined.add(e.id())) {
                        twice.add(e.id());
                    }
                });
        List<TestClient> witnesses = witnesses(server);
        for (int round = 0; round < rounds; round++) {
            List<TestClient> crowd = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                crowd.add(guest(server, FourGames.ALL.get(i % 4)));
            }
            network.run(SECOND / 4 + random.nextLong(SECOND));
            Set<String> names = new HashSet<>();
            for (Player player : server.arena().players()) {
                assertThat(names.add(player.name())).as("one of each: %s", player).isTrue();
            }
            crowd.forEach(guest -> guest.client.close());
            network.run(random.nextLong(SECOND / 2));
        }
        network.run(10 * SECOND);
        assertThat(joined.size()).isGreaterThan(8 * rounds);
        assertThat(twice).isEmpty();
        assertThat(server.arena().players()).hasSize(witnesses.size());
        for (TestClient witness : witnesses) {
            assertThat(witness.in()).as("%s", witness).isTrue();
            assertThat(witness.client.others()).as("%s", witness).hasSize(witnesses.size() - 1);
            assertThat(witness.bodies).as("%s", witness).hasSize(witnesses.size() - 1);
        }
        assertThat(server.laws().broken()).isEmpty();
    }

    @Test
    void playersLeaveWhenTheServerCloses() throws IOException {
        FourGames server = new FourGames(network, random, 8);
        List<Long> times = new ArrayList<>();
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.Left left) {
                        times.add(left.time());
                    }
                });
        witnesses(server);
        // Not in a turn of any game.
        network.run(SECOND / 7);
        server.close();
        assertThat(times).hasSize(FourGames.ALL.size()).containsOnly(server.now());
    }
}
