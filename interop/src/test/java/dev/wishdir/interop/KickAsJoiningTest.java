package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.Game;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/**
 * What a listener of the arena does as it learns of a newcomer, while the endpoint still joins it:
 * the endpoint knows its own player before the first event.
 */
class KickAsJoiningTest {
    private static final long SECOND = 1_000_000_000;

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final LoggedErrors errors = new LoggedErrors();

    @AfterEach
    void loggedNoError() {
        errors.close();
        assertThat(errors.lines()).isEmpty();
    }

    static List<Game> games() {
        return FourGames.ALL;
    }

    @ParameterizedTest
    @MethodSource("games")
    void removesClientKickedAsItJoins(Game game) throws IOException {
        FourGames server = new FourGames(network, new Random(3), 16);
        TestClient witness = server.guest(game, "witness");
        server.await(List.of(witness));
        LeaveReason reason = new LeaveReason(LeaveReason.Code.KICKED, "not today");
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.Joined joined
                            && joined.player().name().equals("unwanted")) {
                        ArenaPlayer player = server.arena().player(joined.id()).orElseThrow();
                        player.kick(network.now(), reason);
                    }
                });
        TestClient unwanted = server.guest(game, "unwanted");
        assertThat(network.runUntil(() -> !unwanted.ending.isEmpty(), 30 * SECOND))
                .as("%s", unwanted)
                .isTrue();
        network.run(5 * SECOND);
        assertThat(unwanted.in()).isFalse();
        assertThat(server.arena().players()).extracting(Player::name).containsExactly("witness");
        assertThat(witness.client.others()).isEmpty();
        TestClient next = server.guest(game, "next");
        server.await(List.of(witness, next));
        network.run(SECOND);
        assertThat(witness.client.others()).as("%s", witness).hasSize(1);
        server.close();
    }

    /** Another player joins between the newcomer's join and the end of it. */
    @ParameterizedTest
    @MethodSource("games")
    void tellsNewcomerFromPlayerThatJoinsMeanwhile(Game game) throws IOException {
        FourGames server = new FourGames(network, new Random(3), 16);
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.Joined joined
                            && joined.player().name().equals("first")) {
                        server.arena().join(network.now(), "other", "second", new NoOpViewer());
                    }
                });
        TestClient witness = server.guest(game, "witness");
        server.await(List.of(witness));
        TestClient first = server.guest(game, "first");
        server.await(List.of(first));
        network.run(5 * SECOND);
        assertThat(server.arena().players())
                .extracting(Player::name)
                .containsExactly("witness", "first", "second");
        assertThat(witness.sees("first")).isNotNull();
        assertThat(first.sees("witness")).isNotNull();
        first.client.close();
        network.run(5 * SECOND);
        assertThat(server.arena().players())
                .extracting(Player::name)
                .containsExactly("witness", "second");
        server.close();
    }
}
