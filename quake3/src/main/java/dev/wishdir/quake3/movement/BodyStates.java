package dev.wishdir.quake3.movement;

import dev.wishdir.quake3.combat.CombatState;
import dev.wishdir.quake3.combat.DamageFeedback;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;

/** Builds the wire states of a body: for its own client, and for the others. */
final class BodyStates {
    private BodyStates() {}

    /** OpenArena has another statistic before those of weapons, armour, and so on. */
    static PlayerState player(
            PmoveState b, CombatState combat, int team, int clientNum, boolean openArena) {
        int weaponsAt = openArena ? 3 : 2;
        DamageFeedback damage = combat.feedback();
        PlayerState.Builder state =
                PlayerState.builder()
                        .set(PlayerField.COMMAND_TIME, b.commandTime)
                        .real(PlayerField.ORIGIN_0, b.origin.x())
                        .real(PlayerField.ORIGIN_1, b.origin.y())
                        .real(PlayerField.ORIGIN_2, b.origin.z())
                        .real(PlayerField.VELOCITY_0, b.velocity.x())
                        .real(PlayerField.VELOCITY_1, b.velocity.y())
                        .real(PlayerField.VELOCITY_2, b.velocity.z())
                        .real(PlayerField.VIEWANGLES_0, b.pitch)
                        .real(PlayerField.VIEWANGLES_1, b.yaw)
                        .real(PlayerField.VIEWANGLES_2, b.roll)
                        .set(PlayerField.DELTA_ANGLES_0, b.deltaAngles[0])
                        .set(PlayerField.DELTA_ANGLES_1, b.deltaAngles[1])
                        .set(PlayerField.DELTA_ANGLES_2, b.deltaAngles[2])
                        .set(PlayerField.PM_TYPE, b.pmType)
                        .set(PlayerField.PM_FLAGS, b.pmFlags)
                        .set(PlayerField.PM_TIME, b.pmTime)
                        .set(PlayerField.GRAVITY, b.gravity)
                        .set(PlayerField.SPEED, b.speed)
                        .set(PlayerField.GROUND_ENTITY_NUM, b.groundEntityNum)
                        .set(PlayerField.VIEWHEIGHT, b.viewheight)
                        .set(PlayerField.MOVEMENT_DIR, b.movementDir)
                        .set(PlayerField.BOB_CYCLE, b.bobCycle)
                        .set(PlayerField.LEGS_ANIM, b.legsAnim)
                        .set(PlayerField.LEGS_TIMER, b.legsTimer)
                        .set(PlayerField.TORSO_ANIM, b.torsoAnim)
                        .set(PlayerField.TORSO_TIMER, b.torsoTimer)
                        .set(PlayerField.E_FLAGS, b.eFlags)
                        .set(PlayerField.EVENT_SEQUENCE, b.eventSequence)
                        .set(PlayerField.EVENTS_0, b.events[0])
                        .set(PlayerField.EVENTS_1, b.events[1])
                        .set(PlayerField.EVENT_PARMS_0, b.eventParms[0])
                        .set(PlayerField.EVENT_PARMS_1, b.eventParms[1])
                        .set(PlayerField.WEAPON, b.weapon)
                        .set(PlayerField.WEAPONSTATE, b.weaponstate)
                        .set(PlayerField.WEAPON_TIME, b.weaponTime)
                        .set(PlayerField.JUMPPAD_ENT, b.jumppadEnt)
                        .set(PlayerField.CLIENT_NUM, clientNum);
        state.set(PlayerField.DAMAGE_EVENT, damage.event())
                .set(PlayerField.DAMAGE_YAW, damage.yaw())
                .set(PlayerField.DAMAGE_PITCH, damage.pitch())
                .set(PlayerField.DAMAGE_COUNT, damage.count())
                .set(PlayerField.EXTERNAL_EVENT, combat.event())
                .set(PlayerField.EXTERNAL_EVENT_PARM, combat.eventParm());
        state.set(PlayerArray.STATS, 0, b.health)
                .set(PlayerArray.STATS, weaponsAt, b.weapons)
                .set(PlayerArray.STATS, weaponsAt + 1, combat.armour())
                .set(PlayerArray.STATS, weaponsAt + 2, combat.deadYaw())
                .set(PlayerArray.STATS, weaponsAt + 4, b.maxHealth)
                .set(PlayerArray.PERSISTANT, 0, combat.score())
                .set(PlayerArray.PERSISTANT, 1, combat.hits())
                .set(PlayerArray.PERSISTANT, 2, combat.rank())
                .set(PlayerArray.PERSISTANT, 3, team)
                .set(PlayerArray.PERSISTANT, 4, b.spawnCount)
                .set(PlayerArray.PERSISTANT, 6, combat.attacker())
                .set(PlayerArray.PERSISTANT, 7, combat.attackeeArmour())
                .set(PlayerArray.PERSISTANT, 8, combat.deaths())
                .set(PlayerArray.POWERUPS, Quake3Motion.QUAD, combat.quadUntil());
        for (Weapon weapon : Weapon.values()) {
            state.set(PlayerArray.AMMO, weapon.number(), b.ammo[weapon.number()]);
        }
        return state.build();
    }

    static EntityState entity(PmoveState b, CombatState combat, int clientNum) {
        int event = combat.event();
        int parm = combat.eventParm();
        if (event == 0 && b.eventSequence > 0) {
            int newest = b.eventSequence - 1;
            event = b.events[newest & 1] | (newest & 3) << 8;
            parm = b.eventParms[newest & 1];
        }
        return EntityState.builder()
                .set(EntityField.E_TYPE, 1)
                .set(EntityField.CLIENT_NUM, clientNum)
                .set(EntityField.POS_TR_TYPE, 1)
                .real(EntityField.POS_TR_BASE_0, (int) b.origin.x())
                .real(EntityField.POS_TR_BASE_1, (int) b.origin.y())
                .real(EntityField.POS_TR_BASE_2, (int) b.origin.z())
                .real(EntityField.POS_TR_DELTA_0, b.velocity.x())
                .real(EntityField.POS_TR_DELTA_1, b.velocity.y())
                .real(EntityField.POS_TR_DELTA_2, b.velocity.z())
                .set(EntityField.APOS_TR_TYPE, 1)
                .real(EntityField.APOS_TR_BASE_0, (int) b.pitch)
                .real(EntityField.APOS_TR_BASE_1, (int) b.yaw)
                .real(EntityField.ANGLES2_1, b.movementDir)
                .set(EntityField.LEGS_ANIM, b.legsAnim)
                .set(EntityField.TORSO_ANIM, b.torsoAnim)
                .set(EntityField.E_FLAGS, b.eFlags)
                .set(EntityField.EVENT, event)
                .set(EntityField.EVENT_PARM, parm)
                .set(EntityField.WEAPON, b.weapon)
                .set(EntityField.POWERUPS, combat.quadUntil() == 0 ? 0 : Quake3Motion.QUAD_BIT)
                .set(EntityField.GROUND_ENTITY_NUM, b.groundEntityNum)
                .set(
                        EntityField.SOLID,
                        b.has(PmoveState.DUCKED)
                                ? Quake3Motion.SOLID_CROUCHED
                                : Quake3Motion.SOLID_STANDING)
                .build();
    }
}
