package dev.wishdir.app.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingGenerator;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

@Timeout(120)
@Tag("slow")
class ReplayCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path folder = Path.of("");
    private Path file = Path.of("");

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("match.mcap");
        RecordingGenerator.write(file, 1, 8, 8_000);
    }

    /** Runs the command, which a signal ends at once. */
    private int run(Object... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        ShutdownSignal shutdown = new ShutdownSignal();
        shutdown.request();
        int status =
                new CommandLine(new ReplayCommand(shutdown))
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .setExecutionExceptionHandler((e, line, _) -> {
                            line.getErr().println(e.getMessage());
                            return CommandLine.ExitCode.SOFTWARE;
                        })
                        .execute(
                                Arrays.stream(arguments)
                                        .map(String::valueOf)
                                        .toArray(String[]::new));
        shutdown.done(status);
        return status;
    }

    private static List<ArenaEvent> events(Path recorded, long from, long to) throws IOException {
        List<ArenaEvent> events = new ArrayList<>();
        try (Recording recording = Recording.open(recorded)) {
            EventCursor cursor = recording.events(from, to);
            while (cursor.next()) {
                events.add(cursor.event());
            }
        }
        return events;
    }

    @Test
    void writesClip() throws IOException {
        Path clip = folder.resolve("clip.mcap");
        assertThat(run(file, "--from", "0:05", "--to", "12.5", "--clip", clip)).isZero();
        assertThat(out.toString()).contains("wrote " + clip);
        long start;
        try (Recording recording = Recording.open(file)) {
            start = recording.startNanos();
        }
        long from = start + 5_000_000_000L;
        long to = start + 12_500_000_000L;
        assertThat(events(clip, 0, Long.MAX_VALUE))
                .hasSizeGreaterThan(1000)
                .isEqualTo(events(file, from, to));
        try (Recording whole = Recording.open(file);
                Recording part = Recording.open(clip)) {
            assertThat(part.stateAt(from + 2_000_000_000L).players())
                    .isEqualTo(whole.stateAt(from + 2_000_000_000L).players());
            assertThat(part.arenaText()).isEqualTo(whole.arenaText());
        }

        assertThat(run(file, "--clip", clip)).isEqualTo(1);
        assertThat(err.toString()).contains(clip + " exists", "give another name");
    }

    @Test
    void refusesClipOutsideRecording() {
        Path clip = folder.resolve("clip.mcap");
        for (List<String> range :
                List.of(
                        List.of("--from", "1:00:00"),
                        List.of("--from", "10", "--to", "10"),
                        List.of("--to", "2001-01-01T00:00:00Z"))) {
            List<Object> arguments = new ArrayList<>(List.of(file, "--clip", clip));
            arguments.addAll(range);
            assertThat(run(arguments.toArray())).isEqualTo(1);
            assertThat(err.toString()).contains("must be a part of the recording, which has 3");
            assertThat(clip).doesNotExist();
        }
        assertThat(run(file, "--from", "5")).isEqualTo(2);
        assertThat(err.toString()).contains("add --clip OUT");
    }

    @Test
    void servesPage() {
        assertThat(run(file, "--web", "127.0.0.1:0")).isZero();
        assertThat(out.toString()).contains(file + ": http://127.0.0.1:", "replay.html");
        assertThat(err.toString()).isEmpty();
        assertThat(run(file, "--web", "off")).isEqualTo(2);
    }

    @Test
    void playsCaptures() throws IOException {
        Path capture = Path.of("../sauerbraten/src/test/resources/captures/solo_walk.pcap");
        assertThat(run(capture, "--web", "127.0.0.1:0")).isZero();
        assertThat(out.toString()).contains(capture + ": http://127.0.0.1:", "replay.html");
        assertThat(err.toString()).contains("1 player");
        Path clip = folder.resolve("clip.mcap");
        assertThat(run(capture, "--to", "5", "--clip", clip)).isZero();
        assertThat(events(clip, 0, Long.MAX_VALUE)).hasSizeGreaterThan(50);
    }

    @Test
    void playsCutRecordingAsFarAsWhole() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Path cut = Files.write(folder.resolve("cut.mcap"), Arrays.copyOf(whole, whole.length / 2));
        assertThat(run(cut, "--web", "127.0.0.1:0")).isZero();
        assertThat(err.toString()).contains("as far as it is whole");
        assertThat(Files.size(cut)).isEqualTo(whole.length / 2);
        Path clip = folder.resolve("clip.mcap");
        assertThat(run(cut, "--clip", clip)).isZero();
        List<ArenaEvent> all = events(file, 0, Long.MAX_VALUE);
        List<ArenaEvent> first = events(clip, 0, Long.MAX_VALUE);
        assertThat(first).hasSizeGreaterThan(1000).isEqualTo(all.subList(0, first.size()));
    }

    @Test
    void saysWhatIsWrongWithFile() throws IOException {
        assertThat(run(folder.resolve("none.mcap"))).isEqualTo(1);
        assertThat(err.toString()).contains("there is no file", "serve --record");
        Path text = Files.writeString(folder.resolve("notes.txt"), "not a recording at all");
        assertThat(run(text)).isEqualTo(1);
        assertThat(err.toString()).contains("cannot play " + text);
        Path empty = Files.write(folder.resolve("empty.mcap"), new byte[0]);
        assertThat(run(empty)).isEqualTo(1);
        assertThat(err.toString()).contains("cannot play " + empty);
        assertThat(run(folder)).isEqualTo(1);
    }

    @Test
    void knowsBrowserOfEachSystem() {
        assertThat(Browser.command("Linux", "http://x/")).containsExactly("xdg-open", "http://x/");
        assertThat(Browser.command("Mac OS X", "http://x/")).containsExactly("open", "http://x/");
        assertThat(Browser.command("Windows 11", "http://x/"))
                .startsWith("rundll32")
                .endsWith("http://x/");
    }
}
