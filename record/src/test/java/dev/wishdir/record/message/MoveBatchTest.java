package dev.wishdir.record.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.v1.Move;
import dev.wishdir.record.v1.Moves;
import dev.wishdir.record.v1.Vector;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class MoveBatchTest {
    private final Random random = new Random(1);

    /** A value that is often 0, which has no bytes. */
    private double value(double bound) {
        return random.nextInt(4) == 0 ? 0 : random.nextDouble(-bound, bound);
    }

    @Test
    void writesBytesOfGeneratedMessages() {
        MoveBatch batch = new MoveBatch();
        for (int i = 0; i < 200; i++) {
            batch.clear();
            Moves.Builder expected = Moves.newBuilder();
            for (long time = 1_000_000_000; batch.fits(time); time += random.nextInt(3_000_000)) {
                PlayerId id = new PlayerId(random.nextInt(2) * random.nextInt(), random.nextInt());
                Movement m =
                        new Movement(
                                new Vec3(value(1e4), value(1e4), value(100)),
                                Math.abs(value(360)),
                                value(90),
                                new Vec3(value(50), value(50), value(50)),
                                new Stance(random.nextInt(64)));
                byte[] bytes = new byte[random.nextInt(200)];
                random.nextBytes(bytes);
                int form = bytes.length == 0 ? 0 : random.nextInt(200);
                batch.add(time, id, m, form, Bytes.wrap(bytes));
                Move.Builder move =
                        Move.newBuilder()
                                .setPlayer(id.number())
                                .setNode(id.node())
                                .setAfterUs((int) ((time - 1_000_000_000) / 1000))
                                .setPosition(
                                        vector(
                                                Quantum.position(m.position().x()),
                                                Quantum.position(m.position().y()),
                                                Quantum.position(m.position().z())))
                                .setYaw(Quantum.yaw(m.yaw()))
                                .setPitch(Quantum.pitch(m.pitch()))
                                .setVelocity(
                                        vector(
                                                Quantum.velocity(m.velocity().x()),
                                                Quantum.velocity(m.velocity().y()),
                                                Quantum.velocity(m.velocity().z())))
                                .setStance(m.stance().bits())
                                .setForm(form);
                if (form != 0) {
                    move.setNative(ByteString.copyFrom(bytes));
                }
                expected.addMoves(move);
            }
            assertThat(batch.start()).isEqualTo(1_000_000_000);
            assertThat(Arrays.copyOf(batch.bytes(), batch.length()))
                    .isEqualTo(expected.build().toByteArray());
        }
    }

    private static Vector vector(float x, float y, float z) {
        return Vector.newBuilder().setX(x).setY(y).setZ(z).build();
    }

    @Test
    void takesLongestRowsUntilItIsFull() {
        MoveBatch batch = new MoveBatch();
        Bytes longest = Bytes.wrap(new byte[MoveBatch.MAX_NATIVE_BYTES]);
        int rows = 0;
        while (batch.fits(5)) {
            batch.add(5, new PlayerId(-1, -1), Movement.at(new Vec3(1, 2, 3), 4), 64, longest);
            rows++;
        }
        assertThat(rows).isBetween(50, 64);
    }
}
