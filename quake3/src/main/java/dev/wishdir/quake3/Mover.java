package dev.wishdir.quake3;

import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.world.Box;
import dev.wishdir.world.BrushWorld;
import dev.wishdir.world.PlacedModel;
import dev.wishdir.world.Vec3f;

/** A part of the level that clients are told of on its own: it may move, and stops players. */
class Mover {
    /** The {@code solid} of what is an inline model. */
    static final int SOLID_BMODEL = 0xFFFFFF;

    private static final int ET_MOVER = 4;

    private final int number;
    private final int model;
    private final BrushWorld solids;
    private final Box bounds;
    private final Vec3f told;
    private Trajectory pos;
    private Trajectory apos;
    private PlacedModel placed;
    private EntityState state = EntityState.ZERO;

    /**
     * @param number of the entity
     * @param model of the map
     * @param level it is of
     * @param told what clients are told as its origin, which does not move
     */
    Mover(int number, int model, Level level, Vec3f told, Trajectory pos, Trajectory apos) {
        this.number = number;
        this.model = model;
        this.told = told;
        solids = level.map().solids(model);
        bounds = level.map().models().get(model).bounds();
        this.pos = pos;
        this.apos = apos;
        placed = new PlacedModel(number, solids, pos.at(0), apos.at(0));
        go(pos, apos);
    }

    int number() {
        return number;
    }

    Trajectory pos() {
        return pos;
    }

    Trajectory apos() {
        return apos;
    }

    /** Its model where it is now. */
    PlacedModel placed() {
        return placed;
    }

    /** A box around its model at the model's own origin. */
    Box bounds() {
        return bounds;
    }

    /** Puts it elsewhere. */
    void place(Vec3f origin, Vec3f angles) {
        placed = new PlacedModel(number, solids, origin, angles);
    }

    /** Goes another way from now on. */
    void go(Trajectory way, Trajectory turning) {
        pos = way;
        apos = turning;
        state =
                EntityState.builder()
                        .set(EntityField.E_TYPE, ET_MOVER)
                        .set(EntityField.SOLID, SOLID_BMODEL)
                        .set(EntityField.MODELINDEX, model)
                        .real(EntityField.ORIGIN_0, told.x())
                        .real(EntityField.ORIGIN_1, told.y())
                        .real(EntityField.ORIGIN_2, told.z())
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

    /** What clients are told. */
    EntityState state() {
        return state;
    }
}
