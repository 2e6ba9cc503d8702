package dev.wishdir.quake3.entity;

import dev.wishdir.idtech.Box;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.idtech.PlacedModel;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;

import java.util.List;

/** A solid part of the level that is sent as its own entity and may move. */
class Mover {
    /** The {@code solid} of an entity with an inline model. */
    static final int SOLID_BMODEL = 0xFFFFFF;

    private static final int ET_MOVER = 4;

    /** Units by which the game enlarges the bounds of a model on each side. */
    static final Vec3f SPREAD = new Vec3f(1, 1, 1);

    private final int number;
    private final int model;
    private final BrushWorld solids;
    private final Box bounds;
    private final Vec3f sentOrigin;
    private Trajectory pos;
    private Trajectory apos;
    private PlacedModel placed;
    private EntityState state = EntityState.ZERO;
    private List<Mover> team = List.of(this);

    /**
     * @param number of the entity
     * @param model of the map
     * @param map that contains the model
     * @param sentOrigin the {@code origin} that is sent to clients, which does not move
     */
    Mover(int number, int model, Quake3Map map, Vec3f sentOrigin, Trajectory pos, Trajectory apos) {
        this.number = number;
        this.model = model;
        this.sentOrigin = sentOrigin;
        solids = map.map().solids(model);
        Box drawn = map.map().models().get(model).bounds();
        bounds = new Box(drawn.mins().minus(SPREAD), drawn.maxs().plus(SPREAD));
        this.pos = pos;
        this.apos = apos;
        placed = new PlacedModel(number, solids, pos.at(0), apos.at(0));
        setTrajectories(pos, apos);
    }

    int number() {
        return number;
    }

    /** The movers that move together: all of them or none. */
    List<Mover> team() {
        return team;
    }

    /** Joins a team; its first member is the captain. */
    void join(List<Mover> team) {
        this.team = team;
    }

    Mover captain() {
        return team.getFirst();
    }

    boolean isCaptain() {
        return team.getFirst().equals(this);
    }

    /** Called before each move. */
    void think(int now) {}

    /** Called at the end of the way. */
    void onEndReached(int now) {}

    /** A player or another entity uses it. */
    void use(int now, PlayerBody activator) {}

    /** Called when a player stands in the way. */
    void onBlocked(int now) {}

    Trajectory pos() {
        return pos;
    }

    Trajectory apos() {
        return apos;
    }

    /** Whether it moves or rotates. */
    boolean isMoving() {
        return pos.kind() != Trajectory.Kind.STATIONARY
                || apos.kind() != Trajectory.Kind.STATIONARY;
    }

    /** The model at its present position. */
    PlacedModel placed() {
        return placed;
    }

    /** The bounds at the present position, if it is not rotated. */
    Box bounds() {
        return boundsAt(placed.origin());
    }

    /** The bounds at a position, if it is not rotated. */
    Box boundsAt(Vec3f at) {
        return new Box(bounds.mins().plus(at), bounds.maxs().plus(at));
    }

    /** The model at a time; the same object as {@link #placed()} if it does not move. */
    PlacedModel placed(int now) {
        Vec3f origin = pos.at(now);
        Vec3f angles = apos.at(now);
        return origin.equals(placed.origin()) && angles.equals(placed.angles())
                ? placed
                : new PlacedModel(number, solids, origin, angles);
    }

    /** Moves the model. */
    void place(PlacedModel there) {
        placed = there;
    }

    /** Sets the trajectories of position and angles. */
    void setTrajectories(Trajectory position, Trajectory angles) {
        pos = position;
        apos = angles;
        state =
                EntityState.builder()
                        .set(EntityField.E_TYPE, ET_MOVER)
                        .set(EntityField.SOLID, SOLID_BMODEL)
                        .set(EntityField.MODELINDEX, model)
                        .real(EntityField.ORIGIN_0, sentOrigin.x())
                        .real(EntityField.ORIGIN_1, sentOrigin.y())
                        .real(EntityField.ORIGIN_2, sentOrigin.z())
                        .set(EntityField.POS_TR_TYPE, pos.kind().number())
                        .set(EntityField.POS_TR_TIME, pos.time())
                        .set(EntityField.POS_TR_DURATION, pos.duration())
                        .real(EntityField.POS_TR_BASE_0, pos.base().x())
                        .real(EntityField.POS_TR_BASE_1, pos.base().y())
                        .real(EntityField.POS_TR_BASE_2, pos.base().z())
                        .real(EntityField.POS_TR_DELTA_0, pos.delta().x())
                        .real(EntityField.POS_TR_DELTA_1, pos.delta().y())
                        .real(EntityField.POS_TR_DELTA_2, pos.delta().z())
                        .set(EntityField.APOS_TR_TYPE, apos.kind().number())
                        .set(EntityField.APOS_TR_TIME, apos.time())
                        .set(EntityField.APOS_TR_DURATION, apos.duration())
                        .real(EntityField.APOS_TR_BASE_0, apos.base().x())
                        .real(EntityField.APOS_TR_BASE_1, apos.base().y())
                        .real(EntityField.APOS_TR_BASE_2, apos.base().z())
                        .real(EntityField.APOS_TR_DELTA_0, apos.delta().x())
                        .real(EntityField.APOS_TR_DELTA_1, apos.delta().y())
                        .real(EntityField.APOS_TR_DELTA_2, apos.delta().z())
                        .build();
    }

    /** The state that is sent to clients. */
    EntityState state() {
        return state;
    }
}
