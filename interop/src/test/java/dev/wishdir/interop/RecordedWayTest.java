package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.replay.RecordedWay;
import dev.wishdir.app.replay.WayFollower;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Game;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.net.SimulatedNetwork.Conditions;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/** A bot of each game walks a recorded way, on a server with that game's physics. */
class RecordedWayTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** The bar: metres from where the recorded player was at the same time. */
    private static final double MAX_ERROR = 1;

    static List<Game> games() {
        return FourGames.ALL;
    }

    /** The way of a player of one game. */
    private static RecordedWay recorded(Game game, BotController controller) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(3);
        network.conditions(new Conditions(0, 0, 10 * MILLI, 0));
        EventListSource source = new EventListSource();
        try (FourGames server = new FourGames(network, new Random(4), 8)) {
            server.arena().addListener(source::add);
            TestClient walker = server.guest(game, "anna", controller);
            server.await(List.of(walker));
            network.run(25 * SECOND);
        }
        return RecordedWay.read(source.complete(), "anna");
    }

    private static WayFollower followed(Game game, RecordedWay way) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(5);
        network.conditions(new Conditions(0, 0, 10 * MILLI, 0));
        WayFollower follower = new WayFollower(way);
        try (FourGames server = new FourGames(network, new Random(6), 8)) {
            TestClient bot = server.guest(game, "bob", follower);
            server.await(List.of(bot));
            assertThat(network.runUntil(follower::hasEnded, 60 * SECOND)).isTrue();
            assertThat(server.laws().verdicts()).isEmpty();
        }
        return follower;
    }

    /** Curves, straight lines, a stop and jumps. */
    private static PlayerInput walk(long now, double speed) {
        double seconds = now / 1e9;
        int phase = (int) (seconds / 4) % 4;
        double direction = phase == 0 ? seconds * 90 : 90 * (int) (seconds / 2);
        boolean jumps = phase == 2 && seconds % 1 < 0.1;
        PlayerInput full = PlayerInput.walk(direction, seconds * 30, 0);
        double share = phase == 3 && seconds % 4 < 1 ? 0 : speed;
        return new PlayerInput(
                full.yaw(),
                full.pitch(),
                share * full.forward(),
                share * full.left(),
                jumps,
                false);
    }

    @ParameterizedTest
    @MethodSource("games")
    void staysWithinOneMetreOfTheWayOfItsGame(Game game) throws IOException {
        RecordedWay way = recorded(game, (now, _) -> walk(now, 1));
        assertThat(way.durationNanos()).isGreaterThan(20 * SECOND);
        WayFollower follower = followed(game, way);
        assertThat(follower.maxErrorMetres()).as(follower.report()).isLessThan(MAX_ERROR);
    }

    @ParameterizedTest
    @MethodSource("games")
    void staysWithinOneMetreOfTheSlowWayOfAnotherGame(Game game) throws IOException {
        Game quake2 = FourGames.ALL.get(1);
        RecordedWay way =
                recorded(quake2, (now, _) -> new PlayerInput(now / 2e7, 0, 0.25, 0, false, false));
        WayFollower follower = followed(game, way);
        assertThat(follower.maxErrorMetres()).as(follower.report()).isLessThan(MAX_ERROR);
    }
}
