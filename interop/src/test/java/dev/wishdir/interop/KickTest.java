package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Player;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Whoever is sent away reads why, however far he has come. */
@Tag("slow")
class KickTest {
    private static final long SECOND = 1_000_000_000;
    private static final int STEPS = TestEffort.times(20);

    /** Between two moments at which players are kicked, of the 660 ms in which they come in. */
    private static final long STEP = 660_000_000 / STEPS;

    private static final String REASON = "You were kicked: too loud";

    private final Random random = new Random(29);
    private final SimulatedNetwork network = new SimulatedNetwork(29);
    private final LoggedErrors errors = new LoggedErrors();

    enum Way {
        GOOD(Conditions.PERFECT),
        BAD(new Conditions(0.05, 0.01, 50_000_000, 100_000_000));

        final Conditions conditions;

        Way(Conditions conditions) {
            this.conditions = conditions;
        }
    }

    @AfterEach
    void nothingFailed() {
        errors.close();
        assertThat(errors.lines()).isEmpty();
    }

    private FourGames server() throws IOException {
        return new FourGames(
                network,
                random,
                16,
                "",
                List.of(),
                ArenaCatalog.shipped("flat"),
                ArenaCatalog.shipped("hall"));
    }

    private void orders(FourGames server, String line) {
        server.operations().execute(network.now(), server.operations().author("console"), line);
    }

    private List<TestClient> come(FourGames server, int round) throws IOException {
        List<TestClient> guests = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            String from = "10.0." + round + "." + guests.size();
            guests.add(server.guest(game, from, game.name(), "", TestClient.CIRCLES));
        }
        return guests;
    }

    /** All who play are kicked, and gone. Says who has not read why. */
    private List<String> untold(FourGames server, List<TestClient> guests, String when) {
        for (Player player : server.arena().players()) {
            orders(server, "kick " + player.name() + " too loud");
        }
        network.runUntil(
                () -> guests.stream().noneMatch(guest -> guest.ending.isEmpty()), 20 * SECOND);
        assertThat(server.arena().players()).as(when).isEmpty();
        return guests.stream()
                .filter(guest -> !guest.ending.endsWith(REASON) && !guest.heard.containsKey(REASON))
                .map(guest -> when + ": " + guest)
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("on the way to another arena")
    void kicksDuringMapChange(Way way) throws IOException {
        FourGames server = server();
        List<String> untold = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            network.conditions(Conditions.PERFECT);
            List<TestClient> guests = come(server, i);
            server.await(guests);
            network.run(SECOND);
            network.conditions(way.conditions);
            orders(server, i % 2 == 0 ? "map hall" : "map flat");
            network.run(i * STEP);
            untold.addAll(untold(server, guests, i * STEP / 1_000_000 + " ms after the change"));
        }
        assertThat(untold).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("on the way in")
    void kicksDuringJoin(Way way) throws IOException {
        FourGames server = server();
        network.conditions(way.conditions);
        List<String> untold = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            for (int i = 0; i < STEPS; i++) {
                String from = "10." + i + ".0.1";
                TestClient guest = server.guest(game, from, game.name(), "", TestClient.CIRCLES);
                assertThat(network.runUntil(() -> !server.arena().players().isEmpty(), 30 * SECOND))
                        .as("%s", guest)
                        .isTrue();
                network.run(i * STEP);
                untold.addAll(
                        untold(server, List.of(guest), i * STEP / 1_000_000 + " ms after he came"));
                // Quake III keeps the place of a kicked client until it has received the reason.
                network.run(3 * SECOND);
            }
        }
        assertThat(untold).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 1_400, 40_000})
    @DisplayName("G23 for a long reason: whoever is kicked or banned is gone, and reads its start")
    void kicksForLongReason(int length) throws IOException {
        FourGames server = server();
        List<TestClient> guests = come(server, 1);
        server.await(guests);
        String reason = "\u2122r".repeat(length / 2);
        for (Player player : List.copyOf(server.arena().players())) {
            orders(server, "kick " + player.name() + " " + reason);
        }
        network.run(3 * SECOND);
        assertThat(server.arena().players()).isEmpty();
        assertThat(guests).noneMatch(TestClient::in);
        assertThat(guests).allMatch(guest -> hasRead(guest, "You were kicked: "));

        List<TestClient> banned = come(server, 2);
        server.await(banned);
        for (Player player : List.copyOf(server.arena().players())) {
            orders(server, "ban " + player.name() + " " + reason);
        }
        network.run(3 * SECOND);
        assertThat(server.arena().players()).isEmpty();
        assertThat(banned).noneMatch(TestClient::in);
        List<TestClient> again = come(server, 2);
        network.run(5 * SECOND);
        assertThat(server.arena().players()).isEmpty();
        assertThat(again).allMatch(guest -> hasRead(guest, "anned"));
    }

    private static boolean hasRead(TestClient guest, String start) {
        return guest.ending.contains(start)
                || guest.heard.keySet().stream().anyMatch(text -> text.contains(start));
    }
}
