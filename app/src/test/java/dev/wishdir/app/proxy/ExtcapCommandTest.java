package dev.wishdir.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.Games;
import dev.wishdir.game.Game;
import dev.wishdir.inspect.CaptureReader;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

@Timeout(60)
final class ExtcapCommandTest {
    private static final int ANSWER_TIMEOUT_MILLIS = 30_000;
    private static final long RETRY_NANOS = 20_000_000;
    private static final byte[] QUESTION =
            "\u00FF\u00FF\u00FF\u00FFgetinfo xyz".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] ANSWER =
            "\u00FF\u00FF\u00FF\u00FFinfoResponse\n\\hostname\\hall"
                    .getBytes(StandardCharsets.ISO_8859_1);

    private final Shell shell = new Shell(Games.ALL.toArray(Game[]::new));

    @TempDir private Path folder;

    @Test
    void answersTheCallsOfWireshark() {
        Shell.Run interfaces = shell.run("extcap", "--extcap-interfaces", "--extcap-version=4.0");

        assertThat(interfaces.status()).isZero();
        assertThat(interfaces.err()).isEmpty();
        assertThat(interfaces.out().lines().toList())
                .allMatch(line -> line.matches("(extcap|interface) (\\{[a-z]+=[^{}]+})+"))
                .contains(
                        "interface {value=wishdir-quake3}{display=Quake III Arena, OpenArena"
                                + " (proxy)}");
        for (Game game : Games.ALL) {
            String name = "wishdir-" + game.name();
            Shell.Run dlts = shell.run("extcap", "--extcap-interface", name, "--extcap-dlts");
            assertThat(dlts.out()).isEqualTo("dlt {number=12}{name=RAW}{display=Raw IP}\n");
            Shell.Run config = shell.run("extcap", "--extcap-interface=" + name, "--extcap-config");
            assertThat(config.status()).isZero();
            assertThat(config.out().lines())
                    .allMatch(line ->
                            line.matches(
                                    "arg \\{number=\\d+}\\{call=--[a-z-]+}(\\{[a-z]+=[^{}]+})+"))
                    .first()
                    .asString()
                    .contains("{call=--to}")
                    .contains("{required=true}");
        }
        assertThat(shell.run("extcap", "--extcap-version").out()).startsWith("extcap {version=");
        assertThat(
                        shell.run(
                                        "extcap",
                                        "--extcap-interface",
                                        "wishdir-quake2",
                                        "--extcap-capture-filter",
                                        "udp")
                                .out())
                .contains("not supported");
    }

    /** Each argument that is offered is an option that a capture takes. */
    @Test
    void takesEachArgumentThatItOffers() {
        String config =
                shell.run("extcap", "--extcap-interface", "wishdir-quake3", "--extcap-config")
                        .out();
        for (String line : config.lines().toList()) {
            String call = line.replaceAll(".*\\{call=([^}]+)}.*", "$1");
            boolean flag = line.contains("{type=boolflag}");
            Shell.Run run =
                    shell.run(
                            "extcap",
                            "--extcap-interface",
                            "wishdir-quake3",
                            "--extcap-dlts",
                            flag ? call : call + "=1");
            assertThat(run.status()).as(call).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--extcap-interface wishdir-doom --extcap-dlts | there are wishdir-sauerbraten",
                "--extcap-interface wishdir-quake2 | nothing to do",
                "--extcap-interface wishdir-quake2 --capture | needs --fifo and --to",
                "--extcap-interface wishdir-quake2 --capture --fifo x --to h"
                        + " --extcap-capture-filter udp | use a display filter",
            })
    void refusesWrongCalls(String arguments, String problem) {
        Shell.Run run = shell.run(("extcap " + arguments).split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(problem);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void writesNoFileInPlaceOfAPipe() throws Exception {
        Path file = Files.writeString(folder.resolve("precious"), "keep");
        for (Path fifo : List.of(file, folder, folder.resolve("none"))) {
            Shell.Run run =
                    shell.run(
                            "extcap",
                            "--extcap-interface",
                            "wishdir-quake3",
                            "--capture",
                            "--fifo",
                            fifo.toString(),
                            "--to",
                            "127.0.0.1:9",
                            "--listen",
                            Integer.toString(freePort()));
            assertThat(run.status()).isNotZero();
            assertThat(run.err()).contains(fifo.toString());
        }
        assertThat(file).hasContent("keep");
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void capturesIntoAPipeWithExplanations() throws Exception {
        Path fifo = folder.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        try (DatagramSocket server = new DatagramSocket(0, loopback);
                DatagramSocket client = new DatagramSocket(0, loopback)) {
            int port = freePort();
            CompletableFuture<Shell.Run> run =
                    CompletableFuture.supplyAsync(() ->
                            shell.run(
                                    new StringWriter(),
                                    "extcap",
                                    "--capture",
                                    "--extcap-interface",
                                    "wishdir-quake3",
                                    "--fifo",
                                    fifo.toString(),
                                    "--to",
                                    "127.0.0.1:" + server.getLocalPort(),
                                    "--listen",
                                    Integer.toString(port),
                                    "--explain"));
            byte[] capture;
            try (InputStream pipe = Files.newInputStream(fifo)) {
                answer(server);
                ask(client, new InetSocketAddress(loopback, port));
                capture = readUntilAnswer(pipe);
            }
            // The closed pipe ends the capture at the next packet, before or after its answer.
            while (!run.isDone()) {
                try {
                    send(client);
                } catch (PortUnreachableException _) {
                    // It has ended.
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
            assertThat(run.join().status()).isZero();
            assertThat(run.join().err()).isEmpty();
            assertThat(run.join().out()).isEmpty();
            try (CaptureReader reader = CaptureReader.of(new ByteArrayInputStream(capture))) {
                Datagram question = reader.next().orElseThrow();
                assertThat(question.source().getPort()).isEqualTo(client.getLocalPort());
                assertThat(question.destination().getPort()).isEqualTo(server.getLocalPort());
                assertThat(question.payload().toArray()).isEqualTo(QUESTION);
                assertThat(reader.next().orElseThrow().payload().toArray()).isEqualTo(ANSWER);
            }
            assertThat(new String(capture, StandardCharsets.ISO_8859_1))
                    .contains("getinfo  text=\"getinfo xyz\"")
                    .contains("mark: out of band")
                    .contains("infoResponse  text=");
        }
    }

    private static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private static void answer(DatagramSocket server) {
        Thread.startVirtualThread(() -> {
            byte[] buffer = new byte[1500];
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            try {
                while (true) {
                    server.receive(packet);
                    server.send(
                            new DatagramPacket(ANSWER, ANSWER.length, packet.getSocketAddress()));
                }
            } catch (IOException _) {
                // The test has closed the socket.
            }
        });
    }

    /** Asks once the proxy is open, and waits for the answer. */
    private static void ask(DatagramSocket client, InetSocketAddress proxy) throws IOException {
        client.connect(proxy);
        client.setSoTimeout(ANSWER_TIMEOUT_MILLIS);
        while (true) {
            try {
                send(client);
                client.receive(new DatagramPacket(new byte[1500], 1500));
                return;
            } catch (PortUnreachableException _) {
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private static void send(DatagramSocket client) throws IOException {
        client.send(new DatagramPacket(QUESTION, QUESTION.length));
    }

    /** The capture up to the block with the answer. */
    private static byte[] readUntilAnswer(InputStream pipe) throws IOException {
        ByteArrayOutputStream capture = new ByteArrayOutputStream();
        String block = "";
        while (!block.contains(new String(ANSWER, StandardCharsets.ISO_8859_1))) {
            byte[] head = pipe.readNBytes(8);
            int length = ByteBuffer.wrap(head).order(ByteOrder.nativeOrder()).getInt(4);
            byte[] rest = pipe.readNBytes(length - head.length);
            capture.write(head);
            capture.write(rest);
            block = new String(rest, StandardCharsets.ISO_8859_1);
        }
        return capture.toByteArray();
    }

    @Test
    void installsALauncherOnce() throws Exception {
        Path target = folder.resolve("it's $(touch x) `here`");

        Shell.Run first = shell.run("extcap", "--install", target.toString());
        Shell.Run again = shell.run("extcap", "--install", target.toString());
        Path launcher = target.resolve("wishdir");
        Files.writeString(launcher, "other");
        Shell.Run over = shell.run("extcap", "--install", target.toString());

        assertThat(first.out()).isEqualTo("installed " + launcher + "\n");
        assertThat(again.out()).isEqualTo(launcher + " is installed already\n");
        assertThat(again.status()).isZero();
        assertThat(over.status()).isEqualTo(1);
        assertThat(over.err()).contains("not overwritten");
        assertThat(launcher).hasContent("other").isExecutable();
    }

    /** The launcher's words reach the program as they are, whatever they contain. */
    @Test
    void quotesWordsForAShell() throws Exception {
        for (String word : List.of("a b", "it's", "$(echo x)", "`x`", "\"", "\\", "*", "é")) {
            Process echo =
                    new ProcessBuilder("sh", "-c", "printf %s " + ExtcapCommand.quoted(word))
                            .start();
            assertThat(new String(echo.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(word);
        }
    }

    @Test
    void printsADissectorInLua() {
        String script = shell.run("extcap", "--lua").out();

        assertThat(script)
                .contains("walks.enet = ", "walks.sauerbraten_movement = ", "walks.raknet_ack = ")
                .contains("walks.quake2_out_of_band = ", "walks.quake3_out_of_band = ")
                .containsPattern(
                        Pattern.compile("field\\(\"sauerbraten\", \"physstate\", \"bits\""));
    }
}
