package dev.wishdir.quake3.movement;

import dev.wishdir.idtech.Axes;
import dev.wishdir.idtech.CollisionWorld;
import dev.wishdir.idtech.Obstacle;
import dev.wishdir.idtech.PlacedModel;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.BodyEvent;
import dev.wishdir.quake3.combat.CombatState;
import dev.wishdir.quake3.combat.PickupItem;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.Usercmd;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** A player's body as the server moves it: the source of its player state and its entity. */
public final class PlayerBody extends PmoveState {
    private static final int SPECTATOR_TEAM = 3;
    private static final int GRAVITY = 800;
    private static final int WALK_SPEED = 320;
    private static final int FLY_SPEED = 400;

    /** The hull, relative to the origin. */
    private static final Vec3f MINS = new Vec3f(-15, -15, -24);

    private static final Vec3f STANDING = new Vec3f(15, 15, 32);
    private static final Vec3f CROUCHED = new Vec3f(15, 15, 16);

    private static final float MUZZLE_UNITS = 14;
    private static final int DEAD_VIEWHEIGHT = -16;
    private static final int MEDIUM_FALL_DAMAGE = 5;
    private static final int FAR_FALL_DAMAGE = 10;
    private static final int MIN_PUSH_MILLIS = 50;
    private static final int MAX_PUSH_MILLIS = 200;

    private final CombatState combat = new CombatState();
    private boolean teleported;
    private boolean pushed;
    private boolean killed;
    private int secondMillis;
    private int diedAt;

    /**
     * The body of a player of another game, as far as it is visible.
     *
     * @param entity the entity that clients see
     * @param commandTime its newest command time, milliseconds of server time
     * @param health not above 0 if it is dead
     */
    public static PlayerBody ofForeign(
            Movement movement, EntityState entity, int commandTime, int health, int armour) {
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
        body.yaw = (float) Angles.wrap180(movement.yaw());
        body.set(DUCKED, movement.stance().crouched());
        body.viewheight = body.has(DUCKED) ? 12 : 26;
        body.groundEntityNum = entity.get(EntityField.GROUND_ENTITY_NUM);
        body.movementDir = (int) entity.real(EntityField.ANGLES2_1);
        body.legsAnim = entity.get(EntityField.LEGS_ANIM);
        body.torsoAnim = entity.get(EntityField.TORSO_ANIM);
        body.disarm();
        Weapon.of(entity.get(EntityField.WEAPON)).ifPresent(body::show);
        body.health = health;
        body.combat.setArmour(armour);
        if (health <= 0) {
            body.pmType = DEAD;
            body.viewheight = DEAD_VIEWHEIGHT;
            body.eFlags |= EF_DEAD;
            body.legsAnim = BodyAnimations.BOTH_DEATH1;
            body.torsoAnim = BodyAnimations.BOTH_DEATH1;
        }
        body.maxHealth = 100;
        body.gravity = GRAVITY;
        body.speed = WALK_SPEED;
        return body;
    }

    /**
     * Holds a weapon whose ammunition is not known here. Rounds of another one keep the client from
     * a warning that they are low.
     */
    private void show(Weapon inHand) {
        Weapon other = inHand == Weapon.MACHINE_GUN ? Weapon.SHOTGUN : Weapon.MACHINE_GUN;
        ammo[inHand.number()] = Weapon.ENDLESS;
        ammo[other.number()] = ROUNDS;
        weapons |= inHand.bit() | other.bit();
        weapon = inHand.number();
    }

    /** The origin: 24 units above the feet. */
    public Vec3f origin() {
        return origin;
    }

    /** Units a second. */
    public Vec3f velocity() {
        return velocity;
    }

    /** The time of the newest usercmd, milliseconds of server time. */
    public int commandTime() {
        return commandTime;
    }

    /** Places the body at rest. */
    public void place(Vec3f place) {
        origin = place;
        velocity = Vec3f.ZERO;
    }

    /**
     * Spawns the body at a place: docs/protocols/quake3.md#what-a-spawn-sets.
     *
     * @param yaw view direction, degrees
     * @param command the newest usercmd of the player
     * @param time milliseconds of server time
     */
    public void spawn(Vec3f place, double yaw, Usercmd command, int time) {
        place(place.withZ(place.z() + 9));
        look(command);
        face(new Vec3f(0, (float) yaw, 0));
        killed = false;
        jumppadEnt = 0;
        pmFlags = RESPAWNED | TIME_KNOCKBACK;
        pmTime = 100;
        eFlags = eFlags & ~EF_DEAD ^ EF_TELEPORT_BIT;
        pmType = spectates() ? SPECTATOR : NORMAL;
        viewheight = 26;
        combat.begin();
        secondMillis = 0;
        spawnCount++;
        health = 125;
        maxHealth = 100;
        disarm();
        weaponstate = 0;
        weaponTime = 0;
        groundEntityNum = EntityState.NONE;
        legsAnim = BodyAnimations.LEGS_IDLE;
        torsoAnim = BodyAnimations.TORSO_STAND2;
        commandTime = time - 100;
    }

    /** Gives the weapons of a player without a match, whose ammunition is not used up. */
    private void disarm() {
        spendsAmmo = false;
        gauntletHits = false;
        Arrays.fill(ammo, 0);
        ammo[GAUNTLET] = Weapon.ENDLESS;
        ammo[MACHINEGUN] = ROUNDS;
        weapons = WEAPONS;
        weapon = GAUNTLET;
    }

    /**
     * Gives the weapons of a life in a match, with their rounds.
     *
     * @param inHand one of them
     */
    public void arm(Set<Weapon> all, Weapon inHand) {
        spendsAmmo = true;
        Arrays.fill(ammo, 0);
        weapons = 0;
        for (Weapon each : all) {
            ammo[each.number()] = each.rounds();
            weapons |= each.bit();
        }
        weapon = inHand.number();
        torsoAnim =
                inHand == Weapon.GAUNTLET
                        ? BodyAnimations.TORSO_STAND2
                        : BodyAnimations.TORSO_STAND;
    }

    /**
     * Gives one weapon, with ammunition that is not used up. Not {@link Weapon#ENDLESS}, of which a
     * client warns that it is low.
     */
    public void armEndlessly(Weapon only) {
        arm(Set.of(only), only);
        ammo[only.number()] = PmoveAnimation.CHEATED_ROUNDS;
    }

    /** The weapon in hand; empty for none. */
    public Optional<Weapon> weapon() {
        return Weapon.of(weapon);
    }

    /** Milliseconds for which its quad damage lasts; 0 if it has none. */
    public int quadLeft(int time) {
        return Math.max(0, combat.quadUntil() - time);
    }

    /** The fight as its client is shown it. */
    public CombatState combat() {
        return combat;
    }

    /**
     * Takes an item, if it has use for it, with the event that its client shows.
     *
     * @param predicts whether its client predicts that event
     * @param time milliseconds of server time
     * @return whether it has taken it
     */
    public boolean take(PickupItem item, boolean predicts, int time) {
        if (!ItemEffects.take(this, combat, item)) {
            return false;
        }
        if (item == PickupItem.QUAD) {
            combat.addQuad(time, item.amount());
        }
        if (predicts && !item.isPowerup()) {
            event(EntityEvents.ITEM_PICKUP, item.number());
        } else {
            combat.show(BodyEvent.ITEM_PICKUP, item.number());
        }
        return true;
    }

    /** Points of health; not above 0 for a dead body. */
    public int health() {
        return health;
    }

    public void setHealth(int points) {
        health = points;
    }

    /** Whether it is dead and not in intermission. */
    public boolean isDead() {
        return pmType == DEAD;
    }

    /** Whether the gauntlet can strike in the next command. */
    public boolean canStrike() {
        return weapon == GAUNTLET && weaponTime <= 0 && pmType == NORMAL && health > 0;
    }

    /** Sets whether the gauntlet meets a body in the next command. */
    public void setGauntletHits(boolean hits) {
        gauntletHits = hits;
    }

    /** Number of the predictable events so far. */
    public int events() {
        return eventSequence;
    }

    /** Whether an event is a shot. Only the newest two are known. */
    public boolean isShot(int sequence) {
        return events[sequence & 1] == EntityEvents.FIRE_WEAPON;
    }

    /** The damage of a fall that an event reports; 0 for other events. */
    public int fallDamage(int sequence) {
        return switch (events[sequence & 1]) {
            case EntityEvents.FALL_MEDIUM -> MEDIUM_FALL_DAMAGE;
            case EntityEvents.FALL_FAR -> FAR_FALL_DAMAGE;
            default -> 0;
        };
    }

    /** The directions of its view. */
    public Axes view() {
        return Axes.of(new Vec3f(pitch, yaw, roll));
    }

    /** Starting point of its shots: docs/protocols/quake3.md#shots. */
    public Vec3f muzzle() {
        Vec3f eye = truncated(origin);
        return truncated(eye.withZ(eye.z() + viewheight).along(MUZZLE_UNITS, view().forward()));
    }

    /** A point with its fractions cut off, as entities are linked. */
    public static Vec3f truncated(Vec3f at) {
        return new Vec3f((int) at.x(), (int) at.y(), (int) at.z());
    }

    /**
     * Pushes the body: the ground does not brake it for a moment.
     *
     * @param velocity change, units a second
     * @param points the damage that the push comes from
     */
    public void push(Vec3f velocity, int points) {
        this.velocity = this.velocity.plus(velocity);
        if (pmTime == 0) {
            pmTime = Math.clamp(2L * points, MIN_PUSH_MILLIS, MAX_PUSH_MILLIS);
            set(TIME_KNOCKBACK, true);
        }
    }

    /** Health above which it is lost again. */
    public int maxHealth() {
        return maxHealth;
    }

    /** Adds to the time that the body has lived. Returns the full seconds since the last call. */
    public int takeSeconds(int millis) {
        secondMillis += millis;
        int seconds = secondMillis / 1_000;
        secondMillis %= 1_000;
        return seconds;
    }

    /** Time of its death, milliseconds of server time. */
    public int diedAt() {
        return diedAt;
    }

    /** Whether its client shows the board between two rounds. */
    public boolean isInIntermission() {
        return pmType == INTERMISSION;
    }

    /**
     * Ends the life: it falls and moves no more by commands.
     *
     * @param time milliseconds of server time
     * @param death which of the three deaths, from 0
     * @param deadYaw towards the killer, degrees
     */
    public void die(int time, int death, double deadYaw) {
        diedAt = time;
        pmType = DEAD;
        viewheight = DEAD_VIEWHEIGHT;
        health = Math.min(health, 0);
        combat.clearQuad();
        eFlags = (eFlags | EF_DEAD) & ~EF_FIRING;
        int animation = BodyAnimations.BOTH_DEATH1 + 2 * death;
        legsAnim = ~legsAnim & BodyAnimations.TOGGLE | animation;
        torsoAnim = ~torsoAnim & BodyAnimations.TOGGLE | animation;
        legsTimer = 0;
        torsoTimer = 0;
        combat.setDeadYaw((int) deadYaw);
    }

    /** A state whose client shows the board. */
    public static PlayerState inIntermission(PlayerState state) {
        return state.with(PlayerField.PM_TYPE, INTERMISSION);
    }

    /** Stands still until it spawns; its client shows the board. */
    public void startIntermission() {
        pmType = spectates() ? SPECTATOR : INTERMISSION;
        velocity = Vec3f.ZERO;
        combat.clearQuad();
        eFlags &= EF_TELEPORT_BIT | EF_CONNECTION;
    }

    /**
     * Executes a usercmd, from the time of the previous one to its own.
     *
     * @param world obstacles, without the body itself
     */
    public void move(Usercmd command, PmoveSettings settings, CollisionWorld world) {
        begin(command);
        touched.clear();
        Pmove.move(this, command, settings, world);
    }

    /** Takes the time and angles of a usercmd without moving. */
    public void rest(Usercmd command) {
        begin(command);
        commandTime = command.serverTime();
    }

    private void begin(Usercmd command) {
        look(command);
        gravity = GRAVITY;
        speed = spectates() ? FLY_SPEED : WALK_SPEED;
    }

    /** Makes the body a spectator, or a player, which must then spawn. */
    public void setSpectator(boolean spectator) {
        pmType = spectator ? SPECTATOR : NORMAL;
        combat.clearQuad();
    }

    private void look(Usercmd command) {
        commandAngles[0] = command.pitch();
        commandAngles[1] = command.yaw();
        commandAngles[2] = command.roll();
    }

    /** Sets the view angles; those of usercmds are relative to them. */
    private void face(Vec3f angles) {
        deltaAngles[0] = Quake3Motion.commandAngle(angles.x()) - commandAngles[0] & 0xFFFF;
        deltaAngles[1] = Quake3Motion.commandAngle(angles.y()) - commandAngles[1] & 0xFFFF;
        deltaAngles[2] = Quake3Motion.commandAngle(angles.z()) - commandAngles[2] & 0xFFFF;
        pitch = angles.x();
        yaw = angles.y();
        roll = angles.z();
    }

    /**
     * Teleports the body, which leaves the destination forward: docs/protocols/quake3.md#teleport.
     *
     * @param angles pitch, yaw and roll in degrees
     */
    public void teleport(Vec3f place, Vec3f angles) {
        origin = place.withZ(place.z() + 1);
        // The sum has no -0, as the wire has none.
        velocity = Axes.of(angles).forward().times(400).plus(Vec3f.ZERO);
        set(TIME_KNOCKBACK, true);
        pmTime = 160;
        eFlags ^= EF_TELEPORT_BIT;
        face(angles);
        teleported = true;
    }

    /**
     * Launches the body from a jump pad: docs/protocols/quake3.md#jump-pads.
     *
     * @param pad the entity number of the pad
     * @param thrown the velocity, units a second
     */
    public void launch(int pad, Vec3f thrown) {
        if (pad != jumppadEnt) {
            double flat = Math.hypot(thrown.x(), thrown.y());
            event(EntityEvents.JUMP_PAD, Math.abs(thrown.z()) >= flat ? 1 : 0);
        }
        jumppadEnt = pad;
        velocity = thrown;
    }

    /** Ends the contact with a jump pad: the next contact is a new one, even with the same pad. */
    public void leavePads() {
        jumppadEnt = 0;
    }

    /** Marks the body as hit by something that no player survives. */
    public void kill() {
        killed = true;
    }

    /** Forgets that something hit it that no player survives, as it is dead. */
    public void clearKilled() {
        killed = false;
    }

    /** Whether it is killed, until it spawns. */
    public boolean isKilled() {
        return killed;
    }

    /** Whether it has teleported since the last call. */
    public boolean takeTeleported() {
        boolean was = teleported;
        teleported = false;
        return was;
    }

    /** Whether something has carried or teleported it since the other clients were notified. */
    public boolean isCarried() {
        return pushed || teleported;
    }

    /** Records that the other clients were notified of a movement by the level. */
    public void clearCarried() {
        pushed = false;
    }

    /** Whether it stands on an entity. */
    public boolean standsOn(int entity) {
        return groundEntityNum == entity;
    }

    /** Whether it has run into or stood on an entity since its last command began. */
    public boolean hasTouched(int entity) {
        return touched.get(entity);
    }

    /** Takes the ground away: it has moved away or pushes the body. */
    public void leaveGround() {
        groundEntityNum = EntityState.NONE;
    }

    /** Moves the body with the level, perhaps only to try whether it fits. */
    public void carry(Vec3f place) {
        origin = place;
    }

    /** Marks the body as moved by the level. */
    public void markCarried() {
        pushed = true;
    }

    /** Rotates the view with the ground. */
    public void turn(float degrees) {
        deltaAngles[1] = deltaAngles[1] + Quake3Motion.commandAngle(degrees) & 0xFFFF;
    }

    /** Sets whether its client has recently sent nothing, which other clients show. */
    public void setLagging(boolean lagging) {
        eFlags = lagging ? eFlags | EF_CONNECTION : eFlags & ~EF_CONNECTION;
    }

    /** Whether it is marked as lagging. */
    public boolean isLagging() {
        return (eFlags & EF_CONNECTION) != 0;
    }

    /** Whether it is a spectator: it flies through everything, and no player sees it. */
    public boolean spectates() {
        return pmType == SPECTATOR;
    }

    /** The team: 0 for none, 1 red, 2 blue, 3 for spectators. */
    public int team() {
        return spectates() ? SPECTATOR_TEAM : combat.team();
    }

    /** Whether it touches a model. */
    public boolean touches(PlacedModel shape) {
        return shape.intersects(origin, MINS, maxs());
    }

    /** Whether it is not inside an obstacle. */
    public boolean fits(CollisionWorld world) {
        return !world.trace(origin, MINS, maxs(), origin, Pmove.MASK & ~Pmove.BODY).startSolid();
    }

    /**
     * The state that its own client receives.
     *
     * @param openArena whether the game is OpenArena, which has two of the statistics in other
     *     slots
     */
    public PlayerState playerState(int clientNum, boolean openArena) {
        return BodyStates.player(this, combat, team(), clientNum, openArena);
    }

    private Vec3f maxs() {
        return has(DUCKED) ? CROUCHED : STANDING;
    }

    private static Vec3f origin(EntityState player) {
        return new Vec3f(
                player.real(EntityField.POS_TR_BASE_0),
                player.real(EntityField.POS_TR_BASE_1),
                player.real(EntityField.POS_TR_BASE_2));
    }

    private static Vec3f maxs(EntityState player) {
        return player.get(EntityField.SOLID) == Quake3Motion.SOLID_CROUCHED ? CROUCHED : STANDING;
    }

    /** The obstacle that a solid player is to others, at its visible position. */
    public static Obstacle obstacle(int entity, EntityState player) {
        return new Obstacle(entity, origin(player), MINS, maxs(player), Pmove.BODY);
    }

    /**
     * Whether this body overlaps the visible position of another, if that is solid.
     *
     * @param margin added to this body on all sides, units
     */
    public boolean meets(EntityState that, float margin) {
        if (that.get(EntityField.SOLID) == 0) {
            return false;
        }
        float wide = STANDING.x() - MINS.x() + margin;
        Vec3f apart = origin(that).minus(origin);
        return Math.abs(apart.x()) <= wide
                && Math.abs(apart.y()) <= wide
                && apart.z() + MINS.z() <= maxs().z() + margin
                && apart.z() + maxs(that).z() >= MINS.z() - margin;
    }

    /** The state that other clients receive: docs/protocols/quake3.md#entity-state-of-a-player. */
    public EntityState entity(int clientNum) {
        return BodyStates.entity(this, combat, clientNum);
    }
}
