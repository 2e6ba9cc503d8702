package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.RconHandler;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

@Timeout(30)
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
                "Bad rconpassword.\n",
                "Bad rcon_password.\n",
                "No rconpassword set on the server.\n",
                RconHandler.LIMITED
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
