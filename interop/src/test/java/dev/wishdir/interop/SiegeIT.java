package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Floods of the server of all four games over real sockets, from as many addresses of the loopback
 * network as wanted. While each goes on, honest players of every game join and see each other move;
 * afterwards the heap is what it was. What players felt is printed, not asserted: the machine has
 * other work.
 */
@Timeout(300)
class SiegeIT {
    private static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern HEAP = Pattern.compile("used (\\d+)K");

    /** Of a heap that is collected; the rest is what classes and code hold in it. */
    private static final long HEAP_MARGIN_KIB = 4096;

    /** An attacker shares the machine's cores with those it attacks: it is not to starve them. */
    private static final long ROUND_NANOS = 400_000;

    /** What all unproven addresses together may be sent: a burst, and so much a second. */
    private static final long BUDGET = 64 << 10;

    @TempDir private Path directory = Path.of("");
    private final Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
    private final Random random = new Random(4);
    private Peer server;

    @BeforeEach
    void serve() throws Exception {
        List<String> arguments = new ArrayList<>(List.of("serve"));
        for (String game : GAMES) {
            arguments.addAll(List.of("--" + game, "127.0.0.1:0"));
        }
        server = Peer.wishdir(directory, arguments.toArray(String[]::new));
        String[] titles = {"Sauerbraten", "Quake II:", "Quake III", "Bedrock"};
        for (int i = 0; i < titles.length; i++) {
            String line = server.awaitLine(titles[i] + ".*players connect to", SOON);
            int port = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
            addresses.put(GAMES.get(i), loopback(port));
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private InetSocketAddress address(String game) {
        return requireNonNull(addresses.get(game));
    }

    /** The heap after a collection, KiB. */
    private long heap() throws Exception {
        jcmd("GC.run");
        Matcher used = HEAP.matcher(jcmd("GC.heap_info"));
        long sum = 0;
        while (used.find()) {
            sum += Long.parseLong(used.group(1));
        }
        return sum;
    }

    private String jcmd(String command) throws Exception {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try (Peer run =
                Peer.start(directory, Map.of(), jcmd, Long.toString(server.pid()), command)) {
            assertThat(run.awaitExit(SOON)).isZero();
            return String.join(
                    "\n", run.lines().stream().filter(l -> !l.contains("class")).toList());
        }
    }

    /** Two honest players of each game join, walk for a while, and see each other. */
    private void play(String what) throws Exception {
        Map<String, Peer> loads = new LinkedHashMap<>();
        for (String game : GAMES) {
            String at = "127.0.0.1:" + address(game).getPort();
            loads.put(
                    game,
                    Peer.wishdir(
                            directory,
                            "load",
                            game,
                            at,
                            "--clients",
                            "2",
                            "--seconds",
                            "4",
                            "--json"));
        }
        for (Map.Entry<String, Peer> load : loads.entrySet()) {
            try (Peer peer = load.getValue()) {
                JsonObject result =
                        JsonParser.parseString(peer.awaitLine("^\\{", SOON)).getAsJsonObject();
                System.out.printf("%s: %s%n", what, result);
                assertThat(result.get("joined").getAsInt()).as("%s", result).isEqualTo(2);
                assertThat(result.get("relayed").getAsInt()).as("%s", result).isPositive();
                assertThat(result.getAsJsonArray("problems")).isEmpty();
            }
        }
    }

    /** A socket on an address of the loopback network, 127.NUMBER. */
    private static DatagramChannel stranger(int number) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 16);
        channel.configureBlocking(false);
        byte[] address = {127, (byte) (1 + (number >> 16)), (byte) (number >> 8), (byte) number};
        return channel.bind(new InetSocketAddress(InetAddress.getByAddress(address), 0));
    }

    private byte[] noise() {
        byte[] bytes = new byte[random.nextInt(1400)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** One round of an attack; it is repeated for as long as honest players play. */
    private interface Attack {
        void round(int number) throws IOException;
    }

    private void besiege(String what, Attack attack) throws Exception {
        play("before " + what);
        long before = heap();
        Thread attacker =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                                try {
                                    attack.round(i);
                                    LockSupport.parkNanos(ROUND_NANOS);
                                } catch (ClosedByInterruptException e) {
                                    return;
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            }
                        });
        try {
            play("during " + what);
            assertThat(attacker.isAlive()).isTrue();
        } finally {
            attacker.interrupt();
            attacker.join();
        }
        play("after " + what);
        long after = heap();
        System.out.printf("%s: heap %d KiB before, %d KiB after%n", what, before, after);
        assertThat(after).isLessThan(before + before / 20 + HEAP_MARGIN_KIB);
        assertThat(server.isAlive()).isTrue();
        int lines = server.lines().size();
        server.terminate();
        assertThat(server.awaitExit(SOON)).isZero();
        assertThat(lines).as("%s", server.lines()).isLessThan(100);
        assertThat(server.lines()).anyMatch(line -> line.matches("counted \\d+ .*\\.drop\\..*"));
    }

    @Test
    @DisplayName("A1 empty datagrams")
    void emptyDatagrams() throws Exception {
        try (DatagramChannel one = stranger(7)) {
            besiege(
                    "A1",
                    _ -> {
                        for (InetSocketAddress address : addresses.values()) {
                            one.send(ByteBuffer.allocate(0), address);
                        }
                    });
        }
    }

    @Test
    @DisplayName("A4 random bytes from one socket and from twenty thousand addresses")
    void randomBytes() throws Exception {
        try (DatagramChannel one = stranger(7)) {
            besiege(
                    "A4",
                    number -> {
                        for (InetSocketAddress address : addresses.values()) {
                            one.send(ByteBuffer.wrap(noise()), address);
                            try (DatagramChannel other = stranger(number % 20_000)) {
                                other.send(ByteBuffer.wrap(noise()), address);
                            }
                        }
                    });
        }
    }

    @Test
    @DisplayName("A9 every bucket filled, by questions that deserve an answer")
    void questions() throws Exception {
        byte[] status = "\u00ff\u00ff\u00ff\u00ffgetstatus\n".getBytes(StandardCharsets.ISO_8859_1);
        byte[] challenge =
                "\u00ff\u00ff\u00ff\u00ffgetchallenge\n".getBytes(StandardCharsets.ISO_8859_1);
        List<DatagramChannel> open = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            open.add(stranger(i << 8 | 9));
        }
        long began = System.nanoTime();
        try {
            besiege(
                    "A9",
                    number -> {
                        DatagramChannel one = open.get(number % open.size());
                        try (DatagramChannel other = stranger(number % 20_000)) {
                            for (DatagramChannel from : List.of(one, other)) {
                                from.send(ByteBuffer.wrap(status), address("quake2"));
                                from.send(ByteBuffer.wrap(challenge), address("quake2"));
                                from.send(ByteBuffer.wrap(status), address("quake3"));
                                from.send(ByteBuffer.wrap(challenge), address("quake3"));
                                from.send(ByteBuffer.wrap(ping()), address("bedrock"));
                                from.send(
                                        ByteBuffer.wrap(new byte[] {1}),
                                        loopback(address("sauerbraten").getPort() + 1));
                            }
                        }
                    });
            long answered = 0;
            ByteBuffer answer = ByteBuffer.allocate(2000);
            for (DatagramChannel channel : open) {
                while (channel.receive(answer.clear()) != null) {
                    answered += answer.position();
                }
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            System.out.printf("A9: %d bytes answered to 500 addresses%n", answered);
            assertThat((double) answered).isPositive().isLessThan(4 * BUDGET * (1 + seconds));
        } finally {
            for (DatagramChannel channel : open) {
                channel.close();
            }
        }
    }

    /** An unconnected ping of RakNet. */
    private static byte[] ping() {
        ByteBuffer ping = ByteBuffer.allocate(33);
        ping.put((byte) 1).putLong(5);
        ping.putLong(0x00ffff00fefefefeL).putLong(0xfdfdfdfd12345678L).putLong(7);
        return ping.array();
    }
}
