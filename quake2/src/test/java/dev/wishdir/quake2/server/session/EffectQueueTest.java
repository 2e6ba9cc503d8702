package dev.wishdir.quake2.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake2.message.Direction;
import dev.wishdir.quake2.message.ServerMessage.MuzzleFlash;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;

class EffectQueueTest {
    private static final TempEntity HOLE =
            TempEntity.at(TempEntity.SHOTGUN, Triple.ZERO, Direction.NONE);
    private static final MuzzleFlash FLASH = new MuzzleFlash(false, 1, 2);

    private final EffectQueue queue = new EffectQueue();

    @Test
    void dropsHolesBeforeFlashes() {
        for (int i = 0; i < 200; i++) {
            queue.add(HOLE, true);
        }
        assertThat(queue.bytes()).isBetween(EffectQueue.MAX_BYTES - 9, EffectQueue.MAX_BYTES);
        for (int i = 0; i < 1000; i++) {
            queue.add(FLASH, false);
        }
        Writer packet = new Writer(1400);
        queue.flush(packet);
        assertThat(packet.position()).isEqualTo(EffectQueue.MAX_BYTES);
        assertThat(packet.array()[0]).as("only flashes are left").isEqualTo((byte) 1);
        assertThat(queue.bytes()).isZero();
    }
}
