package dev.wishdir.bench;

import dev.wishdir.idtech.Brush;
import dev.wishdir.idtech.Bsp38;
import dev.wishdir.idtech.Plane;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.netchan.MoveChecksum;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

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
import org.openjdk.jmh.infra.Blackhole;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The most frequent work of a Quake II server, against plain code by hand: the checksum of a move
 * bit by bit, commands read with a buffer, and a box moved through the generated map by trying each
 * of its brushes. Times are for 1024 moves or traces.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Quake2Benchmark {
    private static final int MOVES = 1024;
    private static final int SOLID = 0x1_0001;
    private static final byte[] TABLE = MoveChecksum.table();
    private static final Vec3f MINS = new Vec3f(-16, -16, -24);
    private static final Vec3f MAXS = new Vec3f(16, 16, 32);

    private final byte[][] moves = new byte[MOVES][];
    private final Reader reader = new Reader(new byte[0]);
    private final Writer writer = new Writer(Netchan.MAX_PACKET_BYTES);

    private final Bsp38 map = map();

    /** Each brush's planes: normal and distance. */
    private final float[][] brushes = new float[map.brushes().size()][];

    private final Vec3f[] starts = new Vec3f[MOVES];
    private final Vec3f[] ends = new Vec3f[MOVES];

    private static Bsp38 map() {
        try {
            return Bsp38.read(new Quake2MapCatalog(Optional.empty()).load("").file().toArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes what walking players send, and checks the two ways against each other. */
    @Setup
    public void make() {
        Random random = new Random(7);
        moves(random);
        brushes();
        for (int i = 0; i < MOVES; i++) {
            starts[i] =
                    new Vec3f(
                            random.nextFloat(-1000, 1000),
                            random.nextFloat(-1000, 1000),
                            random.nextFloat(25, 120));
            ends[i] =
                    starts[i].plus(
                            new Vec3f(
                                    random.nextFloat(-40, 40),
                                    random.nextFloat(-40, 40),
                                    -random.nextFloat(40)));
            float found = trace(i);
            float byHand = traceByHand(starts[i], ends[i]);
            if (found != byHand) {
                throw new IllegalStateException("the traces differ: " + found + " and " + byHand);
            }
        }
    }

    private void brushes() {
        for (int i = 0; i < brushes.length; i++) {
            Brush brush = map.brushes().get(i);
            int sides = (brush.contents() & SOLID) == 0 ? 0 : brush.sides().size();
            brushes[i] = new float[4 * sides];
            for (int side = 0; side < sides; side++) {
                Plane plane = brush.sides().get(side).plane();
                for (int axis = 0; axis < 3; axis++) {
                    brushes[i][4 * side + axis] = plane.normal().axis(axis);
                }
                brushes[i][4 * side + 3] = plane.dist();
            }
        }
    }

    private float trace(int i) {
        return map.world().trace(starts[i], MINS, MAXS, ends[i], SOLID).fraction();
    }

    private void moves(Random random) {
        UserCmd[] commands = new UserCmd[MOVES + 2];
        for (int i = 0; i < commands.length; i++) {
            commands[i] =
                    new UserCmd(
                            new Triple((short) random.nextInt(4000), (short) random.nextInt(), 0),
                            random.nextInt(8) == 0 ? 0 : 400,
                            random.nextInt(-1, 2) * 400,
                            random.nextInt(16) == 0 ? 400 : 0,
                            0,
                            0,
                            random.nextInt(10, 34),
                            128);
        }
        for (int i = 0; i < MOVES; i++) {
            writer.reset();
            Quake2Codec.write(
                    writer, Move.of(i / 4, commands[i], commands[i + 1], commands[i + 2]));
            moves[i] = writer.toByteArray();
            moves[i][1] = (byte) MoveChecksum.of(moves[i], 2, moves[i].length - 2, i);
            if ((moves[i][1] & 0xFF) != checksumByHand(moves[i], i)
                    || !moveByHand(moves[i]).equals(read(moves[i]))) {
                throw new IllegalStateException("the moves differ: " + i);
            }
        }
    }

    private ClientMessage read(byte[] move) {
        reader.reset(move, 0, move.length);
        return Quake2Codec.readClient(reader);
    }

    private static int checksumByHand(byte[] move, int sequence) {
        int crc = 0xFFFF;
        int sum = 0;
        int body = Math.min(60, move.length - 2);
        for (int i = 0; i < body + 4; i++) {
            int b = (i < body ? move[2 + i] : TABLE[sequence % 1020 + i - body]) & 0xFF;
            crc ^= b << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ 0x1021;
            }
            sum += b;
        }
        return (crc ^ sum) & 0xFF;
    }

    private static Move moveByHand(byte[] packet) {
        ByteBuffer in = ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN);
        if (in.get() != 2) {
            throw new IllegalStateException("no move");
        }
        int checksum = in.get() & 0xFF;
        int last = in.getInt();
        UserCmd.Delta oldest = commandByHand(in, UserCmd.ZERO);
        UserCmd.Delta previous = commandByHand(in, oldest.cmd());
        return new Move(checksum, last, oldest, previous, commandByHand(in, previous.cmd()));
    }

    private static UserCmd.Delta commandByHand(ByteBuffer in, UserCmd base) {
        int bits = in.get() & 0xFF;
        Triple a = base.angles();
        int pitch = (bits & 1) == 0 ? a.x() : in.getShort();
        int yaw = (bits & 2) == 0 ? a.y() : in.getShort();
        int roll = (bits & 4) == 0 ? a.z() : in.getShort();
        int forward = (bits & 8) == 0 ? base.forward() : in.getShort();
        int side = (bits & 16) == 0 ? base.side() : in.getShort();
        int up = (bits & 32) == 0 ? base.up() : in.getShort();
        int buttons = (bits & 64) == 0 ? base.buttons() : in.get() & 0xFF;
        int impulse = (bits & 128) == 0 ? base.impulse() : in.get() & 0xFF;
        return new UserCmd.Delta(
                bits,
                new UserCmd(
                        new Triple(pitch, yaw, roll),
                        forward,
                        side,
                        up,
                        buttons,
                        impulse,
                        in.get() & 0xFF,
                        in.get() & 0xFF));
    }

    /** How far the box comes, by trying all brushes of the map. */
    private float traceByHand(Vec3f from, Vec3f to) {
        float fraction = 1;
        for (float[] planes : brushes) {
            float enter = -1;
            float leave = 1;
            boolean misses = false;
            boolean outside = false;
            for (int at = 0; at < planes.length && !misses; at += 4) {
                float nx = planes[at];
                float ny = planes[at + 1];
                float nz = planes[at + 2];
                float dist =
                        planes[at + 3]
                                - ((nx < 0 ? MAXS.x() : MINS.x()) * nx
                                        + (ny < 0 ? MAXS.y() : MINS.y()) * ny
                                        + (nz < 0 ? MAXS.z() : MINS.z()) * nz);
                float d1 = from.x() * nx + from.y() * ny + from.z() * nz - dist;
                float d2 = to.x() * nx + to.y() * ny + to.z() * nz - dist;
                outside |= d1 > 0;
                misses = d1 > 0 && d2 >= d1;
                if (d1 > d2) {
                    enter = Math.max(enter, (d1 - 0.03125f) / (d1 - d2));
                } else if (d1 < d2) {
                    leave = Math.min(leave, (d1 + 0.03125f) / (d1 - d2));
                }
                misses |= d1 > 0 && d2 > 0;
            }
            if (!misses && outside && enter < leave && enter > -1 && enter < fraction) {
                fraction = Math.max(enter, 0);
            }
        }
        return fraction;
    }

    @Benchmark
    public void checksumTable(Blackhole blackhole) {
        for (int i = 0; i < MOVES; i++) {
            blackhole.consume(MoveChecksum.of(moves[i], 2, moves[i].length - 2, i));
        }
    }

    @Benchmark
    public void checksumHand(Blackhole blackhole) {
        for (int i = 0; i < MOVES; i++) {
            blackhole.consume(checksumByHand(moves[i], i));
        }
    }

    @Benchmark
    public void readMovesWalk(Blackhole blackhole) {
        for (byte[] move : moves) {
            blackhole.consume(read(move));
        }
    }

    @Benchmark
    public void readMovesHand(Blackhole blackhole) {
        for (byte[] move : moves) {
            blackhole.consume(moveByHand(move));
        }
    }

    @Benchmark
    public void tracesTree(Blackhole blackhole) {
        for (int i = 0; i < MOVES; i++) {
            blackhole.consume(trace(i));
        }
    }

    @Benchmark
    public void tracesHand(Blackhole blackhole) {
        for (int i = 0; i < MOVES; i++) {
            blackhole.consume(traceByHand(starts[i], ends[i]));
        }
    }
}
