package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A player of another game has its sign before the name, wherever it is read. */
@Tag("slow")
class GameTagTest {
    private static final long SECOND = 1_000_000_000L;

    private static final Map<String, String> SIGNS =
            Map.of("sauerbraten", "[S]", "quake2", "[Q2]", "quake3", "[Q3]", "bedrock", "[B]");

    /** Two players of each game; the first reads the names of all others. */
    @Test
    void addsGameToNameOfForeignPlayer() throws IOException {
        Random random = new Random(1);
        SimulatedNetwork network = new SimulatedNetwork(1);
        try (FourGames server = new FourGames(network, random, 16)) {
            List<TestClient> guests = new ArrayList<>();
            for (Game game : FourGames.ALL) {
                for (String name : List.of("Ann", "Bob")) {
                    guests.add(server.guest(game, name + game.port()));
                }
            }
            boolean met =
                    network.runUntil(
                            () -> guests.stream().allMatch(guest -> guest.bodies.size() == 7),
                            60 * SECOND);
            assertThat(met).as("all see all: %s", guests).isTrue();
            for (TestClient reader : guests) {
                List<String> expected = new ArrayList<>();
                for (TestClient other : guests) {
                    if (other != reader) {
                        boolean same = other.game.equals(reader.game);
                        expected.add(same ? other.name : signed(other, reader.game));
                    }
                }
                assertThat(reader.client.others())
                        .as("read by %s", reader.name)
                        .extracting(Client.RemotePlayer::name)
                        .containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void keepsLongNamesWithDifferentEndsDistinct(Game game) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(1);
        try (FourGames server = new FourGames(network, new Random(1), 16)) {
            TestClient reader = server.guest(game, "reader");
            for (Game other : FourGames.ALL) {
                server.guest(other, "bot-of-a-load-1-" + other.port() + "-1");
                server.guest(other, "bot-of-a-load-1-" + other.port() + "-2");
            }
            boolean met = network.runUntil(() -> reader.bodies.size() == 8, 60 * SECOND);
            assertThat(met).as("all are seen: %s", reader.bodies).isTrue();
            List<String> names =
                    reader.client.others().stream().map(Client.RemotePlayer::name).toList();
            assertThat(names).doesNotHaveDuplicates();
            assertThat(names).filteredOn(name -> name.endsWith("1")).hasSize(4);
        }
    }

    static List<Game> games() {
        return FourGames.ALL;
    }

    /** The names of Sauerbraten have no blanks. */
    private static String signed(TestClient other, Game readers) {
        String blank = readers.name().equals("sauerbraten") ? "" : " ";
        return SIGNS.get(other.game.name()) + blank + other.name;
    }
}
