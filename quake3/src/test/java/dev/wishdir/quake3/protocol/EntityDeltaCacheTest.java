package dev.wishdir.quake3.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.quake3.message.EntityDelta;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.Huffman;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.wire.BitReader;
import dev.wishdir.wire.BitWriter;

import org.junit.jupiter.api.Test;

import java.util.Random;

/** Differences that are made once for many. */
class EntityDeltaCacheTest {
    private final EntityDeltaCache made = new EntityDeltaCache();
    private final Random random = new Random(4);

    private EntityState state() {
        EntityState.Builder state = EntityState.builder();
        for (EntityField field : EntityField.values()) {
            if (random.nextInt(3) == 0) {
                if (field.isFloat()) {
                    state.real(field, random.nextInt(2) == 0 ? 12 : random.nextGaussian());
                } else {
                    state.set(field, random.nextInt() & (1 << Math.min(field.width(), 30)) - 1);
                }
            }
        }
        return state.build();
    }

    private static byte[] written(EntityDelta delta, int before) {
        BitWriter w = new BitWriter(Huffman.CODE, 4_096);
        for (int i = 0; i < before; i++) {
            w.bit("before", true);
        }
        EntityDelta.wire(w, delta.number(), delta);
        w.bit("after", true);
        return w.toByteArray();
    }

    @Test
    void writesSameBytesOnRepeatedRequest() {
        for (int i = 0; i < 500; i++) {
            EntityState from = state();
            EntityState to = state();
            EntityDelta fresh = new EntityDelta(7, false, to.since(from));
            for (int time = 0; time < 4; time++) {
                EntityDelta delta = made.between(7, from, to);
                assertThat(delta).isEqualTo(fresh);
                assertThat(delta.isEncoded()).isEqualTo(time > 0);
                assertThat(written(delta, time)).isEqualTo(written(fresh, time));
            }
            BitReader r = new BitReader(Huffman.CODE, written(made.between(7, from, to), 0));
            EntityDelta read = EntityDelta.wire(r, 7, EntityDelta.removed(7));
            assertThat(from.apply(read.changes())).isEqualTo(to);
        }
    }

    @Test
    void distinguishesNumbers() {
        EntityState from = state();
        EntityState to = state();
        assertThat(made.between(7, from, to).number()).isEqualTo(7);
        assertThat(made.between(8, from, to).number()).isEqualTo(8);
    }

    @Test
    void reusesDeltaForAnotherSlot() {
        EntityState from = state();
        EntityState to = state();
        for (int slot = 0; slot < EntityState.MAX_CLIENTS; slot++) {
            EntityState was = from.with(EntityField.CLIENT_NUM, slot);
            EntityState is = to.with(EntityField.CLIENT_NUM, slot);
            EntityDelta fresh = new EntityDelta(slot, false, is.since(was));
            EntityDelta delta = made.between(slot, was, is);
            assertThat(delta).isEqualTo(fresh);
            assertThat(delta.isEncoded()).as("slot %d", slot).isEqualTo(slot > 0);
            assertThat(written(delta, 3)).isEqualTo(written(fresh, 3));
            assertThat(was.apply(delta.changes()))
                    .isEqualTo(is)
                    .isNotEqualTo(to.with(EntityField.CLIENT_NUM, slot + 1));
        }
    }

    @Test
    void sendsChangedSlot() {
        EntityState from = state().with(EntityField.CLIENT_NUM, 3);
        for (int time = 0; time < 3; time++) {
            EntityState to = from.with(EntityField.CLIENT_NUM, 4);
            EntityDelta delta = made.between(4, from, to);
            assertThat(delta.changes().mask()).isEqualTo(1L << EntityField.CLIENT_NUM.ordinal());
            assertThat(from.apply(delta.changes())).isEqualTo(to);
        }
    }

    @Test
    void neverChangesBuiltDeltas() {
        EntityState.Builder entity = EntityState.builder().set(EntityField.WEAPON, 1);
        PlayerState.Builder player = PlayerState.builder().set(PlayerField.WEAPON, 1);
        assertThat(entity.build().get(EntityField.WEAPON)).isEqualTo(1);
        assertThat(player.build().get(PlayerField.WEAPON)).isEqualTo(1);
        assertThatThrownBy(() -> entity.set(EntityField.WEAPON, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> player.set(PlayerField.WEAPON, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void findsNoDifferenceOfEqualStates() {
        EntityState state = state();
        EntityState same = EntityState.ZERO.apply(state.since(EntityState.ZERO));
        for (int time = 0; time < 3; time++) {
            assertThat(made.between(1, state, same).changes().isEmpty()).isTrue();
        }
    }
}
