package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.operator.WorkCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.server.session.ScriptedClient;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** What each thing costs that a client, connected or not, may ask of a server with a crowd. */
class Quake3RequestsTest {
    private static final int REPEATS = 10;

    private final SimulatedNetwork network = new SimulatedNetwork(7);
    private final Arena arena = new Arena(Level.BOX, 100);
    private final WorkCycle cycle = new WorkCycle(network);
    private final Map<String, Runnable> requests = new LinkedHashMap<>();

    private void command(ScriptedClient client, String line) {
        String[] lines = Collections.nCopies(REPEATS, line).toArray(String[]::new);
        requests.put(client.address.getPort() + " " + line, () -> client.say(lines));
    }

    @Test
    @DisplayName("R1: nothing that a client of Quake III asks for costs much of the loop's time")
    void answersCheaply() throws IOException {
        cycle.add(arena::advance);
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_960);
        Quake3Endpoint.open(
                EndpointContext.builder(cycle, server, arena)
                        .maxPlayers(64)
                        .adminPassword("secret")
                        .random(new Random(5))
                        .build(),
                new Quake3MapCatalog(Optional.empty()),
                "baseoa",
                List.of(),
                List.of());
        cycle.addCrowd(arena);
        ScriptedClient stranger = new ScriptedClient(network, server, 41_000, 68);
        for (String text :
                List.of(
                        "getchallenge 1",
                        "getinfo x",
                        "getstatus x",
                        "rcon wrong status",
                        "connect \"\\challenge\\1\\qport\\2\\protocol\\68\"",
                        "disconnect",
                        "nonsense")) {
            requests.put(text, () -> stranger.ask(text));
        }
        ScriptedClient joining = new ScriptedClient(network, server, 41_001, 68).connect("");
        joining.send();
        network.run(500_000_000);
        for (String line :
                List.of("download x", "download baseoa/flat.pk3", "nextdl 0", "donedl", "stopdl")) {
            command(joining, line);
        }
        ScriptedClient playing = new ScriptedClient(network, server, 41_002, 68).join("playing");
        for (String line :
                List.of(
                        "download y",
                        "donedl",
                        "cp 1 2 3",
                        "vdr",
                        "userinfo \"\\name\\other\\model\\sarge\"",
                        "say hello",
                        "tell 1 hello",
                        "team spectator",
                        "team free",
                        "follownext",
                        "kill",
                        "callvote map x",
                        "vote yes",
                        "score",
                        "nonsense")) {
            command(playing, line);
        }
        requests.put(
                "moves",
                () -> {
                    for (int i = 0; i < REPEATS; i++) {
                        playing.walk(127);
                    }
                });
        assertThat(cycle.tooCostly(requests)).isEmpty();
    }
}
