package dev.wishdir.quake3.message;

/**
 * The fields of an entity in wire order: those that change most often come first. The same in
 * protocol 68, protocol 71 and OpenArena.
 */
public enum EntityField {
    POS_TR_TIME("pos.trTime", 32),
    POS_TR_BASE_0("pos.trBase[0]", 0),
    POS_TR_BASE_1("pos.trBase[1]", 0),
    POS_TR_DELTA_0("pos.trDelta[0]", 0),
    POS_TR_DELTA_1("pos.trDelta[1]", 0),
    POS_TR_BASE_2("pos.trBase[2]", 0),
    APOS_TR_BASE_1("apos.trBase[1]", 0),
    POS_TR_DELTA_2("pos.trDelta[2]", 0),
    APOS_TR_BASE_0("apos.trBase[0]", 0),
    EVENT("event", 10),
    ANGLES2_1("angles2[1]", 0),
    E_TYPE("eType", 8),
    TORSO_ANIM("torsoAnim", 8),
    EVENT_PARM("eventParm", 8),
    LEGS_ANIM("legsAnim", 8),
    GROUND_ENTITY_NUM("groundEntityNum", 10),
    POS_TR_TYPE("pos.trType", 8),
    E_FLAGS("eFlags", 19),
    OTHER_ENTITY_NUM("otherEntityNum", 10),
    WEAPON("weapon", 8),
    CLIENT_NUM("clientNum", 8),
    ANGLES_1("angles[1]", 0),
    POS_TR_DURATION("pos.trDuration", 32),
    APOS_TR_TYPE("apos.trType", 8),
    ORIGIN_0("origin[0]", 0),
    ORIGIN_1("origin[1]", 0),
    ORIGIN_2("origin[2]", 0),
    SOLID("solid", 24),
    POWERUPS("powerups", 16),
    MODELINDEX("modelindex", 8),
    OTHER_ENTITY_NUM2("otherEntityNum2", 10),
    LOOP_SOUND("loopSound", 8),
    GENERIC1("generic1", 8),
    ORIGIN2_2("origin2[2]", 0),
    ORIGIN2_0("origin2[0]", 0),
    ORIGIN2_1("origin2[1]", 0),
    MODELINDEX2("modelindex2", 8),
    ANGLES_0("angles[0]", 0),
    TIME("time", 32),
    APOS_TR_TIME("apos.trTime", 32),
    APOS_TR_DURATION("apos.trDuration", 32),
    APOS_TR_BASE_2("apos.trBase[2]", 0),
    APOS_TR_DELTA_0("apos.trDelta[0]", 0),
    APOS_TR_DELTA_1("apos.trDelta[1]", 0),
    APOS_TR_DELTA_2("apos.trDelta[2]", 0),
    TIME2("time2", 32),
    ANGLES_2("angles[2]", 0),
    ANGLES2_0("angles2[0]", 0),
    ANGLES2_2("angles2[2]", 0),
    CONSTANT_LIGHT("constantLight", 32),
    FRAME("frame", 16);

    private final String label;
    private final int width;

    /**
     * @param width 0 for a float, negative for a signed number
     */
    EntityField(String label, int width) {
        this.label = label;
        this.width = width;
    }

    /** The field's name in the protocol: {@code pos.trBase[0]}. */
    public String label() {
        return label;
    }

    /** Whether the field is a float, given as its bits. */
    public boolean isFloat() {
        return width == 0;
    }

    /** Whether the field is a signed number. */
    public boolean isSigned() {
        return width < 0;
    }

    /** Bits of a number; 0 for a float. */
    public int width() {
        return Math.abs(width);
    }
}
