package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.inspect.CaptureBytes;
import dev.wishdir.wire.Datagram;
import dev.wishdir.wire.Dissector;
import dev.wishdir.wire.Line;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

final class InspectCommandTest {
    private static final int ETHERNET = 1;

    private final Shell shell = new Shell(new FakeGame("red", 7000), new FakeGame("blue", 8000));

    @TempDir private Path folder = Path.of("");

    private static byte[] words(int from, int to, String text) {
        return CaptureBytes.ethernet(from, to, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] capture() {
        return CaptureBytes.pcap(ETHERNET)
                .record(1, 0, words(5000, 6000, "JOIN é "))
                .record(2, 0, words(5000, 6000, "SAY hello"))
                .record(3, 0, words(5001, 8000, "MOVE 1 2 3 4 5"))
                .record(4, 0, new byte[60])
                .bytes();
    }

    private String file(String name, byte[] content) throws IOException {
        return Files.write(folder.resolve(name), content).toString();
    }

    @Test
    void jsonIsOnStandardOutputAndNothingElse() throws IOException {
        Shell.Run run = shell.run("inspect", file("a.pcap", capture()), "--json");

        assertThat(run.status()).isZero();
        assertThat(run.json())
                .extracting(line -> line.get("name").getAsString())
                .containsExactly("JOIN", "SAY");
        assertThat(run.out().lines().findFirst())
                .hasValue(
                        "{\"frame\":1,\"time\":0.0,\"dir\":\"c2s\",\"client\":5000,"
                                + "\"game\":\"red\",\"layer\":\"message\",\"name\":\"JOIN\","
                                + "\"fields\":{\"text\":\"JOIN é \"}}");
        assertThat(run.err())
                .isEqualToIgnoringNewLines(
                        "of 4 packets left out: 1 datagrams of no known game, 1 packets not IP");
    }

    @Test
    void oneGameTakesItsPort() throws IOException {
        Shell.Run run = shell.run("inspect", file("a.pcap", capture()), "--game", "blue", "--json");

        assertThat(run.json())
                .extracting(line -> line.get("game").getAsString() + line.get("frame").getAsInt())
                .containsExactly("blue1", "blue2", "blue3");
    }

    @Test
    void explainShowsBytesAndPlaces() throws IOException {
        String file = file("a.pcap", capture());

        Shell.Run listing = shell.run("inspect", file, "--explain", "--message", "SAY");
        Shell.Run json = shell.run("inspect", file, "--explain", "--message", "SAY,X", "--json");

        assertThat(listing.out())
                .contains("SAY  text=\"SAY hello\"")
                .contains("0000    53 41 59 20 68 65 6c 6c")
                .doesNotContain("JOIN");
        assertThat(json.json()).hasSize(1);
        assertThat(json.json().getFirst().getAsJsonArray("trace")).hasSize(1);
    }

    @Test
    void whatIsNotThereIsSaid() throws IOException {
        String file = file("a.pcap", capture());
        String empty = file("b.pcap", CaptureBytes.pcap(ETHERNET).bytes());

        Shell.Run noName = shell.run("inspect", file, "--message", "X");
        Shell.Run nothing = shell.run("inspect", empty);

        assertThat(noName.status()).isZero();
        assertThat(noName.err()).contains(file + " holds none of X");
        assertThat(nothing.status()).isZero();
        assertThat(nothing.err()).contains("holds nothing of a game that is known");
    }

    @Test
    void anUnreadableFileIsOneLineAndStatus1() throws IOException {
        String missing = folder.resolve("missing.pcap").toString();
        String text = file("a.txt", "hello".getBytes(StandardCharsets.UTF_8));
        String nothing = file("empty", new byte[0]);
        String demo = file("a.red", new byte[1]);

        assertFails(shell.run("inspect", missing), "cannot read " + missing + ": there is no such");
        assertFails(shell.run("inspect", folder.toString()), "cannot read " + folder + ": ");
        assertFails(shell.run("inspect", text), text + " is neither a capture");
        assertFails(shell.run("inspect", nothing), nothing + " is neither a capture");
        assertFails(shell.run("inspect", demo), demo + ": magic at byte 7: is no red");
        assertFails(
                shell.run("inspect", text, "--keys", missing),
                "cannot read " + missing + ": there is no such file");
    }

    @Test
    void aBrokenCaptureIsShownUpToItsBreak() throws IOException {
        byte[] whole = capture();
        String file = file("a.pcap", Arrays.copyOf(whole, whole.length - 100));

        Shell.Run run = shell.run("inspect", file, "--json");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.json()).hasSize(2);
        assertThat(run.err()).endsWith(": the file ends within a record, at byte 173\n");
    }

    /** A game whose dissector ends in what no dissector should. */
    private static Game broken(Runnable defect) {
        Dissector dissector =
                new Dissector() {
                    @Override
                    public Optional<Direction> recognise(Datagram datagram) {
                        return Optional.of(Direction.C2S);
                    }

                    @Override
                    public void datagram(
                            Datagram datagram, Direction direction, Consumer<Line> lines) {
                        defect.run();
                    }
                };
        FakeGame whole = new FakeGame("red", 7000);
        return (Game)
                Proxy.newProxyInstance(
                        Game.class.getClassLoader(),
                        new Class<?>[] {Game.class},
                        (_, method, arguments) ->
                                method.getName().equals("dissector")
                                        ? dissector
                                        : method.invoke(whole, arguments));
    }

    @Test
    @DisplayName("G10 a defect of a dissector, an Error too, is one sentence and status 1")
    void aDefectIsASentence() throws IOException {
        String file = file("a.pcap", capture());
        List<Runnable> defects =
                List.of(
                        () -> {
                            throw new IllegalStateException("of no use");
                        },
                        () -> {
                            throw new StackOverflowError();
                        },
                        () -> {
                            throw new OutOfMemoryError("Java heap space");
                        });
        for (Runnable defect : defects) {
            assertFails(new Shell(broken(defect)).run("inspect", file), file + ": this program's");
        }
    }

    @Test
    void wrongUsageIsOneLineAndStatus2() {
        for (String[] arguments :
                new String[][] {
                    {"inspect"},
                    {"inspect", "a", "b"},
                    {"inspect", "a", "--game", "green"},
                    {"inspect", "a", "--colour"}
                }) {
            Shell.Run run = shell.run(arguments);
            assertThat(run.status()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err()).startsWith("wishdir: ").contains("see wishdir inspect --help");
        }
    }

    private static void assertFails(Shell.Run run, String message) {
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).startsWith("wishdir: " + message);
    }
}
