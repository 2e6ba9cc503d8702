package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake3.client.Quake3Client;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Players of two other servers that have the same number there are two players in each game. */
@Tag("slow")
class SameNumbersTest {
    private static final long SECOND = 1_000_000_000;
    private static final int NUMBER = 1;

    private final Random random = new Random(6);
    private final SimulatedNetwork network = new SimulatedNetwork(6);

    @Test
    void keepsPlayersAndTheirScoresApart() throws IOException {
        try (FourGames server = new FourGames(network, random, 8, MatchRules.of(MatchMode.FFA))) {
            List<TestClient> clients = new ArrayList<>();
            for (Game game : FourGames.ALL) {
                clients.add(
                        server.guest(game, "c" + game.name(), (_, _) -> PlayerInput.look(0, 0)));
            }
            server.await(clients);
            ArenaPlayer left = mirror(server, 7, "left", 3);
            ArenaPlayer right = mirror(server, 8, "right", 5);
            for (int i = 1; i <= 20; i++) {
                left.move(server.now(), at(7 + i / 20.0), NativeMovement.Stored.NONE);
                right.move(server.now(), at(8 + i / 20.0), NativeMovement.Stored.NONE);
                network.run(SECOND / 20);
            }
            clients.forEach(each -> {
                switch (each.client) {
                    case Quake2Client quake2 -> quake2.command("score");
                    case Quake3Client quake3 -> quake3.command("score");
                    default -> {
                        // It has a board all the time.
                    }
                }
            });
            network.run(SECOND);
            for (TestClient each : clients) {
                Client client = each.client;
                Set<Long> ids = new HashSet<>();
                ids.add(client.id());
                client.others().forEach(other -> ids.add(other.id()));
                assertThat(ids).as("players at %s", each).hasSize(clients.size() + 2);
                assertThat(frags(client, "left")).as("at %s", each).contains(3);
                assertThat(frags(client, "right")).as("at %s", each).contains(5);
            }
        }
    }

    private static Optional<Integer> frags(Client client, String name) {
        return client.others().stream()
                .filter(other -> other.name().endsWith(name))
                .findFirst()
                .map(other -> client.frags().get(other.id()));
    }

    private static Movement at(double x) {
        return Movement.at(new Vec3(x, 4, 0), 0);
    }

    private static ArenaPlayer mirror(FourGames server, int node, String name, int frags) {
        long now = server.now();
        PlayerId id = new PlayerId(node, NUMBER);
        ArenaPlayer player = server.arena().mirror(now, id, "quake3", name);
        player.spawn(now, at(node));
        server.arena()
                .match()
                .shared()
                .mirror(
                        new ArenaEvent.Scored(
                                now, player.snapshot(), new Score(frags, 0), Optional.empty()));
        return player;
    }
}
