package dev.wishdir.bench;

import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.protocol.BedrockCodec;
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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Reading and writing Bedrock's movements: the walk that all games' messages use, against a codec
 * written by hand for this one message. The walk may take twice the time. Times are for 1024
 * messages.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class BedrockMoveBenchmark {
    private static final int MESSAGES = 1024;
    private static final Dialect V748 = BedrockCodec.V748.dialect();

    private final MovePlayer[] moves = new MovePlayer[MESSAGES];
    private final byte[][] movePackets = new byte[MESSAGES][];
    private final Writer writer = new Writer(256);
    private final Reader reader = new Reader(new byte[0]);
    private final ByteBuffer buffer = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);

    /** Makes messages as walking players send them, and checks the codecs against each other. */
    @Setup
    public void messages() {
        Random random = new Random(4);
        for (int i = 0; i < MESSAGES; i++) {
            moves[i] = move(random);
            movePackets[i] = written(moves[i]);
            if (!readByHand(movePackets[i]).equals(moves[i])
                    || !Arrays.equals(writtenByHand(moves[i]), movePackets[i])) {
                throw new IllegalStateException("the codecs differ over " + moves[i]);
            }
        }
    }

    /** One of fifty is a teleport. */
    private static MovePlayer move(Random random) {
        Vec3f at = new Vec3f(random.nextFloat(-32, 32), 1.62001f, random.nextFloat(-32, 32));
        Vec2f view = new Vec2f(random.nextFloat(-90, 90), random.nextFloat(-180, 180));
        boolean teleport = random.nextInt(50) == 0;
        return new MovePlayer(
                random.nextInt(300),
                at,
                view,
                view.y(),
                teleport ? MovePlayer.TELEPORT : MovePlayer.NORMAL,
                random.nextBoolean(),
                0,
                teleport ? 3 : 0,
                teleport ? 63 : 0,
                random.nextInt(100_000));
    }

    private byte[] written(MovePlayer m) {
        writer.reset();
        MovePlayer.wire(writer, m, V748);
        return writer.toByteArray();
    }

    private byte[] writtenByHand(MovePlayer m) {
        buffer.clear();
        writeByHand(m);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private void varlong(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            buffer.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        buffer.put((byte) rest);
    }

    private static long varlong(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            byte b = in.get();
            value |= (b & 0x7FL) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("too long");
    }

    private void put(Vec3f v) {
        buffer.putFloat(v.x()).putFloat(v.y()).putFloat(v.z());
    }

    private void put(Vec2f v) {
        buffer.putFloat(v.x()).putFloat(v.y());
    }

    private static Vec3f vec3(ByteBuffer in) {
        return new Vec3f(in.getFloat(), in.getFloat(), in.getFloat());
    }

    private static Vec2f vec2(ByteBuffer in) {
        return new Vec2f(in.getFloat(), in.getFloat());
    }

    private void writeByHand(MovePlayer m) {
        varlong(m.runtimeId());
        put(m.position());
        put(m.rotation());
        buffer.putFloat(m.headYaw()).put((byte) m.mode()).put((byte) (m.onGround() ? 1 : 0));
        varlong(m.ridingId());
        if (m.mode() == MovePlayer.TELEPORT) {
            buffer.putInt(m.teleportCause()).putInt(m.teleportSourceType());
        }
        varlong(m.tick());
    }

    private static MovePlayer readByHand(byte[] packet) {
        ByteBuffer in = ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN);
        long id = varlong(in);
        Vec3f position = vec3(in);
        Vec2f rotation = vec2(in);
        float head = in.getFloat();
        int mode = in.get();
        boolean ground = in.get() != 0;
        long riding = varlong(in);
        boolean teleport = mode == MovePlayer.TELEPORT;
        int cause = teleport ? in.getInt() : 0;
        int source = teleport ? in.getInt() : 0;
        return new MovePlayer(
                id, position, rotation, head, mode, ground, riding, cause, source, varlong(in));
    }

    @Benchmark
    public void readMoveWalk(Blackhole blackhole) {
        for (byte[] packet : movePackets) {
            reader.reset(packet, 0, packet.length);
            blackhole.consume(MovePlayer.wire(reader, MovePlayer.BLANK, V748));
        }
    }

    @Benchmark
    public void readMoveHand(Blackhole blackhole) {
        for (byte[] packet : movePackets) {
            blackhole.consume(readByHand(packet));
        }
    }

    @Benchmark
    public void writeMoveWalk(Blackhole blackhole) {
        for (MovePlayer move : moves) {
            writer.reset();
            MovePlayer.wire(writer, move, V748);
            blackhole.consume(writer.position());
        }
    }

    @Benchmark
    public void writeMoveHand(Blackhole blackhole) {
        for (MovePlayer move : moves) {
            buffer.clear();
            writeByHand(move);
            blackhole.consume(buffer.position());
        }
    }
}
