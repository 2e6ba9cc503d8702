package dev.wishdir.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

    @Test
    @EnabledOnOs(OS.LINUX)
    void namesPipeInPlaceOfItsCopy() throws IOException {
        Path device = Path.of("/dev/null");
        Path copy = SeekableFile.of(device);
        assertThat(SeekableFile.named("cannot read " + copy + ": empty"))
                .isEqualTo("cannot read /dev/null: empty");
    }
}
