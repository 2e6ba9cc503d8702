package dev.wishdir.game.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

class StageTest {
    private static final long SECOND = 1_000_000_000L;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Arena arena = new Arena(Level.BOX, 16);
    private final SharedArena sharedArena =
            new SharedArena(
                    network.cycle(),
                    arena,
                    ArenaCatalog.FLAT,
                    List.of(ArenaCatalog.shipped("hall")));

    private record Plays(String game) implements SharedArena.Participant {
        @Override
        public SharedArena.PreparedMap prepare(BlockArena arena) {
            return _ -> {};
        }
    }

    private static List<String> announced(RecordingViewer viewer) {
        return viewer.told(ArenaEvent.Announcement.class).stream()
                .map(ArenaEvent.Announcement::text)
                .toList();
    }

    @Test
    @DisplayName("players of all games read at once that an arena is prepared, and when it begins")
    void notifiesPlayersOfPreparation() {
        List<RecordingViewer> viewers =
                FOUR.stream()
                        .map(game -> {
                            RecordingViewer viewer = new RecordingViewer();
                            arena.join(0, game, "of " + game, viewer);
                            sharedArena.enter(new Plays(game), _ -> {});
                            return viewer;
                        })
                        .toList();
        network.offloading(4 * SECOND);
        assertThat(sharedArena.change(0, "hall")).contains("as soon as its maps are ready");
        assertThat(viewers)
                .allSatisfy(viewer ->
                        assertThat(announced(viewer))
                                .containsExactly("Preparing the arena hall ..."));
        assertThat(sharedArena.change(0, "hall")).endsWith("0 of 4 games have it.");
        assertThat(sharedArena.blocks().name()).isEqualTo("flat");
        network.run(5 * SECOND);
        assertThat(sharedArena.blocks().name()).isEqualTo("hall");
        assertThat(viewers)
                .allSatisfy(viewer ->
                        assertThat(announced(viewer))
                                .containsExactly(
                                        "Preparing the arena hall ...", "The arena hall starts."));
        sharedArena.change(6 * SECOND, "flat");
        assertThat(announced(viewers.getFirst())).as("nothing had to be made").hasSize(2);
    }

    @Test
    void preparesAheadOnceAndStartsWithoutDelay() {
        int[] prepared = new int[1];
        sharedArena.enter(
                _ -> {
                    if (prepared[0]++ == 0) {
                        throw new IOException("no");
                    }
                    return _ -> {};
                },
                _ -> {});
        network.offloading(4 * SECOND);
        sharedArena.prepareAhead("nowhere");
        for (int i = 0; i < 5; i++) {
            sharedArena.prepareAhead("hall");
            network.run(5 * SECOND);
        }
        assertThat(prepared[0]).as("what fails is not tried with each call").isEqualTo(1);
        sharedArena.change(network.now(), "hall");
        assertThat(sharedArena.pending()).contains("hall");
        network.run(2 * SECOND);
        sharedArena.change(network.now(), "flat");
        sharedArena.change(network.now(), "hall");
        network.run(3 * SECOND);
        assertThat(sharedArena.blocks().name()).isEqualTo("hall");
        assertThat(prepared[0]).as("not again while it is under way").isEqualTo(2);
        assertThat(sharedArena.pending()).isEmpty();
    }

    @Test
    void waitsForOtherServersAndNamesThem() {
        RecordingViewer viewer = new RecordingViewer();
        arena.join(0, "quake2", "anna", viewer);
        sharedArena.enter(new Plays("quake2"), _ -> {});
        network.offloading(SECOND);
        List<String> awaited = new ArrayList<>(List.of("a", "b", "c", "d", "e", "f"));
        sharedArena.setAwaitedServers(name -> name.equals("hall") ? awaited : List.of());
        assertThat(sharedArena.change(0, "hall"))
                .isEqualTo(
                        "All play hall as soon as its maps are ready. Waiting for a, b, c, d and 2"
                                + " more.");
        assertThat(sharedArena.isPreparing("hall")).isTrue();
        awaited.removeFirst();
        network.run(2 * SECOND);
        assertThat(sharedArena.isPreparing("hall")).isFalse();
        assertThat(announced(viewer))
                .endsWith("The arena hall is ready. Waiting for b, c, d, e and 1 more.");
        assertThat(sharedArena.startPending(network.now())).isFalse();
        assertThat(sharedArena.pending()).contains("hall");
        awaited.clear();
        assertThat(sharedArena.startPending(network.now())).isTrue();
        assertThat(sharedArena.blocks().name()).isEqualTo("hall");
        assertThat(sharedArena.startPending(network.now())).as("it started").isFalse();
        assertThat(announced(viewer)).endsWith("The arena hall starts.").hasSize(3);
    }

    @Test
    void playsTheArenaThatAnOperatorChoseAfterTheRound() {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofSeconds(30), Duration.ZERO, Duration.ofSeconds(5)));
        network.cycle().add(arena::advance);
        SharedArena three =
                new SharedArena(
                        network.cycle(),
                        arena,
                        ArenaCatalog.FLAT,
                        List.of(ArenaCatalog.shipped("hall"), ArenaCatalog.shipped("hills")));
        arena.join(0, "quake2", "anna", new RecordingViewer());
        three.enter(new Plays("quake2"), _ -> {});
        network.run(34 * SECOND);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
        network.offloading(4 * SECOND);
        three.change(network.now(), "hills");
        network.run(5 * SECOND);
        assertThat(three.blocks().name()).isEqualTo("hills");
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
    }

    @Test
    void playsRoundsOnlyInRotation() {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofSeconds(30), Duration.ZERO, Duration.ofSeconds(5)));
        network.cycle().add(arena::advance);
        sharedArena.setRotation(List.of("hall"));
        arena.join(0, "quake2", "anna", new RecordingViewer());
        sharedArena.enter(new Plays("quake2"), _ -> {});
        List<String> played = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            network.run(32 * SECOND);
            played.add(sharedArena.blocks().name());
            network.offloading(4 * SECOND);
            network.run(8 * SECOND);
        }
        assertThat(played)
                .as("flat is only its first level")
                .containsExactly("flat", "hall", "hall");
        sharedArena.change(network.now(), "flat");
        assertThat(sharedArena.blocks().name()).as("an operator may play it").isEqualTo("flat");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sharedArena.setRotation(List.of("hills")))
                .withMessageContaining("the rotation [hills] must name some of");
    }

    @Test
    void playsTheNextArenaAfterARound() {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofSeconds(30), Duration.ZERO, Duration.ofSeconds(5)));
        network.cycle().add(arena::advance);
        RecordingViewer viewer = new RecordingViewer();
        arena.join(0, "quake2", "anna", viewer);
        sharedArena.enter(new Plays("quake2"), _ -> {});
        network.offloading(4 * SECOND);
        network.run(36 * SECOND);
        assertThat(sharedArena.blocks().name()).as("its maps are being made").isEqualTo("flat");
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
        network.run(4 * SECOND);
        assertThat(sharedArena.blocks().name()).isEqualTo("hall");
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        network.run(36 * SECOND);
        assertThat(sharedArena.blocks().name()).isEqualTo("flat");
        assertThat(viewer.told(ArenaEvent.RoundStarted.class)).hasSize(2);
    }

    @Test
    void anOperatorGoesOnToTheNextArena() {
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        network.cycle().add(arena::advance);
        RecordingViewer viewer = new RecordingViewer();
        arena.join(0, "quake2", "anna", viewer);
        sharedArena.enter(new Plays("quake2"), _ -> {});
        network.offloading(4 * SECOND);
        OperatorConsole console = new OperatorConsole(arena, sharedArena, Bans.none(), "");
        OperatorConsole.Author by = console.author("test");
        assertThat(console.execute(0, by, "next")).contains("intermission");
        assertThat(viewer.told(ArenaEvent.RoundEnded.class))
                .extracting(ArenaEvent.RoundEnded::reason)
                .containsExactly(RoundEndReason.SKIPPED);
        assertThat(console.execute(0, by, "next")).as("it is being prepared").contains("free");
        network.run(5 * SECOND);
        assertThat(sharedArena.blocks().name()).isEqualTo("hall");
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        console.execute(5 * SECOND, by, "next");
        assertThat(sharedArena.blocks().name()).as("it is ready").isEqualTo("flat");
        assertThat(viewer.told(ArenaEvent.RoundStarted.class)).hasSize(2);
    }

    @Test
    void playsOnWhereTheNextArenaFails() {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofSeconds(30), Duration.ZERO, Duration.ofSeconds(5)));
        network.cycle().add(arena::advance);
        arena.join(0, "quake2", "anna", new RecordingViewer());
        sharedArena.enter(
                _ -> {
                    throw new IOException("no");
                },
                _ -> {});
        network.offloading(SECOND);
        network.run(37 * SECOND);
        assertThat(sharedArena.blocks().name()).isEqualTo("flat");
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
    }

    @Test
    void operatorsSeeRestartAndPauseAMatch() {
        OperatorConsole console = new OperatorConsole(arena, sharedArena, Bans.none(), "");
        OperatorConsole.Author by = console.author("test");
        assertThat(console.execute(0, by, "match")).contains("--match ffa");
        assertThat(console.execute(0, by, "restart")).contains("--match ffa");
        assertThat(console.execute(0, by, "pause")).contains("--match ffa");
        assertThat(console.execute(0, by, "next")).contains("--match ffa");
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        assertThat(console.execute(0, by, "match")).contains("waiting for players");
        assertThat(console.execute(0, by, "next")).contains("waiting for players");
        arena.join(0, "quake2", "anna", new RecordingViewer());
        assertThat(console.execute(SECOND, by, "match"))
                .contains("playing, 9:59 left", "0 frags, 0 deaths: anna");
        assertThat(console.execute(SECOND, by, "pause")).contains("paused");
        assertThat(console.execute(9 * SECOND, by, "pause")).doesNotContain("paused");
        assertThat(console.execute(9 * SECOND, by, "match")).contains("9:59 left");
        assertThat(console.execute(9 * SECOND, by, "restart")).contains("10:00 left");
    }

    @Test
    void operatorsSeeTimesOfRace() {
        OperatorConsole console = new OperatorConsole(arena, sharedArena, Bans.none(), "");
        OperatorConsole.Author by = console.author("test");
        arena.setMatchRules(MatchRules.of(MatchMode.RACE));
        arena.join(0, "quake2", "anna", new RecordingViewer());
        arena.match().race().times().add(new RaceTimes.Time("flat", "quake3", "bob", 65_003));
        assertThat(console.execute(SECOND, by, "match"))
                .contains("race: playing", "no time: anna", "1:05.003 best time of bob (quake3)");
    }

    private static final List<String> FOUR = List.of("sauerbraten", "quake2", "quake3", "bedrock");
}
