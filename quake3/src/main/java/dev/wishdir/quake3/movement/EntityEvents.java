package dev.wishdir.quake3.movement;

/** The numbers of events of players: docs/protocols/quake3.md#animations-and-events. */
final class EntityEvents {
    static final int NONE = 0;
    static final int FOOTSTEP = 1;
    static final int FOOTSTEP_METAL = 2;
    static final int FOOTSPLASH = 3;
    static final int SWIM = 5;
    static final int STEP_4 = 6;
    static final int FALL_SHORT = 10;
    static final int FALL_MEDIUM = 11;
    static final int FALL_FAR = 12;
    static final int JUMP_PAD = 13;
    static final int JUMP = 14;
    static final int WATER_TOUCH = 15;
    static final int WATER_LEAVE = 16;
    static final int WATER_UNDER = 17;
    static final int WATER_CLEAR = 18;
    static final int ITEM_PICKUP = 19;
    static final int NO_AMMO = 21;
    static final int CHANGE_WEAPON = 22;
    static final int FIRE_WEAPON = 23;
    static final int USE_ITEM = 24;
    static final int TAUNT = 76;

    private EntityEvents() {}
}
