package dev.wishdir.bedrock.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Reader;

import org.junit.jupiter.api.Test;

class MovementCacheTest {
    private final Arena arena = new Arena(Level.BOX, 10);
    private final MovementCache movementCache = new MovementCache();

    @Test
    void encodesMovementOncePerVersion() {
        ArenaPlayer player = arena.join(0, "quake3", "Sarge", new NoOpViewer());
        player.spawn(0, Movement.at(new Vec3(1, 2, 0), 0));
        Player first = arena.find(player.id()).orElseThrow();
        byte[] once = movementCache.of(first, 6, BedrockCodec.V748);
        assertThat(movementCache.of(first, 6, BedrockCodec.V748)).isSameAs(once);
        byte[] newest = movementCache.of(first, 6, BedrockCodec.NEWEST);
        assertThat(newest).isNotEqualTo(once);
        assertThat(movementCache.of(first, 6, BedrockCodec.V748)).isSameAs(once);
        for (BedrockCodec codec : new BedrockCodec[] {BedrockCodec.V748, BedrockCodec.NEWEST}) {
            assertThat(codec.read(new Reader(movementCache.of(first, 6, codec))))
                    .isEqualTo(BedrockMotion.toNative(6, first.movement()));
        }
        Movement there = Movement.at(new Vec3(3, 2, 0), 0);
        player.move(1, there, NativeMovement.Stored.NONE);
        Player second = arena.find(player.id()).orElseThrow();
        assertThat(
                        BedrockCodec.V748.read(
                                new Reader(movementCache.of(second, 6, BedrockCodec.V748))))
                .isEqualTo(BedrockMotion.toNative(6, there));
    }
}
