package dev.wishdir.app.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.inspect.capture.CaptureBytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class ExploreCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path folder = Path.of("");

    /** Runs the command until the files are read. */
    private int explore(Path... files) {
        ShutdownSignal shutdown = new ShutdownSignal();
        shutdown.request();
        String[] arguments = {"explore", "--web", "127.0.0.1:0"};
        arguments = java.util.Arrays.copyOf(arguments, 3 + files.length);
        for (int i = 0; i < files.length; i++) {
            arguments[3 + i] = files[i].toString();
        }
        int status =
                Shell.commandLine(
                                List.of(new FakeGame("red", 7000)),
                                shutdown,
                                InputStream.nullInputStream(),
                                Terminal.NONE)
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .execute(arguments);
        shutdown.done(status);
        return status;
    }

    @Test
    void skipsBrokenFile() throws IOException {
        byte[] capture =
                CaptureBytes.pcap(1)
                        .record(
                                1,
                                0,
                                CaptureBytes.ethernet(
                                        5000, 7000, "JOIN x".getBytes(StandardCharsets.UTF_8)))
                        .bytes();
        Path good = Files.write(folder.resolve("good.pcap"), capture);
        Path bad = Files.write(folder.resolve("bad.pcap"), new byte[3]);
        Path empty = Files.write(folder.resolve("empty.pcap"), new byte[0]);
        Path dangling =
                Files.createSymbolicLink(folder.resolve("link.pcap"), folder.resolve("none"));

        assertThat(explore(bad, empty, good, dangling)).isZero();

        assertThat(out.toString()).startsWith("1 line: http");
        assertThat(err.toString())
                .contains("cannot read " + bad + ": neither a capture")
                .contains("cannot read " + empty + ": neither a capture")
                .contains(
                        "cannot read " + dangling + ": there is no such file; the file is omitted");
        assertThat(explore(bad, dangling)).isEqualTo(1);
    }
}
