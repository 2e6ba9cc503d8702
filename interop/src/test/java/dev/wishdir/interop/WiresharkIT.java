package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.app.command.Games;
import dev.wishdir.wire.TestPort;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Wireshark's own program with our capture interface. */
@Timeout(600)
class WiresharkIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Path TSHARK = Path.of("/usr/bin/tshark");

    @TempDir private @Nullable Path directory;

    @BeforeAll
    static void needsTshark() {
        Peer.need("tshark", TSHARK);
    }

    private Path directory() {
        return requireNonNull(directory);
    }

    /** Runs a program to its end; what it prints is in a file. */
    private Path output(Map<String, String> environment, String... command) throws Exception {
        Path out = Files.createTempFile(directory(), "out", ".txt");
        Path err = Files.createTempFile(directory(), "err", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        return out;
    }

    @Test
    void capturesThroughOurInterface() throws Exception {
        Map<String, String> environment =
                Map.of("HOME", directory().toString(), "XDG_CONFIG_HOME", "");
        try (Peer wishdir = Peer.wishdir(directory(), environment, "extcap", "--install")) {
            assertThat(wishdir.awaitExit(SOON)).isZero();
            assertThat(wishdir.lines()).hasSize(2).allMatch(line -> line.startsWith("installed "));
        }
        assertThat(Files.readString(output(environment, TSHARK.toString(), "-D")))
                .contains(Games.ALL.stream().map(game -> "wishdir-" + game.name()).toList());

        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        try (DatagramSocket server = new DatagramSocket(0, loopback);
                DatagramSocket client = new DatagramSocket(0, loopback)) {
            int port = TestPort.free();
            Thread asking = Thread.startVirtualThread(() -> talk(server, client, port));
            Path lines =
                    output(
                            environment,
                            TSHARK.toString(),
                            "-i",
                            "wishdir-quake3",
                            "-o",
                            "extcap.wishdir_quake3.to:127.0.0.1:" + server.getLocalPort(),
                            "-o",
                            "extcap.wishdir_quake3.listen:" + port,
                            "-c",
                            "2",
                            "-T",
                            "fields",
                            "-e",
                            "udp.srcport",
                            "-e",
                            "udp.dstport",
                            "-e",
                            "frame.comment");
            asking.interrupt();
            List<String> packets = Files.readAllLines(lines);
            assertThat(packets).hasSize(2);
            assertThat(packets.getFirst())
                    .startsWith(client.getLocalPort() + "\t" + server.getLocalPort())
                    .contains("getstatus  text=");
            assertThat(packets.getLast())
                    .startsWith(server.getLocalPort() + "\t" + client.getLocalPort())
                    .contains("statusResponse  text=");
        }
    }

    /** A client that asks until there is an answer, and a server that gives it. */
    private static void talk(DatagramSocket server, DatagramSocket client, int port) {
        byte[] question = bytes("getstatus 1");
        byte[] answer = bytes("statusResponse\n\\mapname\\hall");
        Thread.startVirtualThread(() -> {
            DatagramPacket packet = new DatagramPacket(new byte[1500], 1500);
            try {
                while (true) {
                    server.receive(packet);
                    server.send(
                            new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException _) {
                // The test has closed the socket.
            }
        });
        while (!Thread.currentThread().isInterrupted()) {
            try {
                client.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
                client.send(new DatagramPacket(question, question.length));
                client.receive(new DatagramPacket(new byte[1500], 1500));
                return;
            } catch (PortUnreachableException _) {
                // The proxy is not open yet.
                LockSupport.parkNanos(20_000_000);
            } catch (IOException _) {
                return;
            }
        }
    }

    private static byte[] bytes(String text) {
        return ("\u00FF\u00FF\u00FF\u00FF" + text).getBytes(StandardCharsets.ISO_8859_1);
    }
}
