package dev.wishdir.bench;

import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.PlayerAuthInput.BlockAction;
import dev.wishdir.bedrock.message.PlayerAuthInput.Input;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
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

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * What it costs that walks ask their version what it changes: the two movement messages of 748 by
 * the walk that knows 748 alone, as it was before there were 23 versions, and by the one that asks.
 * Times are for 1024 messages.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class BedrockVersionsBenchmark {
    private static final int MESSAGES = 1024;
    private static final Dialect V748 = BedrockCodec.V748.dialect();

    private final MovePlayer[] moves = new MovePlayer[MESSAGES];
    private final PlayerAuthInput[] inputs = new PlayerAuthInput[MESSAGES];
    private final byte[][] movePackets = new byte[MESSAGES][];
    private final byte[][] inputPackets = new byte[MESSAGES][];
    private final Writer writer = new Writer(256);
    private final Reader reader = new Reader(new byte[0]);

    /** Makes messages as walking players send them, and checks the walks against each other. */
    @Setup
    public void messages() {
        Random random = new Random(4);
        for (int i = 0; i < MESSAGES; i++) {
            moves[i] = SomeMoves.move(random);
            inputs[i] = SomeMoves.input(random);
            writer.reset();
            MovePlayer.wire(writer, moves[i], V748);
            movePackets[i] = writer.toByteArray();
            writer.reset();
            PlayerAuthInput.wire(writer, inputs[i], V748);
            inputPackets[i] = writer.toByteArray();
            writer.reset();
            move748(writer, moves[i]);
            boolean sameMove = Arrays.equals(movePackets[i], writer.toByteArray());
            writer.reset();
            input748(writer, inputs[i]);
            boolean sameInput = Arrays.equals(inputPackets[i], writer.toByteArray());
            Reader move = new Reader(movePackets[i]);
            Reader input = new Reader(inputPackets[i]);
            if (!sameMove
                    || !sameInput
                    || !move748(move, MovePlayer.BLANK).equals(moves[i])
                    || !input748(input, PlayerAuthInput.BLANK).equals(inputs[i])) {
                throw new IllegalStateException("the walks differ over " + moves[i] + inputs[i]);
            }
        }
    }

    private static MovePlayer move748(Wire w, MovePlayer m) {
        long runtimeId = Encoding.uvarlong(w, "runtime id", m.runtimeId());
        Vec3f position = Vec3f.wire(w, "position", m.position());
        Vec2f rotation = Vec2f.wire(w, "rotation", m.rotation());
        float headYaw = w.f32le("head yaw", m.headYaw());
        int mode = w.bounded("mode", w.u8("mode", m.mode()), MovePlayer.ONLY_HEAD_ROTATION);
        if (w.tracing()) {
            w.annotate(MovePlayer.modeName(mode));
        }
        boolean onGround = w.bool("on ground", m.onGround());
        long ridingId = Encoding.uvarlong(w, "riding id", m.ridingId());
        int cause = 0;
        int sourceType = 0;
        if (mode == MovePlayer.TELEPORT) {
            cause = w.i32le("cause", m.teleportCause());
            sourceType = w.i32le("source type", m.teleportSourceType());
        }
        long tick = Encoding.uvarlong(w, "tick", m.tick());
        return new MovePlayer(
                runtimeId,
                position,
                rotation,
                headYaw,
                mode,
                onGround,
                ridingId,
                cause,
                sourceType,
                tick);
    }

    private static PlayerAuthInput input748(Wire w, PlayerAuthInput m) {
        Vec2f rotation = Vec2f.wire(w, "rotation", m.rotation());
        Vec3f position = Vec3f.wire(w, "position", m.position());
        Vec2f move = Vec2f.wire(w, "move", m.move());
        float headYaw = w.f32le("head yaw", m.headYaw());
        long input = Encoding.uvarlong(w, "input", m.input());
        int inputMode = Encoding.uvarint(w, "input mode", m.inputMode());
        int playMode = Encoding.uvarint(w, "play mode", m.playMode());
        int interaction = Encoding.uvarint(w, "interaction", m.interaction());
        Vec2f interactRotation = Vec2f.wire(w, "interact rotation", m.interactRotation());
        long tick = Encoding.uvarlong(w, "tick", m.tick());
        Vec3f delta = Vec3f.wire(w, "delta", m.delta());
        boolean skipping = (input & (Input.ITEM_INTERACTION | Input.ITEM_STACK_REQUEST)) != 0;
        Bytes unread = skipping ? w.rest("unread", m.unread(), 8 << 20) : Bytes.EMPTY;
        List<BlockAction> blockActions =
                !skipping && (input & Input.BLOCK_ACTIONS) != 0 ? actions748(w, m) : List.of();
        boolean riding = !skipping && (input & Input.IN_VEHICLE) != 0;
        Optional<Vec2f> vehicleRotation =
                riding
                        ? Optional.of(
                                Vec2f.wire(
                                        w,
                                        "vehicle rotation",
                                        m.vehicleRotation().orElse(Vec2f.ZERO)))
                        : Optional.empty();
        Optional<Long> vehicleId =
                riding
                        ? Optional.of(Encoding.varlong(w, "vehicle id", m.vehicleId().orElse(0L)))
                        : Optional.empty();
        Vec2f analogue = skipping ? Vec2f.ZERO : Vec2f.wire(w, "analogue", m.analogue());
        Vec3f camera = skipping ? Vec3f.ZERO : Vec3f.wire(w, "camera", m.camera());
        return new PlayerAuthInput(
                rotation,
                position,
                move,
                headYaw,
                input,
                0,
                Bytes.EMPTY,
                inputMode,
                playMode,
                interaction,
                interactRotation,
                Vec3f.ZERO,
                tick,
                delta,
                (input & Input.ITEM_INTERACTION) != 0,
                (input & Input.ITEM_STACK_REQUEST) != 0,
                unread,
                blockActions,
                vehicleRotation,
                vehicleId,
                analogue,
                camera,
                Vec2f.ZERO);
    }

    private static List<BlockAction> actions748(Wire w, PlayerAuthInput m) {
        int count = Encoding.varint(w, "block actions", m.blockActions().size());
        w.bounded("block actions", count, 0);
        return List.of(new BlockAction(count, BlockPos.ZERO, 0));
    }

    @Benchmark
    public void readMove748Alone(Blackhole blackhole) {
        for (byte[] packet : movePackets) {
            reader.reset(packet, 0, packet.length);
            blackhole.consume(move748(reader, MovePlayer.BLANK));
        }
    }

    @Benchmark
    public void readMoveOfVersion(Blackhole blackhole) {
        for (byte[] packet : movePackets) {
            reader.reset(packet, 0, packet.length);
            blackhole.consume(MovePlayer.wire(reader, MovePlayer.BLANK, V748));
        }
    }

    @Benchmark
    public void writeMove748Alone(Blackhole blackhole) {
        for (MovePlayer move : moves) {
            writer.reset();
            move748(writer, move);
            blackhole.consume(writer.position());
        }
    }

    @Benchmark
    public void writeMoveOfVersion(Blackhole blackhole) {
        for (MovePlayer move : moves) {
            writer.reset();
            MovePlayer.wire(writer, move, V748);
            blackhole.consume(writer.position());
        }
    }

    @Benchmark
    public void readInput748Alone(Blackhole blackhole) {
        for (byte[] packet : inputPackets) {
            reader.reset(packet, 0, packet.length);
            blackhole.consume(input748(reader, PlayerAuthInput.BLANK));
        }
    }

    @Benchmark
    public void readInputOfVersion(Blackhole blackhole) {
        for (byte[] packet : inputPackets) {
            reader.reset(packet, 0, packet.length);
            blackhole.consume(PlayerAuthInput.wire(reader, PlayerAuthInput.BLANK, V748));
        }
    }

    @Benchmark
    public void writeInput748Alone(Blackhole blackhole) {
        for (PlayerAuthInput input : inputs) {
            writer.reset();
            input748(writer, input);
            blackhole.consume(writer.position());
        }
    }

    @Benchmark
    public void writeInputOfVersion(Blackhole blackhole) {
        for (PlayerAuthInput input : inputs) {
            writer.reset();
            PlayerAuthInput.wire(writer, input, V748);
            blackhole.consume(writer.position());
        }
    }
}
