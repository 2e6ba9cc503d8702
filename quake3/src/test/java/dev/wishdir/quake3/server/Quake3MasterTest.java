package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Heartbeats, and answers to a master server, against a transcript of an OpenArena server whose
 * clock ran ten times as fast.
 */
class Quake3MasterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Pattern LINE = Pattern.compile("([0-9.]+) ([<>]) [0-9]+ b'(.*)'");
    private static final InetSocketAddress MASTER =
            new InetSocketAddress(InetAddress.ofLiteral("10.0.9.9"), 27_950);
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 27_960);

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Arena arena = new Arena(Level.BOX, 8);
    private final DutyCycle cycle = network.cycle();
    private final SharedArena shared =
            new SharedArena(cycle, arena, ArenaCatalog.FLAT, List.of(ArenaCatalog.FLAT));
    private final List<String> received = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();

    /** Whether the master asks for more after each heartbeat. */
    private boolean isAsking;

    private record Line(double seconds, boolean isFromServer, String text) {}

    private static List<Line> transcript() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (String line :
                Files.readAllLines(
                        Path.of("src/test/resources/masters/openarena-master-x10.txt"))) {
            Matcher matcher = LINE.matcher(line);
            assertThat(matcher.matches()).as(line).isTrue();
            lines.add(
                    new Line(
                            10 * Double.parseDouble(matcher.group(1)),
                            matcher.group(2).equals("<"),
                            matcher.group(3)
                                    .replace("\\xff", "")
                                    .replace("\\n", "\n")
                                    .replace("\\\\", "\\")));
        }
        return lines;
    }

    private Quake3Endpoint open(InetSocketAddress address, String masters) throws IOException {
        cycle.add(arena::advance);
        network.tap((_, _, to, data) -> {
            if (to.equals(MASTER)) {
                String text = OutOfBand.read(Bytes.wrap(data)).text();
                received.add(text);
                times.add(network.now());
                if (isAsking && text.startsWith("heartbeat")) {
                    ask("getinfo ch");
                }
            }
        });
        return Quake3Endpoint.open(
                EndpointContext.builder(cycle, address, arena)
                        .name("mtest")
                        .maxPlayers(8)
                        .sharedArena(shared)
                        .random(new Random(5))
                        .build(),
                new Quake3MapCatalog(Optional.empty()),
                "baseoa",
                List.of(),
                MasterServer.parse(masters, 27_950));
    }

    private void ask(String text) {
        network.inject(MASTER, SERVER, new OutOfBand(text).datagram().toArray());
    }

    /** The kind of a message, the challenge that it repeats, and whether that comes first. */
    private static String kind(String text) {
        int end = text.indexOf('\n');
        if (text.startsWith("heartbeat") || end < 0) {
            return text;
        }
        InfoString info = InfoString.parse(text.substring(end + 1).split("\n", 2)[0]);
        return text.substring(0, end)
                + " "
                + info.get("challenge")
                + " "
                + text.startsWith("\\challenge\\", end + 1);
    }

    @Test
    void answersAndAnnouncesAsOpenArena() throws IOException {
        List<Line> original = transcript();
        double start = original.getFirst().seconds;
        Quake3Endpoint endpoint = open(SERVER, "10.0.9.9");
        List<String> expected = new ArrayList<>();
        int heartbeats = 0;
        for (Line line : original) {
            long due = Math.round((line.seconds - start) * SECOND) + SECOND;
            if (!line.isFromServer) {
                network.run(Math.max(0, due - network.now()));
                ask(line.text);
                continue;
            }
            expected.add(kind(line.text));
            if (line.text.startsWith("heartbeat") && ++heartbeats >= 9) {
                network.run(Math.max(0, due - network.now()));
                if (heartbeats == 9) {
                    shared.change(network.now(), "flat");
                } else if (heartbeats == 10) {
                    endpoint.close("");
                }
                network.run(SECOND / 2);
            }
        }
        network.run(SECOND);
        assertThat(expected).hasSize(25);
        assertThat(received.stream().map(Quake3MasterTest::kind).toList()).isEqualTo(expected);
        for (String text : received) {
            if (text.startsWith("infoResponse")) {
                InfoString info = InfoString.parse(text.substring(text.indexOf('\n') + 1));
                assertThat(info.get("protocol")).isEqualTo("71");
                assertThat(info.get("gamename")).isEqualTo("Quake3Arena");
                assertThat(info.get("sv_maxclients")).isEqualTo("8");
                assertThat(info.get("clients")).isEqualTo("0");
                assertThat(info.get("g_humanplayers")).isEqualTo("0");
                assertThat(text).doesNotEndWith("\n");
            }
        }
    }

    @Test
    void repeatsHeartbeatWhileMasterIsGone() throws IOException {
        isAsking = true;
        open(SERVER, "10.0.9.9");
        network.run(3600 * SECOND);
        isAsking = false;
        network.run(2 * 3600 * SECOND);
        isAsking = true;
        network.run(3600 * SECOND + SECOND);
        List<Long> heartbeats = new ArrayList<>();
        for (int i = 0; i < received.size(); i++) {
            if (received.get(i).startsWith("heartbeat")) {
                heartbeats.add(times.get(i));
            }
        }
        assertThat(heartbeats).hasSize(49);
        for (int i = 1; i < heartbeats.size(); i++) {
            assertThat(heartbeats.get(i) - heartbeats.get(i - 1))
                    .isBetween(300 * SECOND, 301 * SECOND);
        }
        assertThat(received.stream().filter(text -> text.startsWith("infoResponse"))).hasSize(25);
    }
}
