package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.BotPath;
import dev.wishdir.app.bot.BotRace;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.race.Race;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.RaceCourse;
import dev.wishdir.blocks.reach.BodyReachability;
import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Bots of all games run the course of the circuit over a network with jitter and loss: each has a
 * time, which agrees with its movements in the events, and is on the board of its game.
 */
@Tag("slow")
class MixedRaceTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final int SEED = 5;
    private static final long MOST = 400 * SECOND;

    /** Parts in which the line between two movements is searched. */
    private static final int PARTS = 100;

    private final Random random = new Random(SEED);
    private final SimulatedNetwork network = new SimulatedNetwork(SEED);
    private final BlockArena circuit = ArenaCatalog.shipped("circuit");
    private final RaceCourse course = circuit.course().orElseThrow();

    /** What a client wrote to its user. */
    private static final class Screen implements ClientListener {
        final List<String> texts = new ArrayList<>();
        boolean ended;

        @Override
        public void onChat(Client self, String from, String text) {
            texts.add(text);
        }

        @Override
        public void onEnded(Client self, EndReason ending, String reason) {
            ended = true;
        }
    }

    private record Bot(Game game, Client client, Screen screen) {}

    /** The time of a run, from the events of its movements only. */
    private final class Stopwatch {
        private long lastTime;
        private Vec3 last = Vec3.ZERO;
        private boolean isFirst = true;
        private boolean wasInStart;
        private double start = Double.NaN;
        private int next;
        private double millis = Double.NaN;

        void move(ArenaEvent.Moved event) {
            Vec3 to = event.movement().position();
            for (int i = 1; i <= PARTS && !isFirst; i++) {
                double part = (double) i / PARTS;
                step(
                        last.plus(to.minus(last).times(part)),
                        lastTime + (event.time() - lastTime) * part);
            }
            isFirst = false;
            last = to;
            lastTime = event.time();
        }

        /** Feet on the ground are at 3.9999998 instead of 4 m in Bedrock. */
        private void step(Vec3 feet, double time) {
            Vec3 at = feet.plus(new Vec3(0, 0, feet.z() < Math.rint(feet.z()) ? 1e-3 : 0));
            boolean inStart = course.start().contains(at);
            if (inStart) {
                start = Double.NaN;
            } else if (wasInStart) {
                start = time;
                next = 1;
            }
            wasInStart = inStart;
            List<Bounds> boxes = course.boxes();
            if (!Double.isNaN(start) && boxes.get(next).contains(at)) {
                next++;
                if (next == boxes.size()) {
                    millis = (time - start) / MILLI;
                    start = Double.NaN;
                }
            }
        }

        void jump() {
            isFirst = true;
            wasInStart = false;
            start = Double.NaN;
        }
    }

    @Test
    void botsOfAllGamesHaveTimes() throws IOException {
        Map<PlayerId, Stopwatch> watches = new HashMap<>();
        Map<String, List<Integer>> times = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        List<Bot> bots = new ArrayList<>();
        Set<String> checkpoints = new HashSet<>();
        try (FourGames server =
                new FourGames(
                        network,
                        random,
                        20,
                        MatchRules.of(MatchMode.RACE)
                                .withTimes(
                                        Duration.ZERO,
                                        Duration.ZERO,
                                        MatchRules.DEFAULT_INTERMISSION),
                        circuit)) {
            server.arena()
                    .addListener(event -> {
                        if (!(event instanceof ArenaEvent.OfPlayer of) || of.id().isMirrored()) {
                            return;
                        }
                        Stopwatch watch = watches.computeIfAbsent(of.id(), _ -> new Stopwatch());
                        switch (of) {
                            case ArenaEvent.Moved e -> watch.move(e);
                            case ArenaEvent.Spawned _, ArenaEvent.Teleported _ -> watch.jump();
                            case ArenaEvent.CheckpointPassed e ->
                                    checkpoints.add(e.player().game() + e.number());
                            case ArenaEvent.RunFinished e -> {
                                times.computeIfAbsent(e.player().game(), _ -> new ArrayList<>())
                                        .add(e.millis());
                                if (!(Math.abs(watch.millis - e.millis()) <= 50)) {
                                    wrong.add(
                                            "%s: %d, by its movements %.0f"
                                                    .formatted(
                                                            e.player(), e.millis(), watch.millis));
                                }
                            }
                            default -> {}
                        }
                    });
            for (Game game : FourGames.ALL) {
                Optional<NavigationGraph> paths =
                        Optional.of(new BodyReachability(circuit, game.body().orElseThrow()));
                Screen screen = new Screen();
                AtomicReference<Client> self = new AtomicReference<>();
                Client client =
                        game.connect(
                                ClientConfig.builder(network.cycle(), server.address(game.name()))
                                        .name("r-" + game.name())
                                        .controller(
                                                new BotFight(
                                                        self::get,
                                                        () -> paths,
                                                        new BotRace(
                                                                () -> paths,
                                                                BotPath.STILL.controller(random),
                                                                random),
                                                        2,
                                                        random))
                                        .listener(screen)
                                        .random(random)
                                        .build());
                self.set(client);
                bots.add(new Bot(game, client, screen));
                network.run(SECOND / 2);
            }
            assertThat(
                            network.runUntil(
                                    () -> bots.stream().allMatch(bot -> bot.client.joined()),
                                    30 * SECOND))
                    .isTrue();
            network.conditions(new Conditions(0.03, 0, 20 * MILLI, 25 * MILLI));
            boolean all = network.runUntil(() -> times.size() == FourGames.ALL.size(), MOST);
            System.out.println("times " + times + ", check points " + checkpoints);
            assertThat(all).as("each game has a time: %s, %s", times, checkpoints).isTrue();
            assertThat(wrong).isEmpty();
            List<Race.RoundTime> standings = server.arena().match().race().roundTimes();
            assertThat(standings).hasSize(4);
            assertThat(checkpoints).hasSize(4 * course.checkpoints().size());
            network.conditions(Conditions.PERFECT);
            network.run(3 * SECOND);
            // Between two of its runs it rests, and is not there.
            assertThat(
                            network.runUntil(
                                    () -> bots.stream().allMatch(MixedRaceTest::seesGhost),
                                    10 * SECOND))
                    .as("all see the ghost")
                    .isTrue();
            check(bots, server.arena().match().race());
            assertThat(server.laws().broken()).isEmpty();
            assertThat(server.laws().verdicts()).isEmpty();
        }
    }

    private static boolean seesGhost(Bot bot) {
        return bot.client.others().stream().anyMatch(other -> other.name().contains("~r-"));
    }

    private static void check(List<Bot> bots, Race race) {
        List<Race.RoundTime> standings = race.roundTimes();
        assertThat(race.bestTimes(10))
                .extracting(RaceTimes.Time::game)
                .containsExactlyInAnyOrderElementsOf(FourGames.GAMES);
        for (Bot bot : bots) {
            assertThat(bot.screen.ended).as(bot.game.name()).isFalse();
            assertThat(bot.screen.texts)
                    .as("texts of %s", bot.game.name())
                    .anyMatch(text -> text.contains("has the best time"))
                    .anyMatch(text -> text.startsWith("Race: leave the start, "))
                    .anyMatch(text -> text.startsWith("Your time runs: "))
                    .anyMatch(text -> text.matches("Check point 1 of 4: [0-9:]*[0-9.]+"))
                    .anyMatch(text -> text.startsWith("Finish: "));
            if (bot.game.name().startsWith("quake")) {
                // Their boards are of the time when they were shown.
                continue;
            }
            List<Integer> points = new ArrayList<>(bot.client.frags().values());
            points.removeIf(each -> each == 0);
            assertThat(points)
                    .as("board of %s", bot.game.name())
                    .isEqualTo(Collections.nCopies(standings.size(), 10));
        }
        assertThat((double) standings.getFirst().millis())
                .isCloseTo(race.bestTimes(1).getFirst().millis(), within(0.0));
    }
}
