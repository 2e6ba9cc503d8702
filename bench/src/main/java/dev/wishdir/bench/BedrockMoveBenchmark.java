package dev.wishdir.bench;

import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression;
import dev.wishdir.wire.Bytes;
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
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Reading and writing Bedrock's two movement messages: the walk that all games' messages use,
 * against codecs written by hand only for these. The walk may take twice the time. And a batch of
 * 60 moves through compression and encryption. Times are for 1024 messages, or one batch.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class BedrockMoveBenchmark {
    private static final int MESSAGES = 1024;
    private static final int IN_BATCH = 60;
    private static final int MOVE_PLAYER = 19;
    private static final Dialect V748 = BedrockCodec.V748.dialect();

    private final MovePlayer[] moves = new MovePlayer[MESSAGES];
    private final PlayerAuthInput[] inputs = new PlayerAuthInput[MESSAGES];
    private final byte[][] movePackets = new byte[MESSAGES][];
    private final byte[][] inputPackets = new byte[MESSAGES][];
    private final Writer writer = new Writer(256);
    private final Writer batch = new Writer(IN_BATCH * 64);
    private final Reader reader = new Reader(new byte[0]);
    private final ByteBuffer buffer = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer whole =
            ByteBuffer.allocate(IN_BATCH * 64).order(ByteOrder.LITTLE_ENDIAN);
    private final BatchCodec sender = new BatchCodec(1 << 20, 800);
    private final BatchCodec receiver = new BatchCodec(1 << 20, 800);
    private final byte[] key = new byte[32];
    private final BatchByHand handSender = BatchByHand.of(key, Cipher.ENCRYPT_MODE);
    private final BatchByHand handReceiver = BatchByHand.of(key, Cipher.DECRYPT_MODE);

    /** Makes messages as walking players send them, and checks the codecs against each other. */
    @Setup
    public void messages() {
        Random random = new Random(4);
        for (int i = 0; i < MESSAGES; i++) {
            moves[i] = SomeMoves.move(random);
            inputs[i] = SomeMoves.input(random);
            movePackets[i] = written(moves[i]);
            inputPackets[i] = written(inputs[i]);
            if (!readByHand(movePackets[i]).equals(moves[i])
                    || !inputByHand(inputPackets[i]).equals(inputs[i])
                    || !Arrays.equals(writtenByHand(moves[i]), movePackets[i])
                    || !Arrays.equals(writtenByHand(inputs[i]), inputPackets[i])) {
                throw new IllegalStateException("the codecs differ over " + moves[i] + inputs[i]);
            }
        }
        for (BatchCodec codec : List.of(sender, receiver)) {
            codec.compress(Compression.Algorithm.DEFLATE, 256);
            codec.encrypt(key);
        }
        BatchCodec check = new BatchCodec(1 << 20, 800);
        check.compress(Compression.Algorithm.DEFLATE, 256);
        check.encrypt(key);
        byte[] byHand = BatchByHand.of(key, Cipher.ENCRYPT_MODE).seal(packed());
        if (!Arrays.equals(byHand, pack(check))) {
            throw new IllegalStateException("the batches differ");
        }
    }

    private byte[] pack(BatchCodec codec) {
        batch.reset();
        for (int i = 0; i < IN_BATCH; i++) {
            writer.reset();
            BedrockCodec.V748.write(writer, moves[i]);
            Encoding.uvarint(batch, "length", writer.position());
            batch.append(writer.array(), 0, writer.position());
        }
        return codec.pack(batch.array(), batch.position());
    }

    /** The length, number and fields of the messages of a batch. */
    private ByteBuffer packed() {
        whole.clear();
        for (int i = 0; i < IN_BATCH; i++) {
            buffer.clear();
            buffer.put((byte) MOVE_PLAYER);
            writeByHand(moves[i]);
            whole.put((byte) buffer.position()).put(buffer.array(), 0, buffer.position());
        }
        return whole.flip();
    }

    /** One direction of an encrypted session with only the JDK's parts and buffers kept. */
    private static final class BatchByHand {
        private final Cipher cipher;
        private final MessageDigest digest;
        private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        private final Inflater inflater = new Inflater(true);
        private final ByteBuffer counter =
                ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 0);
        private final byte[] key;
        private final byte[] work = new byte[1 << 14];

        private BatchByHand(byte[] key, Cipher cipher, MessageDigest digest) {
            this.key = key;
            this.cipher = cipher;
            this.digest = digest;
        }

        static BatchByHand of(byte[] key, int mode) {
            try {
                byte[] block = Arrays.copyOf(Arrays.copyOf(key, 12), 16);
                block[15] = 2;
                Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
                cipher.init(mode, new SecretKeySpec(key, "AES"), new IvParameterSpec(block));
                return new BatchByHand(key, cipher, MessageDigest.getInstance("SHA-256"));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        private byte[] sum(byte[] data, int length) {
            digest.update(counter.array());
            counter.putLong(0, counter.getLong(0) + 1);
            digest.update(data, 0, length);
            return digest.digest(key);
        }

        byte[] seal(ByteBuffer packets) {
            deflater.reset();
            deflater.setInput(packets);
            deflater.finish();
            work[0] = 0;
            int length = 1 + deflater.deflate(work, 1, work.length - 9);
            System.arraycopy(sum(work, length), 0, work, length, 8);
            return cipher.update(work, 0, length + 8);
        }

        ByteBuffer open(byte[] batch) throws DataFormatException {
            byte[] data = cipher.update(batch);
            int length = data.length - 8;
            if (!Arrays.equals(sum(data, length), 0, 8, data, length, data.length)) {
                throw new IllegalStateException("the checksum is wrong");
            }
            inflater.reset();
            inflater.setInput(data, 1, length - 1);
            return ByteBuffer.wrap(work, 0, inflater.inflate(work)).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    private byte[] written(MovePlayer m) {
        writer.reset();
        MovePlayer.wire(writer, m, V748);
        return writer.toByteArray();
    }

    private byte[] written(PlayerAuthInput m) {
        writer.reset();
        PlayerAuthInput.wire(writer, m, V748);
        return writer.toByteArray();
    }

    private byte[] writtenByHand(MovePlayer m) {
        buffer.clear();
        writeByHand(m);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private byte[] writtenByHand(PlayerAuthInput m) {
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
        return readByHand(ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN));
    }

    private static MovePlayer readByHand(ByteBuffer in) {
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

    private void writeByHand(PlayerAuthInput m) {
        put(m.rotation());
        put(m.position());
        put(m.move());
        buffer.putFloat(m.headYaw());
        varlong(m.input());
        varlong(m.inputMode());
        varlong(m.playMode());
        varlong(m.interaction());
        put(m.interactRotation());
        varlong(m.tick());
        put(m.delta());
        put(m.analogue());
        put(m.camera());
    }

    private static PlayerAuthInput inputByHand(byte[] packet) {
        ByteBuffer in = ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN);
        return new PlayerAuthInput(
                vec2(in),
                vec3(in),
                vec2(in),
                in.getFloat(),
                varlong(in),
                0,
                Bytes.EMPTY,
                (int) varlong(in),
                (int) varlong(in),
                (int) varlong(in),
                vec2(in),
                Vec3f.ZERO,
                varlong(in),
                vec3(in),
                false,
                false,
                Bytes.EMPTY,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                vec2(in),
                vec3(in),
                Vec2f.ZERO);
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

    @Benchmark
    public void readInputWalk(Blackhole blackhole) {
        for (byte[] packet : inputPackets) {
            reader.reset(packet, 0, packet.length);
            blackhole.consume(PlayerAuthInput.wire(reader, PlayerAuthInput.BLANK, V748));
        }
    }

    @Benchmark
    public void readInputHand(Blackhole blackhole) {
        for (byte[] packet : inputPackets) {
            blackhole.consume(inputByHand(packet));
        }
    }

    @Benchmark
    public void writeInputWalk(Blackhole blackhole) {
        for (PlayerAuthInput input : inputs) {
            writer.reset();
            PlayerAuthInput.wire(writer, input, V748);
            blackhole.consume(writer.position());
        }
    }

    @Benchmark
    public void writeInputHand(Blackhole blackhole) {
        for (PlayerAuthInput input : inputs) {
            buffer.clear();
            writeByHand(input);
            blackhole.consume(buffer.position());
        }
    }

    /** From messages to the encrypted batch, and back to messages. */
    @Benchmark
    public void batchOf60Walk(Blackhole blackhole) {
        receiver.read(pack(sender), packet -> blackhole.consume(BedrockCodec.V748.read(packet)));
    }

    @Benchmark
    public void batchOf60Hand(Blackhole blackhole) throws DataFormatException {
        ByteBuffer in = handReceiver.open(handSender.seal(packed()));
        while (in.hasRemaining()) {
            int end = in.get() + in.position();
            if (in.get() != MOVE_PLAYER) {
                throw new IllegalStateException("another message");
            }
            blackhole.consume(readByHand(in));
            in.position(end);
        }
    }
}
