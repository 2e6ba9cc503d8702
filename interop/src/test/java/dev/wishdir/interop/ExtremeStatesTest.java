package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A state of one player that no field of a packet holds, beside others who must not notice. */
@Tag("slow")
class ExtremeStatesTest {
    private static final long SECOND = 1_000_000_000;
    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000);
    private static final double[] NUMBERS = {
        1e9,
        -1e9,
        32_767.9,
        Float.MAX_VALUE,
        1e300,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Arena arena = new Arena(Level.BOX, 8);
    private final List<String> endings = new ArrayList<>();
    private int node = 2;

    private static List<Game> games() {
        return FourGames.ALL;
    }

    private static List<Movement> movements() {
        List<Movement> all = new ArrayList<>();
        for (double x : NUMBERS) {
            Vec3 far = new Vec3(x, -x, x);
            all.add(Movement.at(far, 0));
            all.add(new Movement(Vec3.ZERO, x, 0, Vec3.ZERO, Stance.STANDING));
            all.add(new Movement(Vec3.ZERO, 0, x, Vec3.ZERO, Stance.STANDING));
            all.add(new Movement(Vec3.ZERO, 0, 0, far, Stance.STANDING));
            all.add(new Movement(far, x, x, far, Stance.NONE));
        }
        return all;
    }

    private ArenaPlayer mirrored(String name) {
        return arena.mirror(network.now(), new PlayerId(node++, 1), "another", name);
    }

    private void score(ArenaPlayer player, int frags, int deaths) {
        arena.match()
                .shared()
                .mirror(
                        new ArenaEvent.Scored(
                                network.now(),
                                player.snapshot(),
                                new Score(frags, deaths),
                                Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("games")
    void showsOthersBesidePlayerWithExtremeState(Game game) throws IOException {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofHours(1), Duration.ZERO, Duration.ofSeconds(5)));
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        game.serve(EndpointContext.builder(cycle, ADDRESS, arena).random(new Random(1)).build());
        Client bot =
                game.connect(
                        ClientConfig.builder(network.cycle(), ADDRESS)
                                .listener(
                                        new ClientListener() {
                                            @Override
                                            public void onEnded(
                                                    Client self, EndReason ending, String reason) {
                                                endings.add(ending + ": " + reason);
                                            }
                                        })
                                .random(new Random(2))
                                .build());
        assertThat(network.runUntil(bot::joined, 20 * SECOND)).isTrue();
        network.run(SECOND);

        // Any exception of the server ends the run of the network.
        ArenaPlayer odd = mirrored("odd");
        odd.setPing(Integer.MAX_VALUE);
        for (Movement movement : movements()) {
            odd.spawn(network.now(), movement);
            odd.combatant().beginLife(network.now(), new Vitals(100, 0, 0), ArmourRule.EXACT);
            odd.move(network.now(), movement, NativeMovement.Stored.NONE);
            network.run(SECOND / 10);
            odd.teleport(network.now(), movement);
            odd.despawn(network.now());
            network.run(SECOND / 10);
        }
        ArenaPlayer own = arena.player(player().id()).orElseThrow();
        own.setPing(Integer.MAX_VALUE);
        for (int frags : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, 40_000, -40_000}) {
            score(odd, frags, Integer.MAX_VALUE);
            arena.match().shared().credit(network.now(), own.id(), frags);
            network.run(SECOND / 2);
        }

        ArenaPlayer honest = mirrored("honest");
        honest.spawn(network.now(), bot.movement());
        network.run(2 * SECOND);
        assertThat(endings).isEmpty();
        assertThat(bot.others()).anyMatch(other -> other.name().contains("honest"));
        assertThat(bot.movement().isValid()).isTrue();
        assertThat(bot.others()).allMatch(other -> other.movement().isValid());
    }

    private Player player() {
        return arena.players().stream()
                .filter(player -> player.id().node() == 0)
                .findFirst()
                .orElseThrow();
    }
}
