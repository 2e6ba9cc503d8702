package dev.wishdir.quake3.movement;

import dev.wishdir.idtech.CollisionWorld;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.Usercmd;

import java.util.Map;
import java.util.TreeMap;

/** A body as a captured snapshot of OpenArena shows it, to be moved by captured usercmds. */
public final class CapturedBody {
    public final PlayerBody body = new PlayerBody();

    public CapturedBody(PlayerState s) {
        PlayerBody b = body;
        b.commandTime = s.get(PlayerField.COMMAND_TIME);
        b.origin =
                new Vec3f(
                        s.real(PlayerField.ORIGIN_0),
                        s.real(PlayerField.ORIGIN_1),
                        s.real(PlayerField.ORIGIN_2));
        b.velocity =
                new Vec3f(
                        s.real(PlayerField.VELOCITY_0),
                        s.real(PlayerField.VELOCITY_1),
                        s.real(PlayerField.VELOCITY_2));
        b.deltaAngles[0] = s.get(PlayerField.DELTA_ANGLES_0);
        b.deltaAngles[1] = s.get(PlayerField.DELTA_ANGLES_1);
        b.deltaAngles[2] = s.get(PlayerField.DELTA_ANGLES_2);
        b.pitch = s.real(PlayerField.VIEWANGLES_0);
        b.yaw = s.real(PlayerField.VIEWANGLES_1);
        b.roll = s.real(PlayerField.VIEWANGLES_2);
        b.pmType = s.get(PlayerField.PM_TYPE);
        b.pmFlags = s.get(PlayerField.PM_FLAGS);
        b.pmTime = s.get(PlayerField.PM_TIME);
        b.gravity = s.get(PlayerField.GRAVITY);
        b.speed = s.get(PlayerField.SPEED);
        b.groundEntityNum = s.get(PlayerField.GROUND_ENTITY_NUM);
        b.viewheight = s.get(PlayerField.VIEWHEIGHT);
        b.eFlags = s.get(PlayerField.E_FLAGS);
        b.movementDir = s.get(PlayerField.MOVEMENT_DIR);
        b.bobCycle = s.get(PlayerField.BOB_CYCLE);
        b.jumppadEnt = s.get(PlayerField.JUMPPAD_ENT);
        b.legsAnim = s.get(PlayerField.LEGS_ANIM);
        b.legsTimer = s.get(PlayerField.LEGS_TIMER);
        b.torsoAnim = s.get(PlayerField.TORSO_ANIM);
        b.torsoTimer = s.get(PlayerField.TORSO_TIMER);
        b.weapon = s.get(PlayerField.WEAPON);
        b.weaponstate = s.get(PlayerField.WEAPONSTATE);
        b.weaponTime = s.get(PlayerField.WEAPON_TIME);
        b.health = s.get(PlayerArray.STATS, 0);
        b.maxHealth = s.get(PlayerArray.STATS, 7);
        b.weapons = s.get(PlayerArray.STATS, 3);
        b.spendsAmmo = true;
        for (int i = 0; i < PmoveState.MAX_WEAPONS; i++) {
            b.ammo[i] = s.get(PlayerArray.AMMO, i);
        }
        b.eventSequence = s.get(PlayerField.EVENT_SEQUENCE);
        b.events[0] = s.get(PlayerField.EVENTS_0);
        b.events[1] = s.get(PlayerField.EVENTS_1);
    }

    public void move(Usercmd command, CollisionWorld world) {
        Pmove.move(body, command, PmoveSettings.OPENARENA, world);
    }

    /** What a client predicts of its weapon, by the names of the protocol. */
    public static Map<String, Integer> figures(PlayerState s) {
        Map<String, Integer> figures = new TreeMap<>();
        figures.put("commandTime", s.get(PlayerField.COMMAND_TIME));
        figures.put("weapon", s.get(PlayerField.WEAPON));
        figures.put("weaponstate", s.get(PlayerField.WEAPONSTATE));
        figures.put("weaponTime", s.get(PlayerField.WEAPON_TIME));
        figures.put("torsoAnim", s.get(PlayerField.TORSO_ANIM));
        figures.put("eventSequence", s.get(PlayerField.EVENT_SEQUENCE));
        figures.put("event 0", s.get(PlayerField.EVENTS_0));
        figures.put("event 1", s.get(PlayerField.EVENTS_1));
        for (Weapon weapon : Weapon.values()) {
            figures.put("ammo " + weapon, s.get(PlayerArray.AMMO, weapon.number()));
        }
        return figures;
    }

    /** {@link #figures(PlayerState)} of the moved body. */
    public Map<String, Integer> figures() {
        return figures(body.playerState(0, true));
    }
}
