package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.MirrorResult;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.item.ItemPickup;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.blocks.reach.ArenaValidator;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Clients of all four games see the same items, and the same one gone and back. */
@Tag("slow")
class ItemsInFourGamesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Vec3 HEALTH = new Vec3(20, 20, 0);
    private static final Vec3 ARMOUR = new Vec3(-25, -25, 0);

    /** One for all games, as each compiles it once. */
    private static final BlockArena BLOCKS =
            ArenaCatalog.FLAT.withItems(
                    List.of(
                            new PlacedItem(ItemKind.HEALTH, HEALTH),
                            new PlacedItem(ItemKind.HEAVY_ARMOUR, ARMOUR)));

    /** A client that stands, or walks to a place. */
    private static final class Walker {
        private Optional<Vec3> target = Optional.empty();

        PlayerInput steer(Movement self) {
            Vec3 way = target.map(to -> to.minus(self.position())).orElse(Vec3.ZERO);
            double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
            return way.horizontal() > 0.5
                    ? PlayerInput.walk(yaw, self.yaw(), 0)
                    : PlayerInput.look(self.yaw(), 0);
        }
    }

    private final Random random = new Random(5);
    private final SimulatedNetwork network = new SimulatedNetwork(5);

    private static boolean sees(Client client, Vec3 place) {
        return client.items().stream().anyMatch(item -> item.distance(place) < 0.1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sauerbraten", "quake2", "quake3", "bedrock"})
    void allSeeAnItemVanishThatOneTakes(String taker) throws IOException {
        List<ArenaEvent.ItemTaken> taken = new ArrayList<>();
        Map<String, Client> clients = new LinkedHashMap<>();
        Map<String, Walker> walkers = new LinkedHashMap<>();
        try (FourGames server =
                new FourGames(network, random, 8, MatchRules.of(MatchMode.FFA), BLOCKS)) {
            server.arena()
                    .addListener(event -> {
                        if (event instanceof ArenaEvent.ItemTaken it) {
                            taken.add(it);
                        }
                    });
            for (Game game : FourGames.ALL) {
                Walker walker = new Walker();
                walkers.put(game.name(), walker);
                clients.put(
                        game.name(),
                        game.connect(
                                ClientConfig.builder(network.cycle(), server.address(game.name()))
                                        .name(game.name())
                                        .controller((_, self) -> walker.steer(self))
                                        .listener(new ClientListener() {})
                                        .random(random)
                                        .build()));
            }
            assertThat(
                            network.runUntil(
                                    () -> clients.values().stream().allMatch(Client::joined),
                                    30 * SECOND))
                    .isTrue();
            network.run(5 * SECOND);
            clients.forEach((game, client) -> {
                assertThat(sees(client, HEALTH)).as("%s: %s", game, client.items()).isTrue();
                assertThat(sees(client, ARMOUR)).as("%s: %s", game, client.items()).isTrue();
            });

            hurt(server, taker);
            requireNonNull(walkers.get(taker)).target = Optional.of(HEALTH);
            assertThat(network.runUntil(() -> !taken.isEmpty(), 30 * SECOND)).isTrue();
            network.run(2 * SECOND);
            assertThat(taken).hasSize(1);
            assertThat(taken.getFirst().player().game()).isEqualTo(taker);
            clients.forEach((game, client) -> {
                assertThat(sees(client, HEALTH)).as("%s: %s", game, client.items()).isFalse();
                assertThat(sees(client, ARMOUR)).as("%s: %s", game, client.items()).isTrue();
            });
            requireNonNull(walkers.get(taker)).target = Optional.of(Vec3.ZERO);
            network.run(25 * SECOND);
            clients.forEach((game, client) ->
                    assertThat(sees(client, HEALTH)).as("%s: %s", game, client.items()).isTrue());

            takeOnOtherServer(server, taker);
            network.run(2 * SECOND);
            clients.forEach((game, client) -> {
                assertThat(sees(client, HEALTH)).as("%s: %s", game, client.items()).isTrue();
                assertThat(sees(client, ARMOUR)).as("%s: %s", game, client.items()).isFalse();
            });
        }
    }

    private void takeOnOtherServer(FourGames server, String game) {
        PlayerId id = new PlayerId(7, 1);
        server.arena()
                .mirror(network.now(), id, game, "far")
                .spawn(network.now(), Movement.at(ARMOUR, 0));
        PlacedItem armour = server.arena().match().items().of(game).get(1).placed();
        assertThat(
                        server.arena()
                                .match()
                                .shared()
                                .mirror(
                                        network.now(),
                                        new ItemPickup(
                                                Optional.of(id), 1, armour, armour.returnTime()),
                                        () -> false))
                .isEqualTo(MirrorResult.TAKEN);
    }

    /** Takes 60 of its player's health, which needs the item then. */
    private void hurt(FourGames server, String game) {
        Player player =
                server.arena().players().stream()
                        .filter(it -> it.game().equals(game))
                        .findFirst()
                        .orElseThrow();
        ArenaPlayer handle = server.arena().player(player.id()).orElseThrow();
        assertThat(
                        handle.combatant()
                                .hit(
                                        network.now(),
                                        player.id(),
                                        DamageMeans.SUICIDE,
                                        60,
                                        Vec3.ZERO,
                                        player.movement().position()))
                .isTrue();
    }

    /** By the reachability search with the bodies of all four games. */
    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills"})
    void itemsOfShippedArenasAreInReachOfAllGames(String name) {
        BlockArena arena = ArenaCatalog.shipped(name);
        List<BodyDimensions> bodies =
                FourGames.ALL.stream().flatMap(game -> game.body().stream()).toList();
        assertThat(bodies).hasSize(4);
        assertThat(arena.items()).hasSizeGreaterThan(30);
        assertThat(ArenaValidator.problems(arena, bodies)).isEmpty();
    }
}
