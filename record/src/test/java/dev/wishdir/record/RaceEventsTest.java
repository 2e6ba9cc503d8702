package dev.wishdir.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.NativeMovement;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Movement;
import dev.wishdir.record.v1.Event;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

class RaceEventsTest {
    private static final Player ANNA =
            new Player(
                    new PlayerId(0, 7),
                    "quake3",
                    "anna",
                    0,
                    30,
                    true,
                    Movement.ORIGIN,
                    NativeMovement.Stored.NONE);

    private final MessageEncoder encoder =
            new MessageEncoder(RecordingOptions.DEFAULT, 0, 0, _ -> 0);

    static Stream<ArenaEvent> events() {
        return Stream.of(
                new ArenaEvent.RunStarted(5, ANNA),
                new ArenaEvent.CheckpointPassed(6, ANNA, 1, 4, 12_345),
                new ArenaEvent.RunFinished(7, ANNA, 35_123, true, false, false),
                new ArenaEvent.RunFinished(8, ANNA, 35_123, true, true, false),
                new ArenaEvent.RunFinished(9, ANNA, 35_123, true, true, true));
    }

    @ParameterizedTest
    @MethodSource("events")
    void readsBackRaces(ArenaEvent event) throws Exception {
        Event message = Event.parseFrom(encoder.event(event).orElseThrow().toByteArray());
        assertThat(MessageDecoder.id(message.getId())).isEqualTo(ANNA.id());
        assertThat(MessageDecoder.event(event.time(), ANNA, message, List.of())).contains(event);
    }

    @Test
    void leavesOutTextsToOnePlayer() {
        assertThat(encoder.event(new ArenaEvent.Notice(5, ANNA, "Finish: 35.123"))).isEmpty();
    }
}
