package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.game.operator.RconHandler;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

@Timeout(30)
@Tag("slow")
final class RconCommandTest {
    private static final String OUT_OF_BAND = "\u00FF\u00FF\u00FF\u00FF";

    @TempDir private Path folder = Path.of("");
    private final DatagramSocket server;
    private final String address;

    RconCommandTest() throws IOException {
        server = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        address = "127.0.0.1:" + server.getLocalPort();
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** Answers the next datagram, as a server of a Quake would. */
    private CompletableFuture<String> answer(String... packets) {
        CompletableFuture<String> asked = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
                        server.receive(packet);
                        for (String text : packets) {
                            byte[] bytes =
                                    (OUT_OF_BAND + text).getBytes(StandardCharsets.ISO_8859_1);
                            server.send(
                                    new DatagramPacket(
                                            bytes, bytes.length, packet.getSocketAddress()));
                        }
                        asked.complete(
                                new String(
                                        packet.getData(),
                                        0,
                                        packet.getLength(),
                                        StandardCharsets.ISO_8859_1));
                    } catch (IOException e) {
                        asked.completeExceptionally(e);
                    }
                });
        return asked;
    }

    @Test
    void printsAllPacketsOfTheAnswer() throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), "\uFEFFpass word\r\n");
        CompletableFuture<String> asked =
                answer("print\nmap: hall\n", "other\nno", "print\n\u001B[2J7 ann\n");
        Shell.Run run =
                new Shell()
                        .run("rcon", address, "--password-file", file.toString(), "say", "hi  all");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("map: hall\n[2J7 ann\n");
        assertThat(asked.get()).isEqualTo(OUT_OF_BAND + "rcon \"pass word\" say hi  all\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "say -h",
                "say --help me",
                "say -V",
                "say use --password foo to join",
                "say --keys 3",
                "say -x",
                "say a -- b",
                "kick -bob-",
                "say @FILE",
                "say @@bob",
                "@FILE"
            })
    @DisplayName("R20 text of a player is sent as it is typed")
    void sendsTextAsItIsTyped(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("a.conf"), "topsecret");
        String typed = text.replace("FILE", file.toString());
        for (List<String> options :
                List.of(
                        List.of("rcon", "HOST", "--password", "x"),
                        List.of("rcon", "--password=x", "HOST"),
                        List.of("rcon", "--timeout", "3", "HOST", "--"))) {
            List<String> line = new ArrayList<>(options);
            line.addAll(List.of(typed.split(" ")));
            CommandLine.ParseResult parsed =
                    Shell.commandLine(List.of(), new ShutdownSignal(), Terminal.NONE)
                            .parseArgs(line.toArray(String[]::new))
                            .subcommand();
            assertThat(parsed.isUsageHelpRequested() || parsed.isVersionHelpRequested()).isFalse();
            assertThat(parsed.matchedPositional(1).<List<String>>getValue())
                    .containsExactly(typed.split(" "));
        }
    }

    @Test
    void sendsTextThatLooksLikeOptions() throws Exception {
        CompletableFuture<String> asked = answer("print\n\n");
        Shell.Run run =
                new Shell().run("rcon", address, "--password", "x", "say", "-h", "--keys", "3");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(asked.get()).isEqualTo(OUT_OF_BAND + "rcon x say -h --keys 3\n");
    }

    @Test
    void sendsLineBreaksAsSpaces() throws Exception {
        CompletableFuture<String> asked = answer("print\n\n");
        new Shell().run("rcon", address, "--password", "x", "say", "a\r\nb", "Zażółć");
        assertThat(asked.get()).endsWith(" say a b Zaz\u00F3lc\n");
    }

    @Test
    void asksForPasswordWhateverTextSays() {
        Shell.Run run = new Shell().run("rcon", address, "say", "--help");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(RconCommand.PASSWORD_VARIABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bad rconpassword.\n",
                "Bad rcon_password.\n",
                "No rconpassword set on the server.\n",
                RconHandler.TOO_MANY_WRONG_PASSWORDS
            })
    void failsOnRefusedPassword(String refusal) {
        answer("print\n" + refusal);
        Shell.Run run = new Shell().run("rcon", address, "--password", "x", "status");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEqualTo(refusal);
    }

    @Test
    void failsWithoutAnswer() {
        server.close();
        Shell.Run run =
                new Shell().run("rcon", address, "--password", "x", "--timeout", "1", "status");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).startsWith("wishdir: " + address + " does not answer");
    }

    @Test
    void asksForAPassword() {
        Shell.Run run = new Shell().run("rcon", address, "status");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(RconCommand.PASSWORD_VARIABLE);
    }
}
