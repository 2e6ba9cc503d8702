package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Score;
import dev.wishdir.cluster.bus.Bus;
import dev.wishdir.cluster.nats.NatsBus;
import dev.wishdir.cluster.nats.NatsSettings;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.cluster.v1.Header;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fight between two servers, as processes with a real nats-server: OpenArena's client on one and
 * Sauerbraten's on the other kill each other once. Which player died by which hand is what the
 * events of both servers say, and the recording of a third that serves no game; the consoles and
 * the boards of both clients are read.
 */
@Timeout(600)
class ClusterFightIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int OPEN_ARENA_DISPLAY = 34;
    private static final int SAUERBRATEN_DISPLAY = 15;

    @TempDir private Path folder = Path.of("");

    @Test
    void originalClientsOfTwoServersKillEachOther() throws Exception {
        Peer.need("nats-server", Path.of("/usr/sbin/nats-server"));
        Peer.needOriginals();
        Peer.need("imagemagick", Path.of("/usr/bin/import"));
        Path ring = Files.writeString(folder.resolve("ring.txt"), FightIT.RING_TEXT);
        try (Peer nats = NodeProcess.nats(folder)) {
            String address = NodeProcess.address(nats);
            // A few hits kill, so that the clients need not aim for long.
            String[] match = {"--match", "ffa", "--damage", "quake3=3,sauerbraten=3"};
            try (NodeProcess a =
                            new NodeProcess(
                                    folder,
                                    "a",
                                    new Quake3Game(),
                                    address,
                                    ring.toString(),
                                    match);
                    NodeProcess b =
                            new NodeProcess(
                                    folder,
                                    "b",
                                    new SauerbratenGame(),
                                    address,
                                    ring.toString(),
                                    match);
                    Peer recorder = recorder(address, ring)) {
                a.process.awaitLine("node \\d+ \\(b\\) joined", SOON);
                b.process.awaitLine("node \\d+ \\(a\\) joined", SOON);
                recorder.awaitLine("node \\d+ \\(a\\) joined", SOON);
                recorder.awaitLine("node \\d+ \\(b\\) joined", SOON);
                // A busy node may be heard by the next try only.
                Peer.await("doctor to see all", SOON, () -> seesAll(address));
                refuse(address, a);
                play(a, b);
                recorder.terminate();
                assertThat(recorder.awaitExit(SOON)).isZero();
                for (Peer node : List.of(a.process, b.process, recorder)) {
                    assertThat(node.lines()).noneMatch(line -> line.contains("plays a level"));
                }
            }
        }
        assertThat(recordedDeaths()).contains("sven by alice", "alice by sven");
    }

    /** Whether doctor lists all nodes as they are. */
    private boolean seesAll(String nats) {
        List<String> lines;
        try (Peer doctor = Peer.wishdir(folder, "doctor", "--cluster", nats)) {
            doctor.awaitExit(SOON);
            lines = doctor.lines();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        String game = ", version .*, plays ring, 0 of 128 players, its clock agrees with this.*";
        return Stream.of(
                        ".*reached, may publish and subscribe; 3 nodes.*",
                        ".*node \\d+ at recorder, .* 0 of 0 players.*",
                        ".*node \\d+ at a" + game,
                        ".*node \\d+ at b" + game)
                .allMatch(wanted -> lines.stream().anyMatch(line -> line.matches(wanted)));
    }

    /** Starts a node that serves no game, and records the players of the others. */
    private Peer recorder(String nats, Path arena) throws IOException {
        return Peer.wishdir(
                folder,
                "serve",
                "--quake3",
                "off",
                "--arena",
                arena.toString(),
                "--record",
                folder.resolve("recordings").toString(),
                "--cluster",
                nats,
                "--cluster-host",
                "recorder",
                "--match",
                "ffa");
    }

    private List<String> recordedDeaths() throws IOException {
        List<String> deaths = new ArrayList<>();
        try (Recording recording =
                Recording.open(GhostRecording.only(folder.resolve("recordings"), ".mcap"))) {
            EventCursor events = recording.events();
            while (events.next()) {
                if (events.event() instanceof ArenaEvent.Died died) {
                    deaths.add(died.player().name() + " by " + died.killer().name());
                }
            }
        }
        return deaths;
    }

    /** A server of a later version is named by the log of others, and by doctor. */
    private void refuse(String nats, NodeProcess a) throws IOException {
        Header.Builder header = Header.newBuilder().setMajor(2).setNode(7).setEpoch(1);
        byte[] batch = Batch.newBuilder().setHeader(header).build().toByteArray();
        String refusal = "node 7 speaks cluster protocol 2, this server 1: it is not shown";
        try (Bus later = NatsBus.connect(new NatsSettings(nats), () -> {});
                Peer doctor = Peer.wishdir(folder, "doctor", "--cluster", nats)) {
            for (Peer each : List.of(a.process, doctor)) {
                Peer.await(
                        refusal,
                        SOON,
                        () -> {
                            later.publish("wishdir.arena.move.7", batch);
                            return each.lines().stream().anyMatch(line -> line.contains(refusal));
                        });
            }
        }
    }

    private void play(NodeProcess a, NodeProcess b) throws Exception {
        Path openArena = folder.resolve("alice");
        Path sauerbraten = folder.resolve("sven");
        EventsView aliceServer = new EventsView(a.events);
        EventsView svenServer = new EventsView(b.events);
        try (Peer alicesGame = Peer.openArena(openArena, OPEN_ARENA_DISPLAY, a.port(), 590);
                Peer svensGame = Peer.sauerbraten(sauerbraten, SAUERBRATEN_DISPLAY, b.port(), 590);
                DisplayClient alicesHands =
                        DisplayClient.openArena(
                                openArena,
                                OPEN_ARENA_DISPLAY,
                                () -> aliceServer.movement("alice"));
                DisplayClient svensHands =
                        DisplayClient.sauerbraten(
                                sauerbraten,
                                SAUERBRATEN_DISPLAY,
                                () -> svenServer.movement("sven"))) {
            alicesGame.awaitLine("joined", SOON);
            svensGame.awaitLine("joined", SOON);
            alicesHands.prepare();
            svensHands.prepare();
            fight(
                    new Original(new Quake3Game(), "alice", aliceServer, openArena, alicesHands),
                    aliceServer,
                    new Original(
                            new SauerbratenGame(), "sven", svenServer, sauerbraten, svensHands),
                    svenServer);
        }
    }

    private static void fight(
            Original alice, EventsView aliceServer, Original sven, EventsView svenServer)
            throws Exception {
        List<Fighter> both = List.of(alice, sven);
        for (EventsView server : List.of(aliceServer, svenServer)) {
            for (Fighter each : both) {
                Peer.await(each + " to live", SOON, () -> server.lives(each.name));
            }
        }
        Fighter.fight(alice, sven, both, () -> svenServer.deaths("sven", "alice") > 0);
        Fighter.fight(sven, alice, both, () -> aliceServer.deaths("alice", "sven") > 0);
        for (EventsView server : List.of(aliceServer, svenServer)) {
            for (Fighter each : both) {
                Fighter other = each == alice ? sven : alice;
                // A trigger that a busy machine releases late may kill twice.
                Peer.await(
                        () -> each + " to have another score than " + server.score(each.name),
                        SOON,
                        () ->
                                server.score(each.name)
                                        .equals(
                                                new Score(
                                                        aliceServer.deaths(other.name, each.name),
                                                        svenServer.deaths(each.name, other.name))));
            }
        }
        for (Fighter each : both) {
            Peer.await(
                    each + " to read of both deaths",
                    SOON,
                    () -> each.hasReadOf("sven", "alice") && each.hasReadOf("alice", "sven"));
        }
        ScoreBoards.await(alice, sven, () -> List.of(alice.score().frags(), sven.score().frags()));
        assertThat(alice.console()).doesNotContain("unknown", "Server disconnected");
        assertThat(sven.console()).doesNotContain("illegal network message");
    }
}
