package dev.wishdir.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.terminal.Terminal;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** What is printed and can't be written is a failure, whatever the command. */
public final class StandardOutputTest {
    private static final FakeGame GAME = new FakeGame("red", 27_011);

    public static PrintWriter failing(String why) {
        return new StandardOutput(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException(why);
                    }
                });
    }

    private final StringWriter err = new StringWriter();

    private int run(String why, String command) {
        CommandLine line =
                Shell.commandLine(
                        List.of(GAME),
                        new ShutdownSignal(),
                        InputStream.nullInputStream(),
                        Terminal.NONE);
        return line.setOut(failing(why))
                .setErr(new PrintWriter(err, true))
                .execute(command.split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "--version",
                "serve --help",
                "config",
                "doctor",
                "doctor --json",
                "arena --help"
            })
    void failsOnAFullDisk(String command) {
        assertThat(run("No space left on device", command)).isEqualTo(1);
        assertThat(err.toString())
                .contains("wishdir: cannot write to standard output: No space left on device");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "config"})
    void endsQuietlyOnClosedPipe(String command) {
        assertThat(run("Broken pipe", command)).isZero();
        assertThat(err.toString()).isEmpty();
    }
}
