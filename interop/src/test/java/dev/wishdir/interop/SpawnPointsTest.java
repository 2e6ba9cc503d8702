package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Player;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Players of all games appear next to each other, not in each other. */
@Tag("slow")
class SpawnPointsTest {
    private static final long SECOND = 1_000_000_000;
    private static final BotController STILL =
            (_, self) -> BotController.PlayerInput.look(self.yaw(), self.pitch());

    /** Bodies that are as far apart do not meet, in any game. */
    private static final double APART_METRES = 1.2;

    private final Random random = new Random(3);
    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final List<FourGames> servers = new ArrayList<>();

    @AfterEach
    void close() {
        servers.forEach(FourGames::close);
    }

    /** All come at the same moment. */
    private FourGames enter(int count, String... arenas) throws IOException {
        FourGames server =
                new FourGames(
                        network,
                        random,
                        64,
                        Stream.of(arenas).map(ArenaCatalog::shipped).toArray(BlockArena[]::new));
        servers.add(server);
        List<TestClient> guests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Game game = FourGames.ALL.get(i % FourGames.ALL.size());
            guests.add(server.guest(game, "g" + i, STILL));
        }
        server.await(guests);
        network.run(5 * SECOND);
        return server;
    }

    private static List<Vec3> places(FourGames server) {
        assertThat(server.arena().players()).allMatch(Player::spawned);
        return server.arena().players().stream()
                .map(player -> player.movement().position())
                .toList();
    }

    private static void assertApart(FourGames server) {
        List<Vec3> places = places(server);
        for (int i = 0; i < places.size(); i++) {
            for (int k = 0; k < i; k++) {
                assertThat(places.get(i).distance(places.get(k)))
                        .as("%s", server.arena().players())
                        .isGreaterThan(APART_METRES);
            }
        }
    }

    @Test
    @DisplayName("no player appears in another body, on joining and where the arena changes")
    void spawnsPlayersApart() throws IOException {
        FourGames server = enter(8, "flat", "hills", "hall");
        assertApart(server);
        for (String next : List.of("hills", "hall", "flat")) {
            server.operations()
                    .execute(network.now(), server.operations().author("test"), "map " + next);
            network.run(SECOND);
            assertThat(
                            network.runUntil(
                                    () ->
                                            server.arena().players().stream()
                                                    .allMatch(Player::spawned),
                                    15 * SECOND))
                    .isTrue();
            network.run(SECOND);
            assertThat(server.arena().level().name()).isEqualTo(next);
            assertApart(server);
        }
    }

    @Test
    @DisplayName("more players than places are spread over the places")
    void spreadsPlayersOverSpawnPoints() throws IOException {
        FourGames server = enter(20, "flat");
        List<Vec3> places = places(server);
        for (Movement spawn : ArenaCatalog.FLAT.spawns()) {
            assertThat(places.stream().filter(at -> at.distance(spawn.position()) < 2))
                    .hasSizeBetween(1, 5);
        }
    }
}
