package dev.wishdir.quake3.entity;

import dev.wishdir.idtech.Axes;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.idtech.PlacedModel;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.movement.PlayerBody;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Moves a team of movers with the players on it or in its way, or none of them. */
final class Pusher {
    private final BrushWorld world;
    private final List<Mover> movers;
    private final Iterable<PlayerBody> bodies;
    private final Map<PlayerBody, Vec3f> before = new HashMap<>();
    private final Map<PlayerBody, Float> turns = new HashMap<>();

    /**
     * @param world the static solids
     * @param movers all movers of the level
     */
    Pusher(BrushWorld world, List<Mover> movers, Iterable<PlayerBody> bodies) {
        this.world = world;
        this.movers = movers;
        this.bodies = bodies;
    }

    /**
     * Moves a team to its positions at a time.
     *
     * @return false if a player blocks the way: then no mover and no player has moved
     */
    boolean move(List<Mover> team, int now) {
        List<PlacedModel> old = new ArrayList<>(team.size());
        for (Mover mover : team) {
            PlacedModel from = mover.placed();
            PlacedModel to = mover.placed(now);
            old.add(from);
            if (!from.equals(to)) {
                mover.place(to);
                if (!push(from, to)) {
                    for (int i = 0; i < old.size(); i++) {
                        team.get(i).place(old.get(i));
                    }
                    before.forEach(PlayerBody::carry);
                    return false;
                }
            }
        }
        before.keySet().forEach(PlayerBody::markCarried);
        turns.forEach(PlayerBody::turn);
        return true;
    }

    private boolean push(PlacedModel from, PlacedModel to) {
        for (PlayerBody body : bodies) {
            boolean rides = body.standsOn(to.entity());
            if (body.spectates() || !rides && !body.touches(to)) {
                continue;
            }
            Vec3f origin = body.origin();
            body.carry(carried(origin, from, to));
            if (fits(body)) {
                before.putIfAbsent(body, origin);
                if (rides) {
                    turns.merge(body, to.angles().y() - from.angles().y(), Float::sum);
                } else {
                    body.leaveGround();
                }
                continue;
            }
            body.carry(origin);
            if (!fits(body)) {
                return false;
            }
            body.leaveGround();
        }
        return true;
    }

    /** The position of a point that moves and rotates with a model. */
    private static Vec3f carried(Vec3f point, PlacedModel from, PlacedModel to) {
        if (from.angles().equals(to.angles())) {
            return point.plus(to.origin().minus(from.origin()));
        }
        Vec3f own = Axes.of(from.angles()).toLocal(point.minus(from.origin()));
        return to.origin().plus(Axes.of(to.angles()).toWorld(own));
    }

    private boolean fits(PlayerBody body) {
        return body.fits(world.with(List.of(), movers.stream().map(Mover::placed).toList()));
    }
}
