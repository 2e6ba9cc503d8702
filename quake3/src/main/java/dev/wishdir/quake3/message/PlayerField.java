package dev.wishdir.quake3.message;

/**
 * The fields of a player state in wire order: those that change most often come first. The same in
 * protocol 68, protocol 71 and OpenArena.
 */
public enum PlayerField {
    COMMAND_TIME("commandTime", 32),
    ORIGIN_0("origin[0]", 0),
    ORIGIN_1("origin[1]", 0),
    BOB_CYCLE("bobCycle", 8),
    VELOCITY_0("velocity[0]", 0),
    VELOCITY_1("velocity[1]", 0),
    VIEWANGLES_1("viewangles[1]", 0),
    VIEWANGLES_0("viewangles[0]", 0),
    WEAPON_TIME("weaponTime", -16),
    ORIGIN_2("origin[2]", 0),
    VELOCITY_2("velocity[2]", 0),
    LEGS_TIMER("legsTimer", 8),
    PM_TIME("pm_time", -16),
    EVENT_SEQUENCE("eventSequence", 16),
    TORSO_ANIM("torsoAnim", 8),
    MOVEMENT_DIR("movementDir", 4),
    EVENTS_0("events[0]", 8),
    LEGS_ANIM("legsAnim", 8),
    EVENTS_1("events[1]", 8),
    PM_FLAGS("pm_flags", 16),
    GROUND_ENTITY_NUM("groundEntityNum", 10),
    WEAPONSTATE("weaponstate", 4),
    E_FLAGS("eFlags", 16),
    EXTERNAL_EVENT("externalEvent", 10),
    GRAVITY("gravity", 16),
    SPEED("speed", 16),
    DELTA_ANGLES_1("delta_angles[1]", 16),
    EXTERNAL_EVENT_PARM("externalEventParm", 8),
    VIEWHEIGHT("viewheight", -8),
    DAMAGE_EVENT("damageEvent", 8),
    DAMAGE_YAW("damageYaw", 8),
    DAMAGE_PITCH("damagePitch", 8),
    DAMAGE_COUNT("damageCount", 8),
    GENERIC1("generic1", 8),
    PM_TYPE("pm_type", 8),
    DELTA_ANGLES_0("delta_angles[0]", 16),
    DELTA_ANGLES_2("delta_angles[2]", 16),
    TORSO_TIMER("torsoTimer", 12),
    EVENT_PARMS_0("eventParms[0]", 8),
    EVENT_PARMS_1("eventParms[1]", 8),
    CLIENT_NUM("clientNum", 8),
    WEAPON("weapon", 5),
    VIEWANGLES_2("viewangles[2]", 0),
    GRAPPLE_POINT_0("grapplePoint[0]", 0),
    GRAPPLE_POINT_1("grapplePoint[1]", 0),
    GRAPPLE_POINT_2("grapplePoint[2]", 0),
    JUMPPAD_ENT("jumppad_ent", 10),
    LOOP_SOUND("loopSound", 16);

    private final String label;
    private final int width;

    /**
     * @param width 0 for a float, negative for a signed number
     */
    PlayerField(String label, int width) {
        this.label = label;
        this.width = width;
    }

    /** The field's name in the protocol: {@code origin[0]}. */
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
