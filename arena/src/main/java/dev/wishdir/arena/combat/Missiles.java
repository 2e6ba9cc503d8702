package dev.wishdir.arena.combat;

import dev.wishdir.arena.combat.ShotTrace.BodyHit;
import dev.wishdir.arena.combat.WallTrace.WallHit;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * All missiles of an arena, in the order of their launch. A step costs one trace of the level and
 * one test of each body that the owner is shown.
 */
public final class Missiles {
    /** Missiles of all players at once. */
    static final int MAX_MISSILES = 2_048;

    /** Missiles of one player at once. */
    static final int MAX_MISSILES_PER_PLAYER = 64;

    /** A missile that is later than this, as the server stood still, does not catch up. */
    private static final long MAX_LATE_NANOS = 500_000_000;

    private static final long NEVER = Long.MAX_VALUE;

    /** The bodies that a missile of one owner can meet. */
    @FunctionalInterface
    public interface Bodies {
        /**
         * The first body on a straight line.
         *
         * @param owner whether the owner's own body counts
         */
        Optional<BodyHit> first(Vec3 from, Vec3 to, MissileRules rules, boolean owner);
    }

    private final List<FlyingMissile> all = new ArrayList<>();
    private final Map<PlayerId, Integer> counts = new HashMap<>();
    private long launches;

    /** Launches a missile; empty if there are too many, or its numbers are not finite. */
    public Optional<Missile> launch(
            long now,
            PlayerId owner,
            MissileRules rules,
            Missile.Launch launch,
            Missile.Listener listener,
            Bodies bodies) {
        MissileMotion.State start = new MissileMotion.State(launch.place(), launch.velocity());
        if (all.size() >= MAX_MISSILES
                || counts.getOrDefault(owner, 0) >= MAX_MISSILES_PER_PLAYER
                || !start.isFinite()) {
            return Optional.empty();
        }
        FlyingMissile missile =
                new FlyingMissile(owner, rules, bodies, listener, now, launch, start);
        all.add(missile);
        counts.merge(owner, 1, Integer::sum);
        return Optional.of(missile);
    }

    /** All missiles, in the order of their launch; a view. */
    public List<Missile> all() {
        return Collections.unmodifiableList(all);
    }

    /** Removes all missiles: a round begins or ends. */
    public void clear(long now) {
        remove(now, List.copyOf(all));
    }

    private static void remove(long now, List<FlyingMissile> removed) {
        removed.forEach(FlyingMissile::remove);
        removed.forEach(missile -> missile.listener.onRemoved(now, missile));
    }

    /** Removes the missiles of one player. */
    public void clear(long now, PlayerId owner) {
        remove(now, all.stream().filter(missile -> missile.owner.equals(owner)).toList());
    }

    /**
     * Flies all missiles up to a time.
     *
     * @return when to call again
     */
    public long advance(long now) {
        if (all.isEmpty()) {
            return NEVER;
        }
        // In the order of time, as events are; what an impact launches flies from the next call on.
        PriorityQueue<FlyingMissile> due =
                new PriorityQueue<>(
                        Comparator.<FlyingMissile>comparingLong(missile -> missile.nextStep)
                                .thenComparingLong(missile -> missile.number));
        for (FlyingMissile missile : all) {
            missile.skipStandstill(now);
            if (missile.nextStep <= now) {
                due.add(missile);
            }
        }
        while (!due.isEmpty()) {
            FlyingMissile missile = due.remove();
            if (missile.there) {
                missile.step(missile.nextStep);
                missile.nextStep += missile.rules.stepNanos();
                if (missile.there && missile.nextStep <= now) {
                    due.add(missile);
                }
            }
        }
        long next = NEVER;
        for (FlyingMissile missile : all) {
            next = Math.min(next, missile.nextStep);
        }
        return next;
    }

    private final class FlyingMissile implements Missile {
        private final long number = launches++;
        private final PlayerId owner;
        private final DamageMeans means;
        private final MissileRules rules;
        private final Bodies bodies;
        private final Listener listener;
        private final long launched;
        private long timeOut;
        private MissileMotion.State state;

        /** The time of {@link #state}. */
        private long at;

        private long nextStep;
        private boolean there = true;

        /** Whether it lies still; one at the top of its way has no velocity either. */
        private boolean rests;

        FlyingMissile(
                PlayerId owner,
                MissileRules rules,
                Bodies bodies,
                Listener listener,
                long now,
                Launch launch,
                MissileMotion.State state) {
            this.owner = owner;
            means = launch.means();
            this.rules = rules;
            this.bodies = bodies;
            this.listener = listener;
            this.state = state;
            launched = now;
            timeOut = now + rules.lifetimeNanos();
            at = Math.min(now, Math.max(launch.sinceNanos(), now - MAX_LATE_NANOS));
            nextStep = Math.clamp(launch.firstStep(), now, now + rules.stepNanos());
        }

        @Override
        public PlayerId owner() {
            return owner;
        }

        @Override
        public DamageMeans means() {
            return means;
        }

        @Override
        public MissileMotion.State state() {
            return state;
        }

        @Override
        public boolean isThere() {
            return there;
        }

        @Override
        public void remove() {
            if (there) {
                there = false;
                all.remove(this);
                counts.merge(owner, -1, (count, one) -> count + one == 0 ? null : count + one);
            }
        }

        /** It flies on from where it was when the server stood still. */
        void skipStandstill(long now) {
            if (now - nextStep > MAX_LATE_NANOS) {
                long stood = now - nextStep;
                at += stood;
                timeOut += stood;
                nextStep = now;
            }
        }

        private void step(long time) {
            if (time >= timeOut) {
                remove();
                listener.onImpact(time, this, new Impact.TimeOut(state));
                return;
            }
            if (time > launched) {
                listener.onStep(time, this);
                if (!there) {
                    return;
                }
            }
            double seconds = (time - at) / 1e9;
            at = time;
            if (rests || seconds <= 0) {
                return;
            }
            MissileMotion.State before = state;
            MissileMotion.State after = rules.motion().after(before, seconds);
            if (!after.isFinite()) {
                remove();
                listener.onRemoved(time, this);
                return;
            }
            impact(time, before, after, seconds)
                    .ifPresentOrElse(impact -> meet(time, impact), () -> state = after);
        }

        private Optional<Impact> impact(
                long time, MissileMotion.State before, MissileMotion.State after, double seconds) {
            Vec3 from = before.place();
            Vec3 to = after.place();
            Optional<WallHit> wall = rules.walls().trace(from, to);
            double free = wall.map(WallHit::part).orElse(1.0);
            boolean own = time - launched > rules.ownerImmuneNanos();
            Optional<BodyHit> body =
                    bodies.first(from, to, rules, own).filter(hit -> hit.part() <= free);
            if (body.isPresent()) {
                return Optional.of(
                        new Impact.Body(
                                stopped(before, to, body.get().part(), seconds),
                                body.get().victim()));
            }
            return wall.map(hit -> new Impact.Wall(stopped(before, to, hit.part(), seconds), hit));
        }

        private MissileMotion.State stopped(
                MissileMotion.State before, Vec3 to, double part, double seconds) {
            Vec3 from = before.place();
            return new MissileMotion.State(
                    from.plus(to.minus(from).times(part)),
                    rules.motion().after(before, part * seconds).velocity());
        }

        private void meet(long time, Impact impact) {
            state = impact.state();
            Optional<MissileMotion.State> on = listener.onImpact(time, this, impact);
            if (on.isPresent() && on.get().isFinite()) {
                state = on.get();
                rests = state.velocity().equals(Vec3.ZERO);
            } else {
                remove();
            }
        }
    }
}
