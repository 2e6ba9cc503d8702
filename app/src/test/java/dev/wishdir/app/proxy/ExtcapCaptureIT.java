package dev.wishdir.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.Games;
import dev.wishdir.game.Game;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.wire.TestPort;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A capture of a Quake III session into the pipe that Wireshark reads. */
@Timeout(180)
final class ExtcapCaptureIT {
    private static final int ANSWER_TIMEOUT_MILLIS = 120_000;
    private static final long RETRY_NANOS = 20_000_000;
    private static final byte[] QUESTION =
            "\u00FF\u00FF\u00FF\u00FFgetinfo xyz".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] ANSWER =
            "\u00FF\u00FF\u00FF\u00FFinfoResponse\n\\hostname\\hall"
                    .getBytes(StandardCharsets.ISO_8859_1);

    private final Shell shell = new Shell(Games.ALL.toArray(Game[]::new));

    @TempDir private Path folder;

    @Test
    void capturesIntoAPipeWithExplanations() throws Exception {
        Path fifo = folder.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        try (DatagramSocket server = new DatagramSocket(0, loopback);
                DatagramSocket client = new DatagramSocket(0, loopback)) {
            int port = TestPort.free();
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
}
