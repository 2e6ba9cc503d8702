package dev.wishdir.quake3;

import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;

/** A player's body as the server moves it: what becomes of its player state and its entity. */
final class Body {
    final double[] origin = new double[3];
    final double[] velocity = new double[3];
    final double[] viewangles = new double[3];
    final int[] deltaAngles = new int[3];
    final int[] events = new int[2];
    int commandTime;
    int type;
    int flags;
    int time;
    int gravity;
    int speed;
    int ground = EntityState.NONE;
    int viewheight;
    int movementDir;
    int bobCycle;
    int legsAnim;
    int legsTimer;
    int torsoAnim;
    int torsoTimer;
    int eFlags;
    int eventSequence;
    int weapon;
    int weaponState;
    int weaponTime;
    int weapons;
    int health;
    int maxHealth;
    int spawnCount;
    int team;

    /** What its own client is told. */
    PlayerState playerState(int clientNum, boolean openArena) {
        int weaponsAt = openArena ? 3 : 2;
        int maxHealthAt = openArena ? 7 : 6;
        PlayerState.Builder state =
                PlayerState.builder()
                        .set(PlayerField.COMMAND_TIME, commandTime)
                        .real(PlayerField.ORIGIN_0, origin[0])
                        .real(PlayerField.ORIGIN_1, origin[1])
                        .real(PlayerField.ORIGIN_2, origin[2])
                        .real(PlayerField.VELOCITY_0, velocity[0])
                        .real(PlayerField.VELOCITY_1, velocity[1])
                        .real(PlayerField.VELOCITY_2, velocity[2])
                        .real(PlayerField.VIEWANGLES_0, viewangles[0])
                        .real(PlayerField.VIEWANGLES_1, viewangles[1])
                        .real(PlayerField.VIEWANGLES_2, viewangles[2])
                        .set(PlayerField.DELTA_ANGLES_0, deltaAngles[0])
                        .set(PlayerField.DELTA_ANGLES_1, deltaAngles[1])
                        .set(PlayerField.DELTA_ANGLES_2, deltaAngles[2])
                        .set(PlayerField.PM_TYPE, type)
                        .set(PlayerField.PM_FLAGS, flags)
                        .set(PlayerField.PM_TIME, time)
                        .set(PlayerField.GRAVITY, gravity)
                        .set(PlayerField.SPEED, speed)
                        .set(PlayerField.GROUND_ENTITY_NUM, ground)
                        .set(PlayerField.VIEWHEIGHT, viewheight)
                        .set(PlayerField.MOVEMENT_DIR, movementDir)
                        .set(PlayerField.BOB_CYCLE, bobCycle)
                        .set(PlayerField.LEGS_ANIM, legsAnim)
                        .set(PlayerField.LEGS_TIMER, legsTimer)
                        .set(PlayerField.TORSO_ANIM, torsoAnim)
                        .set(PlayerField.TORSO_TIMER, torsoTimer)
                        .set(PlayerField.E_FLAGS, eFlags)
                        .set(PlayerField.EVENT_SEQUENCE, eventSequence)
                        .set(PlayerField.EVENTS_0, events[0])
                        .set(PlayerField.EVENTS_1, events[1])
                        .set(PlayerField.WEAPON, weapon)
                        .set(PlayerField.WEAPONSTATE, weaponState)
                        .set(PlayerField.WEAPON_TIME, weaponTime)
                        .set(PlayerField.CLIENT_NUM, clientNum);
        state.set(PlayerState.Slots.STATS, 0, health)
                .set(PlayerState.Slots.STATS, weaponsAt, weapons)
                .set(PlayerState.Slots.STATS, maxHealthAt, maxHealth)
                .set(PlayerState.Slots.PERSISTANT, 3, team)
                .set(PlayerState.Slots.PERSISTANT, 4, spawnCount)
                .set(PlayerState.Slots.AMMO, 1, -1);
        return state.build();
    }

    /** What others see of it: Quake III, entity state of a player. */
    EntityState.Builder entity() {
        int event = 0;
        if (eventSequence > 0) {
            int newest = eventSequence - 1;
            event = events[newest & 1] | (newest & 3) << 8;
        }
        return EntityState.builder()
                .set(EntityField.E_TYPE, 1)
                .set(EntityField.POS_TR_TYPE, 1)
                .real(EntityField.POS_TR_BASE_0, (int) origin[0])
                .real(EntityField.POS_TR_BASE_1, (int) origin[1])
                .real(EntityField.POS_TR_BASE_2, (int) origin[2])
                .real(EntityField.POS_TR_DELTA_0, velocity[0])
                .real(EntityField.POS_TR_DELTA_1, velocity[1])
                .real(EntityField.POS_TR_DELTA_2, velocity[2])
                .set(EntityField.APOS_TR_TYPE, 1)
                .real(EntityField.APOS_TR_BASE_0, (int) viewangles[0])
                .real(EntityField.APOS_TR_BASE_1, (int) viewangles[1])
                .real(EntityField.ANGLES2_1, movementDir)
                .set(EntityField.LEGS_ANIM, legsAnim)
                .set(EntityField.TORSO_ANIM, torsoAnim)
                .set(EntityField.E_FLAGS, eFlags)
                .set(EntityField.EVENT, event)
                .set(EntityField.WEAPON, weapon)
                .set(EntityField.GROUND_ENTITY_NUM, ground)
                .set(
                        EntityField.SOLID,
                        (flags & Mover.DUCKED) != 0
                                ? Quake3Motion.SOLID_CROUCHED
                                : Quake3Motion.SOLID_STANDING);
    }
}
