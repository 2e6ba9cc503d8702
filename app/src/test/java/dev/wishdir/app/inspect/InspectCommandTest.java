package dev.wishdir.app.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.game.Game;
import dev.wishdir.inspect.capture.CaptureBytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;

@Tag("slow")
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
    void writesOnlyJsonToStandardOutput() throws IOException {
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
                        "of 4 packets left out: 1 datagram of unknown protocols, 1 packet not"
                                + " IP");
    }

    @Test
    void assignsItsPortToSelectedGame() throws IOException {
        Shell.Run run = shell.run("inspect", file("a.pcap", capture()), "--game", "blue", "--json");

        assertThat(run.json())
                .extracting(line -> line.get("game").getAsString() + line.get("frame").getAsInt())
                .containsExactly("blue1", "blue2", "blue3");
    }

    @Test
    void explainsBytesAndOffsets() throws IOException {
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
    void reportsMissingFile() throws IOException {
        String empty = file("b.pcap", CaptureBytes.pcap(ETHERNET).bytes());

        Shell.Run nothing = shell.run("inspect", empty);

        assertThat(nothing.status()).isZero();
        assertThat(nothing.err()).contains(": no message of a known game");
    }

    @Test
    void refusesUnknownNames() throws IOException {
        String file = file("a.pcap", capture());

        Shell.Run near = shell.run("inspect", file, "--message", "JION");
        Shell.Run field = shell.run("inspect", file, "--where", "txt=SAY hello");
        Shell.Run either = shell.run("inspect", file, "--message", "say", "--json");

        assertThat(near.status()).isEqualTo(2);
        assertThat(near.err())
                .contains("no message is called 'JION'; did you mean 'JOIN'?")
                .contains("there are JOIN, SAY");
        assertThat(field.status()).isEqualTo(2);
        assertThat(field.err()).contains("no message has a field 'txt'; did you mean 'text'?");
        assertThat(either.status()).isZero();
        assertThat(names(either)).containsExactly("SAY");
        Shell.Run upper = shell.run("inspect", file, "--where", "TEXT=SAY hello", "--json");
        assertThat(upper.status()).as(upper.err()).isZero();
        assertThat(names(upper)).containsExactly("SAY");
    }

    private static byte[] part(int second, String... words) {
        CaptureBytes file = CaptureBytes.pcap(ETHERNET);
        for (int i = 0; i < words.length; i++) {
            file.record(second + i, 0, words(5000, 6000, words[i]));
        }
        return file.bytes();
    }

    /** A ring of captures, of which the shell gives the files in another order. */
    @Test
    void readsAFileOnce() throws IOException {
        String file = file("a.pcap", part(10, "JOIN x", "SAY a"));
        Path link = Files.createSymbolicLink(Path.of(file).resolveSibling("b.pcap"), Path.of(file));

        Shell.Run run = shell.run("inspect", file, link.toString(), file, "--json");

        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo(shell.run("inspect", file, "--json").out());
        assertThat(run.err().lines())
                .containsExactly(
                        link + ": is read once, as it is the same file as " + file,
                        file + ": is read once, as it is the same file as " + file);
    }

    @Test
    void joinsConsecutiveCaptures() throws IOException {
        String last = file("a.pcap", part(14, "SAY c", "SAY d"));
        String first = file("b.pcap", part(10, "JOIN x", "SAY a"));
        String middle = file("c.pcap", part(12, "SAY b", "SAY b2"));
        String whole =
                file(
                        "whole.pcap",
                        part(10, "JOIN x", "SAY a", "SAY b", "SAY b2", "SAY c", "SAY d"));
        String later = file("later.pcap", part(100_000, "JOIN y"));

        Shell.Run ring = shell.run("inspect", last, first, middle, later, "--json");

        List<String> lines =
                ring.out()
                        .lines()
                        .map(line -> line.replaceFirst("\"file\":\"[^\"]*\",", ""))
                        .toList();
        assertThat(ring.status()).isZero();
        assertThat(lines.subList(0, 6))
                .isEqualTo(shell.run("inspect", whole, "--json").out().lines().toList());
        assertThat(ring.json())
                .extracting(line -> line.get("file").getAsString())
                .containsExactly(first, first, middle, middle, last, last, later);
        assertThat(lines.getLast()).startsWith("{\"frame\":1,\"time\":0.0,");
        assertThat(shell.run("inspect", last, first, middle, "--summary", "--json").json())
                .hasSize(1);
    }

    @Test
    void reportsUnreadableFileInOneLineWithStatus1() throws IOException {
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
                shell.run("inspect", text, "--key-log", missing),
                "cannot read " + missing + ": there is no such file");
    }

    @Test
    void showsBrokenCaptureUpToItsBreak() throws IOException {
        byte[] whole = capture();
        String file = file("a.pcap", Arrays.copyOf(whole, whole.length - 100));

        Shell.Run run = shell.run("inspect", file, "--json");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.json()).hasSize(2);
        assertThat(run.err()).endsWith(": the file ends within a record, at byte 173\n");
    }

    @Test
    void assignsConfiguredPortToItsGame() throws IOException {
        String file = file("a.pcap", capture());

        Shell.Run run = shell.run("inspect", file, "--port", "blue=6000,red=8000", "--json");

        assertThat(run.json())
                .extracting(line -> line.get("game").getAsString() + line.get("frame").getAsInt())
                .containsExactly("blue1", "blue2", "red3");
    }

    @Test
    void filtersByTimeAndField() throws IOException {
        String file = file("a.pcap", capture());
        String[] all = {"inspect", file, "--port", "blue=8000", "--json"};

        assertThat(names(shell.run(with(all, "--from", "1")))).containsExactly("SAY", "MOVE");
        assertThat(names(shell.run(with(all, "--from", "1", "--to", "1.5"))))
                .containsExactly("SAY");
        assertThat(names(shell.run(with(all, "--where", "text=SAY hello")))).containsExactly("SAY");
        assertThat(names(shell.run(with(all, "--where", "text=SAY hello", "--to", "0")))).isEmpty();
        assertThat(shell.run(with(all, "--where", "text=x")).err())
                .contains("a.pcap: no message passes the filters");
        assertThat(shell.run(with(all, "--where", "txt=x")).err())
                .contains("a.pcap: no message that passes the other filters has a field txt");
    }

    @Test
    void filtersByPlayerNameOrPort() throws IOException {
        byte[] named =
                CaptureBytes.pcap(ETHERNET)
                        .record(1, 0, words(5000, 7000, "JOIN x"))
                        .record(1, 0, words(5001, 7000, "JOIN y"))
                        .record(2, 0, words(5000, 7000, "userinfo \\name\\^1Ann"))
                        .record(3, 0, words(5000, 7000, "SAY yes"))
                        .record(4, 0, words(5001, 7000, "userinfo \\name\\Bob"))
                        .record(5, 0, words(5000, 7000, "userinfo \\name\\Eve"))
                        .record(6, 0, words(5000, 7000, "SAY no"))
                        .bytes();
        String file = file("a.pcap", named);

        assertThat(names(shell.run("inspect", file, "--player", "ann", "--json")))
                .containsExactly("JOIN", "userinfo", "SAY");
        assertThat(names(shell.run("inspect", file, "--player", "5001", "--json")))
                .containsExactly("JOIN", "userinfo");
        assertThat(names(shell.run("inspect", file, "--player", "Eve", "--json")))
                .containsExactly("userinfo", "SAY");
        assertThat(shell.run("inspect", file, "--player", "Zed").err())
                .contains(": no player Zed; there are \"^1Ann\", \"Bob\", \"Eve\"");
    }

    @Test
    void summarisesConnections() throws IOException {
        String file = file("a.pcap", capture());

        Shell.Run json = shell.run("inspect", file, "--summary", "--json", "--port", "blue=8000");
        Shell.Run text = shell.run("inspect", file, "--summary", "--player", "5000");
        Shell.Run late = shell.run("inspect", file, "--summary", "--json", "--from", "1");

        assertThat(json.json())
                .extracting(flow -> flow.get("client").getAsString())
                .containsExactly("10.0.0.1:5000", "10.0.0.1:5001");
        assertThat(json.json().getFirst().getAsJsonObject("c2s").get("packets").getAsInt())
                .isEqualTo(2);
        assertThat(text.out().lines())
                .containsExactly(
                        "red  (no name)  10.0.0.1:5000 to 10.0.0.2:6000  0.000 to 1.000 s",
                        "    to the server  2 packets (2.0/s), 17 bytes (17.0/s), 0 retransmitted",
                        "    to the client  0 packets (0.0/s), 0 bytes (0.0/s), 0 retransmitted");
        assertThat(late.json().getFirst().getAsJsonObject("c2s").get("packets").getAsInt())
                .isEqualTo(1);
        assertThat(shell.run("inspect", file, "--summary", "--player", "Zed").err())
                .contains(": no player Zed\n");
    }

    @Test
    void namesFileOfEachLineAndSkipsBadFile() throws IOException {
        String first = file("a.pcap", capture());
        String last = file("b.pcap", capture());
        String bad = file("c.pcap", new byte[3]);

        Shell.Run json = shell.run("inspect", first, bad, last, "--message", "SAY", "--json");
        Shell.Run text = shell.run("inspect", first, last, "--message", "SAY");

        assertThat(json.status()).isEqualTo(1);
        assertThat(json.json())
                .extracting(line -> line.get("file").getAsString())
                .containsExactly(first, last);
        assertThat(json.err()).contains("wishdir: " + bad + " is neither a capture");
        assertThat(text.status()).isZero();
        assertThat(text.out().lines().filter(line -> line.endsWith(":")))
                .containsExactly(first + ":", last + ":");
    }

    /** Standard input that gives its second part when the first has been printed. */
    private static InputStream live(byte[] first, CountDownLatch printed, byte[] second)
            throws IOException {
        PipedOutputStream to = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(to, 1 << 16);
        Thread.ofVirtual()
                .start(() -> {
                    try (to) {
                        to.write(first);
                        to.flush();
                        printed.await();
                        to.write(second);
                    } catch (IOException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
        return in;
    }

    @Test
    @Timeout(60)
    void printsStandardInputAsItArrives() throws IOException {
        byte[] whole = capture();
        int cut = whole.length - (16 + 60) - (16 + 42 + "MOVE 1 2 3 4 5".length());
        CountDownLatch said = new CountDownLatch(1);
        StringWriter out =
                new StringWriter() {
                    @Override
                    public void write(char[] text, int from, int length) {
                        super.write(text, from, length);
                        if (toString().contains("SAY")) {
                            said.countDown();
                        }
                    }
                };
        InputStream in =
                live(Arrays.copyOf(whole, cut), said, Arrays.copyOfRange(whole, cut, whole.length));

        ShutdownSignal shutdown = new ShutdownSignal();
        int status =
                Shell.commandLine(
                                List.of(new FakeGame("red", 7000), new FakeGame("blue", 8000)),
                                shutdown,
                                in,
                                Terminal.NONE)
                        .setOut(new PrintWriter(new BufferedWriter(out)))
                        .setErr(new PrintWriter(new StringWriter()))
                        .execute("inspect", "-", "--port", "blue=8000");
        shutdown.done(status);

        assertThat(status).isZero();
        assertThat(out.toString()).contains("JOIN", "SAY", "MOVE");
    }

    @Test
    void reportsStandardInputThatIsNotACapture() {
        assertFails(
                shell.run(new ByteArrayInputStream(new byte[] {1, 2}), "inspect", "-"),
                "standard input is neither a capture (pcap, pcapng) nor a demo file of a game");
    }

    private static List<String> names(Shell.Run run) {
        return run.json().stream().map(line -> line.get("name").getAsString()).toList();
    }

    private static String[] with(String[] arguments, String... more) {
        return Stream.of(arguments, more).flatMap(Stream::of).toArray(String[]::new);
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
                            Datagram datagram,
                            Direction direction,
                            Consumer<DissectedMessage> lines) {
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
    void reportsDefectInOneSentence() throws IOException {
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
            assertFails(
                    new Shell(broken(defect)).run("inspect", file), file + ": a defect of wishdir");
        }
    }

    @Test
    void reportsWrongUsageInOneLineWithStatus2() {
        for (String[] arguments :
                new String[][] {
                    {"inspect"},
                    {"inspect", "a", "--from", "2", "--to", "1"},
                    {"inspect", "a", "--where", "cn"},
                    {"inspect", "a", "--port", "red"},
                    {"inspect", "a", "--port", "green=7"},
                    {"inspect", "a", "--port", "red=70000"},
                    {"inspect", "a", "--port", "red=7,blue=7"},
                    {"inspect", "a", "--game", "red", "--port", "blue=7"},
                    {"inspect", "a", "--summary", "--explain"},
                    {"inspect", "-", "-"},
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

    private Shell.Run throughAPipe(byte[] content, String... arguments) throws Exception {
        Path pipe = folder.resolve("pipe" + arguments.length);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Thread writer =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            try {
                                Files.write(pipe, content);
                            } catch (IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                        });
        Shell.Run run = shell.run(with(new String[] {"inspect", pipe.toString()}, arguments));
        writer.join();
        return run;
    }

    /** As of a shell's substitution: what it gives can be read once. */
    @Test
    @Timeout(30)
    void readsACaptureFromAPipe() throws Exception {
        Shell.Run run = throughAPipe(capture(), "--json");
        assertThat(run.status()).isZero();
        assertThat(names(run)).containsExactly("JOIN", "SAY");
    }

    @Test
    void findsFieldOfSnapshotByPathOfHelp() {
        Shell all = new Shell(Games.ALL.toArray(Game[]::new));
        String file = "../quake3/src/test/resources/dev/wishdir/quake3/combat-oa-duel.pcap";
        Shell.Run run = all.run("inspect", file, "--where", "ps.origin.2=34.75");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out().lines())
                .isNotEmpty()
                .allMatch(line -> line.contains("origin[2]=34.75"));
        Shell.Run mistyped = all.run("inspect", file, "--where", "ps.orign.2=34.75");
        assertThat(mistyped.status()).isEqualTo(2);
        assertThat(mistyped.err())
                .contains("did you mean 'ps.origin[2]'?; there are ps.")
                .doesNotContain(" ps,");
    }

    @Test
    @DisplayName("F13 what other programs send is no conversation of a game")
    void takesBackConversationsOfOtherPrograms() throws Exception {
        Shell all = new Shell(Games.ALL.toArray(Game[]::new));
        for (String name :
                List.of("enet-other-app", "one-byte-keepalive", "quakeworld", "webrtc-call")) {
            Path file = folder.resolve(name + ".pcap");
            try (InputStream in =
                    InspectCommandTest.class.getResourceAsStream(
                            "/other-traffic/" + name + ".pcap")) {
                Files.copy(java.util.Objects.requireNonNull(in), file);
            }
            Shell.Run run = all.run("inspect", file.toString(), "--json");
            assertThat(run.status()).isZero();
            assertThat(run.json()).as(name).hasSizeLessThanOrEqualTo(name.startsWith("w") ? 2 : 1);
            assertThat(names(run)).as(name).doesNotContain("malformed", "undecoded");
        }
    }
}
