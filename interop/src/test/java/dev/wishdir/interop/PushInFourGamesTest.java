package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A snowball of Bedrock pushes the players of all games, whose clients carry it out. */
@Tag("slow")
class PushInFourGamesTest {
    private static final long SECOND = 1_000_000_000;

    /** As of a snowball: 8 m/s away, and as much up. */
    private static final Vec3 PUSH = new Vec3(8, 0, 8);

    private final Random random = new Random(5);
    private final SimulatedNetwork network = new SimulatedNetwork(5);

    private static ArenaPlayer player(FourGames server, String name) {
        return server.arena().players().stream()
                .filter(each -> each.name().equals(name))
                .map(Player::id)
                .flatMap(id -> server.arena().player(id).stream())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void pushesPlayersOfAllGamesWithoutDamage() throws IOException {
        List<ArenaEvent> hits = new ArrayList<>();
        try (FourGames server = new FourGames(network, random, 8, MatchRules.of(MatchMode.FFA))) {
            server.arena()
                    .addListener(event -> {
                        if (event instanceof ArenaEvent.Hit) {
                            hits.add(event);
                        }
                    });
            List<TestClient> clients = new ArrayList<>();
            for (Game game : FourGames.ALL) {
                clients.add(server.guest(game, game.name(), (_, _) -> PlayerInput.look(0, 0)));
            }
            TestClient thrower =
                    server.guest(
                            FourGames.game("bedrock"), "thrower", (_, _) -> PlayerInput.look(0, 0));
            assertThat(
                            network.runUntil(
                                    () ->
                                            thrower.in()
                                                    && server.arena().players().stream()
                                                            .allMatch(Player::spawned)
                                                    && clients.stream().allMatch(TestClient::in),
                                    30 * SECOND))
                    .isTrue();
            network.run(4 * SECOND);
            ArenaPlayer attacker = player(server, "thrower");
            for (TestClient each : clients) {
                ArenaPlayer victim = player(server, each.name);
                Vitals before = victim.combatant().vitals();
                Vec3 from = victim.snapshot().movement().position();
                assertThat(
                                attacker.combatant()
                                        .hit(
                                                network.now(),
                                                victim.id(),
                                                DamageMeans.MACHINE_GUN,
                                                0,
                                                PUSH,
                                                from))
                        .as("%s", each)
                        .isTrue();
                network.run(3 * SECOND);
                Vec3 to = victim.snapshot().movement().position();
                assertThat(to.x() - from.x()).as("%s flies to the east", each).isGreaterThan(1.5);
                assertThat(each.client.movement().position().distance(to)).isLessThan(0.3);
                assertThat(victim.combatant().vitals().armour()).isEqualTo(before.armour());
                assertThat(victim.combatant().vitals().health())
                        .as("%s may have lost what its game takes above 100", each)
                        .isGreaterThanOrEqualTo(Math.min(before.health(), 100));
                assertThat(each.in()).as("%s", each).isTrue();
            }
            assertThat(hits).hasSize(clients.size());
            assertThat(server.laws().verdicts()).isEmpty();
        }
    }
}
