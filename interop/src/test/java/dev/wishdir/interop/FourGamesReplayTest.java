package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The same script gives the same events, to the last bit and the last nanosecond. */
@Tag("slow")
class FourGamesReplayTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** Two players of each game join, walk, talk, take other names and leave. */
    private static List<String> run() throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(11);
        Random random = new Random(11);
        List<String> log = new ArrayList<>();
        try (FourGames server = new FourGames(network, random, 20)) {
            server.arena().addListener(event -> log.add(line(event)));
            network.conditions(new Conditions(0, 0, 15 * MILLI, 0));
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Game game = FourGames.ALL.get(i % FourGames.ALL.size());
                double turn = i * 40;
                clients.add(
                        game.connect(
                                ClientConfig.builder(network.cycle(), server.address(game.name()))
                                        .name("walker" + i)
                                        .controller((now, _) ->
                                                PlayerInput.walk(
                                                        (now / 2e7 + turn) % 360, now / 5e7, 0))
                                        .listener(new ClientListener() {})
                                        .random(random)
                                        .build()));
                network.run(SECOND / 2);
            }
            network.run(5 * SECOND);
            for (int i = 0; i < 8; i++) {
                clients.get(i).say("line " + i);
                clients.get(i).rename("other" + i);
                network.run(SECOND);
            }
            for (Client client : clients) {
                client.close();
                network.run(SECOND / 4);
            }
            network.run(3 * SECOND);
            assertThat(server.arena().players()).isEmpty();
        }
        return log;
    }

    /** All that an event says, and the movement in its player's own bytes. */
    private static String line(ArenaEvent event) {
        return event instanceof ArenaEvent.OfPlayer of
                ? event
                        + " "
                        + of.player().movement()
                        + " "
                        + of.player().nativeMovement().form()
                        + " "
                        + of.player().nativeMovement().bytes()
                : event.toString();
    }

    @Test
    void repeatsScriptDeterministically() throws IOException {
        List<String> first = run();
        List<String> second = run();
        assertThat(first).filteredOn(line -> line.startsWith("Moved")).hasSizeGreaterThan(1_000);
        for (String game : FourGames.GAMES) {
            assertThat(first)
                    .filteredOn(line -> line.startsWith("Moved"))
                    .anyMatch(line -> line.contains(" " + game + "/"));
        }
        assertThat(second).containsExactlyElementsOf(first);
    }
}
