package dev.wishdir.app.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.game.Game;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Captures and recordings of all games with any byte changed. */
@Tag("slow")
final class CaptureHostileInputTest {
    /** Files of each kind that are read. */
    private static final int COUNT = TestEffort.times(12);

    private static final List<String> ENDS =
            List.of(".pcap", ".dmo", ".dm2", ".dm_68", ".dm_71", "-channels.jsonl");

    @TempDir private Path folder = Path.of("");
    private Random random;

    /** The files of one game that end alike. */
    record Kind(String game, String end, List<Path> files) {
        @Override
        public String toString() {
            return game + end;
        }
    }

    private record Run(int status, String err) {}

    @BeforeEach
    void seed() {
        random = new Random(10);
    }

    static Stream<Kind> kinds() throws IOException {
        List<Kind> kinds = new ArrayList<>();
        for (Game game : Games.ALL) {
            for (String end : ENDS) {
                Path resources = Path.of("..", game.name(), "src/test/resources");
                try (Stream<Path> files = Files.walk(resources)) {
                    List<Path> found =
                            files.filter(file -> file.toString().endsWith(end)).sorted().toList();
                    if (!found.isEmpty()) {
                        kinds.add(new Kind(game.name(), end, found));
                    }
                }
            }
        }
        assertThat(kinds).hasSize(9);
        return kinds.stream();
    }

    @ParameterizedTest(name = "G10 {0}: a changed byte ends with 0 or 1 and a sentence")
    @MethodSource("kinds")
    void survivesAnyChangedByte(Kind kind) throws IOException {
        for (int i = 0; i < COUNT; i++) {
            Path original = kind.files.get(i % kind.files.size());
            byte[] content = Files.readAllBytes(original);
            int at = random.nextInt(content.length);
            content[at] ^= (byte) (1 + random.nextInt(255));
            Path file = Files.write(folder.resolve("changed" + kind.end), content);
            List<String> arguments = new ArrayList<>(List.of("inspect", file.toString()));
            if (random.nextBoolean()) {
                arguments.add("--json");
            }
            if (random.nextInt(4) == 0) {
                arguments.add("--explain");
            }
            Path keys = original.resolveSibling(stem(original) + ".keys.jsonl");
            if (Files.exists(keys)) {
                arguments.addAll(List.of("--key-log", keys.toString()));
            }
            Run run = run(arguments.toArray(String[]::new));
            assertThat(run.status())
                    .as("%s: byte %d is %d: %s", original, at, content[at], run.err())
                    .isIn(0, 1);
            assertThat(run.err())
                    .as("%s: byte %d is %d", original, at, content[at])
                    .doesNotContain("\tat ", "defect");
            if (run.status() == 1) {
                assertThat(run.err()).contains("wishdir: " + file);
            }
        }
    }

    private static String stem(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(0, name.lastIndexOf('.'));
    }

    private static Run run(String... arguments) {
        StringWriter err = new StringWriter();
        ShutdownSignal shutdown = new ShutdownSignal();
        int status =
                Shell.commandLine(Games.ALL, shutdown, Terminal.NONE)
                        .setOut(new PrintWriter(Writer.nullWriter()))
                        .setErr(new PrintWriter(err))
                        .execute(arguments);
        shutdown.done(status);
        return new Run(status, err.toString());
    }
}
