package dev.wishdir.quake3;

import dev.wishdir.quake3.message.EntityState;

/** What others see and hear of a movement: Quake III, animations and events. */
final class MoverAnimation {
    static final int EV_JUMP = 14;
    private static final int EV_FOOTSTEP = 1;
    private static final int EV_FOOTSTEP_METAL = 2;
    private static final int EV_FOOTSPLASH = 3;
    private static final int EV_SWIM = 5;
    private static final int EV_STEP_4 = 6;
    private static final int EV_FALL_SHORT = 10;
    private static final int EV_FALL_MEDIUM = 11;
    private static final int EV_FALL_FAR = 12;
    private static final int EV_WATER_TOUCH = 15;
    private static final int EV_CHANGE_WEAPON = 22;
    private static final int EV_TAUNT = 76;

    private static final int TORSO_GESTURE = 6;
    private static final int TORSO_DROP = 9;
    private static final int TORSO_RAISE = 10;
    private static final int TORSO_STAND = 11;
    private static final int TORSO_STAND2 = 12;
    private static final int LEGS_WALKCR = 13;
    private static final int LEGS_WALK = 14;
    private static final int LEGS_RUN = 15;
    private static final int LEGS_BACK = 16;
    private static final int LEGS_LAND = 19;
    private static final int LEGS_LANDB = 21;
    private static final int LEGS_IDLE = 22;
    private static final int LEGS_IDLECR = 23;
    private static final int LEGS_BACKCR = 32;
    private static final int LEGS_BACKWALK = 33;

    private static final int TOGGLE = 128;
    private static final int NO_DAMAGE = 1;
    private static final int METAL_STEPS = 0x1000;
    private static final int NO_STEPS = 0x2000;

    private static final int READY = 0;
    private static final int RAISING = 1;
    private static final int DROPPING = 2;
    private static final int FIRING = 3;
    private static final int GAUNTLET = 1;

    void event(Body b, int event) {
        b.events[b.eventSequence & 1] = event;
        b.eventSequence++;
    }

    private static void startLegs(Body b, int animation) {
        if (b.type < Mover.DEAD && b.legsTimer <= 0) {
            b.legsAnim = b.legsAnim & TOGGLE ^ TOGGLE | animation;
        }
    }

    private static void continueLegs(Body b, int animation) {
        if ((b.legsAnim & ~TOGGLE) != animation) {
            startLegs(b, animation);
        }
    }

    private static void startTorso(Body b, int animation) {
        if (b.type < Mover.DEAD) {
            b.torsoAnim = b.torsoAnim & TOGGLE ^ TOGGLE | animation;
        }
    }

    private static void continueTorso(Body b, int animation) {
        if ((b.torsoAnim & ~TOGGLE) != animation && b.torsoTimer <= 0) {
            startTorso(b, animation);
        }
    }

    /** The legs leave the ground. */
    void jump(Body b, int forward) {
        b.legsTimer = 0;
        if (forward >= 0) {
            startLegs(b, Quake3Motion.LEGS_JUMP);
            b.flags &= ~Mover.BACKWARDS_JUMP;
        } else {
            startLegs(b, Quake3Motion.LEGS_JUMPB);
            b.flags |= Mover.BACKWARDS_JUMP;
        }
    }

    /** The legs touch the ground. */
    void land(Body b, double previousZ, double fall, int waterlevel, int surface) {
        b.legsTimer = 0;
        startLegs(b, (b.flags & Mover.BACKWARDS_JUMP) != 0 ? LEGS_LANDB : LEGS_LAND);
        b.legsTimer = 130;
        double a = -b.gravity / 2.0;
        double c = previousZ - b.origin[2];
        double root = fall * fall - 4 * a * c;
        if (root < 0) {
            return;
        }
        double t = (-fall - Math.sqrt(root)) / (2 * a);
        double impact = fall - t * b.gravity;
        impact = impact * impact * 0.0001;
        if ((b.flags & Mover.DUCKED) != 0) {
            impact *= 2;
        }
        impact *= waterlevel == 2 ? 0.25 : waterlevel == 1 ? 0.5 : 1;
        if (waterlevel == 3 || impact < 1) {
            return;
        }
        if ((surface & NO_DAMAGE) == 0) {
            if (impact > 60) {
                event(b, EV_FALL_FAR);
            } else if (impact > 40) {
                event(b, EV_FALL_MEDIUM);
            } else if (impact > 7) {
                event(b, EV_FALL_SHORT);
            } else {
                footstep(b, surface);
            }
        }
        b.bobCycle = 0;
    }

    private void footstep(Body b, int surface) {
        if ((surface & NO_STEPS) == 0) {
            event(b, (surface & METAL_STEPS) != 0 ? EV_FOOTSTEP_METAL : EV_FOOTSTEP);
        }
    }

    /** The body went up a step. */
    void step(Body b, double rise) {
        if (rise > 2) {
            event(b, EV_STEP_4 + (rise < 7 ? 0 : rise < 11 ? 1 : rise < 15 ? 2 : 3));
        }
    }

    /** Which of eight ways the legs go, 0 forward and on to the left. */
    void direction(Body b, int forward, int right) {
        if (forward == 0 && right == 0) {
            if (b.movementDir == 2) {
                b.movementDir = 1;
            } else if (b.movementDir == 6) {
                b.movementDir = 7;
            }
        } else if (right == 0) {
            b.movementDir = forward > 0 ? 0 : 4;
        } else if (right < 0) {
            b.movementDir = forward > 0 ? 1 : forward == 0 ? 2 : 3;
        } else {
            b.movementDir = forward < 0 ? 5 : forward == 0 ? 6 : 7;
        }
    }

    void gesture(Body b) {
        if (b.torsoTimer == 0) {
            startTorso(b, TORSO_GESTURE);
            b.torsoTimer = 2294;
            event(b, EV_TAUNT);
        }
    }

    void weapon(Body b, int wanted, int msec) {
        if ((b.flags & Mover.RESPAWNED) != 0 || b.health <= 0) {
            return;
        }
        if (b.weaponTime > 0) {
            b.weaponTime -= msec;
        }
        if ((b.weaponTime <= 0 || b.weaponState != FIRING)
                && b.weapon != wanted
                && wanted > 0
                && wanted < 16
                && (b.weapons >> wanted & 1) != 0
                && b.weaponState != DROPPING) {
            event(b, EV_CHANGE_WEAPON);
            b.weaponState = DROPPING;
            b.weaponTime += 200;
            startTorso(b, TORSO_DROP);
        }
        if (b.weaponTime > 0) {
            return;
        }
        if (b.weaponState == DROPPING) {
            b.weapon = (b.weapons >> wanted & 1) != 0 ? wanted : 0;
            b.weaponState = RAISING;
            b.weaponTime += 250;
            startTorso(b, TORSO_RAISE);
        } else if (b.weaponState == RAISING) {
            b.weaponState = READY;
            startTorso(b, b.weapon == GAUNTLET ? TORSO_STAND2 : TORSO_STAND);
        } else {
            // Nothing is fired here: no player does damage.
            b.weaponTime = 0;
            b.weaponState = READY;
        }
    }

    void torso(Body b) {
        if (b.weaponState == READY) {
            continueTorso(b, b.weapon == GAUNTLET ? TORSO_STAND2 : TORSO_STAND);
        }
    }

    void legs(
            Body b, int forward, int right, boolean walks, int msec, int waterlevel, int surface) {
        if (b.ground == EntityState.NONE) {
            if (waterlevel > 1) {
                continueLegs(b, Quake3Motion.LEGS_SWIM);
            }
            return;
        }
        boolean ducked = (b.flags & Mover.DUCKED) != 0;
        boolean back = (b.flags & Mover.BACKWARDS_RUN) != 0;
        if (forward == 0 && right == 0) {
            if (Math.hypot(b.velocity[0], b.velocity[1]) < 5) {
                b.bobCycle = 0;
                continueLegs(b, ducked ? LEGS_IDLECR : LEGS_IDLE);
            }
            return;
        }
        double bob;
        boolean sounds = false;
        if (ducked) {
            bob = 0.5;
            continueLegs(b, back ? LEGS_BACKCR : LEGS_WALKCR);
        } else if (walks) {
            bob = 0.3;
            continueLegs(b, back ? LEGS_BACKWALK : LEGS_WALK);
        } else {
            bob = 0.4;
            sounds = true;
            continueLegs(b, back ? LEGS_BACK : LEGS_RUN);
        }
        int old = b.bobCycle;
        b.bobCycle = (int) (old + bob * msec) & 255;
        if (((old + 64 ^ b.bobCycle + 64) & 128) != 0) {
            if (waterlevel == 0 && sounds) {
                footstep(b, surface);
            } else if (waterlevel == 1) {
                event(b, EV_FOOTSPLASH);
            } else if (waterlevel == 2) {
                event(b, EV_SWIM);
            }
        }
    }

    void water(Body b, int before, int after) {
        if (before == 0 && after != 0) {
            event(b, EV_WATER_TOUCH);
        }
        if (before != 0 && after == 0) {
            event(b, EV_WATER_TOUCH + 1);
        }
        if (before != 3 && after == 3) {
            event(b, EV_WATER_TOUCH + 2);
        }
        if (before == 3 && after != 3) {
            event(b, EV_WATER_TOUCH + 3);
        }
    }
}
