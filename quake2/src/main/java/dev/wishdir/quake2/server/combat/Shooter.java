package dev.wishdir.quake2.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.QuadDamage;
import dev.wishdir.quake2.combat.ViewAxes;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.movement.PlayerHulls;
import dev.wishdir.quake2.movement.Quake2Motion;

import java.util.concurrent.TimeUnit;

/**
 * A player that shoots.
 *
 * @param entity its number
 * @param side on which it holds the gun: 1 right, -1 left, 0 centre
 */
public record Shooter(ArenaPlayer player, int entity, PlayerState state, int side) {
    private static final double MUZZLE_BELOW_EYE = 8;

    /** Age of what its client shows now: a round trip. */
    long rewindNanos() {
        return TimeUnit.MILLISECONDS.toNanos(player.snapshot().ping());
    }

    /** Factor of the damage and the kick of its shots. */
    int factor(long now) {
        return player.combatant().quadLeft(now) > 0 ? QuadDamage.FACTOR : 1;
    }

    PlayerId id() {
        return player.id();
    }

    Vec3 origin() {
        return new Vec3(state.origin().x(), state.origin().y(), state.origin().z()).times(1 / 8.0);
    }

    ViewAxes axes(double pitch, double yaw) {
        return ViewAxes.of(
                Quake2Motion.degrees16(state.viewAngles().x()) + pitch,
                Quake2Motion.degrees16(state.viewAngles().y()) + yaw);
    }

    ViewAxes axes() {
        return axes(0, 0);
    }

    /** Start of a shot; the last distance is straight up, whatever the view. */
    Vec3 muzzle(double ahead, double aside, double above) {
        ViewAxes axes = axes();
        double eye = PlayerHulls.isDucked(state) ? Quake2Motion.DUCKED_EYE : Quake2Motion.EYE;
        return origin().plus(axes.of(ahead, aside * side, 0))
                .plus(new Vec3(0, 0, eye - MUZZLE_BELOW_EYE + above));
    }
}
