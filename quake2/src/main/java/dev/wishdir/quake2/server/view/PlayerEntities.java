package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.event.Player;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.PlayerHulls;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.Quake2Movement;

/**
 * The entity of a player of any game for this game's clients. See docs/protocols/quake2.md, 3.3.
 */
final class PlayerEntities {
    private static final double MIN_RUN_SPEED = 0.5;

    private PlayerEntities() {}

    /**
     * The entity of a player with a body. A player of this game is where its own game has it, exact
     * to the bit. That of a ghost is passable.
     *
     * @param frame of the game's ten a second, which selects the animation frame
     */
    static EntityState entity(Player player, int slot, int frame) {
        EntityState entity =
                Quake2Movement.in(player.nativeMovement())
                        .map(state -> entity(Quake2Motion.toCanonical(state), slot, frame))
                        .orElseGet(() -> entity(player.movement(), slot, frame));
        return player.isGhost() ? entity.passable() : entity;
    }

    /** The position and size of a player of any game as an obstacle for this game's bodies. */
    static PlayerState state(Player player) {
        return Quake2Movement.in(player.nativeMovement())
                .orElseGet(() -> Quake2Motion.toNative(player.movement()));
    }

    private static EntityState entity(Movement movement, int slot, int frame) {
        Triple origin = Quake2Motion.toNative(movement.position());
        return new EntityState(
                EntityState.PLAYER_MODEL,
                EntityState.PLAYER_MODEL,
                0,
                0,
                animation(movement, frame),
                slot,
                0,
                0,
                origin,
                new Triple(
                        Quake2Motion.angle8(-movement.pitch() / 3),
                        Quake2Motion.angle8(movement.yaw()),
                        0),
                origin,
                0,
                0,
                PlayerHulls.solid(movement.stance().crouched()));
    }

    private static int animation(Movement movement, int frame) {
        boolean runs = movement.velocity().horizontal() > MIN_RUN_SPEED;
        if (movement.stance().crouched()) {
            return runs ? 154 + frame % 6 : 135 + frame % 19;
        }
        if (!movement.stance().onGround()
                && !movement.stance().has(Flag.FLYING)
                && !movement.stance().has(Flag.IN_WATER)) {
            return 68;
        }
        return runs ? 40 + frame % 6 : frame % 40;
    }
}
