package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.app.record.ServerWatch;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A client watches a server of ours: what it reports is what happens in the arena. */
@Tag("slow")
class ServerWatchTest {
    static final List<Game> GAMES = FourGames.ALL;

    private static final long SECOND = 1_000_000_000;
    private static final long EPOCH_NANOS = 1_700_000_000L * SECOND;

    /** Quake III shows players at whole units, a 32nd of a metre on each axis. */
    private static final double UNIT_QUANTUM_METRES = Math.sqrt(3) / 32 + 1e-9;

    private static final double OWN_QUANTUM_METRES = 1e-6;

    @ParameterizedTest
    @FieldSource("GAMES")
    void reportsOtherPlayersToPlayer(Game game) throws IOException {
        reportsOtherPlayersOfServer(game, Map.of());
    }

    /** Only the client can decrypt its datagrams. */
    @Test
    void reportsOtherPlayersOverNetherNet() throws IOException {
        reportsOtherPlayersOfServer(GAMES.getLast(), Map.of(BedrockClient.TRANSPORT, "nethernet"));
    }

    /** A spectator sees the same, and has no body itself. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void reportsOtherPlayersToSpectator(int index) throws IOException {
        Game game =
                GAMES.stream()
                        .filter(each ->
                                each.clientOptions().stream()
                                        .anyMatch(option ->
                                                option.name().equals(ClientConfig.SPECTATE)))
                        .toList()
                        .get(index);
        reportsOtherPlayersOfServer(game, Map.of(ClientConfig.SPECTATE, "on"));
    }

    private static void reportsOtherPlayersOfServer(Game game, Map<String, String> options)
            throws IOException {
        Random random = new Random(3);
        SimulatedNetwork network = new SimulatedNetwork(random.nextLong());
        try (FourGames server = new FourGames(network, random, 16)) {
            Map<String, List<Vec3>> path = new LinkedHashMap<>();
            server.arena()
                    .addListener(event -> {
                        if (event instanceof ArenaEvent.OfPlayer of) {
                            Movement movement =
                                    switch (event) {
                                        case ArenaEvent.Spawned e -> e.movement();
                                        case ArenaEvent.Moved e -> e.movement();
                                        case ArenaEvent.Teleported e -> e.movement();
                                        default -> null;
                                    };
                            if (movement != null) {
                                path.computeIfAbsent(of.player().name(), _ -> new ArrayList<>())
                                        .add(movement.position());
                            }
                        }
                    });
            List<ArenaEvent> seen = new ArrayList<>();
            ServerWatch[] watches = new ServerWatch[1];
            var cycle = network.cycle();
            watches[0] =
                    new ServerWatch(
                            cycle, game, server.address(game.name()), EPOCH_NANOS, seen::add);
            Client watching =
                    game.connect(
                            ClientConfig.builder(watches[0], server.address(game.name()))
                                    .name("watcher")
                                    .options(options)
                                    .random(random)
                                    .listener(
                                            new ClientListener() {
                                                @Override
                                                public void onSessionKey(Client self, String key) {
                                                    watches[0].addKey(key);
                                                }

                                                @Override
                                                public Optional<Plaintext> plaintext() {
                                                    return Optional.of(watches[0]::addPlaintext);
                                                }
                                            })
                                    .build());
            assertThat(network.runUntil(watching::joined, 30 * SECOND)).isTrue();
            network.run(SECOND);
            assertThat(server.arena().players())
                    .extracting(Player::spawned)
                    .containsExactly(!options.containsKey(ClientConfig.SPECTATE));
            TestClient same = server.guest(game, "same");
            Game other = game.name().equals("quake3") ? GAMES.getFirst() : GAMES.get(2);
            TestClient foreign = server.guest(other, "foreign");
            server.await(List.of(same, foreign));
            network.runUntil(() -> false, 3 * SECOND);
            same.client.say("hello there");
            network.runUntil(() -> false, SECOND);
            same.client.close();
            network.runUntil(() -> false, 2 * SECOND);

            assertThat(seen).extracting(ArenaEvent::time).isSorted();
            assertThat(seen.getFirst().time()).isGreaterThanOrEqualTo(EPOCH_NANOS);
            assertThat(names(seen, ArenaEvent.Joined.class))
                    .anyMatch("same"::equals)
                    .anyMatch(name -> name.endsWith("foreign"))
                    .noneMatch(name -> name.contains("watcher"));
            assertThat(
                            seen.stream()
                                    .filter(ArenaEvent.Chat.class::isInstance)
                                    .map(ArenaEvent.Chat.class::cast)
                                    .map(chat -> chat.player().name() + ": " + chat.text()))
                    .containsExactly("same: hello there");
            assertThat(names(seen, ArenaEvent.Left.class)).containsExactly("same");
            assertFollows(
                    seen,
                    path,
                    "same",
                    game.name().equals("quake3") ? UNIT_QUANTUM_METRES : OWN_QUANTUM_METRES);
            assertFollows(seen, path, "foreign", UNIT_QUANTUM_METRES);
            watching.close();
        }
    }

    private static List<String> names(
            List<ArenaEvent> events, Class<? extends ArenaEvent.OfPlayer> type) {
        return events.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .map(ArenaEvent.OfPlayer::player)
                .map(Player::name)
                .toList();
    }

    /** Each place that the watcher reports is one where the arena had the player. */
    private static void assertFollows(
            List<ArenaEvent> seen, Map<String, List<Vec3>> path, String name, double quantum) {
        List<Vec3> real = path.get(name);
        List<Vec3> reported =
                seen.stream()
                        .filter(event ->
                                event instanceof ArenaEvent.Moved moved
                                        && moved.player().name().endsWith(name))
                        .map(event -> ((ArenaEvent.Moved) event).movement().position())
                        .toList();
        assertThat(reported).as("places of %s", name).hasSizeGreaterThan(20);
        assertThat(reported)
                .as("places of %s", name)
                .allSatisfy(place ->
                        assertThat(
                                        requireNonNull(real).stream()
                                                .mapToDouble(each -> each.distance(place))
                                                .min()
                                                .orElse(Double.MAX_VALUE))
                                .isLessThanOrEqualTo(quantum));
    }
}
