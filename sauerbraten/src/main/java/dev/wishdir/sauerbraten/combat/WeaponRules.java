package dev.wishdir.sauerbraten.combat;

import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.message.ActionMessage.Hit;
import dev.wishdir.sauerbraten.message.Heading;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Rules by which hits of a shot or an explosion count, and their damage, as in the original server.
 */
public final class WeaponRules {
    /** The length of a direction on the wire. */
    private static final double DIRECTION = 100;

    /** Receives hits that count. */
    @FunctionalInterface
    public interface Sink {
        /**
         * @param damage before armour
         */
        void onHit(Hit hit, int damage);
    }

    private WeaponRules() {}

    /**
     * The hits of a gun without a projectile. Each is passed on before the next is looked at, as it
     * may kill its target.
     *
     * @param factor of the damage
     * @param living whether the target is known, alive, and in the life that the hit names
     * @return the rays that the hits claim, which may be more than the gun has
     */
    public static long rayHits(
            Weapon gun, int factor, List<Hit> hits, Predicate<Hit> living, Sink sink) {
        long rays = 0;
        for (Hit hit : hits) {
            if (hit.rays() < 1 || hit.dist() > (gun.range + 1) * 16 || !living.test(hit)) {
                continue;
            }
            rays += hit.rays();
            if (rays <= gun.rays) {
                sink.onHit(hit, hit.rays() * gun.damage * factor);
            }
        }
        return rays;
    }

    /**
     * The hits of an explosion.
     *
     * @param self the number of the player whose projectile it was
     * @param living as in {@link #rayHits}
     */
    public static void blastHits(
            Weapon gun, int factor, int self, List<Hit> hits, Predicate<Hit> living, Sink sink) {
        Set<Integer> targets = new HashSet<>();
        for (Hit hit : hits) {
            if (hit.dist() >= 0
                    && hit.dist() <= gun.radius() * 16
                    && living.test(hit)
                    && targets.add(hit.target())) {
                sink.onHit(hit, gun.blastDamage(factor, hit.dist(), hit.target() == self));
            }
        }
    }

    /** A direction with the length that the server sends; all zero stays so. */
    public static Heading direction(Heading claimed) {
        double x = claimed.x();
        double y = claimed.y();
        double z = claimed.z();
        double length = Math.sqrt(x * x + y * y + z * z);
        return length == 0
                ? Heading.BLANK
                : new Heading(
                        (int) (x / length * DIRECTION),
                        (int) (y / length * DIRECTION),
                        (int) (z / length * DIRECTION));
    }

    /** The canonical velocity that a hit gives its victim, metres a second. */
    public static Vec3 knockback(Weapon gun, int damage, Heading direction) {
        double speed = gun.push * damage / 100.0 / DIRECTION;
        return SauerbratenMotion.velocity(
                new Vec3(direction.x(), direction.y(), direction.z()).times(speed));
    }
}
