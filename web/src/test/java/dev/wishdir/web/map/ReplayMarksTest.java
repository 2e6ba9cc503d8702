package dev.wishdir.web.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordingOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a page gets of the events of a recording. */
class ReplayMarksTest {
    private static final long START = 1_764_100_800_000_000_000L;
    private static final Player ANNA = player(new PlayerId(0, 1), "anna");
    private static final Player BOB = player(new PlayerId(2, 7), "bob");

    @TempDir private Path folder = Path.of("");

    private static Player player(PlayerId id, String name) {
        return new Player(
                id, "quake3", name, START, 40, false, Movement.ORIGIN, NativeMovement.Stored.NONE);
    }

    private static long at(int seconds) {
        return START + Duration.ofSeconds(seconds).toNanos();
    }

    private String json(List<ArenaEvent> events) throws IOException {
        Path file = folder.resolve("match.mcap");
        RecordingInfo info =
                new RecordingInfo("test", "server", "flat", Instant.ofEpochSecond(0, START));
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            writer.onEvent(new ArenaEvent.Joined(at(0), ANNA));
            writer.onEvent(new ArenaEvent.Joined(at(0), BOB));
            events.forEach(writer::onEvent);
        }
        WeaponNames weapons =
                new WeaponNames(Map.of("quake3", Map.of(DamageMeans.MACHINE_GUN, "nailgun")));
        return new ReplayMarks(file, weapons).json();
    }

    @Test
    void listsDeathsWithTheirMeans() throws IOException {
        assertThat(
                        json(
                                List.of(
                                        new ArenaEvent.Died(
                                                at(1),
                                                BOB,
                                                ANNA,
                                                DamageMeans.MACHINE_GUN,
                                                new Score(1, 0)),
                                        new ArenaEvent.Died(
                                                at(2),
                                                ANNA,
                                                ANNA,
                                                DamageMeans.SUICIDE,
                                                new Score(0, 1)))))
                .contains(
                        "[1000.0,\"died\",\"quake3\",\"anna\",\"killed bob (nailgun)\"]",
                        "[2000.0,\"died\",\"quake3\",\"anna\",\"died\"]",
                        "\"scores\":[]");
    }

    @Test
    void listsChangesOfScores() throws IOException {
        assertThat(
                        json(
                                List.of(
                                        new ArenaEvent.TeamChanged(at(1), ANNA, Team.RED),
                                        new ArenaEvent.RoundStarted(
                                                at(2), MatchMode.CTF, Duration.ZERO, 8),
                                        new ArenaEvent.FlagChanged(
                                                at(3),
                                                Team.BLUE,
                                                FlagChange.CAPTURED,
                                                FlagCause.TOUCH,
                                                Optional.of(ANNA),
                                                Vec3.ZERO,
                                                2,
                                                Duration.ZERO),
                                        new ArenaEvent.Scored(
                                                at(3),
                                                ANNA,
                                                new Score(5, 0),
                                                Optional.of(new TeamScore(Team.RED, 1))),
                                        new ArenaEvent.Scored(
                                                at(4), BOB, new Score(-1, 1), Optional.empty()),
                                        new ArenaEvent.RoundEnded(
                                                at(5),
                                                RoundEndReason.TIME_LIMIT,
                                                Optional.empty(),
                                                Optional.of(Team.RED)),
                                        new ArenaEvent.RunFinished(
                                                at(6), ANNA, 65_003, true, true, true))))
                .contains(
                        "\"scores\":[[1000.0,\"team\",1,\"red\"],"
                                + "[2000.0,\"round\",\"capture the flag\",\"captures\",8,"
                                + "[\"points\",\"captures\",\"deaths\"]],"
                                + "[3000.0,\"capture\",1],"
                                + "[3000.0,\"score\",1,5,0,\"red\",1],"
                                + "[4000.0,\"score\",8589934599,-1,1],"
                                + "[5000.0,\"end\",\"red\"],"
                                + "[6000.0,\"run\",1,65003,\"1:05.003\",\"quake3\",\"anna\"]]");
    }

    @Test
    void marksScoresAsUnknownAfterTooManyChanges() {
        ReplayScores scores = new ReplayScores();
        for (int i = 0; i < ReplayScores.MAX_CHANGES + 2; i++) {
            scores.add(i, new ArenaEvent.Scored(i, ANNA, new Score(i, 0), Optional.empty()));
        }
        assertThat(scores.changes()).hasSize(ReplayScores.MAX_CHANGES + 1);
        assertThat(scores.changes().getLast())
                .isEqualTo(List.of((double) ReplayScores.MAX_CHANGES - 1, "lost"));
    }
}
