package dev.wishdir.record.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.motion.Movement;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Recordings that earlier versions wrote are read for ever: a file of each, with its events. */
class RecordingVersionsTest {
    private static Path resource(String name) throws URISyntaxException {
        return Path.of(
                Objects.requireNonNull(RecordingVersionsTest.class.getResource(name)).toURI());
    }

    static List<String> lines(Recording recording) throws IOException {
        List<String> lines = new ArrayList<>();
        EventCursor cursor = recording.events();
        while (cursor.next()) {
            ArenaEvent event = cursor.event();
            String line = event.time() + " " + event.getClass().getSimpleName();
            if (event instanceof ArenaEvent.OfPlayer of) {
                Movement m = of.player().movement();
                line +=
                        String.format(
                                Locale.ROOT,
                                " %s %s %s %.4f %.4f %.4f %.2f %.2f %d %s",
                                of.id(),
                                of.player().game(),
                                of.player().name(),
                                m.position().x(),
                                m.position().y(),
                                m.position().z(),
                                m.yaw(),
                                m.pitch(),
                                m.stance().bits(),
                                of.player().nativeMovement().bytes().hex());
            }
            lines.add(line);
        }
        return lines;
    }

    @ParameterizedTest
    @ValueSource(strings = {"1"})
    void opensRecordingOfEachVersion(String version) throws IOException, URISyntaxException {
        try (Recording recording = Recording.open(resource("recording-v" + version + ".mcap"))) {
            assertThat(lines(recording))
                    .isEqualTo(Files.readAllLines(resource("recording-v" + version + ".txt")));
            assertThat(recording.arenaText()).contains("text of the arena");
        }
    }
}
