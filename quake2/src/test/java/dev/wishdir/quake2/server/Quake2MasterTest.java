package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.netchan.OutOfBand;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Announcement to a scripted master server, against a transcript of yquake2 with such a one. */
class Quake2MasterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress MASTER =
            new InetSocketAddress(InetAddress.ofLiteral("10.0.9.9"), 27_900);
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 27_910);

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Arena arena = new Arena(Level.BOX, 16);
    private final Counters counters = new Counters();

    /** The first words of what the server and the master sent, the latter after ">". */
    private final List<String> log = new ArrayList<>();

    private final List<String> fromServer = new ArrayList<>();
    private boolean isMasterGone;

    private Quake2Endpoint open(InetSocketAddress address, String masters) throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        network.tap((_, from, to, data) -> {
            if (to.equals(MASTER)) {
                String text = OutOfBand.of(data).orElseThrow().text();
                fromServer.add(text);
                log.add(text.lines().findFirst().orElse(""));
                if (!isMasterGone && (text.startsWith("heartbeat") || text.equals("ping"))) {
                    ask("ack");
                }
            }
        });
        return Quake2Endpoint.open(
                EndpointContext.builder(cycle, address, arena)
                        .name("mtest")
                        .maxPlayers(8)
                        .counters(counters)
                        .options(Map.of(MasterServer.OPTION, masters))
                        .random(new Random(2))
                        .build(),
                new Quake2MapCatalog(Optional.empty()),
                10);
    }

    private void ask(String text) {
        log.add("> " + text);
        network.inject(MASTER, SERVER, new OutOfBand(text).packet());
    }

    /** What yquake2 and its master said from the first ping on, in the form of {@link #log}. */
    private static List<String> transcript() throws IOException {
        Pattern form = Pattern.compile("[0-9.]+ ([<>]) [0-9]+ (?:b'(?:\\\\xff)*)?([a-z]+)");
        List<String> lines = new ArrayList<>();
        for (String line :
                Files.readAllLines(Path.of("src/test/resources/masters/quake2-master.txt"))) {
            Matcher matcher = form.matcher(line);
            assertThat(matcher.find()).as(line).isTrue();
            lines.add((matcher.group(1).equals(">") ? "> " : "") + matcher.group(2));
        }
        return lines.subList(lines.indexOf("ping"), lines.size());
    }

    @Test
    void announcesAsYquake2() throws IOException {
        Quake2Endpoint endpoint = open(SERVER, "10.0.9.9");
        network.run(SECOND);
        ask("ping");
        network.run(SECOND);
        ask("status");
        network.run(298 * SECOND);
        assertThat(network.runUntil(() -> log.size() == 10, 3 * SECOND)).isTrue();
        endpoint.close("");

        // The transcript's answers to ping and status came after both were asked.
        List<String> original = new ArrayList<>(transcript());
        assertThat(original)
                .containsExactly(
                        "ping",
                        "> ack",
                        "heartbeat",
                        "> ack",
                        "> ping",
                        "ack",
                        "print",
                        "heartbeat",
                        "> ack",
                        "shutdown");
        log.remove("> status");
        assertThat(log).isEqualTo(original);
        assertThat(fromServer.getFirst()).isEqualTo("ping");
        String heartbeat = fromServer.get(1);
        assertThat(heartbeat)
                .startsWith("heartbeat\n\\")
                .contains("\\hostname\\mtest", "\\protocol\\34", "\\maxclients\\8", "\\mapname\\")
                .endsWith("\n");
        assertThat(fromServer.get(3))
                .as("as players are answered")
                .isEqualTo(heartbeat.replaceFirst("heartbeat", "print"));
    }

    @Test
    void repeatsHeartbeatWhileMasterIsGone() throws IOException {
        open(SERVER, "10.0.9.9:27900");
        network.run(3600 * SECOND);
        isMasterGone = true;
        network.run(2 * 3600 * SECOND);
        isMasterGone = false;
        network.run(3600 * SECOND + SECOND);
        assertThat(fromServer.stream().filter("ping"::equals)).hasSize(1);
        assertThat(fromServer.stream().filter(text -> text.startsWith("heartbeat"))).hasSize(49);
    }

    @Test
    @DisplayName("C15 acknowledgements from strangers and of any length change nothing")
    void ignoresStrangers() throws IOException {
        open(SERVER, "10.0.9.9");
        network.run(SECOND);
        int before = fromServer.size();
        InetSocketAddress stranger =
                new InetSocketAddress(InetAddress.ofLiteral("10.0.7.7"), 27_900);
        for (String text : List.of("ack", "ack " + "x".repeat(1300), "heartbeat", "shutdown")) {
            network.inject(
                    stranger,
                    SERVER,
                    ("\u00ff\u00ff\u00ff\u00ff" + text).getBytes(StandardCharsets.ISO_8859_1));
        }
        network.run(SECOND);
        assertThat(fromServer).hasSize(before);
        assertThat(counters.snapshot().get("quake2.drop.command")).isEqualTo(4);
    }

    @Test
    void announcesNowhereByDefault() throws IOException {
        open(SERVER, "");
        network.run(3600 * SECOND);
        assertThat(fromServer).isEmpty();
    }
}
