package dev.wishdir.quake2.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.BotController;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.Quake2Motion;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;

/** What a player sees between two rounds on a map whose author has chosen a view. */
class RoundViewTest {
    private static final long SECOND = 1_000_000_000L;

    /** Where the head of a map has the place of its entities, and the size of their text. */
    private static final int ENTITIES_AT = 8;

    private static final String VIEW =
            """
            {
            "classname" "info_player_intermission"
            "origin" "-400 300 200"
            "angles" "20 315 0"
            }
            """;

    @TempDir private Path folder = Path.of("");

    /** The generated map with one more entity. */
    private void writeMap() throws IOException {
        byte[] map = new Quake2MapCatalog(Optional.empty()).load("").file().toArray();
        ByteBuffer head = ByteBuffer.wrap(map).order(ByteOrder.LITTLE_ENDIAN);
        int at = head.getInt(ENTITIES_AT);
        int size = head.getInt(ENTITIES_AT + 4);
        String text = new String(map, at, size - 1, StandardCharsets.ISO_8859_1) + VIEW + '\0';
        byte[] entities = text.getBytes(StandardCharsets.ISO_8859_1);
        head.putInt(ENTITIES_AT, map.length);
        head.putInt(ENTITIES_AT + 4, entities.length);
        byte[] all = Arrays.copyOf(map, map.length + entities.length);
        System.arraycopy(entities, 0, all, map.length, entities.length);
        Files.createDirectories(folder.resolve("maps"));
        Files.write(folder.resolve("maps/viewed.bsp"), all);
    }

    @Test
    void looksFromViewOfMapBetweenRounds() throws IOException {
        writeMap();
        SimulatedNetwork network = new SimulatedNetwork(4);
        Arena arena = new Arena(Level.BOX, 16);
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ofSeconds(5), Duration.ZERO, Duration.ofSeconds(5)));
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        Quake2Endpoint endpoint =
                Quake2Endpoint.open(
                        EndpointContext.builder(cycle, new InetSocketAddress(27910), arena)
                                .map("viewed")
                                .random(new Random(9))
                                .build(),
                        new Quake2MapCatalog(Optional.of(folder)),
                        Quake2Endpoint.MAX_FRAMES_PER_SECOND);
        Quake2Client anna =
                Quake2Client.connect(
                        ClientConfig.builder(network.cycle(), endpoint.address())
                                .name("anna")
                                .controller((_, _) -> BotController.PlayerInput.look(0, 0))
                                .listener(new ClientListener() {})
                                .random(new Random(3))
                                .build());
        assertThat(network.runUntil(anna::joined, 10 * SECOND)).isTrue();
        assertThat(network.runUntil(() -> anna.state().pmType() == PlayerState.FREEZE, 20 * SECOND))
                .isTrue();
        Vec3 body = arena.players().getFirst().movement().position();
        network.run(SECOND);
        assertThat(anna.state().origin()).isEqualTo(new Triple(-3_200, 2_400, 1_600));
        assertThat(anna.state().viewOffset()).isEqualTo(Triple.ZERO);
        assertThat(anna.state().viewAngles())
                .isEqualTo(new Triple(Quake2Motion.angle16(20), Quake2Motion.angle16(315), 0));
        assertThat(anna.state().gunIndex()).isZero();
        assertThat(arena.players().getFirst().movement().position())
                .as("its body stays")
                .isEqualTo(body);
        assertThat(Quake2Motion.toNative(body)).isNotEqualTo(anna.state().origin());
        assertThat(network.runUntil(() -> anna.state().pmType() == PlayerState.NORMAL, 6 * SECOND))
                .isTrue();
        assertThat(anna.state().origin()).isNotEqualTo(new Triple(-3_200, 2_400, 1_600));
    }
}
