package dev.wishdir.sauerbraten.server.view;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.message.Heading;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;

/** The messages of fights, made from the events of the arena. */
public final class CombatMessages {
    private static final double DIRECTION = 100;

    /** Blue armour absorbs a quarter, each better kind a quarter more. */
    private static final double ABSORPTION = 0.25;

    private CombatMessages() {}

    /** {@code N_DAMAGE}. */
    public static LifeMessage.Damage damage(int target, int actor, ArenaEvent.Hit hit) {
        return new LifeMessage.Damage(
                target,
                actor,
                (int) Math.round(hit.damage()),
                armour(hit.vitals()),
                health(hit.vitals()));
    }

    /** Health as clients have it: above 0 exactly if the body lives. */
    static int health(Vitals vitals) {
        double health = vitals.health();
        return (int) (health > 0 ? Math.ceil(health) : Math.floor(health));
    }

    private static int armour(Vitals vitals) {
        return (int) Math.ceil(vitals.armour());
    }

    /** Whether a hit pushes its victim: the blast of a player's own projectile did so already. */
    public static boolean pushes(ArenaEvent.Hit hit) {
        return !hit.attacker().id().equals(hit.id()) && hit.knockback().length() > 0;
    }

    /**
     * {@code N_HITPUSH}. Clients multiply a direction by the gun's push and the damage; a push that
     * is none of this game's guns is sent as one of the fist with damage 1.
     */
    public static LifeMessage.HitPush push(int target, ArenaEvent.Hit hit) {
        Weapon gun = Weapon.of(hit.means());
        int damage = (int) Math.round(hit.damage());
        Vec3 units = SauerbratenMotion.units(hit.knockback());
        if (hit.attacker().game().equals(SauerbratenCodec.GAME) && damage > 0) {
            Vec3 direction = units.times(DIRECTION * 100 / gun.push / damage);
            if (direction.length() <= DIRECTION + 1) {
                return new LifeMessage.HitPush(target, gun.number(), damage, heading(direction));
            }
        }
        return new LifeMessage.HitPush(
                target,
                Weapon.FIST.number(),
                1,
                heading(units.times(DIRECTION * 100 / Weapon.FIST.push)));
    }

    private static Heading heading(Vec3 v) {
        return new Heading(
                (int) Math.round(v.x()), (int) Math.round(v.y()), (int) Math.round(v.z()));
    }

    /** Health and armour of a body as the arena keeps them. */
    public static Vitals vitals(State body) {
        return new Vitals(
                body.health(),
                body.armour(),
                ABSORPTION * (Math.clamp(body.armourtype(), 0, 2) + 1));
    }

    /** Part of a damage that armour takes, a whole number. */
    public static double absorbed(double damage, Vitals vitals) {
        return Math.floor(damage * vitals.absorption());
    }

    /** A body with health and armour as the arena keeps them. */
    public static State with(State body, Vitals vitals) {
        return new State(
                body.lifeseq(),
                health(vitals),
                body.maxhealth(),
                armour(vitals),
                body.armourtype(),
                body.gun(),
                body.ammo());
    }
}
