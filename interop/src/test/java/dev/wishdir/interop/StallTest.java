package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A pause of the network or of the server is not taken for cheating, in any game. */
@Tag("slow")
class StallTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final int EACH = 2;

    private final Random random = new Random(29);
    private final SimulatedNetwork network = new SimulatedNetwork(29);

    /** Runs and jumps about, as fast as its game lets it. */
    private static BotController hasty(long seed) {
        return (now, _) -> {
            double direction = new Random(seed * 7919 + now / (2 * SECOND)).nextInt(360);
            PlayerInput walk = PlayerInput.walk(direction, direction, 0);
            return new PlayerInput(
                    walk.yaw(), 0, walk.forward(), walk.left(), seed % 3 != 0, seed % 5 == 0);
        };
    }

    private List<TestClient> enter(FourGames server) throws IOException {
        return enter(server, FourGames.ALL);
    }

    private List<TestClient> enter(FourGames server, List<Game> games) throws IOException {
        server.arena().setCheatPolicy(CheatPolicy.KICK);
        List<TestClient> guests = new ArrayList<>();
        for (int i = 0; i < games.size() * EACH; i++) {
            Game game = games.get(i % games.size());
            guests.add(server.guest(game, "honest" + i, hasty(i)));
        }
        for (int i = 0; i < EACH; i++) {
            guests.add(server.nethernetGuest("ice" + i, hasty(i)));
        }
        server.await(guests);
        network.run(5 * SECOND);
        return guests;
    }

    private void assertFair(FourGames server, List<TestClient> guests) {
        assertThat(server.laws().verdicts()).isEmpty();
        assertThat(guests).allMatch(TestClient::in);
        assertThat(server.arena().players()).hasSameSizeAs(guests);
        Map<String, Long> moved = server.laws().movements();
        network.run(SECOND);
        assertThat(server.laws().movements())
                .allSatisfy((name, count) ->
                        assertThat(count - moved.getOrDefault(name, 0L)).as(name).isGreaterThan(5));
    }

    @ParameterizedTest
    @CsvSource({"hills,4", "hall,4"})
    @DisplayName("R6 a server that stood still for some seconds blames no player for it")
    void toleratesServerStall(String arena, int seconds) throws IOException {
        FourGames server = new FourGames(network, random, 64, ArenaCatalog.shipped(arena));
        List<TestClient> guests = enter(server);
        for (int times = 0; times < 2; times++) {
            server.stall(seconds * SECOND);
            network.run((seconds + 10) * SECOND);
        }
        assertFair(server, guests);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills"})
    @DisplayName("R6 a line that holds all up for some seconds and delivers it at once is no cheat")
    void toleratesDelayedLine(String arena) throws IOException {
        FourGames server = new FourGames(network, random, 64, ArenaCatalog.shipped(arena));
        List<TestClient> guests = enter(server);
        for (long millis : new long[] {2_000, 3_500, 4_000}) {
            network.hold(millis * MILLI);
            network.run(millis * MILLI + 4 * SECOND);
        }
        assertFair(server, guests);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills"})
    @DisplayName("R6 a line that loses all for some seconds is no cheat")
    void toleratesLossyLine(String arena) throws IOException {
        FourGames server = new FourGames(network, random, 64, ArenaCatalog.shipped(arena));
        List<TestClient> guests = enter(server);
        for (long seconds : new long[] {2, 3}) {
            network.conditions(new Conditions(1, 0, 0, 0));
            network.run(seconds * SECOND);
            network.conditions(Conditions.PERFECT);
            network.run(8 * SECOND);
        }
        assertFair(server, guests);
    }

    /** ENet itself gives a line up after 5 s, so that the client of Sauerbraten is gone then. */
    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills"})
    @DisplayName(
            "R6 six seconds of loss, or a stall of eight, are no cheat where no time-out ends it")
    void toleratesLongSilences(String arena) throws IOException {
        FourGames server = new FourGames(network, random, 64, ArenaCatalog.shipped(arena));
        List<TestClient> guests = enter(server, FourGames.ALL.subList(1, 4));
        network.conditions(new Conditions(1, 0, 0, 0));
        network.run(6 * SECOND);
        network.conditions(Conditions.PERFECT);
        network.run(8 * SECOND);
        server.stall(8 * SECOND);
        network.run(18 * SECOND);
        assertFair(server, guests);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills"})
    @DisplayName("R6 300 ms of jitter and a loss of 20 % are no cheat")
    void toleratesBadLine(String arena) throws IOException {
        FourGames server = new FourGames(network, random, 64, ArenaCatalog.shipped(arena));
        List<TestClient> guests = enter(server);
        network.conditions(new Conditions(0.2, 0, 20 * MILLI, 300 * MILLI));
        network.run(30 * SECOND);
        network.conditions(Conditions.PERFECT);
        network.run(5 * SECOND);
        assertFair(server, guests);
    }
}
