package dev.wishdir.sauerbraten.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

class MovementCacheTest {
    private final Arena arena = new Arena(Level.BOX, 10);
    private final RunningLevel geometry = new RunningLevel(arena, SauerbratenMotion.CENTERED);
    private final ForeignPlayers foreignPlayers = new ForeignPlayers(geometry);
    private final ArenaPlayer player = arena.join(0, "quake2", "ranger", new NoOpViewer());
    private int cn = -1;
    private final MovementCache cache = new MovementCache(_ -> cn, foreignPlayers);

    MovementCacheTest() {
        player.spawn(0, Movement.at(Vec3.ZERO, 0));
    }

    @Test
    void encodesForeignPlayerOnceUntilItMoves() {
        foreignPlayers.findOrAdd(player.id());
        MovementCache.Mover before = cache.of(player.snapshot());
        assertThat(before.foreignPlayer()).isNotNull();
        assertThat(before.cn()).isEqualTo(-1);
        assertThat(cache.of(player.snapshot())).isSameAs(before);
        player.move(1, Movement.at(new Vec3(1, 0, 0), 0), NativeMovement.Stored.NONE);
        assertThat(cache.of(player.snapshot()).position()).isNotEqualTo(before.position());
    }

    @Test
    void encodesAgainOnMapWithOtherCoordinates() {
        foreignPlayers.findOrAdd(player.id());
        Bytes before = cache.of(player.snapshot()).position();
        geometry.setMotion(SauerbratenMotion.of(256));
        assertThat(cache.of(player.snapshot()).position()).isNotEqualTo(before);
    }

    @Test
    void passesOnBytesOfClient() {
        cn = 3;
        Bytes sent = Bytes.wrap(new byte[] {4, 3, 0, 0, 1});
        player.move(
                1,
                Movement.at(new Vec3(1, 0, 0), 0),
                new NativeMovement.Stored(ForeignPlayers.FORM, sent));
        MovementCache.Mover mover = cache.of(player.snapshot());
        assertThat(mover.cn()).isEqualTo(3);
        assertThat(mover.foreignPlayer()).isNull();
        assertThat(mover.position()).isEqualTo(sent);
    }

    @Test
    void doesNotRememberUnknownPlayer() {
        assertThat(cache.of(player.snapshot()).foreignPlayer()).isNull();
        foreignPlayers.findOrAdd(player.id());
        assertThat(cache.of(player.snapshot()).foreignPlayer()).isNotNull();
    }
}
