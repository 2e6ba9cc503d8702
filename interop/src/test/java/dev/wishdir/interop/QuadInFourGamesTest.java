package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** One player takes quad damage and fights those of the three other games. */
@Tag("slow")
class QuadInFourGamesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Vec3 QUAD = new Vec3(-20, 20, 0);

    /** One for all games, as each compiles it once. */
    private static final BlockArena BLOCKS =
            ArenaCatalog.FLAT.withItems(List.of(new PlacedItem(ItemKind.QUAD, QUAD)));

    /** A client that stands, walks to a place, or fights the nearest other. */
    private static final class Fighter {
        private Optional<Vec3> target = Optional.empty();
        private boolean fights;
        private @Nullable Client client;

        PlayerInput steer(Movement self) {
            Optional<Vec3> place = fights ? nearest(self) : target;
            Vec3 way = place.map(to -> to.minus(self.position())).orElse(Vec3.ZERO);
            double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
            if (fights && client != null && place.isPresent()) {
                client.shoot(place.get().plus(new Vec3(0, 0, 1)));
            }
            return way.horizontal() > (fights ? 1.3 : 0.5)
                    ? PlayerInput.walk(yaw, fights ? yaw : self.yaw(), 0)
                    : PlayerInput.look(self.yaw(), self.pitch());
        }

        private Optional<Vec3> nearest(Movement self) {
            return client == null
                    ? Optional.empty()
                    : client.others().stream()
                            .map(other -> other.movement().position())
                            .min(Comparator.comparingDouble(self.position()::distance));
        }
    }

    private final Random random = new Random(5);
    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Map<String, Fighter> fighters = new LinkedHashMap<>();
    private final List<ArenaEvent.Hit> hits = new ArrayList<>();
    private boolean isTaken;

    private Client connect(FourGames server, Game game) throws IOException {
        Fighter fighter = new Fighter();
        fighters.put(game.name(), fighter);
        Client client =
                game.connect(
                        ClientConfig.builder(network.cycle(), server.address(game.name()))
                                .name(game.name())
                                .controller((_, self) -> fighter.steer(self))
                                .listener(new ClientListener() {})
                                .random(random)
                                .build());
        fighter.client = client;
        return client;
    }

    /**
     * @param seconds for which the game's quad damage lasts
     * @param usual the damage of what a life begins with in the game: of a shot and of a blow, or
     *     the least and the most
     * @param factor of the game
     */
    @ParameterizedTest
    @CsvSource({
        "sauerbraten, 20, 35 50, 4",
        "quake2, 30, 15, 4",
        "quake3, 30, 7 50, 3",
        "bedrock, 30, 5-75, 3"
    })
    void multipliesDamageByTheLawOfItsTaker(String taker, int seconds, String usual, int factor)
            throws IOException {
        try (FourGames server =
                new FourGames(network, random, 8, MatchRules.of(MatchMode.FFA), BLOCKS)) {
            server.arena()
                    .addListener(event -> {
                        isTaken |= event instanceof ArenaEvent.ItemTaken;
                        if (event instanceof ArenaEvent.Hit hit
                                && hit.attacker().game().equals(taker)
                                && !hit.attacker().id().equals(hit.id())
                                && hit.damage() > 0) {
                            hits.add(hit);
                        }
                    });
            List<Client> clients = new ArrayList<>();
            for (Game game : FourGames.ALL) {
                clients.add(connect(server, game));
            }
            assertThat(
                            network.runUntil(
                                    () -> clients.stream().allMatch(Client::joined), 30 * SECOND))
                    .isTrue();
            Fighter fighter = requireNonNull(fighters.get(taker));
            fighter.target = Optional.of(QUAD);
            assertThat(network.runUntil(() -> isTaken, 60 * SECOND)).isTrue();
            PlayerId id =
                    server.arena().players().stream()
                            .filter(player -> player.game().equals(taker))
                            .findFirst()
                            .orElseThrow()
                            .id();
            assertThat(server.arena().match().quadLeft(network.now(), id))
                    .isBetween((seconds - 1) * SECOND, seconds * SECOND);

            fighter.fights = true;
            assertThat(network.runUntil(() -> hits.size() > 3, (seconds - 2) * SECOND)).isTrue();
            assertThat(server.arena().match().quadLeft(network.now(), id)).isPositive();
            fighter.fights = false;
            assertThat(hits)
                    .extracting(ArenaEvent.Hit::damage)
                    .allSatisfy(damage -> assertDamage(usual, damage / factor))
                    .anySatisfy(damage -> assertThat(damage).isGreaterThan(least(usual, factor)));
            if (taker.equals("quake2")) {
                assertThat(hits)
                        .extracting(hit -> hit.knockback().length() * 32)
                        .allSatisfy(push -> assertThat(push).isCloseTo(10, within(0.1)));
            }
            network.run(seconds * SECOND);
            assertThat(server.arena().match().quadLeft(network.now(), id)).isZero();
            hits.clear();
            fighter.fights = true;
            assertThat(network.runUntil(() -> hits.size() > 1, 30 * SECOND)).isTrue();
            assertThat(hits)
                    .extracting(ArenaEvent.Hit::damage)
                    .allSatisfy(damage -> assertDamage(usual, damage));
        }
    }

    private static void assertDamage(String usual, double damage) {
        String[] range = usual.split("-");
        if (range.length == 2) {
            assertThat(damage).isBetween(Double.valueOf(range[0]), Double.valueOf(range[1]));
        } else {
            assertThat(usual.split(" ")).contains(String.valueOf((int) damage));
            assertThat(damage % 1).isZero();
        }
    }

    /** What no hit without quad damage does: in a range more than its end. */
    private static double least(String usual, int factor) {
        String[] range = usual.split("[- ]");
        double first = Double.parseDouble(range[0]);
        return usual.contains("-") ? Double.parseDouble(range[1]) : first * factor - 1;
    }
}
