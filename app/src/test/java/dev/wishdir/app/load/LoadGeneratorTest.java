package dev.wishdir.app.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.app.bot.BotFight;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.net.simulation.LinkCounters;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The results of a load on a server with a clock of its own, in virtual time: Quake II's ten
 * frames.
 */
@Tag("slow")
class LoadGeneratorTest {
    private static final long SECOND = 1_000_000_000;
    private static final int CLIENTS = 4;

    private final SimulatedNetwork network = new SimulatedNetwork(4);
    private LoadGenerator generator;
    private int deaths;

    @BeforeEach
    void join() throws IOException {
        Quake2Game game = new Quake2Game();
        serve(game, game.port(), MatchRules.NONE);
        joinAll();
    }

    private void serve(Game game, int port, MatchRules rules) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        DutyCycle cycle = network.cycle();
        Arena arena = new Arena(Level.BOX, 16);
        arena.setMatchRules(rules);
        arena.addListener(event -> deaths += event instanceof ArenaEvent.Died ? 1 : 0);
        cycle.add(arena::advance);
        game.serve(
                EndpointContext.builder(cycle, address, arena)
                        .options(
                                game.name().equals("quake2")
                                        ? Map.of("max-frame-rate", "10")
                                        : Map.of())
                        .random(new Random(1))
                        .build());
        generator = new LoadGenerator(game, address, "", Map.of(), new Random(2));
    }

    private void joinAll() throws IOException {
        for (int i = 0; i < CLIENTS; i++) {
            generator.add(network::cycle, Optional.empty());
        }
        assertThat(network.runUntil(() -> generator.joined() == CLIENTS, 10 * SECOND)).isTrue();
        network.run(SECOND);
        generator.measure(network.now());
    }

    @Test
    void reportsFailureOfGenerator() {
        network.run(SECOND);
        generator.onError(new OutOfMemoryError("Java heap space"));
        assertThat(generator.errors()).hasSize(1);
        assertThat(generator.result(network.now()).problems())
                .anySatisfy(problem -> assertThat(problem.reason()).contains("Java heap space"));
    }

    @Test
    void doesNotCountCoalescedMovementsAsLost() {
        network.run(10 * SECOND);
        LoadResult result = generator.result(network.now());
        assertThat(result.loss()).isZero();
        assertThat(result.updates()).isCloseTo(10, within(0.2));
        assertThat(result.sent()).isCloseTo(CLIENTS * 400, within(8L));
        assertThat((double) result.superseded() / result.relayed()).isCloseTo(3, within(0.1));
        assertThat(result.visibleClients()).isEqualTo(CLIENTS - 1);
        assertThat(result.flickers()).isZero();
        assertThat(result.viewerPackets()).isCloseTo(10, within(0.5));
        assertThat(result.latency().max()).isLessThan(100);
        assertThat(result.latency().mean()).isBetween(1.0, 30.0);
    }

    @Test
    void countsUnfollowedMovementsAsLost() {
        network.run(5 * SECOND);
        network.conditions(new SimulatedNetwork.Conditions(1, 0, 1_000_000, 0));
        network.run(5 * SECOND);
        LoadResult result = generator.result(network.now());
        // Of ten seconds three are old enough to be given up.
        assertThat(result.loss()).isCloseTo(3.0 / 8, within(0.02));
    }

    @Test
    void showsLostFrameInRate() {
        network.conditions(new SimulatedNetwork.Conditions(0.2, 0, 1_000_000, 0));
        network.run(10 * SECOND);
        LoadResult result = generator.result(network.now());
        assertThat(result.loss()).isZero();
        assertThat(result.updates()).isBetween(7.0, 9.0);
    }

    /** What the faults lost is what was sent and did not arrive. */
    @Test
    void reportsWhatFaultsLostAsItWasCounted() throws IOException {
        LinkConditions bad = new LinkConditions(0.05, 0, 0, 20_000_000, 10_000_000, 0);
        LinkEmulation links = new LinkEmulation(bad, bad, 9);
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_910);
        long[] arrived = new long[2];
        network.tap((now, from, to, data) -> {
            arrived[0] += to.equals(server) ? 1 : 0;
            arrived[1] += from.equals(server) ? 1 : 0;
        });
        generator.close();
        network.run(SECOND);
        generator = new LoadGenerator(new Quake2Game(), server, "", Map.of(), links, new Random(3));
        for (int i = 0; i < CLIENTS; i++) {
            generator.add(network::cycle, Optional.empty());
        }
        assertThat(network.runUntil(() -> generator.joined() == CLIENTS, 20 * SECOND)).isTrue();
        generator.measure(network.now());
        LinkCounters up = links.upCounters();
        arrived[0] = 0;
        arrived[1] = 0;
        network.run(60 * SECOND);
        LoadResult.Faults faults = Objects.requireNonNull(generator.result(network.now()).faults());
        assertThat(faults.up()).isEqualTo(links.upCounters().since(up));
        assertThat(faults.up().lost() / (double) faults.up().sent()).isBetween(0.04, 0.06);
        // Some datagrams are on their way at the start and the end.
        assertThat(arrived[0]).isCloseTo(faults.up().sent() - faults.up().lost(), within(20L));
        assertThat(arrived[1]).isCloseTo(faults.down().sent(), within(20L));
    }

    static Stream<Game> games() {
        return Stream.of(
                new SauerbratenGame(), new Quake2Game(), new Quake3Game(), new BedrockGame());
    }

    /** Deaths are neither loss nor flicker, and a dead client need not keep its rate. */
    @ParameterizedTest
    @MethodSource("games")
    void measuresClientsAmongFighters(Game game) throws IOException {
        generator.close();
        serve(
                game,
                game.port() + 10,
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofSeconds(600), Duration.ZERO, Duration.ofSeconds(5)));
        for (int i = 0; i < 3; i++) {
            generator.addFighter(network::cycle, Optional.empty(), BotFight.MAX_SKILL);
        }
        joinAll();
        assertThat(generator.present()).isEqualTo(CLIENTS + 3);
        deaths = 0;
        network.run(15 * SECOND);
        LoadResult result = generator.result(network.now());
        assertThat(deaths).isPositive();
        assertThat(result.clients()).isEqualTo(CLIENTS);
        assertThat(result.loss()).isLessThan(0.01);
        assertThat(result.flickers()).isZero();
        assertThat(result.rateKept()).as("rate %s", result.rate()).isTrue();
        assertThat(result.problems()).isEmpty();
    }
}
