package dev.wishdir.arena.match;

import dev.wishdir.arena.combat.BodyBox;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.combat.HitGeometry;
import dev.wishdir.arena.combat.MissileRules;
import dev.wishdir.arena.combat.ShotTrace;
import dev.wishdir.arena.combat.ShotTrace.BodyHit;
import dev.wishdir.arena.combat.SplashLaw;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Search for the bodies that one player's shots, explosions and missiles reach. */
final class TargetSearch {
    private final Fighter shooter;
    private final Fighter.Referee referee;

    TargetSearch(Fighter shooter, Fighter.Referee referee) {
        this.shooter = shooter;
        this.referee = referee;
    }

    ShotTrace trace(long now, Combatant.Ray ray, BodyBox body, long rewindNanos) {
        double free = HitGeometry.free(ray.space(), ray.from(), ray.to());
        Vec3 way = ray.to().minus(ray.from());
        Vec3 end = free >= 1 ? ray.to() : ray.from().plus(way.times(free));
        long at = now - Math.clamp(rewindNanos, 0, referee.rules().rewind().toNanos());
        List<BodyHit> bodies = new ArrayList<>();
        forEachTarget(
                false,
                target -> {
                    BodyBox.Placed box = target.box(body, at);
                    double part = box.entry(ray.from(), end);
                    if (part <= 1) {
                        Vec3 place = ray.from().plus(end.minus(ray.from()).times(part));
                        bodies.add(new BodyHit(target.player.id, place, part, box));
                    }
                });
        bodies.sort(Comparator.comparingDouble(BodyHit::part));
        return new ShotTrace(bodies, end, free < 1);
    }

    List<SplashLaw.Reached> splash(Vec3 place, double radius, BodyBox body, SplashLaw law) {
        List<SplashLaw.Reached> reached = new ArrayList<>();
        forEachTarget(
                true,
                target -> {
                    BodyBox.Placed box = target.box(body);
                    double distance = law.distance(place, box);
                    if (distance < radius && law.isSeen(place, box)) {
                        reached.add(new SplashLaw.Reached(target.player.id, box, distance));
                    }
                });
        return reached;
    }

    /** The first body on the way of a missile, where the bodies are now. */
    Optional<BodyHit> firstOnWay(Vec3 from, Vec3 to, MissileRules rules, boolean owner) {
        List<BodyHit> first = new ArrayList<>(1);
        forEachTarget(
                owner,
                target -> {
                    BodyBox.Placed box = target.box(rules.bodies()).grown(rules.margin());
                    double part = box.entry(from, to);
                    if (part <= 1 && (first.isEmpty() || part < first.getFirst().part())) {
                        Vec3 place = from.plus(to.minus(from).times(part));
                        first.clear();
                        first.add(new BodyHit(target.player.id, place, part, box));
                    }
                });
        return first.stream().findFirst();
    }

    /** Calls with each fighter that this one can hit now. */
    private void forEachTarget(boolean itself, Consumer<Fighter> action) {
        if (shooter.subscriber == null || !shooter.player.isHere() || !referee.isFighting()) {
            return;
        }
        if (itself && shooter.canBeHitBy(shooter)) {
            action.accept(shooter);
        }
        shooter.subscriber.interestSet.forEach(other -> {
            Fighter fighter = referee.fighter(other.id);
            if (fighter != null && fighter.canBeHitBy(shooter)) {
                action.accept(fighter);
            }
        });
    }
}
