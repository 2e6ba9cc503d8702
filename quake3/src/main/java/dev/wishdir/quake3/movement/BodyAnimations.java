package dev.wishdir.quake3.movement;

/** The numbers of animations of legs and torso: docs/protocols/quake3.md#animations-and-events. */
final class BodyAnimations {
    /** The first of three deaths of legs and torso; each is followed by the dead body. */
    static final int BOTH_DEATH1 = 0;

    static final int TORSO_GESTURE = 6;
    static final int TORSO_ATTACK = 7;
    static final int TORSO_ATTACK2 = 8;
    static final int TORSO_DROP = 9;
    static final int TORSO_RAISE = 10;
    static final int TORSO_STAND = 11;
    static final int TORSO_STAND2 = 12;
    static final int LEGS_WALKCR = 13;
    static final int LEGS_WALK = 14;
    static final int LEGS_RUN = 15;
    static final int LEGS_BACK = 16;
    static final int LEGS_SWIM = 17;
    static final int LEGS_JUMP = 18;
    static final int LEGS_LAND = 19;
    static final int LEGS_JUMPB = 20;
    static final int LEGS_LANDB = 21;
    static final int LEGS_IDLE = 22;
    static final int LEGS_IDLECR = 23;
    static final int LEGS_BACKCR = 32;
    static final int LEGS_BACKWALK = 33;

    /** The bit that toggles at the start of each animation. */
    static final int TOGGLE = 128;

    /** Duration of a gesture. */
    static final int GESTURE_MSEC = 2294;

    private BodyAnimations() {}
}
