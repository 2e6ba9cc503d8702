package dev.wishdir.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The echo and its caller, with each other and with programs that use the C library of ENet. */
@Timeout(120)
class EnetEchoTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final Path SCRIPTS = Path.of("../interop/src/test/peers");

    private final NettyLoop loop = new NettyLoop("echo");
    private final DutyCycle cycle = loop.cycle();
    private final BlockingQueue<String> echo = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> caller = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        loop.close();
    }

    private <T> T on(Callable<T> task) throws Exception {
        CompletableFuture<T> done = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                done.complete(task.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done.get(30, TimeUnit.SECONDS);
    }

    private InetSocketAddress serve() throws Exception {
        return on(() -> EnetEcho.serve(cycle, new InetSocketAddress(HERE, 0), echo::add));
    }

    private void call(InetSocketAddress server, String says) throws Exception {
        on(() -> {
            EnetEcho.call(cycle, server, says, caller::add);
            return true;
        });
    }

    private static String next(BlockingQueue<String> screen) throws InterruptedException {
        String line = screen.poll(40, TimeUnit.SECONDS);
        assertNotNull(line, "nothing came");
        return line;
    }

    /** Goes on only if a program is here; fails where WISHDIR_REQUIRE_PEERS is true, as in CI. */
    private static void need(String program) {
        if (!Files.exists(Path.of(program))) {
            String missing = program + " is missing";
            if (Boolean.parseBoolean(System.getenv("WISHDIR_REQUIRE_PEERS"))) {
                fail(missing);
            }
            abort(missing);
        }
    }

    @Test
    void echoesMessages() throws Exception {
        InetSocketAddress server = serve();
        call(server, "hello");
        assertEquals(server + " came", next(caller));
        assertEquals("hello on channel 1", next(caller));
        assertTrue(next(echo).endsWith(" came"));
    }

    @Test
    void acceptsSauerbratenClient(@TempDir Path home) throws Exception {
        need("/usr/lib/cube2/cube2_client");
        need("/usr/bin/Xvfb");
        need("/usr/bin/xdotool");
        InetSocketAddress server = serve();
        ProcessBuilder client =
                new ProcessBuilder(
                        "bash",
                        SCRIPTS.resolve("sauerbraten-client.sh").toAbsolutePath().toString(),
                        server.getAddress().getHostAddress(),
                        Integer.toString(server.getPort()),
                        home.toString(),
                        "8");
        client.environment().put("READY", "connected to server");
        client.environment().put("ACTIONS", "wait");
        client.environment().put("DISPLAY_NUM", "18");
        Process running = client.inheritIO().start();
        try {
            assertTrue(next(echo).endsWith(" came"));
            assertTrue(running.waitFor(60, TimeUnit.SECONDS));
            assertEquals(0, running.exitValue());
            assertTrue(next(echo).endsWith(" went: REMOTE"));
        } finally {
            running.destroy();
        }
    }

    @Test
    void connectsToSauerbratenServer(@TempDir Path home) throws Exception {
        need("/usr/lib/cube2/cube2_server");
        InetSocketAddress server = freeAddress();
        Process running =
                new ProcessBuilder(
                                "bash",
                                SCRIPTS.resolve("sauerbraten-server.sh")
                                        .toAbsolutePath()
                                        .toString(),
                                Integer.toString(server.getPort()),
                                home.toString())
                        .inheritIO()
                        .start();
        try {
            call(server, "");
            assertEquals(server + " came", next(caller));
            // N_SERVINFO, by its code.
            String first = next(caller);
            assertEquals(1, first.charAt(0), first);
            assertTrue(first.endsWith(" on channel 1"), first);
        } finally {
            running.destroy();
        }
    }

    /** A port that is free, and the one after it, which the server takes too. */
    private static InetSocketAddress freeAddress() throws IOException {
        while (true) {
            try (DatagramSocket game = new DatagramSocket(0, HERE)) {
                int port = game.getLocalPort();
                try (DatagramSocket _ = new DatagramSocket(port + 1, HERE)) {
                    return new InetSocketAddress(HERE, port);
                } catch (IOException taken) {
                    // The next one then.
                }
            }
        }
    }
}
