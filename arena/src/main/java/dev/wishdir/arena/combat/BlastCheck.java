package dev.wishdir.arena.combat;

import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

import java.util.stream.LongStream;

/** The check of one claimed hit of an explosion, at one place after the other. Metres. */
public final class BlastCheck {
    /** Lines of sight that are traced for one hit at most: most are clear at once. */
    private static final int MAX_SIGHTS = 192;

    /** Number of positions of the victim's path that are tried from each place. */
    private static final int SIGHTS_PER_PLACE = 4;

    private final long since;
    private final long span;
    private final PathHistory way;
    private final BodyDimensions body;
    private final double distance;
    private final CollisionSpace space;
    private double away = Double.MAX_VALUE;
    private double allowed;
    private int sights;

    /**
     * @param since how far back the victim is looked for
     * @param way of the victim, not empty
     * @param distance from the explosion to the victim as claimed
     */
    public BlastCheck(
            long since,
            long now,
            PathHistory way,
            BodyDimensions body,
            double distance,
            CollisionSpace space) {
        this.since = since;
        span = now - since;
        this.way = way;
        this.body = body;
        this.distance = distance;
        this.space = space;
    }

    /** Whether an explosion at a place reaches the victim. */
    public boolean isHit(Combatant.Blast blast) {
        Vec3 place = blast.place();
        double most = distance + blast.allowance() + Combatant.HIT_ALLOWANCE_METRES;
        double off = way.least(since, feet -> HitGeometry.distance(place, feet, body));
        if (off - most < away - allowed) {
            away = off;
            allowed = most;
        }
        return off <= most
                && LongStream.rangeClosed(0, SIGHTS_PER_PLACE - 1)
                        .mapToObj(i -> way.at(since + span / SIGHTS_PER_PLACE * (i + 1)))
                        .anyMatch(feet ->
                                sights++ < MAX_SIGHTS
                                        && HitGeometry.isSeen(
                                                space,
                                                place,
                                                feet,
                                                body,
                                                Combatant.HIT_ALLOWANCE_METRES));
    }

    /** Violation, if no place was a hit. */
    public ShotViolation violation() {
        return away > allowed
                ? new ShotViolation(
                        ViolationRule.HIT_DISTANCE, away, allowed, Combatant.HIT_ALLOWANCE_METRES)
                : new ShotViolation(ViolationRule.SHOT_THROUGH_SOLID, away, 0, 0);
    }
}
