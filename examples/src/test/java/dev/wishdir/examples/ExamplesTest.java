package dev.wishdir.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The examples, run. */
@Timeout(120)
class ExamplesTest {
    private static final WordGame WORDS = new WordGame();

    /** A server of five games. */
    private static Map<String, InetSocketAddress> serve(DutyCycle cycle) throws Exception {
        CompletableFuture<Map<String, InetSocketAddress>> addresses = new CompletableFuture<>();
        cycle.execute(() -> {
            Arena arena = new Arena(Level.BOX, 16);
            cycle.add(arena::advance);
            List<Game> games = new ArrayList<>(WalkingBot.GAMES);
            games.add(WORDS);
            Map<String, InetSocketAddress> open = new HashMap<>();
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            for (Game game : games) {
                try {
                    Endpoint endpoint =
                            game.serve(EndpointContext.builder(cycle, any, arena).build());
                    open.put(game.name(), endpoint.address());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            addresses.complete(open);
        });
        return addresses.get(30, TimeUnit.SECONDS);
    }

    private static void await(BlockingQueue<String> lines, String wanted) throws Exception {
        String line = lines.poll(30, TimeUnit.SECONDS);
        while (line != null && !line.startsWith(wanted)) {
            line = lines.poll(30, TimeUnit.SECONDS);
        }
        assertNotNull(line, wanted);
    }

    @Test
    void showsPlayerOfFifthGameToBots() throws Exception {
        try (NettyLoop loop = new NettyLoop("examples");
                DatagramSocket reader = new DatagramSocket()) {
            Map<String, InetSocketAddress> servers = serve(loop.cycle());
            reader.setSoTimeout(30_000);
            reader.connect(servers.get("words"));
            send(reader, "JOIN reader");
            assertTrue(receive(reader).startsWith("HELLO "));
            Set<String> walking = new HashSet<>();
            for (Game game : WalkingBot.GAMES) {
                BlockingQueue<String> lines = new LinkedBlockingQueue<>();
                WalkingBot.join(game, loop.cycle(), servers.get(game.name()), lines::add);
                await(lines, "joined at ");
                send(reader, "MOVE 0 " + walking.size() + " 0 90");
                await(lines, "sees ");
                walking.add(game.name());
                send(reader, "SAY hello " + game.name());
                // Of another game, so with its sign; Sauerbraten's names have no blanks.
                String blank = game.name().equals("sauerbraten") ? "" : " ";
                await(lines, "[W]" + blank + "reader says hello " + game.name());
            }
            Set<String> announced = new HashSet<>();
            Set<String> moved = new HashSet<>();
            while (announced.size() < walking.size() || moved.size() < walking.size()) {
                String[] words = receive(reader).split(" ");
                if (words[0].equals("IS")) {
                    announced.add(words[2]);
                    announced.remove("words");
                } else if (words[0].equals("MOVE")) {
                    moved.add(words[1]);
                }
            }
            assertEquals(walking, announced);
            send(reader, "LEAVE");
        }
    }

    private static void send(DatagramSocket socket, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        socket.send(new DatagramPacket(bytes, bytes.length));
    }

    private static String receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
        socket.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
    }

    @Test
    void countsMessagesOfCapture() throws Exception {
        Path capture = Path.of(ExamplesTest.class.getResource("/walk.pcap").toURI());
        Map<String, Integer> counts = CaptureMessages.count(capture);
        assertTrue(counts.getOrDefault("sauerbraten N_POS", 0) > 10, counts::toString);
    }
}
