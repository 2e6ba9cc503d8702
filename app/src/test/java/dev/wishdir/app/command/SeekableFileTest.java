package dev.wishdir.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

class SeekableFileTest {
    /** A command that waits for its end with an open copy of its standard input. */
    static final class WaitingCommand {
        private WaitingCommand() {}

        public static void main(String[] arguments) throws Exception {
            ShutdownSignal shutdown = new ShutdownSignal();
            shutdown.listen();
            System.out.println(SeekableFile.of(Path.of("/dev/stdin")));
            System.out.flush();
            shutdown.await(1, TimeUnit.HOURS);
            shutdown.done(0);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void deletesCopyOfPipeWhenCommandIsStopped() throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty(
                                        "surefire.test.class.path",
                                        System.getProperty("java.class.path")),
                                WaitingCommand.class.getName())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            process.getOutputStream().close();
            Path copy = Path.of(out.readLine());
            assertThat(copy).exists();
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(copy.getParent()).doesNotExist();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Games check a file of keys before they read it, and look every few seconds for changes. */
    @Test
    @EnabledOnOs(OS.LINUX)
    @DisplayName("R25: a file of a game by a pipe is read once")
    void givesGamesACopyOfAPipe(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("keys");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Thread writer = Thread.ofVirtual().start(() -> write(pipe, "ada example.org +1 admin"));
        Game.Option keys = new Game.Option("keys", "FILE", "Keys.", Game.Option.FileAccess.READ);
        Path copy = Path.of(SeekableFile.value(keys, pipe.toString()));
        assertThat(copy).isNotEqualTo(pipe);
        writer.join();
        assertThat(copy).hasContent("ada example.org +1 admin");
        assertThat(SeekableFile.value(keys, pipe.toString())).isEqualTo(copy.toString());
        assertThat(SeekableFile.value(new Game.Option("data", "DIR", "Data."), "/dev/null"))
                .isEqualTo("/dev/null");
        Files.delete(copy);
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void namesPipeInPlaceOfItsCopy() throws IOException {
        Path device = Path.of("/dev/null");
        Path copy = SeekableFile.of(device);
        assertThat(SeekableFile.named("cannot read " + copy + ": empty"))
                .isEqualTo("cannot read /dev/null: empty");
    }
}
