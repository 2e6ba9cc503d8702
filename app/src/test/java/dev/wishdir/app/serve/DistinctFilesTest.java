package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;
import dev.wishdir.app.command.DistinctFiles;
import dev.wishdir.quake3.Quake3Game;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file that two options of a command name, of which at least one writes it. */
@Tag("slow")
class DistinctFilesTest {
    private static final List<String> WRITTEN =
            List.of(
                    "--bans",
                    "--events",
                    "--log-file",
                    "--race-times",
                    "--key-log",
                    "--health-file",
                    "--record");
    private static final List<String> READ =
            List.of(
                    "--config",
                    "--arena",
                    "--replay",
                    "--follow",
                    "--cluster-key",
                    "--cluster-tls-ca",
                    "--cluster-tls-certificate",
                    "--cluster-tls-key");

    @TempDir private Path folder;

    private static Shell.Run serve(List<String> more) {
        List<String> line = new ArrayList<>(List.of("serve", "--red", "127.0.0.1:0"));
        line.addAll(more);
        return new Shell(new FakeGame("red", 27_016)).run(line.toArray(String[]::new));
    }

    private static void refuses(String one, Path file, String other, Path same, String... more) {
        List<String> line = new ArrayList<>(List.of("--seconds", "1"));
        line.addAll(List.of(one, file.toString(), other, same.toString()));
        line.addAll(List.of(more));
        Shell.Run run = serve(line);
        assertThat(run.status()).as(one + " " + other).isNotZero();
        assertThat(run.err())
                .as(one + " " + other)
                .containsPattern(
                        "(" + one + ": .*" + other + "|" + other + ": .*" + one + ")(?![a-z-])")
                .contains("give each a file of its own");
    }

    @Test
    @DisplayName("each pair of written files is refused at the start")
    void refusesOneFileForTwoOutputs() {
        Path file = folder.resolve("f");
        for (String one : WRITTEN) {
            for (String other : WRITTEN.subList(WRITTEN.indexOf(one) + 1, WRITTEN.size())) {
                refuses(one, file, other, folder.resolve(".").resolve("f"));
            }
        }
        assertThat(file).doesNotExist();
    }

    @Test
    @DisplayName("a written file is none that is read, and what it has is kept")
    void refusesOutputOntoInput() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "# kept\n");
        for (String one : READ) {
            for (String other : List.of("--bans", "--events", "--log-file")) {
                refuses(one, file, other, file);
            }
        }
        assertThat(file).hasContent("# kept");
    }

    @Test
    void refusesOneFileForTwoOutputsWhereSettingsAreChecked() {
        Path file = folder.resolve("f");
        refuses("--bans", file, "--events", file, "--check");
    }

    @Test
    void refusesRecordingIntoFolderThatIsFollowed() {
        refuses("--record", folder, "--follow", folder, "--check");
    }

    @Test
    void refusesOneFileForTwoOutputsOfProxy() {
        String file = folder.resolve("f").toString();
        Shell.Run run =
                new Shell(new Quake3Game())
                        .run(
                                "proxy",
                                "quake3",
                                "--to",
                                "127.0.0.1:9",
                                "--listen",
                                "127.0.0.1:0",
                                "--seconds",
                                "1",
                                "--pcap",
                                file,
                                "--record",
                                file);
        assertThat(run.status()).isNotZero();
        assertThat(run.err()).contains("--pcap: " + file + " is also the file of --record: ");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesRotatedFileOfEvents() {
        Path file = folder.resolve("f");
        Shell.Run run =
                serve(
                        List.of(
                                "--check",
                                "--events",
                                file.toString(),
                                "--event-file-size",
                                "1M",
                                "--log-file",
                                file + ".2"));
        assertThat(run.err()).contains("--log-file: ").contains("f.2 is also the file of --events");
    }

    private List<String> problems(Path one, Path other) {
        DistinctFiles files = new DistinctFiles();
        files.addOutput("--one", one);
        files.addOutput("--other", other);
        files.addOutput("--none", null);
        return files.problems();
    }

    @Test
    void followsLinks() throws IOException {
        Path file = folder.resolve("f");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("f"));
        Path second = Files.createSymbolicLink(folder.resolve("second"), Path.of("link"));
        Path inner = Files.createSymbolicLink(folder.resolve("inner"), folder);
        for (int i = 0; i < 2; i++) {
            for (Path same : List.of(link, second, inner.resolve("f"))) {
                assertThat(problems(file, same))
                        .containsExactly(
                                "--one: "
                                        + file
                                        + " is also the file of --other: give each a file of its"
                                        + " own");
            }
            assertThat(problems(file, folder.resolve("g"))).isEmpty();
            if (i == 0) {
                Files.createFile(file);
            }
        }
        Path hard = Files.createLink(folder.resolve("hard"), file);
        assertThat(problems(file, hard)).hasSize(1);
        Path loop = folder.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertThat(problems(loop, file)).isEmpty();
    }

    @Test
    void allowsDeviceForSeveralOutputs() {
        assertThat(problems(Path.of("/dev/null"), Path.of("/dev/null"))).isEmpty();
    }
}
