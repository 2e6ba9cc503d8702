package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;
import dev.wishdir.app.SmallTerminal;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.terminal.Terminal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** The output of a demo until both of its bots have joined. */
@Timeout(60)
final class DemoTest {
    private static final FakeGame GAME = new FakeGame("red", 27_013);

    private static String demo(Terminal terminal) {
        ShutdownSignal shutdown = new ShutdownSignal();
        StringWriter out =
                new StringWriter() {
                    @Override
                    public void write(String text, int offset, int length) {
                        super.write(text, offset, length);
                        if (toString().split(" joined", -1).length > 2) {
                            shutdown.request();
                        }
                    }
                };
        StringWriter err = new StringWriter();
        int status =
                Shell.commandLine(List.of(GAME), shutdown, terminal)
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .execute("demo", "--bots", "2", "--web", "off");
        shutdown.done(status);
        assertThat(status).as(err.toString()).isZero();
        return out.toString();
    }

    @Test
    void printsOneLinePerChangeWithoutTerminal() {
        List<String> lines = demo(Terminal.NONE).lines().toList();

        assertThat(lines).hasSize(4).doesNotHaveDuplicates();
        assertThat(lines.getFirst()).startsWith("The game of red: connect to 127.0.0.1 port ");
        assertThat(lines.get(1)).isEqualTo("Press Ctrl-C to stop.");
        assertThat(lines.subList(2, 4)).allMatch(line -> line.matches("red [A-Z][a-z]+ joined"));
    }

    @Test
    void fitsEveryPictureAndStartsWithAddress() {
        String[] pictures = demo(new SmallTerminal(80, 24)).split("\u001B\\[H");

        assertThat(pictures[0]).isEqualTo("\u001B[?7l");
        for (int i = 1; i < pictures.length; i++) {
            List<String> lines = pictures[i].lines().toList();
            assertThat(lines.getFirst()).contains("The game of red: connect to 127.0.0.1 port ");
            assertThat(lines).hasSizeLessThanOrEqualTo(24);
            assertThat(lines)
                    .allMatch(line -> line.replaceAll("\u001B\\[\\??\\d*\\w", "").length() <= 80);
        }
        assertThat(pictures[pictures.length - 1]).contains("\u001B[?7h").contains("┌──");
    }
}
