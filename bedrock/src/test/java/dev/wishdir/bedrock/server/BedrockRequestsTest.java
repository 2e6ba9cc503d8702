package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.operator.WorkCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What each thing costs that a client, connected or not, may ask of a server with a crowd. */
class BedrockRequestsTest {

    /** Where a command comes from, which is not read. */
    private static final Bytes ORIGIN = Bytes.wrap(new byte[20]);

    private static final int REPEATS = 5;

    private final SimulatedNetwork network = new SimulatedNetwork(7);
    private final Arena arena = new Arena(Level.BOX, 100);
    private final WorkCycle cycle = new WorkCycle(network);
    private final Map<String, Runnable> requests = new LinkedHashMap<>();

    @Test
    @DisplayName("R1: nothing that a client of Bedrock asks for costs much of the loop's time")
    void answersCheaply() throws IOException {
        cycle.add(arena::advance);
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), 19132);
        BedrockEndpoint.open(
                EndpointContext.builder(cycle, server, arena)
                        .maxPlayers(64)
                        .adminPassword("secret")
                        .random(new Random(9))
                        .build());
        cycle.addCrowd(arena);
        MisbehavingBedrockClient player =
                (MisbehavingBedrockClient)
                        MisbehavingBedrockClient.join(
                                network.cycle(), server, "playing", new Random(3));
        player.behave();
        assertThat(network.runUntil(player::isIn, 30_000_000_000L)).isTrue();
        network.run(2_000_000_000L);
        for (BedrockMessage message :
                List.of(
                        new CommandRequest("/help", ORIGIN),
                        new CommandRequest("/list", ORIGIN),
                        new CommandRequest("/nonsense", ORIGIN),
                        new WorldMessage.RequestChunkRadius(4, 4),
                        new WorldMessage.RequestChunkRadius(64, 64),
                        new PackMessage.ResourcePackClientResponse(4, List.of()),
                        MisbehavingBedrockClient.chat("hello"))) {
            BedrockMessage[] all =
                    Collections.nCopies(REPEATS, message).toArray(BedrockMessage[]::new);
            requests.put(message.toString(), () -> player.say(all));
        }
        assertThat(cycle.tooCostly(requests)).isEmpty();
        assertThat(player.isOver()).isFalse();
    }
}
