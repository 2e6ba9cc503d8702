package dev.wishdir.quake2.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.BodyBox;
import dev.wishdir.arena.combat.MissileMotion;
import dev.wishdir.arena.combat.SplashLaw;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.MeansOfDeath;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.server.view.RunningLevel;

import java.util.Optional;

/** Blasts: which bodies they reach, and what clients see of them. */
final class BlastHandler {
    /** Distances to the centres of bodies, whatever is between. */
    static final SplashLaw DISTANCE =
            new SplashLaw() {
                @Override
                public double distance(Vec3 explosion, BodyBox.Placed box) {
                    return explosion.distance(box.centre());
                }

                @Override
                public boolean isSeen(Vec3 explosion, BodyBox.Placed box) {
                    return true;
                }
            };

    /** The knock-back of a player's own blast, by that of others. */
    private static final double OWN_KNOCKBACK = 3.2;

    /** An explosion is shown so long before the impact, seconds. */
    private static final double BACK_SECONDS = 0.02;

    private final RunningLevel level;
    private final EffectSink effects;
    private final HitHandler hits;

    BlastHandler(RunningLevel level, EffectSink effects, HitHandler hits) {
        this.level = level;
        this.effects = effects;
        this.hits = hits;
    }

    /**
     * A blast.
     *
     * @param damage at its centre; each unit of distance takes half a point
     * @param radius units
     */
    record Blast(double damage, double radius, MeansOfDeath means) {
        Blast by(MeansOfDeath other) {
            return new Blast(damage, radius, other);
        }

        private double points(double factor, SplashLaw.Reached reached) {
            return factor * damage - reached.distance() * ShotSpace.SCALE / 2;
        }
    }

    /**
     * Hurts and pushes the bodies in reach; those of its own player by half.
     *
     * @param place metres
     * @param except a body that was hit directly
     * @param factor of the damage, which the player had when it launched the missile
     */
    void blast(
            long now,
            ArenaPlayer player,
            Vec3 place,
            Optional<PlayerId> except,
            Blast blast,
            int factor) {
        for (SplashLaw.Reached reached :
                player.combatant()
                        .splash(
                                now,
                                place,
                                blast.radius / ShotSpace.SCALE,
                                ShotSpace.BODY,
                                level.shotSpace())) {
            boolean own = reached.victim().equals(player.id());
            double points = blast.points(factor, reached);
            double damage = Math.floor(own ? points / 2 : points);
            if (damage > 0 && !except.filter(reached.victim()::equals).isPresent()) {
                hit(now, player, place, reached, blast.means, damage, own ? OWN_KNOCKBACK : 1);
            }
        }
    }

    /** Hurts the body that a missile touches by the distance from its centre. */
    void touch(long now, ArenaPlayer player, Vec3 place, PlayerId victim, Blast blast, int factor) {
        player
                .combatant()
                .splash(now, place, blast.radius / ShotSpace.SCALE, ShotSpace.BODY, DISTANCE)
                .stream()
                .filter(reached -> reached.victim().equals(victim))
                .forEach(reached -> {
                    double damage = Math.floor(blast.points(factor, reached));
                    hit(now, player, place, reached, blast.means, damage, 1);
                });
    }

    private void hit(
            long now,
            ArenaPlayer player,
            Vec3 place,
            SplashLaw.Reached reached,
            MeansOfDeath means,
            double damage,
            double push) {
        Vec3 way = origin(reached.box()).minus(place);
        double length = way.length();
        Vec3 knockback =
                length == 0 ? Vec3.ZERO : ShotSpace.knockback(way.times(1 / length), damage * push);
        hits.hit(now, player, reached.victim(), means, damage, knockback, place);
    }

    /** The origin of a body, metres. */
    static Vec3 origin(BodyBox.Placed box) {
        return box.feet().plus(new Vec3(0, 0, Quake2Motion.FEET / ShotSpace.SCALE));
    }

    /**
     * Shows the explosion of a rocket or a grenade.
     *
     * @param near a player: those that see it are shown the explosion
     * @param lies whether it is on the ground
     */
    void show(PlayerId near, MissileMotion.State at, boolean lies) {
        Vec3 place = at.place().times(ShotSpace.SCALE);
        boolean isWet = level.shotSpace().isLiquid(place);
        int type =
                lies
                        ? isWet ? TempEntity.GRENADE_EXPLOSION_WATER : TempEntity.GRENADE_EXPLOSION
                        : isWet ? TempEntity.ROCKET_EXPLOSION_WATER : TempEntity.ROCKET_EXPLOSION;
        Vec3 back = at.velocity().times(BACK_SECONDS * ShotSpace.SCALE);
        effects.send(near, TempEntity.at(type, ShotSpace.eighths(place.minus(back))));
    }
}
