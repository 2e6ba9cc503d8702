package dev.wishdir.bench;

import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Reading Quake II's commands: the walk that all games' messages use, against a decoder written by
 * hand for this one message. The walk may take twice the time. Times are for 1024 moves.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Quake2Benchmark {
    private static final int MOVES = 1024;

    private final byte[][] moves = new byte[MOVES][];
    private final Reader reader = new Reader(new byte[0]);
    private final Writer writer = new Writer(Netchan.MAX_PACKET_BYTES);

    /** Makes what walking players send, and checks the two ways against each other. */
    @Setup
    public void moves() {
        Random random = new Random(7);
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
            if (!moveByHand(moves[i]).equals(read(moves[i]))) {
                throw new IllegalStateException("the moves differ: " + i);
            }
        }
    }

    private ClientMessage read(byte[] move) {
        reader.reset(move, 0, move.length);
        return Quake2Codec.readClient(reader);
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
}
