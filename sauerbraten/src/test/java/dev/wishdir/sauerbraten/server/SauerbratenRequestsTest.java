package dev.wishdir.sauerbraten.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.operator.WorkCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.BotMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.DemoMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What each thing costs that a client, connected or not, may ask of a server with a crowd. */
class SauerbratenRequestsTest {
    private static final int REPEATS = 10;

    private final SimulatedNetwork network = new SimulatedNetwork(7);
    private final Arena arena = new Arena(Level.BOX, 100);
    private final WorkCycle cycle = new WorkCycle(network);
    private final Map<String, Runnable> requests = new LinkedHashMap<>();

    @Test
    @DisplayName("R1: nothing that a client of Sauerbraten asks for costs much of the loop's time")
    void answersCheaply() throws IOException {
        cycle.add(arena::advance);
        InetSocketAddress server = SauerbratenAbuseHarness.GAME;
        SauerbratenEndpoint.open(
                EndpointContext.builder(cycle, server, arena)
                        .maxPlayers(100)
                        .adminPassword("secret")
                        .random(new Random(9))
                        .build());
        cycle.addCrowd(arena);
        InetSocketAddress stranger = new InetSocketAddress("10.0.5.1", 5000);
        InetSocketAddress info = new InetSocketAddress(server.getAddress(), server.getPort() + 1);
        for (byte[] question : List.of(new byte[] {1}, new byte[] {0, 0}, new byte[] {0, 1, -1})) {
            requests.put(
                    "info of " + question.length, () -> network.inject(stranger, info, question));
        }
        ScriptedPlayer player = new ScriptedPlayer(network, 2, server).join("playing");
        for (SauerbratenMessage message :
                List.<SauerbratenMessage>of(
                        new SessionMessage.Ping(1),
                        new SessionMessage.ClientPing(5),
                        new SessionMessage.ServCmd("players"),
                        new ChatMessage.Text("hello"),
                        new ChatMessage.ClientSayTeam("hello"),
                        new ActionMessage.Sound(3),
                        new ActionMessage.GunSelect(4),
                        new ActionMessage.Taunt(),
                        new RosterMessage.SwitchName("other"),
                        new RosterMessage.SwitchModel(2),
                        new RosterMessage.SwitchTeam("evil"),
                        new MatchMessage.MapVote("flat", 0),
                        new MatchMessage.MapCrc("flat", 1),
                        new MatchMessage.CheckMaps(),
                        new AdminMessage.SetMaster(0, true, "wrong"),
                        new AdminMessage.MasterMode(2),
                        new AdminMessage.Kick(1, ""),
                        new AdminMessage.ClearBans(),
                        new AdminMessage.ClientGameSpeed(50),
                        new AuthMessage.AuthTry("", "x"),
                        new BotMessage.AddBot(3),
                        new DemoMessage.ListDemos(),
                        new DemoMessage.GetDemo(1, 1),
                        new EditMessage.GetMap(),
                        new LifeMessage.TrySpawn(),
                        new LifeMessage.Suicide())) {
            SauerbratenMessage[] all =
                    Collections.nCopies(REPEATS, message).toArray(SauerbratenMessage[]::new);
            requests.put(message.toString(), () -> player.say(all));
        }
        requests.put(
                "positions",
                () -> {
                    for (int i = 0; i < REPEATS; i++) {
                        player.move(8192 + i);
                    }
                });
        assertThat(cycle.tooCostly(requests)).isEmpty();
        assertThat(player.isGone()).as("the player is still in").isFalse();
    }
}
