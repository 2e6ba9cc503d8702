package dev.wishdir.bench;

import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Movements of Bedrock as walking players send them. */
final class SomeMoves {
    private SomeMoves() {}

    private static Vec3f place(Random random) {
        return new Vec3f(random.nextFloat(-32, 32), 1.62001f, random.nextFloat(-32, 32));
    }

    private static Vec2f view(Random random) {
        return new Vec2f(random.nextFloat(-90, 90), random.nextFloat(-180, 180));
    }

    /** One of fifty is a teleport. */
    static MovePlayer move(Random random) {
        Vec3f at = place(random);
        Vec2f view = view(random);
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

    static PlayerAuthInput input(Random random) {
        Vec3f at = place(random);
        Vec2f view = view(random);
        return new PlayerAuthInput(
                view,
                at,
                new Vec2f(0, 1),
                view.y(),
                1L << 48 | 1L << 50 | 1L << 10,
                0,
                Bytes.EMPTY,
                1,
                0,
                1,
                view,
                Vec3f.ZERO,
                random.nextInt(100_000),
                new Vec3f(0.1f, 0, 0.2f),
                false,
                false,
                Bytes.EMPTY,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                new Vec2f(0, 1),
                new Vec3f(0, 0, 1),
                Vec2f.ZERO);
    }
}
