package dev.wishdir.bench;

import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.Huffman;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.wire.BitReader;
import dev.wishdir.wire.BitWriter;
import dev.wishdir.wire.HuffmanCode;

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

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Reading Quake III's client message with three user commands: the walk that all games' messages
 * use, against a decoder written by hand for this one message. The walk may take twice the time.
 * Times are for 1024 messages.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Quake3MessageBenchmark {
    private static final int COUNT = 1024;
    private static final int KEY = 0x2F6E2B1;
    private static final int MOVE = 2;
    private static final int EOF = 5;

    private final byte[][] messages = new byte[COUNT][];
    private final BitReader reader = new BitReader(Huffman.CODE, new byte[0]);
    private final short[] table = new short[1 << 11];
    private byte[] data = new byte[0];
    private int at;

    /**
     * Makes messages of players who walk and look, and checks the two decoders against each other.
     */
    @Setup
    public void messages() {
        for (int symbol = 0; symbol < HuffmanCode.SYMBOLS; symbol++) {
            int length = Huffman.CODE.length(symbol);
            for (int p = Huffman.CODE.code(symbol); p < table.length; p += 1 << length) {
                table[p] = (short) (symbol << 4 | length);
            }
        }
        Random random = new Random(7);
        BitWriter writer = new BitWriter(Huffman.CODE, 1 << 10);
        for (int i = 0; i < COUNT; i++) {
            int time = random.nextInt(1 << 20);
            Usercmd[] commands = new Usercmd[3];
            for (int k = 0; k < 3; k++) {
                commands[k] =
                        new Usercmd(
                                time + 16 * k,
                                random.nextInt(1 << 16),
                                random.nextInt(1 << 16),
                                0,
                                127,
                                random.nextInt(3) * 127 - 127,
                                0,
                                0,
                                2);
            }
            ClientMessage message =
                    new ClientMessage(
                            7364,
                            random.nextInt(1 << 14),
                            random.nextInt(100),
                            List.of(new ClientMessage.Move(true, List.of(commands))));
            writer.reset();
            ClientMessage.wire(writer, message, (_, _) -> KEY);
            messages[i] = writer.toByteArray();
            reader.reset(messages[i], 0, messages[i].length * 8);
            if (!ClientMessage.wire(reader, ClientMessage.BLANK, (_, _) -> KEY).equals(message)
                    || !byHand(messages[i]).equals(message)) {
                throw new IllegalStateException("the decoders differ over " + message);
            }
        }
    }

    @Benchmark
    public void clientMessage(Blackhole hole) {
        for (byte[] message : messages) {
            reader.reset(message, 0, message.length * 8);
            hole.consume(ClientMessage.wire(reader, ClientMessage.BLANK, (_, _) -> KEY));
        }
    }

    @Benchmark
    public void clientMessageByHand(Blackhole hole) {
        for (byte[] message : messages) {
            hole.consume(byHand(message));
        }
    }

    private int window() {
        int from = at >> 3;
        int window = 0;
        for (int i = 0; i < 3 && from + i < data.length; i++) {
            window |= (data[from + i] & 0xFF) << 8 * i;
        }
        return window >> (at & 7);
    }

    private int raw(int width) {
        int read = window() & (1 << width) - 1;
        at += width;
        return read;
    }

    private int symbol() {
        int found = table[window() & table.length - 1];
        if (found == 0) {
            throw new IllegalArgumentException("no byte has this code");
        }
        at += found & 15;
        if (at > data.length * 8) {
            throw new IllegalArgumentException("ends early");
        }
        return found >> 4;
    }

    private int word() {
        return symbol() | symbol() << 8 | symbol() << 16 | symbol() << 24;
    }

    private int field16(int old, int key) {
        return raw(1) == 0 ? old : ((symbol() | symbol() << 8) ^ key) & 0xFFFF;
    }

    private int field8(int old, int key) {
        return raw(1) == 0 ? old : (symbol() ^ key) & 0xFF;
    }

    private int axis(int old, int key) {
        return Math.max(-127, (byte) field8(old, key));
    }

    private ClientMessage byHand(byte[] message) {
        data = message;
        at = 0;
        int serverId = word();
        int acknowledge = word();
        int reliable = word();
        if (symbol() != MOVE) {
            throw new IllegalArgumentException("no move");
        }
        Usercmd[] commands = new Usercmd[symbol()];
        Usercmd from = Usercmd.ZERO;
        for (int i = 0; i < commands.length; i++) {
            int time = raw(1) == 1 ? from.serverTime() + symbol() : word();
            boolean changed = raw(1) == 1;
            int key = KEY ^ time;
            from =
                    new Usercmd(
                            time,
                            changed ? field16(from.pitch(), key) : from.pitch(),
                            changed ? field16(from.yaw(), key) : from.yaw(),
                            changed ? field16(from.roll(), key) : from.roll(),
                            changed ? axis(from.forward(), key) : from.forward(),
                            changed ? axis(from.right(), key) : from.right(),
                            changed ? axis(from.up(), key) : from.up(),
                            changed ? field16(from.buttons(), key) : from.buttons(),
                            changed ? field8(from.weapon(), key) : from.weapon());
            commands[i] = from;
        }
        if (symbol() != EOF) {
            throw new IllegalArgumentException("no end");
        }
        return new ClientMessage(
                serverId,
                acknowledge,
                reliable,
                List.of(new ClientMessage.Move(true, List.of(commands))));
    }
}
