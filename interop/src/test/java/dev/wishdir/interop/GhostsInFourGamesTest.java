package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.replay.ArenaReplay;
import dev.wishdir.app.replay.RecordingSource;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordingOptions;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A recording of players of all four games is replayed in an arena; players of all four games see
 * its ghosts where they were.
 */
@Tag("slow")
class GhostsInFourGamesTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** By which a position of the own game is rounded, metres. */
    private static final Map<String, Double> QUANTUM =
            Map.of(
                    "sauerbraten", 1.0 / 128,
                    "quake2", 1.0 / 256,
                    "quake3", 1.0 / 32,
                    "bedrock", 1.0 / 1024);

    /** Tolerance of other games, metres on each axis. */
    private static final double OTHERS = 0.02;

    /** How long ago the newest movement that a client has may have been made. */
    private static final long MAX_AGE = 300 * MILLI;

    /** Time without bodies after a seek. */
    private static final long GAP = 200 * MILLI;

    private static EventListSource recorded = new EventListSource();
    private static Path file = Path.of("");
    private static final Map<String, List<ArenaEvent.OfPlayer>> byName = new HashMap<>();

    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Random random = new Random(6);

    /** A player of each game walks for 20 s; the first talks, acts and leaves before the end. */
    @BeforeAll
    static void recordPlayers(@TempDir Path folder) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(3);
        Random random = new Random(4);
        recorded = new EventListSource();
        network.conditions(new Conditions(0, 0, 10 * MILLI, 0));
        try (FourGames server = new FourGames(network, random, 8)) {
            server.arena().addListener(recorded::add);
            List<TestClient> walkers = new ArrayList<>();
            for (Game game : FourGames.ALL) {
                double turn = 90 * walkers.size();
                walkers.add(
                        server.guest(
                                game,
                                game.name().substring(0, 1) + game.name().length(),
                                (now, _) -> PlayerInput.walk(now / 2e7 + turn, now / 4e7, 10)));
                network.run(SECOND / 2);
            }
            server.await(walkers);
            network.run(10 * SECOND);
            walkers.getFirst().client.say("hello");
            walkers.getFirst().client.act(PlayerAction.TAUNT);
            network.run(SECOND);
            walkers.getFirst().client.close();
            network.run(9 * SECOND);
            assertThat(server.laws().broken()).isEmpty();
        }
        recorded.complete();
        file = folder.resolve("walk.mcap");
        try (RecordingWriter writer =
                RecordingWriter.create(
                        file,
                        new RecordingInfo("test", "", "", Instant.EPOCH),
                        Optional.empty(),
                        RecordingOptions.DEFAULT)) {
            recorded.events().forEach(writer::onEvent);
        }
        byName.clear();
        for (ArenaEvent event : recorded.events()) {
            if (event instanceof ArenaEvent.OfPlayer of) {
                byName.computeIfAbsent(of.player().name(), _ -> new ArrayList<>()).add(of);
            }
        }
    }

    private static ArenaReplay.Settings settings(double speed, boolean loops) {
        return new ArenaReplay.Settings("test", recorded.startNanos(), speed, loops);
    }

    /** A player of each game that stands still, at a server that replays. */
    private final class Watch implements AutoCloseable {
        final FourGames server = new FourGames(network, random, 8);
        final RecordingSource source = RecordingSource.open(file);
        final List<TestClient> watchers = new ArrayList<>();
        final ArenaReplay replay;
        final long started;

        Watch(ArenaReplay.Settings settings) throws IOException {
            network.conditions(new Conditions(0, 0, 5 * MILLI, 0));
            for (Game game : FourGames.ALL) {
                watchers.add(
                        server.guest(
                                game, "w" + watchers.size(), (_, _) -> PlayerInput.look(0, 0)));
            }
            server.await(watchers);
            network.run(SECOND);
            replay = new ArenaReplay(server.arena(), source, Runnable::run, settings);
            started = network.now();
            server.replay(replay);
        }

        String command(String line) {
            String answer =
                    server.operations()
                            .execute(network.now(), server.operations().author("test"), line);
            server.replay(replay);
            return answer;
        }

        /** Checks what all see against the recording's time. */
        int check(long time) {
            int compared = 0;
            for (TestClient watcher : watchers) {
                for (Client.RemotePlayer other : watcher.client.others()) {
                    int mark = other.name().indexOf('~');
                    if (mark >= 0) {
                        compared++;
                        compare(watcher.game.name(), other.name().substring(mark + 1), other, time);
                    }
                }
            }
            return compared;
        }

        @Override
        public void close() throws IOException {
            assertThat(server.laws().broken()).isEmpty();
            server.close();
            source.close();
        }
    }

    /** Compares with the newest movement that the client may have, and those before it. */
    private static void compare(String game, String name, Client.RemotePlayer seen, long time) {
        List<ArenaEvent.OfPlayer> all = byName.getOrDefault(name, List.of());
        int last = all.size() - 1;
        while (last > 0 && all.get(last).time() > time) {
            last--;
        }
        double least = Double.MAX_VALUE;
        String own = "";
        for (int i = last; i >= 0; i--) {
            own = all.get(i).player().game();
            least = Math.min(least, apart(all.get(i).player().movement(), seen.movement()));
            if (all.get(i).time() < time - MAX_AGE) {
                break;
            }
        }
        assertThat(least)
                .as("%s sees %s at %s", game, name, seen.movement().position())
                .isLessThanOrEqualTo(game.equals(own) ? QUANTUM.getOrDefault(own, 0.0) : OTHERS);
    }

    /** The greatest difference on an axis, metres. */
    private static double apart(Movement one, Movement other) {
        Vec3 difference = one.position().minus(other.position());
        return Math.max(
                Math.abs(difference.x()),
                Math.max(Math.abs(difference.y()), Math.abs(difference.z())));
    }

    @Test
    void showsGhostsWhereTheyWere() throws IOException {
        try (Watch watch = new Watch(settings(1, false))) {
            long duration = recorded.endNanos() - recorded.startNanos();
            int compared = 0;
            while (network.now() - watch.started < duration - SECOND / 10) {
                network.run(37 * MILLI);
                compared += watch.check(recorded.startNanos() + network.now() - watch.started);
            }
            // Up to four ghosts, seen by four clients, every 37 ms.
            assertThat(compared).isGreaterThan(5_000);
            for (TestClient watcher : watch.watchers) {
                assertThat(watcher.heard).containsEntry("hello", 1);
            }
            network.run(2 * SECOND);
            assertThat(watch.server.arena().players()).noneMatch(Player::isGhost);
            for (TestClient watcher : watch.watchers) {
                assertThat(watcher.heard.keySet())
                        .as("joins and leaves of ghosts")
                        .noneMatch(line -> line.contains("~") && !line.endsWith(": hello"));
                assertThat(watcher.client.others()).noneMatch(other -> other.name().contains("~"));
            }
            assertThat(watch.replay.status(network.now())).contains("test ended at 0:2");
        }
    }

    @Test
    void showsTheOwnGameItsNativeBytes() throws IOException {
        try (Watch watch = new Watch(settings(1, false))) {
            network.run(5 * SECOND);
            long time = recorded.startNanos() + network.now() - watch.started;
            for (Player ghost : watch.server.arena().players()) {
                if (ghost.isGhost()) {
                    assertThat(recorded.events())
                            .filteredOn(event ->
                                    event instanceof ArenaEvent.Moved moved
                                            && moved.time() > time - SECOND
                                            && moved.player()
                                                    .name()
                                                    .equals(ghost.name().substring(1)))
                            .extracting(
                                    event -> ((ArenaEvent.Moved) event).player().nativeMovement())
                            .contains(ghost.nativeMovement());
                    assertThat(ghost.nativeMovement().form()).startsWith(ghost.game() + "/");
                }
            }
        }
    }

    @Test
    void seeksByDespawnAndSpawn() throws IOException {
        try (Watch watch = new Watch(settings(1, false))) {
            network.run(5 * SECOND);
            List<Integer> vanished = watch.watchers.stream().map(each -> each.vanished).toList();
            assertThat(watch.command("replay seek 8.5")).contains("at 0:08.5");
            network.run(GAP + MAX_AGE);
            long at = recorded.startNanos() + 8_500 * MILLI + MAX_AGE;
            assertThat(watch.check(at)).isEqualTo(16);
            for (int i = 0; i < vanished.size(); i++) {
                assertThat(watch.watchers.get(i).vanished)
                        .as("%s", watch.watchers.get(i))
                        .isEqualTo(vanished.get(i) + 4);
            }
            watch.command("replay seek 3");
            network.run(GAP + SECOND);
            assertThat(watch.check(recorded.startNanos() + 4 * SECOND)).isEqualTo(16);
            assertThat(watch.command("replay seek soon")).contains("'soon' is not a time");
            assertThat(watch.command("status"))
                    .contains("4 of 8 players, 4 ghosts")
                    .contains("1:1 ")
                    .contains("replay: test plays at");
            assertThat(watch.command("kick 1:1")).isEqualTo("~s11 was kicked.");
            assertThat(watch.command("status")).contains("4 of 8 players, 3 ghosts");
        }
    }

    @Test
    void pausesAndChangesItsSpeed() throws IOException {
        try (Watch watch = new Watch(settings(2, false))) {
            network.run(4 * SECOND);
            assertThat(watch.check(recorded.startNanos() + 8 * SECOND)).isEqualTo(16);
            assertThat(watch.command("replay pause")).contains("paused at 0:08.0, speed 2.0");
            network.run(SECOND);
            List<String> before = watch.watchers.stream().map(TestClient::toString).toList();
            network.run(5 * SECOND);
            assertThat(watch.watchers.stream().map(TestClient::toString)).isEqualTo(before);
            assertThat(watch.command("replay speed 0.5")).contains("paused at 0:08.0, speed 0.5");
            watch.command("replay play");
            network.run(4 * SECOND);
            assertThat(watch.check(recorded.startNanos() + 10 * SECOND)).isEqualTo(16);
            assertThat(watch.command("replay speed 9"))
                    .isEqualTo("the speed must be from 0.125 to 8, is 9.0");
        }
    }

    @Test
    void loopsWithNewBodies() throws IOException {
        try (Watch watch = new Watch(settings(8, true))) {
            long lap = (recorded.endNanos() - recorded.startNanos()) / 8;
            network.run(3 * lap + lap / 3);
            assertThat(watch.server.arena().players()).filteredOn(Player::isGhost).hasSize(4);
            for (TestClient watcher : watch.watchers) {
                assertThat(watcher.vanished).isGreaterThanOrEqualTo(3 * 4);
            }
        }
    }

    @Test
    void walksThroughGhosts() throws IOException {
        for (String name : List.of("quake2", "quake3")) {
            Game game =
                    FourGames.ALL.stream()
                            .filter(each -> each.name().equals(name))
                            .findFirst()
                            .orElseThrow();
            try (FourGames server = new FourGames(network, random, 8)) {
                TestClient walker =
                        server.guest(game, "walker", (_, _) -> PlayerInput.walk(0, 0, 0));
                server.await(List.of(walker));
                network.run(SECOND / 2);
                Vec3 from = server.position("walker");
                EventListSource ahead = new EventListSource();
                Movement there = Movement.at(new Vec3(from.x() + 3, from.y(), from.z()), 0);
                Player ghost =
                        new Player(
                                new PlayerId(0, 1),
                                "bedrock",
                                "ann",
                                0,
                                0,
                                true,
                                there,
                                NativeMovement.Stored.NONE);
                ahead.add(new ArenaEvent.Joined(1, ghost));
                ahead.add(new ArenaEvent.Spawned(1, ghost, there));
                ahead.add(new ArenaEvent.Chat(60 * SECOND, ghost, "late"));
                server.replay(
                        new ArenaReplay(
                                server.arena(),
                                ahead.complete(),
                                Runnable::run,
                                new ArenaReplay.Settings("ahead", 1, 1, false)));
                network.run(SECOND);
                assertThat(server.arena().players()).anyMatch(Player::isGhost);
                // At about 9 m/s it is far behind the ghost; a body would have stopped it.
                assertThat(server.position("walker").x()).isGreaterThan(from.x() + 5);
            }
        }
    }
}
