package dev.wishdir.bench;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.EntityDeltaCache;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.wire.Bytes;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The snapshots of a server frame: 32 players have moved, and each of 32 viewers is sent a frame of
 * all others, as a delta against the one before the last. Times are for all 32 viewers. {@link
 * RelayBenchmark} measures the whole server.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Quake3SnapshotBenchmark {
    private static final int PLAYERS = 32;
    private static final int CHALLENGE = 12_345;
    private static final int FRAME_MILLIS = 25;
    private static final double RADIUS_METRES = 12.5;
    private static final double METRES_PER_SECOND = 10;

    private final List<ServerConnection> connections = new ArrayList<>();
    private final PlayerState[] selves = new PlayerState[PLAYERS];
    private final EntityState[] entities = new EntityState[PLAYERS];
    private int time;
    private long bytes;

    /** Connects 32 players, each of which sees all others. */
    @Setup
    public void connect() {
        EntityDeltaCache deltas = new EntityDeltaCache();
        for (int i = 0; i < PLAYERS; i++) {
            ServerConnection connection =
                    new ServerConnection(Protocol.OPENARENA_71, CHALLENGE, 4_000 + i, 1, deltas);
            connection.level(i, Map.of());
            connections.add(connection);
        }
        frame();
        long before = bytes;
        frame();
        if (frame(0).size() != PLAYERS - 1 || bytes == before) {
            throw new IllegalStateException("the players do not see each other");
        }
    }

    /** All players walk in a circle. */
    private void walk() {
        time += FRAME_MILLIS;
        for (int i = 0; i < PLAYERS; i++) {
            double way = time * METRES_PER_SECOND / RADIUS_METRES / 1_000 + i;
            double cos = Math.cos(way);
            double sin = Math.sin(way);
            Movement movement =
                    new Movement(
                            new Vec3(cos, sin, 0).times(RADIUS_METRES),
                            Math.toDegrees(way) % 360,
                            0,
                            new Vec3(-sin, cos, 0).times(METRES_PER_SECOND),
                            Stance.STANDING);
            PlayerBody body =
                    PlayerBody.ofForeign(movement, Quake3Motion.entity(movement), time - 20);
            entities[i] = body.entity(i);
            selves[i] = body.playerState(i, true);
        }
    }

    private Frame frame(int viewer) {
        int[] numbers = new int[PLAYERS - 1];
        EntityState[] others = new EntityState[PLAYERS - 1];
        int count = 0;
        for (int i = 0; i < PLAYERS; i++) {
            if (i != viewer) {
                numbers[count] = i;
                others[count++] = entities[i];
            }
        }
        return new Frame(time, Bytes.EMPTY, selves[viewer], numbers, others);
    }

    /** One server frame for everyone, with the movement. */
    @Benchmark
    public long frame() {
        walk();
        for (int i = 0; i < PLAYERS; i++) {
            ServerConnection connection = connections.get(i);
            int acknowledge = Math.max(0, connection.outgoing() - 2);
            connection.moved(new ClientMessage(0, acknowledge, 0, List.of()), true, time);
            connection.send(frame(i), 0, (data, offset, length) -> bytes += length);
            while (connection.hasPendingFragments()) {
                connection.sendFragment((data, offset, length) -> bytes += length);
            }
        }
        return bytes;
    }
}
