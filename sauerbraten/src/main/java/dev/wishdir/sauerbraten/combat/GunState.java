package dev.wishdir.sauerbraten.combat;

import dev.wishdir.arena.combat.PlaceClaims;
import dev.wishdir.arena.validation.ShotClock;
import dev.wishdir.sauerbraten.message.ActionMessage;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** The guns of one player: rate of fire, projectiles in flight, quad damage. */
public final class GunState {
    /** The projectiles that the game's server remembers of one player. */
    private static final int MAX_PROJECTILES = 8;

    private static final long QUAD_NANOS = 20_000_000_000L;
    private static final long MAX_QUAD_NANOS = 30_000_000_000L;
    private static final long NO_QUAD = Long.MIN_VALUE / 2;

    /** Reason for which a shot has no effect. */
    public enum Refusal {
        /** The player is dead, spectates or edits. */
        NO_LIFE,
        /** The gun is not one of a player. */
        NO_GUN,
        NO_AMMO,
        /** It ends farther away than the gun reaches, or where it began. */
        RANGE,
        /** The gun that fired last is not ready, by the client's own clock. */
        TOO_EARLY,
        /** More shots than time has passed for. */
        AHEAD
    }

    /**
     * A projectile in flight.
     *
     * @param origin the claim that its shot began at its player
     */
    public record Projectile(Weapon gun, ActionMessage.Shoot shot, PlaceClaims.Claim origin) {}

    private final LifeState life;
    private ShotClock clock = new ShotClock();
    private final Deque<Projectile> projectiles = new ArrayDeque<>();
    private long quadUntil = NO_QUAD;

    public GunState(LifeState life) {
        this.life = life;
    }

    /** A life begins: projectiles of the last one are still in flight. */
    public void reset() {
        clock.reset();
        quadUntil = NO_QUAD;
    }

    /** Another map is played, and the client's clock starts again. */
    public void clear() {
        reset();
        clock = new ShotClock();
        projectiles.clear();
    }

    /** The distance of a shot, units. */
    public static double length(ActionMessage.Shoot shot) {
        double x = (double) shot.to().x() - shot.from().x();
        double y = (double) shot.to().y() - shot.from().y();
        double z = (double) shot.to().z() - shot.from().z();
        return Math.sqrt(x * x + y * y + z * z) / 16;
    }

    /**
     * Fires, if the rules of the game allow it: takes the ammunition and begins the gun's delay.
     *
     * @return null if it fired
     */
    public @Nullable Refusal fire(long now, ActionMessage.Shoot shot) {
        if (!life.mayShoot(now)) {
            return Refusal.NO_LIFE;
        }
        Weapon gun = Weapon.of(shot.gun()).orElse(null);
        if (gun == null) {
            return Refusal.NO_GUN;
        }
        if (gun != Weapon.FIST && life.ammo(gun) <= 0) {
            return Refusal.NO_AMMO;
        }
        double length = length(shot);
        if (length > gun.range + 1 || length == 0) {
            return Refusal.RANGE;
        }
        switch (clock.fire(now, shot.id(), gun.delayMillis)) {
            case TOO_EARLY -> {
                return Refusal.TOO_EARLY;
            }
            case AHEAD -> {
                return Refusal.AHEAD;
            }
            case GRANTED -> {}
        }
        if (gun != Weapon.FIST) {
            life.setAmmo(gun, life.ammo(gun) - 1);
        }
        return null;
    }

    /** Time for which the network held up a shot longer than others, by the client's own clock. */
    public long heldUpNanos(long now, ActionMessage.Shoot shot) {
        return clock.heldUpNanos(now, shot.id());
    }

    /** Milliseconds since the last shot by the client's own clock. */
    public long waited(ActionMessage.Shoot shot) {
        return clock.waited(shot.id());
    }

    /** Milliseconds that a shot must wait after the last one. */
    public long delayMillis() {
        return clock.delayMillis();
    }

    /** A shot has sent a projectile on its way. */
    public void launch(Projectile projectile) {
        if (projectiles.size() >= MAX_PROJECTILES) {
            projectiles.clear();
        }
        projectiles.add(projectile);
    }

    /** Takes the projectile that explodes; null if the player has none such in flight. */
    public @Nullable Projectile explode(ActionMessage.Explode explosion) {
        for (Iterator<Projectile> all = projectiles.iterator(); all.hasNext(); ) {
            Projectile projectile = all.next();
            if (projectile.shot().id() == explosion.id()
                    && projectile.gun().number() == explosion.gun()) {
                all.remove();
                return projectile;
            }
        }
        return null;
    }

    /** Whether an explosion is not more ahead of the server's clock than the network explains. */
    public boolean isInTime(long now, ActionMessage.Explode explosion) {
        return clock.time(now, explosion.millis()) == ShotClock.Answer.GRANTED;
    }

    /** Factor of damage. */
    public int factor(long now) {
        return now < quadUntil ? Weapon.QUAD_FACTOR : 1;
    }

    /** Whether quad damage can still be prolonged. */
    public boolean wantsQuad(long now) {
        return quadUntil < now + MAX_QUAD_NANOS;
    }

    /** End of quad damage. */
    public long quadUntil() {
        return quadUntil;
    }

    public void addQuad(long now) {
        quadUntil = Math.min(Math.max(now, quadUntil) + QUAD_NANOS, now + MAX_QUAD_NANOS);
    }
}
