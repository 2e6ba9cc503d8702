package dev.wishdir.quake3.movement;

import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.world.Axes;
import dev.wishdir.world.CollisionWorld;
import dev.wishdir.world.Obstacle;
import dev.wishdir.world.PlacedModel;
import dev.wishdir.world.Vec3f;

import java.util.BitSet;

/**
 * A player's body as the server moves it: what becomes of its player state and its entity. Names
 * and units are those of the wire.
 */
public final class PlayerBody {
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
    static final int GRAPPLE_PULL = 2048;
    static final int ALL_TIMES = TIME_LAND | TIME_KNOCKBACK | TIME_WATERJUMP;

    /** A bit of {@code eFlags} that changes when the body appears elsewhere. */
    public static final int EF_TELEPORT_BIT = 4;

    /** It shoots. */
    public static final int EF_FIRING = 256;

    /** Its player writes. */
    public static final int EF_TALK = 4096;

    /** Its client has sent nothing for a while. */
    public static final int EF_CONNECTION = 8192;

    static final int GAUNTLET = 1;
    static final int MACHINEGUN = 2;

    /**
     * What everybody carries, a bit for each: the machine gun for nothing but its rounds, or a
     * client writes that it is out of ammunition.
     */
    static final int WEAPONS = 1 << GAUNTLET | 1 << MACHINEGUN;

    private static final int EV_JUMP_PAD = 13;

    private static final int SPECTATORS = 3;
    private static final int GRAVITY = 800;
    private static final int WALKS = 320;
    private static final int FLIES = 400;

    /** The hull, relative to the origin. */
    private static final Vec3f MINS = new Vec3f(-15, -15, -24);

    private static final Vec3f STANDING = new Vec3f(15, 15, 32);
    private static final Vec3f CROUCHED = new Vec3f(15, 15, 16);

    int commandTime;
    Vec3f origin = Vec3f.ZERO;
    Vec3f velocity = Vec3f.ZERO;

    /** Degrees. */
    float pitch;

    float yaw;
    float roll;

    /** Pitch, yaw and roll to be added to a usercmd's, 65536 a full turn. */
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

    /** The weapons that it has, a bit for each. */
    int weapons;

    int health;
    int maxHealth;
    int spawnCount;

    /** The jump pad that it has touched last, 0 for none. */
    int jumppadEnt;

    /** The angles of its newest usercmd, 65536 a full turn. */
    final int[] commandAngles = new int[3];

    /** The entities that it has run into or stands on since its last command began. */
    final BitSet touched = new BitSet();

    private boolean teleported;
    private boolean pushed;
    private boolean killed;

    int eventSequence;
    final int[] events = new int[2];
    final int[] eventParms = new int[2];

    /** True while the flight powerup lasts. */
    boolean flight;

    /** Where a grapple that pulls is fixed. */
    Vec3f grapplePoint = Vec3f.ZERO;

    /**
     * The body of a player of another game, as far as one can see it.
     *
     * @param entity what is seen of it
     * @param commandTime as if its newest usercmd were of then, milliseconds of the server's clock
     */
    public static PlayerBody seen(Movement movement, EntityState entity, int commandTime) {
        PlayerBody body = new PlayerBody();
        body.commandTime = commandTime;
        Vec3 origin = Quake3Motion.origin(movement.position());
        body.origin = new Vec3f((float) origin.x(), (float) origin.y(), (float) origin.z());
        body.velocity =
                new Vec3f(
                        entity.real(EntityField.POS_TR_DELTA_0),
                        entity.real(EntityField.POS_TR_DELTA_1),
                        entity.real(EntityField.POS_TR_DELTA_2));
        body.pitch = (float) -movement.pitch();
        body.yaw = (float) Angles.signed(movement.yaw());
        body.set(DUCKED, movement.stance().crouched());
        body.viewheight = body.has(DUCKED) ? 12 : 26;
        body.groundEntityNum = entity.get(EntityField.GROUND_ENTITY_NUM);
        body.movementDir = (int) entity.real(EntityField.ANGLES2_1);
        body.legsAnim = entity.get(EntityField.LEGS_ANIM);
        body.torsoAnim = entity.get(EntityField.TORSO_ANIM);
        body.weapon = entity.get(EntityField.WEAPON);
        body.weapons = WEAPONS;
        body.health = 100;
        body.maxHealth = 100;
        body.gravity = GRAVITY;
        body.speed = WALKS;
        return body;
    }

    /** The middle of the hull's plan, 24 units above the feet. */
    public Vec3f origin() {
        return origin;
    }

    /** Units a second. */
    public Vec3f velocity() {
        return velocity;
    }

    /** When its newest usercmd was, milliseconds of the server's clock. */
    public int commandTime() {
        return commandTime;
    }

    /** Is somewhere, at rest. */
    public void place(Vec3f place) {
        origin = place;
        velocity = Vec3f.ZERO;
    }

    /**
     * Comes to life at a place, looking as that does: docs/protocols/quake3.md#what-a-spawn-sets.
     *
     * @param yaw degrees
     * @param command the newest usercmd of its player
     * @param time milliseconds of the server's clock
     */
    public void spawn(Vec3f place, double yaw, Usercmd command, int time) {
        place(place.withZ(place.z() + 9));
        look(command);
        face(new Vec3f(0, (float) yaw, 0));
        killed = false;
        jumppadEnt = 0;
        pmFlags = RESPAWNED | TIME_KNOCKBACK;
        pmTime = 100;
        eFlags ^= EF_TELEPORT_BIT;
        spawnCount++;
        health = 125;
        maxHealth = 100;
        weapons = WEAPONS;
        weapon = GAUNTLET;
        weaponstate = 0;
        weaponTime = 0;
        groundEntityNum = EntityState.NONE;
        legsAnim = PmoveAnimation.LEGS_IDLE;
        torsoAnim = PmoveAnimation.TORSO_STAND2;
        commandTime = time - 100;
    }

    /**
     * Executes a usercmd from the time of the one before on.
     *
     * @param world what it may run into, without itself
     */
    public void move(Usercmd command, PmoveSettings settings, CollisionWorld world) {
        begin(command);
        touched.clear();
        Pmove.move(this, command, settings, world);
    }

    /** Stays where it is while its player does something else with a usercmd. */
    public void rest(Usercmd command) {
        begin(command);
        commandTime = command.serverTime();
    }

    private void begin(Usercmd command) {
        look(command);
        gravity = GRAVITY;
        speed = spectates() ? FLIES : WALKS;
    }

    /** Becomes a spectator, or a player again, which must spawn. */
    public void watch(boolean spectator) {
        pmType = spectator ? SPECTATOR : NORMAL;
    }

    boolean has(int flag) {
        return (pmFlags & flag) != 0;
    }

    void set(int flag, boolean on) {
        pmFlags = on ? pmFlags | flag : pmFlags & ~flag;
    }

    /** Notes a predictable event. */
    void event(int event, int parm) {
        events[eventSequence & 1] = event;
        eventParms[eventSequence & 1] = parm;
        eventSequence++;
    }

    private void look(Usercmd command) {
        commandAngles[0] = command.pitch();
        commandAngles[1] = command.yaw();
        commandAngles[2] = command.roll();
    }

    /** Turns the view: the client's own angles count from here. */
    private void face(Vec3f angles) {
        deltaAngles[0] = Quake3Motion.commandAngle(angles.x()) - commandAngles[0] & 0xFFFF;
        deltaAngles[1] = Quake3Motion.commandAngle(angles.y()) - commandAngles[1] & 0xFFFF;
        deltaAngles[2] = Quake3Motion.commandAngle(angles.z()) - commandAngles[2] & 0xFFFF;
        pitch = angles.x();
        yaw = angles.y();
        roll = angles.z();
    }

    /**
     * Appears elsewhere, and leaves there ahead: docs/protocols/quake3.md#teleport.
     *
     * @param angles pitch, yaw and roll in degrees
     */
    public void teleport(Vec3f place, Vec3f angles) {
        origin = place.withZ(place.z() + 1);
        // Sums have no -0, as what travels has none.
        velocity = Axes.of(angles).forward().times(400).plus(Vec3f.ZERO);
        set(TIME_KNOCKBACK, true);
        pmTime = 160;
        eFlags ^= EF_TELEPORT_BIT;
        face(angles);
        teleported = true;
    }

    /**
     * A jump pad throws it: docs/protocols/quake3.md#jump-pads.
     *
     * @param pad the entity's number
     */
    public void jump(int pad, Vec3f thrown) {
        if (pad != jumppadEnt) {
            double flat = Math.hypot(thrown.x(), thrown.y());
            event(EV_JUMP_PAD, Math.abs(thrown.z()) >= flat ? 1 : 0);
        }
        jumppadEnt = pad;
        velocity = thrown;
    }

    /** It touches no jump pad: the next one is a new one, even the same. */
    public void leavePads() {
        jumppadEnt = 0;
    }

    /** Marks the body as hit by something that no player survives. */
    public void kill() {
        killed = true;
    }

    /** Whether it would be dead, until it spawns. */
    public boolean isKilled() {
        return killed;
    }

    /** Whether it is somewhere else of a sudden since this was asked last. */
    public boolean takeTeleported() {
        boolean was = teleported;
        teleported = false;
        return was;
    }

    /** Whether something has carried or teleported it since the other clients were notified. */
    public boolean isCarried() {
        return pushed || teleported;
    }

    /** The other clients have been notified of where something has carried it. */
    public void clearCarried() {
        pushed = false;
    }

    /** Whether it stands on an entity. */
    public boolean standsOn(int entity) {
        return groundEntityNum == entity;
    }

    /** Whether it has run into an entity, or stood on it, since its last command began. */
    public boolean hasTouched(int entity) {
        return touched.get(entity);
    }

    /** What it stands on moves away from below it, or pushes it. */
    public void leaveGround() {
        groundEntityNum = EntityState.NONE;
    }

    /** Something takes it somewhere, perhaps for a try. */
    public void carry(Vec3f place) {
        origin = place;
    }

    /** What carries it has brought it to where it is. */
    public void markCarried() {
        pushed = true;
    }

    /** What it stands on turns it. */
    public void turn(float degrees) {
        deltaAngles[1] = deltaAngles[1] + Quake3Motion.commandAngle(degrees) & 0xFFFF;
    }

    /** Shows whether its client has sent nothing for a while. */
    public void lag(boolean lags) {
        eFlags = lags ? eFlags | EF_CONNECTION : eFlags & ~EF_CONNECTION;
    }

    /** Whether it shows that its client has sent nothing for a while. */
    public boolean lags() {
        return (eFlags & EF_CONNECTION) != 0;
    }

    /** Whether it is a spectator: it flies through everything, and no player sees it. */
    public boolean spectates() {
        return pmType == SPECTATOR;
    }

    /** 0, or 3 for spectators. */
    public int team() {
        return spectates() ? SPECTATORS : 0;
    }

    /** Whether it touches something. */
    public boolean touches(PlacedModel shape) {
        return shape.intersects(origin, MINS, maxs());
    }

    /** Whether it is in nothing that stops it. */
    public boolean fits(CollisionWorld world) {
        return !world.trace(origin, MINS, maxs(), origin, Pmove.MASK & ~Pmove.BODY).startSolid();
    }

    /**
     * The state that its own client receives.
     *
     * @param openArena whether the game is OpenArena, which has two of the statistics elsewhere
     */
    public PlayerState playerState(int clientNum, boolean openArena) {
        return BodyStates.player(this, clientNum, openArena);
    }

    private Vec3f maxs() {
        return has(DUCKED) ? CROUCHED : STANDING;
    }

    private static Vec3f seen(EntityState player) {
        return new Vec3f(
                player.real(EntityField.POS_TR_BASE_0),
                player.real(EntityField.POS_TR_BASE_1),
                player.real(EntityField.POS_TR_BASE_2));
    }

    private static Vec3f maxs(EntityState player) {
        return player.get(EntityField.SOLID) == Quake3Motion.SOLID_CROUCHED ? CROUCHED : STANDING;
    }

    /** What others run into where they see a player who stops them. */
    public static Obstacle obstacle(int entity, EntityState player) {
        return new Obstacle(entity, seen(player), MINS, maxs(player), Pmove.BODY);
    }

    /**
     * Whether this body, or what is so near to it, shares a point with another as that is seen, if
     * that stops anybody.
     *
     * @param margin units
     */
    public boolean meets(EntityState that, float margin) {
        if (that.get(EntityField.SOLID) == 0) {
            return false;
        }
        float wide = STANDING.x() - MINS.x() + margin;
        Vec3f apart = seen(that).minus(origin);
        return Math.abs(apart.x()) <= wide
                && Math.abs(apart.y()) <= wide
                && apart.z() + MINS.z() <= maxs().z() + margin
                && apart.z() + maxs(that).z() >= MINS.z() - margin;
    }

    /** What others see of it: docs/protocols/quake3.md#entity-state-of-a-player. */
    public EntityState entity(int clientNum) {
        return BodyStates.entity(this, clientNum);
    }
}
