package dev.wishdir.quake3.movement;

import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.message.EntityState;

import java.util.BitSet;

/**
 * The variables of a body that the movement reads and writes. Names and units are those of the
 * wire.
 *
 * <p>It has as many fields as the original's player state has that the movement uses.
 */
class PmoveState {
    static final int NORMAL = 0;
    static final int NOCLIP = 1;
    static final int SPECTATOR = 2;
    static final int DEAD = 3;
    static final int INTERMISSION = 5;

    static final int DUCKED = 1;
    static final int JUMP_HELD = 2;
    static final int BACKWARDS_JUMP = 8;
    static final int BACKWARDS_RUN = 16;
    static final int TIME_LAND = 32;
    static final int TIME_KNOCKBACK = 64;
    static final int TIME_WATERJUMP = 256;
    static final int RESPAWNED = 512;
    static final int USE_ITEM_HELD = 1024;
    static final int GRAPPLE_PULL = 2048;
    static final int ALL_TIMES = TIME_LAND | TIME_KNOCKBACK | TIME_WATERJUMP;

    /** The body is dead. */
    public static final int EF_DEAD = 1;

    /** A bit of {@code eFlags} that changes when the body appears elsewhere. */
    public static final int EF_TELEPORT_BIT = 4;

    /** The player shoots. */
    public static final int EF_FIRING = 256;

    /** The player types. */
    public static final int EF_TALK = 4096;

    /** The client has recently sent nothing. */
    public static final int EF_CONNECTION = 8192;

    static final int GAUNTLET = 1;
    static final int MACHINEGUN = 2;
    static final int MAX_WEAPONS = 16;

    /**
     * The weapons of a player without a match, one bit each. The machine gun is there only for its
     * rounds, as a client without any shows that it is out of ammunition.
     */
    static final int WEAPONS = 1 << GAUNTLET | 1 << MACHINEGUN;

    /** The rounds of the machine gun without a match. */
    static final int ROUNDS = 100;

    int commandTime;
    Vec3f origin = Vec3f.ZERO;
    Vec3f velocity = Vec3f.ZERO;

    /** View angles in degrees. */
    float pitch;

    float yaw;
    float roll;

    /** Pitch, yaw and roll that are added to those of a usercmd, 65536 a full turn. */
    final int[] deltaAngles = new int[3];

    int pmType;
    int pmFlags;
    int pmTime;
    int groundEntityNum = EntityState.NONE;
    int viewheight = 26;
    int gravity;
    int speed;
    int eFlags;
    int movementDir;
    int bobCycle;
    int legsAnim;
    int legsTimer;
    int torsoAnim;
    int torsoTimer;
    int weapon;
    int weaponstate;
    int weaponTime;

    /** The weapons of the player, one bit each. */
    int weapons;

    /** The ammunition of each weapon; -1 is never used up. */
    final int[] ammo = new int[MAX_WEAPONS];

    /** Whether shots use up ammunition, as in a match. */
    boolean spendsAmmo;

    /** Whether the gauntlet meets a body in the present command. */
    boolean gauntletHits;

    int health;
    int maxHealth;
    int spawnCount;

    /** The jump pad that the body touched last, 0 for none. */
    int jumppadEnt;

    /** The angles of the newest usercmd, 65536 a full turn. */
    final int[] commandAngles = new int[3];

    /** The entities that the body has run into or stood on since the last command began. */
    final BitSet touched = new BitSet();

    int eventSequence;
    final int[] events = new int[2];
    final int[] eventParms = new int[2];

    /** True while the flight powerup lasts. */
    boolean flight;

    /** The end of a grapple that pulls. */
    Vec3f grapplePoint = Vec3f.ZERO;

    boolean has(int flag) {
        return (pmFlags & flag) != 0;
    }

    void set(int flag, boolean on) {
        pmFlags = on ? pmFlags | flag : pmFlags & ~flag;
    }

    /** Adds a predictable event. */
    void event(int event, int parm) {
        events[eventSequence & 1] = event;
        eventParms[eventSequence & 1] = parm;
        eventSequence++;
    }
}
