package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BinaryOperator;

/** Bots in the games that repeat every line they hear, and people who say the same. */
@Tag("slow")
class ChatLoopTest {
    private static final long SECOND = 1_000_000_000;

    private final SimulatedNetwork network = new SimulatedNetwork(11);
    private final Random random = new Random(11);

    /** All chat, as the arena reports it. */
    private final List<String> said = new ArrayList<>();

    /** Who says again what others say, in its own way, or nothing at all. */
    private final class Talker implements ClientListener {
        final String name;
        final BinaryOperator<String> way;
        final Client client;
        boolean echoes;

        Talker(Game game, FourGames server, String name, BinaryOperator<String> way)
                throws IOException {
            this.name = name;
            this.way = way;
            client =
                    game.connect(
                            ClientConfig.builder(network.cycle(), server.address(game.name()))
                                    .name(name)
                                    .controller((_, _) -> PlayerInput.look(0, 0))
                                    .listener(this)
                                    .random(random)
                                    .build());
        }

        @Override
        public void onChat(Client self, String speaker, String text) {
            if (echoes && !speaker.equals(name)) {
                self.say(way.apply(speaker, text));
            }
        }
    }

    private static BinaryOperator<String> way(String way) {
        return switch (way) {
            case "as heard" -> (_, text) -> text;
            case "named" -> (name, text) -> name + ": " + text;
            case "named, cut" ->
                    (name, text) -> {
                        String line = name + ": " + text;
                        return line.substring(0, Math.min(100, line.length()));
                    };
            case "own prefix" -> (_, text) -> "[from the other games] " + text;
            default -> throw new IllegalArgumentException(way);
        };
    }

    private List<Talker> talkers(FourGames server, String name, BinaryOperator<String> way)
            throws IOException {
        List<Talker> talkers = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            talkers.add(new Talker(game, server, name + talkers.size(), way));
        }
        assertThat(
                        network.runUntil(
                                () -> talkers.stream().allMatch(talker -> talker.client.joined()),
                                20 * SECOND))
                .isTrue();
        return talkers;
    }

    private FourGames server() throws IOException {
        FourGames server = new FourGames(network, random, 20);
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.Chat line) {
                        said.add(line.player().name() + ": " + line.text());
                    }
                });
        return server;
    }

    @ParameterizedTest
    @DisplayName("F2: bots of two, three and four games that repeat each other fall silent")
    @CsvSource({"0, as heard", "1, named", "2, 'named, cut'", "3, own prefix"})
    void endsChatLoop(int first, String way) throws IOException {
        for (int echoing = 2; echoing <= 4; echoing++) {
            said.clear();
            try (FourGames server = server()) {
                List<Talker> bots = talkers(server, "bot", way(way));
                List<Talker> people = talkers(server, "ann", way(way));
                network.run(2 * SECOND);
                for (int i = 0; i < echoing; i++) {
                    bots.get((first + i) % 4).echoes = true;
                }
                people.get(first).client.say("what a lovely evening, " + "and on ".repeat(12));
                network.run(5 * SECOND);
                people.get((first + 1) % 4).client.say("gg");
                network.run(10 * SECOND);
                assertThat(said).as("%s %s", echoing, way).hasSizeBetween(3, 2 + 2 * 8 * echoing);
                int before = said.size();
                network.run(30 * SECOND);
                assertThat(said).as("%s %s", echoing, way).hasSize(before);
                for (Talker person : people) {
                    person.client.say("I am still heard, as " + person.name);
                    network.run(SECOND);
                    assertThat(said)
                            .anyMatch(line -> line.endsWith("still heard, as " + person.name));
                }
                assertThat(people).allMatch(person -> person.client.joined());
            }
        }
    }

    @ParameterizedTest
    @DisplayName(
            "F2: people of four games who say the same, or long lines that begin alike, are heard")
    @ValueSource(strings = {"gg", "hi", "%d", "a line that goes on for long %1$s %1$s and is %d"})
    void relaysChatOfPeople(String form) throws IOException {
        try (FourGames server = server()) {
            List<Talker> people = talkers(server, "ann", way("as heard"));
            network.run(2 * SECOND);
            for (int round = 0; round < 8; round++) {
                for (Talker person : people) {
                    person.client.say(String.format(form, round).replace("%1$s", "so it is"));
                }
                network.run(SECOND);
            }
            network.run(2 * SECOND);
            assertThat(said).hasSize(8 * people.size());
            assertThat(server.laws().limited()).isEmpty();
        }
    }
}
