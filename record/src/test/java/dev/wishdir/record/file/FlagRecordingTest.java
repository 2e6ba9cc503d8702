package dev.wishdir.record.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.mcap.McapReader;
import dev.wishdir.record.mcap.MessageCursor;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.message.RecordingDecoder;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.record.message.Topic;
import dev.wishdir.record.v1.Flag;
import dev.wishdir.record.v1.Flags;
import dev.wishdir.record.v1.Vector;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The flags of a match in a recording. */
class FlagRecordingTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START =
            Instant.parse("2026-11-25T12:00:00Z").toEpochMilli() * 1_000_000;
    private static final Vec3 RED_HOME = new Vec3(-20, 0, 0);
    private static final Vec3 BLUE_HOME = new Vec3(20, 0, 0);
    private static final Vec3 FIELD = new Vec3(3, 4, 0);
    private static final FlagStatus RED =
            new FlagStatus(Team.RED, RED_HOME, new FlagState.Home(), 0);
    private static final FlagStatus BLUE =
            new FlagStatus(Team.BLUE, BLUE_HOME, new FlagState.Home(), 0);
    private static final Player ANNA =
            new Player(
                    new PlayerId(0, 7),
                    "quake2",
                    "anna",
                    START,
                    40,
                    true,
                    Movement.at(FIELD, 0),
                    NativeMovement.Stored.NONE);

    @TempDir private Path folder = Path.of("");
    private Path file = Path.of("");

    private static ArenaEvent changed(double seconds, FlagChange change, Vec3 place, int version) {
        return new ArenaEvent.FlagChanged(
                at(seconds),
                Team.BLUE,
                change,
                FlagCause.TOUCH,
                change == FlagChange.RESET ? Optional.empty() : Optional.of(ANNA),
                place,
                version,
                Duration.ZERO);
    }

    private static long at(double seconds) {
        return START + (long) (seconds * SECOND);
    }

    /** Anna takes the blue flag at 1 s, drops it at 14 s; it comes home at 20 s. */
    @BeforeEach
    void record() throws IOException {
        file = folder.resolve("flags.mcap");
        RecordingInfo info =
                new RecordingInfo("test", "server", "flat", Instant.ofEpochSecond(0, START));
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            writer.begin(new RecordedState(Map.of(ANNA.id(), ANNA), Map.of(), List.of(RED, BLUE)));
            for (int tenth = 0; tenth <= 250; tenth++) {
                switch (tenth) {
                    case 10 -> writer.onEvent(changed(1, FlagChange.TAKEN, FIELD, 1));
                    case 140 -> writer.onEvent(changed(14, FlagChange.DROPPED, FIELD, 2));
                    case 200 -> writer.onEvent(changed(20, FlagChange.RESET, BLUE_HOME, 3));
                    case 220 -> writer.onEvent(changed(22, FlagChange.TAKEN, BLUE_HOME, 4));
                    case 240 ->
                            writer.onEvent(
                                    new ArenaEvent.RoundStarted(
                                            at(24), MatchMode.CTF, Duration.ZERO, 8));
                    default ->
                            writer.onEvent(
                                    new ArenaEvent.Moved(at(tenth / 10.0), ANNA, ANNA.movement()));
                }
            }
        }
    }

    private static FlagState blue(RecordedState state) {
        assertThat(state.flags()).hasSize(2).first().isEqualTo(RED);
        return state.flags().getLast().state();
    }

    @Test
    void givesFlagsAtEachTime() throws IOException {
        try (Recording recording = Recording.open(file)) {
            assertThat(blue(recording.stateAt(at(0.5)))).isInstanceOf(FlagState.Home.class);
            for (double seconds : new double[] {1, 1.5, 6, 13.95}) {
                assertThat(blue(recording.stateAt(at(seconds))))
                        .as("at %s s", seconds)
                        .isEqualTo(new FlagState.Carried(ANNA.id(), at(1)));
            }
            assertThat(blue(recording.stateAt(at(17))))
                    .isEqualTo(new FlagState.Dropped(FIELD, Long.MAX_VALUE));
            assertThat(recording.stateAt(at(21)).flags().getLast())
                    .isEqualTo(new FlagStatus(Team.BLUE, BLUE_HOME, new FlagState.Home(), 3));
            assertThat(blue(recording.stateAt(at(23)))).isInstanceOf(FlagState.Carried.class);
            assertThat(blue(recording.stateAt(at(25))))
                    .as("a round has started")
                    .isInstanceOf(FlagState.Home.class);
        }
    }

    @Test
    void writesFlagsEachSecondAndAtEachChange() throws IOException {
        try (McapReader reader = McapReader.open(file)) {
            Set<Integer> channels = Set.of(Topic.FLAGS.channel());
            MessageCursor messages = reader.messages(0, Long.MAX_VALUE, channels);
            long last = START;
            int count = 0;
            while (messages.next()) {
                assertThat(messages.logTimeNanos() - last).isLessThanOrEqualTo(SECOND);
                last = messages.logTimeNanos();
                count++;
            }
            assertThat(count).isBetween(25, 31);
            assertThat(last).isGreaterThanOrEqualTo(at(24));
        }
    }

    @Test
    void skipsMalformedFlags() {
        Vector place = Vector.newBuilder().setX(1).build();
        Flag red = Flag.newBuilder().setTeam("red").setHome(place).build();
        Flag blue = red.toBuilder().setTeam("blue").setMillis(-1).build();
        Vector nowhere = Vector.newBuilder().setX(Float.NaN).build();
        RecordingDecoder decoder = new RecordingDecoder();
        for (Flags bad :
                List.of(
                        Flags.newBuilder().addFlags(red).build(),
                        Flags.newBuilder().addFlags(blue).addFlags(red).build(),
                        Flags.newBuilder().addFlags(red).addFlags(blue).addFlags(blue).build(),
                        Flags.newBuilder().addFlags(red).addFlags(red).build(),
                        Flags.newBuilder()
                                .addFlags(red)
                                .addFlags(blue.toBuilder().setTeam("green"))
                                .build(),
                        Flags.newBuilder()
                                .addFlags(red)
                                .addFlags(blue.toBuilder().setDropped(nowhere))
                                .build())) {
            read(decoder, bad);
        }
        assertThat(decoder.skipped()).isEqualTo(6);
        assertThat(decoder.state().flags()).isEmpty();
        read(decoder, Flags.newBuilder().addFlags(red).addFlags(blue).build());
        assertThat(decoder.state().flags())
                .containsExactly(
                        new FlagStatus(Team.RED, new Vec3(1, 0, 0), new FlagState.Home(), 0),
                        new FlagStatus(Team.BLUE, new Vec3(1, 0, 0), new FlagState.Home(), 0));
    }

    private static void read(RecordingDecoder decoder, Flags message) {
        byte[] data = message.toByteArray();
        decoder.read(Topic.FLAGS, START, data, 0, data.length, _ -> {});
    }
}
