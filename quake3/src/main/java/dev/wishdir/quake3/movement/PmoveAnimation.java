package dev.wishdir.quake3.movement;

import static dev.wishdir.quake3.movement.PmoveState.*;

import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.Usercmd;

import java.util.Optional;

/** Animations and events of a movement: docs/protocols/quake3.md#animations-and-events. */
final class PmoveAnimation {

    private static final int READY = 0;
    private static final int RAISING = 1;
    private static final int DROPPING = 2;
    private static final int FIRING = 3;
    private static final int BUTTON_USE = 4;
    private static final int DROP_MSEC = 200;
    private static final int RAISE_MSEC = 250;
    private static final int NO_AMMO_MSEC = 500;

    /** OpenArena does not use up this many rounds, which only cheats give. */
    static final int CHEATED_ROUNDS = 999;

    private static final int LAND_MSEC = 130;

    private final PmoveState ps;

    PmoveAnimation(PmoveState ps) {
        this.ps = ps;
    }

    private static int started(int current, int animation) {
        return ~current & BodyAnimations.TOGGLE | animation;
    }

    private void startLegs(int animation) {
        if (ps.pmType < DEAD && ps.legsTimer == 0) {
            ps.legsAnim = started(ps.legsAnim, animation);
        }
    }

    private void continueLegs(int animation) {
        if ((ps.legsAnim & ~BodyAnimations.TOGGLE) != animation) {
            startLegs(animation);
        }
    }

    private void forceLegs(int animation) {
        ps.legsTimer = 0;
        startLegs(animation);
    }

    void jump(boolean forwards) {
        forceLegs(forwards ? BodyAnimations.LEGS_JUMP : BodyAnimations.LEGS_JUMPB);
        ps.set(BACKWARDS_JUMP, !forwards);
    }

    /**
     * Lands on the ground.
     *
     * @param fall square of the impact speed, divided by 10000; negative for no fall
     */
    void land(float fall, int waterLevel, boolean damages, int footstep) {
        forceLegs(ps.has(BACKWARDS_JUMP) ? BodyAnimations.LEGS_LANDB : BodyAnimations.LEGS_LAND);
        ps.legsTimer = LAND_MSEC;
        float impact = ps.has(DUCKED) ? fall * 2 : fall;
        if (waterLevel == 3) {
            return;
        }
        impact *= waterLevel == 2 ? 0.25f : waterLevel == 1 ? 0.5f : 1;
        if (impact < 1) {
            return;
        }
        if (damages) {
            if (impact > 60) {
                ps.event(EntityEvents.FALL_FAR, 0);
            } else if (impact > 40) {
                ps.event(EntityEvents.FALL_MEDIUM, 0);
            } else if (impact > 7) {
                ps.event(EntityEvents.FALL_SHORT, 0);
            } else {
                sound(footstep);
            }
        }
        ps.bobCycle = 0;
    }

    private void sound(int footstep) {
        if (footstep != EntityEvents.NONE) {
            ps.event(footstep, 0);
        }
    }

    /** Records a step up of this height, units. */
    void step(float rise) {
        if (rise > 2) {
            ps.event(EntityEvents.STEP_4 + (rise < 7 ? 0 : rise < 11 ? 1 : rise < 15 ? 2 : 3), 0);
        }
    }

    private void startTorso(int animation) {
        if (ps.pmType < DEAD) {
            ps.torsoAnim = started(ps.torsoAnim, animation);
        }
    }

    private int stand() {
        return ps.weapon == GAUNTLET ? BodyAnimations.TORSO_STAND2 : BodyAnimations.TORSO_STAND;
    }

    void gesture() {
        if (ps.torsoTimer == 0) {
            startTorso(BodyAnimations.TORSO_GESTURE);
            ps.torsoTimer = BodyAnimations.GESTURE_MSEC;
            ps.event(EntityEvents.TAUNT, 0);
        }
    }

    private boolean owns(int weapon) {
        return weapon > 0 && weapon < MAX_WEAPONS && (ps.weapons >> weapon & 1) != 0;
    }

    /** Changes the weapon or fires it, as the player's client predicts it. */
    void weapon(int wanted, int buttons, int msec) {
        if (ps.has(RESPAWNED)) {
            return;
        }
        if (ps.health <= 0) {
            ps.weapon = 0;
            return;
        }
        if (usesItem((buttons & BUTTON_USE) != 0)) {
            return;
        }
        if (ps.weaponTime > 0) {
            ps.weaponTime -= msec;
        }
        boolean busy = ps.weaponTime > 0 && ps.weaponstate == FIRING || ps.weaponstate == DROPPING;
        if (!busy && ps.weapon != wanted && owns(wanted)) {
            ps.event(EntityEvents.CHANGE_WEAPON, 0);
            ps.weaponstate = DROPPING;
            ps.weaponTime += DROP_MSEC;
            startTorso(BodyAnimations.TORSO_DROP);
        }
        if (ps.weaponTime > 0) {
            return;
        }
        if (ps.weaponstate == DROPPING) {
            ps.weapon = owns(wanted) ? wanted : 0;
            ps.weaponstate = RAISING;
            ps.weaponTime += RAISE_MSEC;
            startTorso(BodyAnimations.TORSO_RAISE);
            return;
        }
        if (ps.weaponstate == RAISING) {
            startTorso(stand());
            ps.weaponstate = READY;
            return;
        }
        Optional<Weapon> weapon = Weapon.of(ps.weapon);
        if ((buttons & Usercmd.ATTACK) != 0
                && weapon.isPresent()
                && (weapon.get() != Weapon.GAUNTLET || ps.gauntletHits)) {
            fire(weapon.get());
        } else {
            ps.weaponTime = 0;
            ps.weaponstate = READY;
        }
    }

    /** Uses the holdable item. No player has one, but the client predicts that it tries. */
    private boolean usesItem(boolean pressed) {
        boolean uses = pressed && !ps.has(USE_ITEM_HELD);
        ps.set(USE_ITEM_HELD, pressed);
        if (uses) {
            ps.event(EntityEvents.USE_ITEM, 0);
        }
        return uses;
    }

    private void fire(Weapon weapon) {
        startTorso(
                weapon == Weapon.GAUNTLET
                        ? BodyAnimations.TORSO_ATTACK2
                        : BodyAnimations.TORSO_ATTACK);
        ps.weaponstate = FIRING;
        int rounds = ps.ammo[weapon.number()];
        if (ps.spendsAmmo && rounds == 0) {
            ps.event(EntityEvents.NO_AMMO, 0);
            ps.weaponTime += NO_AMMO_MSEC;
            return;
        }
        if (ps.spendsAmmo && rounds != Weapon.ENDLESS && rounds < CHEATED_ROUNDS) {
            ps.ammo[weapon.number()] = rounds - 1;
        }
        ps.event(EntityEvents.FIRE_WEAPON, 0);
        ps.weaponTime += weapon.refireMillis();
    }

    void torso() {
        if (ps.weaponstate == READY
                && ps.torsoTimer == 0
                && (ps.torsoAnim & ~BodyAnimations.TOGGLE) != stand()) {
            startTorso(stand());
        }
    }

    void legs(boolean still, float speed, boolean walks, int msec, int waterLevel, int footstep) {
        if (ps.groundEntityNum == EntityState.NONE) {
            if (waterLevel > 1) {
                continueLegs(BodyAnimations.LEGS_SWIM);
            }
            return;
        }
        boolean ducked = ps.has(DUCKED);
        if (still) {
            if (speed < 5) {
                ps.bobCycle = 0;
                continueLegs(ducked ? BodyAnimations.LEGS_IDLECR : BodyAnimations.LEGS_IDLE);
            }
            return;
        }
        boolean back = ps.has(BACKWARDS_RUN);
        float bob;
        boolean audible = false;
        if (ducked) {
            bob = 0.5f;
            continueLegs(back ? BodyAnimations.LEGS_BACKCR : BodyAnimations.LEGS_WALKCR);
        } else if (walks) {
            bob = 0.3f;
            continueLegs(back ? BodyAnimations.LEGS_BACKWALK : BodyAnimations.LEGS_WALK);
        } else {
            bob = 0.4f;
            audible = true;
            continueLegs(back ? BodyAnimations.LEGS_BACK : BodyAnimations.LEGS_RUN);
        }
        int old = ps.bobCycle;
        ps.bobCycle = (int) (old + bob * msec) & 255;
        if (((old + 64 ^ ps.bobCycle + 64) & 128) != 0) {
            switch (waterLevel) {
                case 0 -> sound(audible ? footstep : EntityEvents.NONE);
                case 1 -> ps.event(EntityEvents.FOOTSPLASH, 0);
                case 2 -> ps.event(EntityEvents.SWIM, 0);
                default -> {}
            }
        }
    }

    void water(int before, int after) {
        if (before == 0 && after != 0) {
            ps.event(EntityEvents.WATER_TOUCH, 0);
        }
        if (before != 0 && after == 0) {
            ps.event(EntityEvents.WATER_LEAVE, 0);
        }
        if (before != 3 && after == 3) {
            ps.event(EntityEvents.WATER_UNDER, 0);
        }
        if (before == 3 && after != 3) {
            ps.event(EntityEvents.WATER_CLEAR, 0);
        }
    }

    /** Sets the direction of the legs: 0..7, counter-clockwise from forward. */
    void movementDir(int forward, int right) {
        if (forward == 0 && right == 0) {
            ps.movementDir = ps.movementDir == 2 ? 1 : ps.movementDir == 6 ? 7 : ps.movementDir;
        } else if (forward > 0) {
            ps.movementDir = right < 0 ? 1 : right > 0 ? 7 : 0;
        } else if (forward < 0) {
            ps.movementDir = right < 0 ? 3 : right > 0 ? 5 : 4;
        } else {
            ps.movementDir = right < 0 ? 2 : 6;
        }
    }
}
