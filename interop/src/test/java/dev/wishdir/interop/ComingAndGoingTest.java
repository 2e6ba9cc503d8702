package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.game.Joining;
import dev.wishdir.game.Pilot.Steering;
import dev.wishdir.net.SimulatedNetwork;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Who comes and goes, in all four games. */
class ComingAndGoingTest {
    private static final long SECOND = 1_000_000_000;

    private final Random random = new Random(5);
    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final LoggedErrors errors = new LoggedErrors();

    /** A headless player. */
    private final class Guest implements ClientListener {
        final Client client;
        final Set<Integer> bodies = new HashSet<>();
        String ending = "";

        Guest(FourGames server, Game game, String name) throws IOException {
            client =
                    game.connect(
                            Joining.to(network.cycle(), server.address(game.name()))
                                    .name(name)
                                    .pilot((now, _) -> Steering.walk(now / 1e9 * 60 % 360, 0, 0))
                                    .listener(this)
                                    .random(random)
                                    .build());
        }

        @Override
        public void appeared(Client self, Client.Seen other) {
            bodies.add(other.id());
        }

        @Override
        public void vanished(Client self, Client.Seen other) {
            bodies.remove(other.id());
        }

        @Override
        public void ended(Client self, Ending ending, String reason) {
            this.ending = ending + ": " + reason;
        }

        boolean in() {
            return client.joined() && ending.isEmpty();
        }

        @Override
        public String toString() {
            return client.id() + " sees " + bodies + " " + ending;
        }
    }

    @AfterEach
    void nothingFailed() {
        errors.close();
        assertThat(errors.lines()).isEmpty();
    }

    private List<Guest> witnesses(FourGames server) throws IOException {
        List<Guest> witnesses = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            witnesses.add(new Guest(server, game, "witness"));
            network.run(SECOND / 10);
        }
        assertThat(network.runUntil(() -> witnesses.stream().allMatch(Guest::in), 30 * SECOND))
                .isTrue();
        return witnesses;
    }

    @Test
    @DisplayName(
            "F3: who comes and goes at once under one name leaves no body and no number behind")
    void nobodyIsLeftBehind() throws IOException {
        FourGames server = new FourGames(network, random, 64);
        Set<PlayerId> joined = new HashSet<>();
        List<PlayerId> twice = new ArrayList<>();
        server.arena()
                .observe(event -> {
                    if (event instanceof ArenaEvent.Joined e && !joined.add(e.id())) {
                        twice.add(e.id());
                    }
                });
        List<Guest> witnesses = witnesses(server);
        for (int round = 0; round < 25; round++) {
            List<Guest> crowd = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                crowd.add(new Guest(server, FourGames.ALL.get(i % 4), "witness"));
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
        assertThat(joined.size()).isGreaterThan(200);
        assertThat(twice).isEmpty();
        assertThat(server.arena().players()).hasSize(witnesses.size());
        for (Guest witness : witnesses) {
            assertThat(witness.in()).as("%s", witness).isTrue();
            assertThat(witness.client.others()).as("%s", witness).hasSize(witnesses.size() - 1);
            assertThat(witness.bodies).as("%s", witness).hasSize(witnesses.size() - 1);
        }
        assertThat(server.laws().broken()).isEmpty();
    }
}
