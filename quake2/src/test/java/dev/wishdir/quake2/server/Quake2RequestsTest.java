package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.operator.WorkCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.ClientText;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** What each thing costs that a client, connected or not, may ask of a server with a crowd. */
class Quake2RequestsTest {

    private final SimulatedNetwork network = new SimulatedNetwork(7);
    private final Arena arena = new Arena(Level.BOX, 100);
    private final WorkCycle cycle = new WorkCycle(network);
    private final Map<String, Runnable> requests = new LinkedHashMap<>();

    private void command(RawClient client, String... lines) {
        ClientMessage[] messages = new ClientMessage[lines.length];
        for (int i = 0; i < lines.length; i++) {
            messages[i] = new ClientMessage.StringCmd(lines[i]);
        }
        requests.put(lines[0], () -> client.say(messages));
    }

    private static String[] times(int count, String line) {
        String[] lines = new String[count];
        Arrays.fill(lines, line);
        return lines;
    }

    @Test
    @DisplayName("R1: nothing that a client of Quake II asks for costs much of the loop's time")
    void answersCheaply() throws IOException {
        cycle.add(arena::advance);
        Quake2Endpoint endpoint =
                Quake2Endpoint.open(
                        EndpointContext.builder(cycle, new InetSocketAddress(27910), arena)
                                .maxPlayers(64)
                                .adminPassword("secret")
                                .random(new Random(2))
                                .build(),
                        new Quake2MapCatalog(Optional.empty()),
                        60);
        cycle.addCrowd(arena);
        RawClient stranger = client(endpoint, 1);
        for (String text :
                new String[] {
                    "getchallenge",
                    "info 34",
                    "info 33",
                    "status",
                    "ping",
                    "rcon wrong status",
                    "connect 34 1 2 \"\\name\\x\"",
                    "nonsense"
                }) {
            requests.put("out of band " + text, () -> stranger.ask(text + "\n"));
        }
        RawClient joining = client(endpoint, 2);
        joining.connect("\\name\\joining");
        joining.command("new");
        network.run(100_000_000);
        int map = joining.serverCount();
        command(joining, times(7, "download x"));
        command(joining, times(7, "download maps/flat.bsp"));
        command(joining, times(7, "configstrings " + map + " 0"));
        command(joining, times(7, "baselines " + map + " 0"));
        command(joining, times(7, "new"));
        RawClient playing = client(endpoint, 3).join("playing");
        for (String text :
                new String[] {
                    "download y",
                    "nextdl",
                    "players",
                    "players 0",
                    "info",
                    "score",
                    "inven",
                    "putaway",
                    "vote yes",
                    "wave 1",
                    "kill",
                    "say hello",
                    "nonsense"
                }) {
            command(playing, times(7, text));
        }
        requests.put(
                "user info",
                () ->
                        playing.say(
                                new ClientMessage.UserInfo(
                                        ClientText.of("\\name\\b\\skin\\male/grunt"))));
        assertThat(cycle.tooCostly(requests)).isEmpty();
    }

    private RawClient client(Quake2Endpoint endpoint, int number) throws IOException {
        return RawClient.open(
                network,
                new InetSocketAddress(InetAddress.ofLiteral("127.0.1." + number), 3000),
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), endpoint.address().getPort()),
                number);
    }
}
