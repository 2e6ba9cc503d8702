package dev.wishdir.record.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

class RecordingGeneratorTest {
    private static final int MOVEMENTS = 30_000;

    /** Copies of the same tracks took 4.5 bytes a movement, the real ones of bots 28. */
    private static final double MIN_BYTES_PER_MOVEMENT = 28;

    @Test
    void writesSameEventsEachTimeThatDoNotCompressTooWell(@TempDir Path folder) throws Exception {
        List<ArenaEvent> events = new ArrayList<>();
        RecordingGenerator.generate(1, Instant.EPOCH, 20, MOVEMENTS, events::add);
        List<ArenaEvent> again = new ArrayList<>();
        RecordingGenerator.generate(1, Instant.EPOCH, 20, MOVEMENTS, again::add);
        assertThat(again).isEqualTo(events);
        assertThat(events).isSortedAccordingTo((a, b) -> Long.compare(a.time(), b.time()));
        assertThat(events)
                .filteredOn(ArenaEvent.Moved.class::isInstance)
                .hasSize(MOVEMENTS)
                .allMatch(it -> ((ArenaEvent.Moved) it).movement().isValid());
        Path file = folder.resolve("match.mcap");
        RecordingGenerator.write(file, 1, 20, MOVEMENTS);
        assertThat((double) Files.size(file) / MOVEMENTS).isGreaterThan(MIN_BYTES_PER_MOVEMENT);
        try (Recording recording = Recording.open(file)) {
            EventCursor cursor = recording.events();
            int moved = 0;
            while (cursor.next()) {
                moved += cursor.event() instanceof ArenaEvent.Moved ? 1 : 0;
            }
            assertThat(moved).isEqualTo(MOVEMENTS);
            assertThat(cursor.skipped()).isZero();
        }
    }
}
