package dev.wishdir.app.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordingOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

class RecordedArenaTest {
    @TempDir Path folder;

    private RecordedArena recorded(String level, Optional<String> attached) throws IOException {
        Path file = Files.createTempDirectory(folder, "").resolve("match.mcap");
        RecordingInfo info = new RecordingInfo("test", "capture", "", Instant.ofEpochSecond(100));
        Bounds bounds = new Bounds(new Vec3(-2000, -2000, -2000), new Vec3(2000, 2000, 2000));
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, attached, RecordingOptions.DEFAULT)) {
            long start = info.started().getEpochSecond() * 1_000_000_000;
            writer.onEvent(new ArenaEvent.Announcement(start, "warm-up"));
            if (!level.isEmpty()) {
                Level named = new Level(level, bounds);
                writer.onEvent(new ArenaEvent.LevelChanged(start + 1, "quake3", named, bounds));
            }
        }
        try (Recording recording = Recording.open(file)) {
            return RecordedArena.of(recording);
        }
    }

    @Test
    void prefersAttachedArena() throws IOException {
        String attached = ArenaText.write(ArenaCatalog.FLAT);
        RecordedArena found = recorded("hall", Optional.of(attached));
        assertThat(found.arena().map(BlockArena::name)).contains(ArenaCatalog.FLAT.name());
        assertThat(found.problem()).isEmpty();
    }

    @Test
    void findsShippedArenaByLevelOfCapture() throws IOException {
        RecordedArena found = recorded("hall", Optional.empty());
        assertThat(found.arena().map(BlockArena::name)).contains("hall");
        assertThat(found.problem()).isEmpty();
    }

    @Test
    void saysWhyThereIsNone() throws IOException {
        assertThat(recorded("no_such_map", Optional.empty()).problem())
                .contains("this machine has no map 'no_such_map'");
        assertThat(recorded("", Optional.empty()).problem()).contains("no level is named");
        assertThat(recorded("hall", Optional.of("no arena")).problem()).contains("malformed");
    }
}
