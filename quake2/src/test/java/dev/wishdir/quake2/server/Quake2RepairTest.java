package dev.wishdir.quake2.server;

import static dev.wishdir.quake2.server.Quake2EndpointTest.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.Quake2Captures;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The way of a client whose packets are lost, doubled and late, against the rule by which a server
 * repairs it, written down a second time here: of up to two missing packets the newest packet has
 * the commands, for more the last command is repeated, and of twenty or more nothing is repaired.
 */
class Quake2RepairTest {
    private static final String LOSS = "04-yq2server-loss";

    /** A command that a server runs, and why. */
    private record Run(String from, int number, UserCmd cmd) {}

    private final SimulatedNetwork network = new SimulatedNetwork(8);
    private final Counters counters = new Counters();
    private final List<Run> runs = new ArrayList<>();
    private Quake2Endpoint endpoint;
    private int newest;
    private UserCmd last = UserCmd.ZERO;

    @BeforeEach
    void serve() throws IOException {
        DutyCycle cycle = network.cycle();
        Arena arena = new Arena(Level.BOX, 8);
        cycle.add(arena::advance);
        endpoint =
                Quake2Endpoint.open(
                        EndpointContext.builder(cycle, new InetSocketAddress(27910), arena)
                                .counters(counters)
                                .random(new Random(2))
                                .build(),
                        new Quake2MapCatalog(Optional.empty()),
                        60);
    }

    /** What a server runs when a packet comes. */
    private void model(int number, List<UserCmd> commands) {
        if (number <= newest) {
            return;
        }
        int dropped = number - newest - 1;
        newest = number;
        if (dropped < 20) {
            for (int i = dropped; i > 2; i--) {
                runs.add(new Run("last", number, last));
            }
            if (dropped > 1) {
                runs.add(new Run("oldest", number - 2, commands.get(number - 2)));
            }
            if (dropped > 0) {
                runs.add(new Run("old", number - 1, commands.get(number - 1)));
            }
        }
        runs.add(new Run("new", number, commands.get(number)));
        last = commands.get(number);
    }

    private static List<UserCmd> commands(int count, Random random) {
        List<UserCmd> commands = new ArrayList<>();
        int yaw = 0;
        for (int i = 0; i < count; i++) {
            yaw += random.nextInt(-3000, 3000);
            commands.add(
                    new UserCmd(
                            new Triple(0, (short) yaw, 0),
                            random.nextInt(4) == 0 ? -200 : 400,
                            random.nextInt(3) * 200 - 200,
                            random.nextInt(12) == 0 ? 400 : 0,
                            0,
                            0,
                            random.nextInt(8, 34),
                            128));
        }
        return commands;
    }

    /**
     * Sends the packets of these numbers, counted from the first after the client joined, in this
     * order; after each the server's frames must show states of the expected way, in its order.
     */
    private void follow(List<Integer> arrivals, int packets) throws IOException {
        RawClient client =
                RawClient.open(
                                network,
                                new InetSocketAddress("172.16.0.7", 5000),
                                endpoint.address(),
                                7)
                        .join("carl");
        int first = client.netchan.nextSequence() - 1;
        network.conditions(new SimulatedNetwork.Conditions(0.2, 0.05, 1_000_000, 30_000_000));
        List<UserCmd> commands = commands(packets + 1, new Random(6));
        List<byte[]> datagrams = new ArrayList<>();
        for (int i = 0; i <= packets; i++) {
            datagrams.add(new byte[0]);
        }
        List<PlayerState> way = new ArrayList<>();
        PlayerState state = client.snapshot.player();
        way.add(state);
        int shown = 0;
        int frames = 0;
        int frame = client.snapshot.number();
        int made = 0;
        for (int arrival : arrivals) {
            while (made < arrival) {
                made++;
                UserCmd oldest = made < 3 ? UserCmd.ZERO : commands.get(made - 2);
                UserCmd previous = made < 2 ? UserCmd.ZERO : commands.get(made - 1);
                byte[] move =
                        RawClient.move(
                                first + made,
                                client.lastFrame,
                                oldest,
                                previous,
                                commands.get(made));
                var packet = client.netchan.send(move, move.length);
                datagrams.set(made, packet.toByteArray());
                network.run(commands.get(made).msec() * 1_000_000L);
            }
            network.inject(client.socket.local(), endpoint.address(), datagrams.get(arrival));
            network.run(1);
            int before = runs.size();
            model(arrival, commands);
            for (Run run : runs.subList(before, runs.size())) {
                state = endpoint.level().map().physics().run(state, run.cmd(), way.size() == 1);
                way.add(state);
            }
            if (client.snapshot.usable() && client.snapshot.number() != frame) {
                frame = client.snapshot.number();
                frames++;
                String seen = movement(client.snapshot.player());
                while (shown < way.size() && !movement(way.get(shown)).equals(seen)) {
                    shown++;
                }
                assertThat(shown).as("frame %d: %s", frame, seen).isLessThan(way.size());
            }
        }
        network.conditions(SimulatedNetwork.Conditions.PERFECT);
        network.run(SECOND);
        assertThat(movement(client.snapshot.player())).isEqualTo(movement(state));
        assertThat(frames).isGreaterThan(arrivals.size() / 10);
        assertThat(counters.get("quake2.time-budget")).isZero();
        assertThat(counters.get("quake2.checksum")).isZero();
        Set<Integer> real = new HashSet<>();
        assertThat(runs.stream().filter(run -> !run.from().equals("last")))
                .allMatch(run -> real.add(run.number()), "runs once");
    }

    private static String movement(PlayerState s) {
        return s.origin() + ", " + s.velocity() + ", " + s.pmFlags() + ", " + s.pmTime();
    }

    /** The numbers of the packets that came to the real server, and why it ran what it ran. */
    @Test
    void recoversLossesOfRealClient() throws IOException {
        List<Integer> arrivals = new ArrayList<>();
        List<String> why = new ArrayList<>();
        int first = -1;
        for (String line : Files.readAllLines(Quake2Captures.FILES.path(LOSS + ".trace.jsonl"))) {
            JsonObject entry = JsonParser.parseString(line).getAsJsonObject();
            if (entry.get("t").getAsString().equals("cmd")) {
                int number = entry.get("seq").getAsInt();
                first = first < 0 ? number - 1 : first;
                why.add(entry.get("from").getAsString());
                if (why.getLast().equals("new")) {
                    arrivals.add(number - first);
                    if (number - first > 40 && arrivals.size() % 30 == 0) {
                        arrivals.add(number - first);
                        arrivals.add(number - first - 7);
                    }
                }
            }
        }
        follow(arrivals, arrivals.getLast());
        assertThat(runs).extracting(Run::from).isEqualTo(why);
    }

    @Test
    void recoversLossDuplicationAndDelay() throws IOException {
        Random random = new Random(12);
        int packets = 3000;
        List<Integer> arrivals = new ArrayList<>();
        for (int i = 1; i <= packets; i++) {
            if (random.nextDouble() >= 0.2) {
                arrivals.add(i);
                if (random.nextDouble() < 0.05) {
                    arrivals.add(i);
                }
                if (random.nextDouble() < 0.05 && arrivals.size() > 2) {
                    Collections.swap(arrivals, arrivals.size() - 1, arrivals.size() - 2);
                }
            }
        }
        follow(arrivals, packets);
        assertThat(runs).extracting(Run::from).contains("last", "oldest", "old", "new");
        assertThat(arrivals.size()).isLessThan(packets * 9 / 10);
    }
}
