package dev.wishdir.quake3;

import dev.wishdir.arena.NativeMovement;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Players as entities: made once for each movement and slot, so that all clients who see it share
 * one state, and what is made of it.
 */
final class Entities {
    private static final int TORSO_STAND2 = 12;
    private static final int LEGS_WALKCR = 13;
    private static final int LEGS_RUN = 15;
    private static final int LEGS_IDLE = 22;
    private static final int LEGS_IDLECR = 23;

    /** Faster than this it walks, units a second. */
    private static final double STILL = 20;

    private static final class Seen {
        final Movement movement;
        final NativeMovement nativeMovement;
        final EntityState state;
        final @Nullable EntityState[] inSlots = new EntityState[VisiblePlayers.SLOTS];

        Seen(Player player) {
            movement = player.movement();
            nativeMovement = player.nativeMovement();
            Optional<EntityState> own = Quake3Movement.state(nativeMovement);
            state = own.orElseGet(() -> foreign(movement).build());
        }
    }

    private final Map<PlayerId, Seen> seen = new HashMap<>();

    /** What is seen of a player in a slot. */
    EntityState of(Player player, int slot) {
        Seen known = seen.get(player.id());
        if (known == null
                || !known.nativeMovement.equals(player.nativeMovement())
                || !known.movement.equals(player.movement())) {
            known = new Seen(player);
            seen.put(player.id(), known);
        }
        EntityState state = known.inSlots[slot];
        if (state == null) {
            state = known.state.with(EntityField.CLIENT_NUM, slot);
            known.inSlots[slot] = state;
        }
        return state;
    }

    /** A player has left. */
    void forget(PlayerId player) {
        seen.remove(player);
    }

    /** A player of another game as an entity, which stops nobody: nobody stops it. */
    static EntityState.Builder foreign(Movement m) {
        Vec3 origin = Quake3Motion.origin(m.position());
        boolean crouched = m.stance().crouched();
        boolean ground = m.stance().onGround();
        boolean moves = m.velocity().horizontal() * Quake3Motion.SCALE > STILL;
        int legs =
                m.stance().has(Stance.Flag.IN_WATER)
                        ? Quake3Motion.LEGS_SWIM
                        : !ground
                                ? Quake3Motion.LEGS_JUMP
                                : crouched
                                        ? moves ? LEGS_WALKCR : LEGS_IDLECR
                                        : moves ? LEGS_RUN : LEGS_IDLE;
        return EntityState.builder()
                .set(EntityField.E_TYPE, 1)
                .set(EntityField.POS_TR_TYPE, 1)
                .real(EntityField.POS_TR_BASE_0, (int) origin.x())
                .real(EntityField.POS_TR_BASE_1, (int) origin.y())
                .real(EntityField.POS_TR_BASE_2, (int) origin.z())
                .real(EntityField.POS_TR_DELTA_0, m.velocity().x() * Quake3Motion.SCALE)
                .real(EntityField.POS_TR_DELTA_1, m.velocity().y() * Quake3Motion.SCALE)
                .real(EntityField.POS_TR_DELTA_2, m.velocity().z() * Quake3Motion.SCALE)
                .set(EntityField.APOS_TR_TYPE, 1)
                .real(EntityField.APOS_TR_BASE_0, (int) -m.pitch())
                .real(EntityField.APOS_TR_BASE_1, (int) Angles.signed(m.yaw()))
                .real(EntityField.ANGLES2_1, direction(m))
                .set(EntityField.LEGS_ANIM, legs)
                .set(EntityField.TORSO_ANIM, TORSO_STAND2)
                .set(EntityField.WEAPON, Body.GAUNTLET)
                .set(EntityField.GROUND_ENTITY_NUM, ground ? EntityState.WORLD : EntityState.NONE);
    }

    private static int direction(Movement m) {
        if (m.velocity().horizontal() < 0.1) {
            return 0;
        }
        double heading = Angles.yaw(m.velocity().x(), m.velocity().y());
        return (int) Math.round(Angles.turn(heading - m.yaw()) / 45) % 8;
    }
}
