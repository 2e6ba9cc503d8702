package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** In a match with flags, players of all games wait for their next life. */
@Tag("slow")
class RespawnInFourGamesTest {
    private static final long SECOND = 1_000_000_000;

    private final Random random = new Random(6);
    private final SimulatedNetwork network = new SimulatedNetwork(6);
    private final Map<String, Long> died = new HashMap<>();
    private final Map<String, Double> waits = new HashMap<>();

    private void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Died e -> died.put(e.player().game(), e.time());
            case ArenaEvent.Spawned e -> {
                Long end = died.get(e.player().game());
                if (end != null) {
                    waits.putIfAbsent(e.player().game(), (e.time() - end) / 1e9);
                }
            }
            default -> {}
        }
    }

    @Test
    void beginsNextLifeAfterThreeSeconds() throws IOException {
        try (FourGames server =
                new FourGames(
                        network,
                        random,
                        8,
                        MatchRules.of(MatchMode.CTF_EFFIC),
                        ArenaCatalog.shipped("hall"))) {
            server.arena().addListener(this::onEvent);
            for (Game game : FourGames.ALL) {
                server.guest(game, game.name());
            }
            assertThat(network.runUntil(() -> living(server).size() == 4, 60 * SECOND)).isTrue();
            living(server).forEach(player -> player.combatant().die(network.now()));
            assertThat(died).hasSize(4);
            network.run(10 * SECOND);
            assertThat(waits)
                    .hasSize(4)
                    .allSatisfy(
                            (game, seconds) -> assertThat(seconds).as(game).isBetween(3.0, 6.0));
            assertThat(living(server)).hasSize(4);
        }
    }

    private static List<ArenaPlayer> living(FourGames server) {
        return server.arena().players().stream()
                .map(Player::id)
                .flatMap(id -> server.arena().player(id).stream())
                .filter(player -> player.snapshot().spawned() && player.combatant().isAlive())
                .toList();
    }
}
