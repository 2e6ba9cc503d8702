package dev.wishdir.quake3.entity;

import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;

import java.util.Arrays;

/** The places of a moving entity as a client computes them from its trajectory. */
public final class SentTrajectory {
    private SentTrajectory() {}

    /** The place of an entity at a time of the server's clock, milliseconds. */
    public static Vec3f at(EntityState state, int now) {
        return trajectory(state).at(now);
    }

    private static Trajectory trajectory(EntityState state) {
        Trajectory.Kind kind =
                Arrays.stream(Trajectory.Kind.values())
                        .filter(each -> each.number() == state.get(EntityField.POS_TR_TYPE))
                        .findFirst()
                        .orElseThrow();
        return new Trajectory(
                kind,
                state.get(EntityField.POS_TR_TIME),
                state.get(EntityField.POS_TR_DURATION),
                new Vec3f(
                        state.real(EntityField.POS_TR_BASE_0),
                        state.real(EntityField.POS_TR_BASE_1),
                        state.real(EntityField.POS_TR_BASE_2)),
                new Vec3f(
                        state.real(EntityField.POS_TR_DELTA_0),
                        state.real(EntityField.POS_TR_DELTA_1),
                        state.real(EntityField.POS_TR_DELTA_2)));
    }
}
