package dev.wishdir.game;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A weapon as the player of a headless client knows it. Metres, metres a second.
 *
 * @param name as its game calls it
 * @param damage of a shot that hits, of 100 of a whole life
 * @param seconds from one shot to the next
 * @param minMetres nearer than this it hurts its own player
 * @param maxMetres farther than this it does not reach
 * @param spread how far a shot strays for each metre of its way
 * @param missile how its missile flies; {@link Missile#NONE} if it hits at once
 */
public record BotWeapon(
        String name,
        double damage,
        double seconds,
        double minMetres,
        double maxMetres,
        double spread,
        Missile missile) {
    /**
     * The flight of a missile.
     *
     * @param speed in the direction of the view; 0 for none
     * @param rise of its start, added to that
     * @param gravity metres a second squared
     * @param splashMetres how near to a body it must explode to hurt it; 0 if it must hit
     * @param delay from what its player sees until it flies, seconds: of the network and of the
     *     server's frames; 0 where the client decides what it hits
     */
    public record Missile(
            double speed, double rise, double gravity, double splashMetres, double delay) {
        /** A shot that hits at once. */
        public static final Missile NONE = new Missile(0, 0, 0, 0, 0);

        /** A missile that flies straight, and does not explode. */
        public static Missile bolt(double speed, double delay) {
            return new Missile(speed, 0, 0, 0, delay);
        }

        /** A missile that flies straight, and explodes. */
        public static Missile rocket(double speed, double splashMetres, double delay) {
            return new Missile(speed, 0, 0, splashMetres, delay);
        }

        private boolean isNone() {
            return speed == 0;
        }
    }

    /** Half the width of a body. */
    private static final double BODY_METRES = 0.4;

    /** Height above the feet at which a body is hit. */
    private static final double CHEST_METRES = 1;

    /** Average error of a hand that does not wait, for each metre of the way. */
    private static final double HAND_ERROR = 0.03;

    /** A body is this far from where it was expected for each second of a flight. */
    private static final double DODGE_SPEED = 2.5;

    /** The part of the splash that hurts enough to count. */
    private static final double SPLASH_SHARE = 0.5;

    /** Another weapon must be better by this, as the change takes time. */
    private static final double CHANGE_FACTOR = 1.3;

    /** The flight time of a missile follows from where its victim will be, and the other way. */
    private static final int LEAD_STEPS = 3;

    /** The most that a victim is led: it turns before. */
    private static final double MAX_LEAD_SECONDS = 1;

    /** A missile without ground below its victim must hit the body itself. */
    private static final double FLOOR_METRES = 0.1;

    /** A weapon whose shots hit at once. */
    public static BotWeapon instant(
            String name, double damage, double seconds, double maxMetres, double spread) {
        return new BotWeapon(name, damage, seconds, 0, maxMetres, spread, Missile.NONE);
    }

    /** A weapon with missiles, which is used from as far as their splash reaches. */
    public static BotWeapon launcher(
            String name, double damage, double seconds, double maxMetres, Missile missile) {
        return new BotWeapon(name, damage, seconds, missile.splashMetres, maxMetres, 0, missile);
    }

    /**
     * The damage a second that it is expected to do to a body that moves; 0 where it does not
     * reach, or hurts its own player.
     *
     * @param distance to the body
     */
    public double value(double distance) {
        if (distance < minMetres || distance > maxMetres) {
            return 0;
        }
        double flight = missile.isNone() ? 0 : distance / missile.speed;
        double stray = (spread + HAND_ERROR * errorFactor()) * distance + DODGE_SPEED * flight;
        double width = BODY_METRES + SPLASH_SHARE * missile.splashMetres;
        return damage / seconds * Math.min(1, width / Math.max(width, stray));
    }

    /** Factor of the error of a hand: there is time to aim between two shots. */
    public double errorFactor() {
        return 1 / (1 + seconds);
    }

    /**
     * The best weapon for a distance: the one that is expected to do the most damage. The one in
     * hand is kept until another is clearly better.
     *
     * @param weapons with ammunition
     * @param inHand its name, empty for none
     */
    public static Optional<BotWeapon> best(
            List<BotWeapon> weapons, String inHand, double distance) {
        return weapons.stream()
                .filter(weapon -> weapon.value(distance) > 0)
                .max(
                        Comparator.comparingDouble(weapon ->
                                weapon.value(distance)
                                        * (weapon.name.equals(inHand) ? CHANGE_FACTOR : 1)));
    }

    /**
     * Point to aim at for a body: where it will be when a missile is there, above it as far as the
     * missile sinks, and at its feet if the missile explodes on the ground.
     *
     * @param eye of the shooter
     * @param victim that moves on as it does
     */
    public Vec3 aim(Vec3 eye, Movement victim) {
        Vec3 feet = victim.position();
        boolean onGround = victim.stance().onGround();
        boolean atFloor = missile.splashMetres > 0 && onGround && eye.z() > feet.z() + CHEST_METRES;
        Vec3 middle = feet.plus(new Vec3(0, 0, atFloor ? FLOOR_METRES : CHEST_METRES));
        if (missile.isNone()) {
            return middle;
        }
        Vec3 velocity =
                onGround
                        ? new Vec3(victim.velocity().x(), victim.velocity().y(), 0)
                        : victim.velocity().times(0.5);
        Vec3 at = middle;
        for (int i = 0; i < LEAD_STEPS; i++) {
            double flight = at.distance(eye) / missile.speed;
            at = middle.plus(velocity.times(Math.min(missile.delay + flight, MAX_LEAD_SECONDS)));
        }
        return aim(eye, at);
    }

    /**
     * Point to aim at for a place: above it as far as a missile sinks.
     *
     * @param eye of the shooter
     */
    public Vec3 aim(Vec3 eye, Vec3 at) {
        if (missile.isNone()) {
            return at;
        }
        double flight = at.distance(eye) / missile.speed;
        double sunk = missile.gravity * flight * flight / 2 - missile.rise * flight;
        return at.plus(new Vec3(0, 0, sunk));
    }
}
