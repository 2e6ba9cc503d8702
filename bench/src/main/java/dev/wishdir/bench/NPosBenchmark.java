package dev.wishdir.bench;

import dev.wishdir.sauerbraten.message.CubeWire;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Reading and writing Sauerbraten's positions: the walk that all games' messages use, against a
 * codec written by hand for this one message. The walk may take twice the time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(NPosBenchmark.POSITIONS)
public class NPosBenchmark {
    static final int POSITIONS = 1024;

    private final Pos[] positions = new Pos[POSITIONS];
    private final byte[][] packets = new byte[POSITIONS][];
    private final Writer writer = new Writer(64);
    private final Reader reader = new Reader(new byte[0]);
    private final byte[] buffer = new byte[64];

    /** Makes positions as players send them: most stand or walk, some fall, few fly far outside. */
    @Setup
    public void positions() {
        Random random = new Random(4);
        for (int i = 0; i < POSITIONS; i++) {
            boolean falls = random.nextInt(5) == 0;
            boolean far = random.nextInt(50) == 0;
            positions[i] =
                    Pos.of(
                            random.nextInt(random.nextInt(10) == 0 ? 200 : 128),
                            random.nextInt(256),
                            far ? -random.nextInt(100_000) : random.nextInt(16_384),
                            random.nextInt(16_384),
                            random.nextInt(16_384),
                            random.nextInt(65_160),
                            90,
                            random.nextInt(far ? 1000 : 180),
                            random.nextInt(65_160),
                            falls ? random.nextInt(300) : 0,
                            random.nextInt(4) == 0 ? random.nextInt(65_160) : 0,
                            random.nextInt(50) == 0);
            int length = writeByHand(positions[i], buffer);
            packets[i] = Arrays.copyOf(buffer, length);
            if (!readByHand(packets[i]).equals(positions[i])
                    || !readByWalk(packets[i]).equals(positions[i])
                    || writeByWalk(positions[i]) != length
                    || !Arrays.equals(writer.toByteArray(), packets[i])) {
                throw new IllegalStateException("the codecs differ over " + positions[i]);
            }
        }
    }

    @Benchmark
    public void readWalk(Blackhole blackhole) {
        for (byte[] packet : packets) {
            blackhole.consume(readByWalk(packet));
        }
    }

    @Benchmark
    public void readHand(Blackhole blackhole) {
        for (byte[] packet : packets) {
            blackhole.consume(readByHand(packet));
        }
    }

    @Benchmark
    public void writeWalk(Blackhole blackhole) {
        for (Pos pos : positions) {
            blackhole.consume(writeByWalk(pos));
        }
    }

    @Benchmark
    public void writeHand(Blackhole blackhole) {
        for (Pos pos : positions) {
            blackhole.consume(writeByHand(pos, buffer));
        }
    }

    private Pos readByWalk(byte[] packet) {
        reader.reset(packet, 0, packet.length);
        return walk(reader, Pos.BLANK);
    }

    private int writeByWalk(Pos pos) {
        writer.reset();
        walk(writer, pos);
        return writer.position();
    }

    private static Pos walk(Wire w, Pos pos) {
        CubeWire.integer(w, "code", 4);
        return Pos.wire(w, pos);
    }

    private static Pos readByHand(byte[] d) {
        int at = 1;
        int cn = d[at++] & 0xFF;
        if (cn >= 0x80) {
            cn += ((d[at++] & 0xFF) << 7) - 0x80;
        }
        int state = d[at++] & 0xFF;
        int flags = d[at++] & 0xFF;
        if (flags >= 0x80) {
            flags += ((d[at++] & 0xFF) << 7) - 0x80;
        }
        int x = u16(d, at);
        at += 2;
        if ((flags & Pos.X3) != 0) {
            x |= d[at++] << 16;
        }
        int y = u16(d, at);
        at += 2;
        if ((flags & Pos.Y3) != 0) {
            y |= d[at++] << 16;
        }
        int z = u16(d, at);
        at += 2;
        if ((flags & Pos.Z3) != 0) {
            z |= d[at++] << 16;
        }
        int dir = u16(d, at);
        int roll = d[at + 2] & 0xFF;
        at += 3;
        int vel = d[at++] & 0xFF;
        if ((flags & Pos.VEL2) != 0) {
            vel |= (d[at++] & 0xFF) << 8;
        }
        int veldir = u16(d, at);
        at += 2;
        int fall = 0;
        int falldir = 0;
        if ((flags & Pos.FALL) != 0) {
            fall = d[at++] & 0xFF;
            if ((flags & Pos.FALL2) != 0) {
                fall |= (d[at++] & 0xFF) << 8;
            }
            if ((flags & Pos.FALLDIR) != 0) {
                falldir = u16(d, at);
            }
        }
        return new Pos(cn, state, flags, x, y, z, dir, roll, vel, veldir, fall, falldir);
    }

    private static int u16(byte[] d, int at) {
        return d[at] & 0xFF | (d[at + 1] & 0xFF) << 8;
    }

    private static int writeByHand(Pos pos, byte[] d) {
        int at = 0;
        d[at++] = 4;
        at = putUint(d, at, pos.cn());
        d[at++] = (byte) pos.state();
        int flags = pos.flags();
        at = putUint(d, at, flags);
        at = putCoordinate(d, at, pos.x(), flags & Pos.X3);
        at = putCoordinate(d, at, pos.y(), flags & Pos.Y3);
        at = putCoordinate(d, at, pos.z(), flags & Pos.Z3);
        at = putU16(d, at, pos.rawdir());
        d[at++] = (byte) pos.rawroll();
        d[at++] = (byte) pos.rawvel();
        if ((flags & Pos.VEL2) != 0) {
            d[at++] = (byte) (pos.rawvel() >> 8);
        }
        at = putU16(d, at, pos.rawveldir());
        if ((flags & Pos.FALL) != 0) {
            d[at++] = (byte) pos.rawfall();
            if ((flags & Pos.FALL2) != 0) {
                d[at++] = (byte) (pos.rawfall() >> 8);
            }
            if ((flags & Pos.FALLDIR) != 0) {
                at = putU16(d, at, pos.rawfalldir());
            }
        }
        return at;
    }

    private static int putUint(byte[] d, int at, int value) {
        if (value < 0x80) {
            d[at] = (byte) value;
            return at + 1;
        }
        d[at] = (byte) (value | 0x80);
        d[at + 1] = (byte) (value >> 7);
        return at + 2;
    }

    private static int putCoordinate(byte[] d, int at, int value, int third) {
        putU16(d, at, value);
        if (third != 0) {
            d[at + 2] = (byte) (value >> 16);
            return at + 3;
        }
        return at + 2;
    }

    private static int putU16(byte[] d, int at, int value) {
        d[at] = (byte) value;
        d[at + 1] = (byte) (value >> 8);
        return at + 2;
    }
}
