package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Player;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What the operator says, as the headless client of each game reports it. */
class AnnouncementTest {
    private static final long SECOND = 1_000_000_000L;

    static List<Game> games() {
        return FourGames.ALL;
    }

    @ParameterizedTest
    @MethodSource("games")
    void deliversOperatorAnnouncement(Game game) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(1);
        List<String> lines = new ArrayList<>();
        List<String> speakers = new ArrayList<>();
        ClientListener listener =
                new ClientListener() {
                    @Override
                    public void onChat(Client self, String name, String text) {
                        if (text.contains("hello there")) {
                            speakers.add(name);
                            lines.add(text);
                        }
                    }
                };
        Random random = new Random(1);
        try (FourGames server = new FourGames(network, random, 16);
                Client client =
                        game.connect(
                                ClientConfig.builder(network.cycle(), server.address(game.name()))
                                        .listener(listener)
                                        .name("reader")
                                        .random(random)
                                        .build())) {
            assertThat(
                            network.runUntil(
                                    () ->
                                            client.joined()
                                                    && server.arena().players().stream()
                                                            .anyMatch(Player::spawned),
                                    30 * SECOND))
                    .isTrue();
            server.operations()
                    .execute(network.now(), server.operations().author("test"), "say hello there");
            network.run(5 * SECOND);
            assertThat(lines).containsExactly("hello there");
            assertThat(speakers).containsExactly("");
        }
    }
}
