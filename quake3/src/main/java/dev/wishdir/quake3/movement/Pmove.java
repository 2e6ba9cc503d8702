package dev.wishdir.quake3.movement;

import static dev.wishdir.quake3.movement.PmoveState.*;

import dev.wishdir.idtech.CollisionWorld;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.Usercmd;

import java.util.ArrayList;
import java.util.List;

/**
 * The player movement of Quake III: docs/protocols/quake3.md#player-movement. One instance runs one
 * slice of one usercmd; {@link #move} cuts a usercmd into slices.
 *
 * <p>The class is long because all steps work on the same state, and their order decides the last
 * bit.
 */
public final class Pmove {
    /** Contents that stop a living player: solid, player clip, bodies. */
    public static final int MASK = 0x2010001;

    /** Contents of players, which stop neither spectators nor the dead. */
    static final int BODY = 0x2000000;

    public static final int SOLID = 1;

    /** Contents of water. */
    public static final int PLAIN_WATER = 32;

    private static final int WATER = PLAIN_WATER | 16 | 8;
    private static final int SLICK = 2;
    private static final int NODAMAGE = 1;
    private static final int METALSTEPS = 0x1000;
    private static final int NOSTEPS = 0x2000;

    private static final int BUTTON_USE = 4;
    private static final int BUTTON_WALKING = 16;

    private static final int SLICE = 66;
    private static final int MAX_COMMAND_MILLIS = 1000;
    private static final float STEP = 18;
    private static final float JUMP_VELOCITY = 270;
    private static final float STEEP = 0.7f;
    private static final float OVERCLIP = 1.001f;
    private static final int MAX_CLIP_PLANES = 5;
    private static final int BUMPS = 4;

    private final PmoveState ps;
    private final PmoveSettings settings;
    private final CollisionWorld world;
    private final PmoveAnimation animation;

    private int forwardMove;
    private int rightMove;
    private int upMove;
    private int buttons;
    private int msec;
    private float dt;
    private Vec3f mins = new Vec3f(-15, -15, -24);
    private Vec3f maxs = new Vec3f(15, 15, 32);
    private Vec3f forward = Vec3f.ZERO;
    private Vec3f right = Vec3f.ZERO;
    private Vec3f previousOrigin = Vec3f.ZERO;
    private Vec3f previousVelocity = Vec3f.ZERO;
    private boolean walking;
    private boolean groundPlane;
    private Vec3f groundNormal = Vec3f.ZERO;
    private int groundSurface;
    private int waterLevel;

    private Pmove(PmoveState ps, Usercmd cmd, PmoveSettings settings, CollisionWorld world) {
        this.ps = ps;
        this.settings = settings;
        this.world = world;
        this.animation = new PmoveAnimation(ps);
        forwardMove = cmd.forward();
        rightMove = cmd.right();
        upMove = cmd.up();
        buttons = cmd.buttons();
    }

    /**
     * Runs a usercmd from the state's command time to the command's own.
     *
     * @param ps read and written
     * @param cmd its server time is not clamped to the level's time here
     * @param world what the player may run into, without the player
     */
    static void move(PmoveState ps, Usercmd cmd, PmoveSettings settings, CollisionWorld world) {
        int last = cmd.serverTime();
        if (last < ps.commandTime) {
            return;
        }
        if (last > ps.commandTime + MAX_COMMAND_MILLIS) {
            ps.commandTime = last - MAX_COMMAND_MILLIS;
        }
        int upMove = cmd.up();
        int buttons = cmd.buttons();
        while (ps.commandTime != last) {
            int slice = Math.min(last - ps.commandTime, settings.fixed() ? settings.msec() : SLICE);
            Pmove single = new Pmove(ps, cmd, settings, world);
            single.upMove = upMove;
            single.buttons = buttons;
            single.run(ps.commandTime + slice, cmd);
            upMove = ps.has(JUMP_HELD) ? 20 : single.upMove;
            buttons = single.buttons;
        }
    }

    private void run(int serverTime, Usercmd cmd) {
        takeButtons();
        msec = Math.clamp(serverTime - ps.commandTime, 1, 200);
        ps.commandTime = serverTime;
        dt = msec * 0.001f;
        previousOrigin = ps.origin;
        previousVelocity = ps.velocity;
        turn(cmd);
        if (upMove < 10) {
            ps.set(JUMP_HELD, false);
        }
        if (forwardMove < 0) {
            ps.set(BACKWARDS_RUN, true);
        } else if (forwardMove > 0 || rightMove != 0) {
            ps.set(BACKWARDS_RUN, false);
        }
        if (ps.pmType >= DEAD) {
            forwardMove = 0;
            rightMove = 0;
            upMove = 0;
        }
        switch (ps.pmType) {
            case SPECTATOR -> {
                checkDuck();
                fly();
                dropTimers();
            }
            case NOCLIP -> {
                noclip();
                dropTimers();
            }
            case NORMAL, DEAD -> walkAbout(cmd);
            default -> {}
        }
    }

    private void takeButtons() {
        if (Math.abs(forwardMove) > 64 || Math.abs(rightMove) > 64) {
            buttons &= ~BUTTON_WALKING;
        }
        boolean talk = (buttons & Usercmd.TALK) != 0;
        ps.eFlags = talk ? ps.eFlags | EF_TALK : ps.eFlags & ~EF_TALK;
        boolean firing =
                (buttons & Usercmd.ATTACK) != 0
                        && !ps.has(RESPAWNED)
                        && ps.pmType != NOCLIP
                        && ps.pmType < INTERMISSION
                        && (!ps.spendsAmmo || ps.ammo[ps.weapon] != 0);
        ps.eFlags = firing ? ps.eFlags | EF_FIRING : ps.eFlags & ~EF_FIRING;
        if (ps.pmType < DEAD && (buttons & (Usercmd.ATTACK | BUTTON_USE)) == 0) {
            ps.set(RESPAWNED, false);
        }
        if (talk) {
            forwardMove = 0;
            rightMove = 0;
            upMove = 0;
            buttons = Usercmd.TALK;
        }
    }

    private void turn(Usercmd cmd) {
        if (ps.pmType < DEAD) {
            int pitch = (short) (cmd.pitch() + ps.deltaAngles[0]);
            int steepest = 16000;
            if (Math.abs(pitch) > steepest) {
                pitch = pitch > 0 ? steepest : -steepest;
                ps.deltaAngles[0] = (short) (pitch - cmd.pitch());
            }
            ps.pitch = degrees(pitch);
            ps.yaw = degrees((short) (cmd.yaw() + ps.deltaAngles[1]));
            ps.roll = degrees((short) (cmd.roll() + ps.deltaAngles[2]));
        }
        float sp = sin(ps.pitch);
        float cp = cos(ps.pitch);
        float sy = sin(ps.yaw);
        float cy = cos(ps.yaw);
        float sr = sin(ps.roll);
        float cr = cos(ps.roll);
        forward = new Vec3f(cp * cy, cp * sy, -sp);
        right = new Vec3f(-sr * sp * cy + cr * sy, -sr * sp * sy - cr * cy, -sr * cp);
    }

    private static float degrees(int angle) {
        return angle * (360f / 65536);
    }

    /** Rounded to float, as in the game. */
    private static float radians(float degrees) {
        return (float) (degrees * (Math.PI * 2 / 360));
    }

    private static float sin(float degrees) {
        return (float) Math.sin(radians(degrees));
    }

    private static float cos(float degrees) {
        return (float) Math.cos(radians(degrees));
    }

    private void walkAbout(Usercmd cmd) {
        checkWater();
        checkDuck();
        checkGround();
        if (ps.pmType == DEAD && walking) {
            float speed = ps.velocity.length() - 20;
            ps.velocity = speed <= 0 ? Vec3f.ZERO : ps.velocity.normalised().times(speed);
        }
        dropTimers();
        int wasWaterLevel = waterLevel;
        if (ps.flight) {
            fly();
        } else if (ps.has(GRAPPLE_PULL)) {
            grapple();
            air();
        } else if (ps.has(TIME_WATERJUMP)) {
            waterJumpMove();
        } else if (waterLevel > 1) {
            swim();
        } else if (walking) {
            walk();
        } else {
            air();
        }
        if ((buttons & Usercmd.GESTURE) != 0) {
            animation.gesture();
        }
        checkGround();
        checkWater();
        animation.weapon(cmd.weapon(), buttons, msec);
        animation.torso();
        footsteps();
        animation.water(wasWaterLevel, waterLevel);
        if (!settings.keepsFractions() || (groundSurface & SLICK) != 0 && groundPlane) {
            ps.velocity =
                    new Vec3f(
                            (float) Math.rint(ps.velocity.x()),
                            (float) Math.rint(ps.velocity.y()),
                            (float) Math.rint(ps.velocity.z()));
        }
    }

    private void dropTimers() {
        if (ps.pmTime != 0) {
            if (msec >= ps.pmTime) {
                ps.set(ALL_TIMES, false);
                ps.pmTime = 0;
            } else {
                ps.pmTime -= msec;
            }
        }
        ps.legsTimer = Math.max(0, ps.legsTimer - msec);
        ps.torsoTimer = Math.max(0, ps.torsoTimer - msec);
    }

    private Trace trace(Vec3f start, Vec3f end) {
        boolean passesBodies = ps.pmType == DEAD || ps.pmType == SPECTATOR;
        return world.trace(start, mins, maxs, end, passesBodies ? MASK & ~BODY : MASK);
    }

    private void touch(Trace hit) {
        if (hit.entity() != Trace.WORLD) {
            ps.touched.set(hit.entity());
        }
    }

    private void checkWater() {
        waterLevel = 0;
        if (!wet(mins.z() + 1)) {
            return;
        }
        int eye = ps.viewheight + 24;
        int half = eye / 2;
        waterLevel = wet(mins.z() + half) ? wet(mins.z() + eye) ? 3 : 2 : 1;
    }

    private boolean wet(float height) {
        return (world.contents(ps.origin.withZ(ps.origin.z() + height)) & WATER) != 0;
    }

    private void checkDuck() {
        if (ps.pmType == DEAD) {
            maxs = maxs.withZ(-8);
            ps.viewheight = -16;
            return;
        }
        if (upMove < 0) {
            ps.set(DUCKED, true);
        } else if (ps.has(DUCKED)) {
            maxs = maxs.withZ(32);
            if (!trace(ps.origin, ps.origin).allSolid()) {
                ps.set(DUCKED, false);
            }
        }
        maxs = maxs.withZ(ps.has(DUCKED) ? 16 : 32);
        ps.viewheight = ps.has(DUCKED) ? 12 : 26;
    }

    private void checkGround() {
        Trace ground = trace(ps.origin, ps.origin.withZ(ps.origin.z() - 0.25f));
        if (ground.allSolid()) {
            if (!fitsNearby()) {
                leaveGround();
                return;
            }
            ground = trace(ps.origin, ps.origin.withZ(ps.origin.z() - 0.25f));
        }
        groundNormal = ground.plane().normal();
        groundSurface = ground.surface();
        if (ground.fraction() == 1) {
            if (ps.groundEntityNum != EntityState.NONE
                    && trace(ps.origin, ps.origin.withZ(ps.origin.z() - 64)).fraction() == 1) {
                animation.jump(forwardMove >= 0);
            }
            leaveGround();
        } else if (ps.velocity.z() > 0 && ps.velocity.dot(groundNormal) > 10) {
            animation.jump(forwardMove >= 0);
            leaveGround();
        } else if (groundNormal.z() < STEEP) {
            ps.groundEntityNum = EntityState.NONE;
            groundPlane = true;
            walking = false;
        } else {
            stand(ground);
        }
    }

    private void leaveGround() {
        ps.groundEntityNum = EntityState.NONE;
        groundPlane = false;
        walking = false;
    }

    private boolean fitsNearby() {
        for (int x = -1; x <= 1; x++) {
            for (int y = -1; y <= 1; y++) {
                for (int z = -1; z <= 1; z++) {
                    Vec3f near = ps.origin.plus(new Vec3f(x, y, z));
                    if (!trace(near, near).allSolid()) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private void stand(Trace ground) {
        groundPlane = true;
        walking = true;
        if (ps.has(TIME_WATERJUMP)) {
            ps.set(TIME_WATERJUMP | TIME_LAND, false);
            ps.pmTime = 0;
        }
        if (ps.groundEntityNum == EntityState.NONE) {
            land();
            if (previousVelocity.z() < -200) {
                ps.set(TIME_LAND, true);
                ps.pmTime = 250;
            }
        }
        touch(ground);
        ps.groundEntityNum = ground.entity() == Trace.WORLD ? EntityState.WORLD : ground.entity();
    }

    /** Computes the impact of a fall from the speed at which it reached the present height. */
    private void land() {
        float fallen = ps.origin.z() - previousOrigin.z();
        float speed = previousVelocity.z();
        float gravity = -ps.gravity;
        float a = gravity / 2;
        float discriminant = speed * speed + 4 * a * fallen;
        float impact = 0;
        if (discriminant >= 0 && a != 0) {
            float t = (-speed - (float) Math.sqrt(discriminant)) / (2 * a);
            impact = speed + t * gravity;
        }
        boolean damages = (groundSurface & NODAMAGE) == 0;
        animation.land(
                discriminant < 0 ? -1 : impact * impact * 0.0001f, waterLevel, damages, footstep());
    }

    private int footstep() {
        if ((groundSurface & NOSTEPS) != 0) {
            return EntityEvents.NONE;
        }
        return (groundSurface & METALSTEPS) != 0
                ? EntityEvents.FOOTSTEP_METAL
                : EntityEvents.FOOTSTEP;
    }

    private void footsteps() {
        float speed =
                (float)
                        Math.sqrt(
                                ps.velocity.x() * ps.velocity.x()
                                        + ps.velocity.y() * ps.velocity.y());
        boolean still = forwardMove == 0 && rightMove == 0;
        animation.legs(still, speed, (buttons & BUTTON_WALKING) != 0, msec, waterLevel, footstep());
    }

    private static Vec3f clip(Vec3f v, Vec3f normal) {
        float into = v.dot(normal);
        into = into < 0 ? into * OVERCLIP : into / OVERCLIP;
        return v.minus(normal.times(into));
    }

    private static Vec3f keepingLength(Vec3f v, Vec3f normal) {
        return clip(v, normal).normalised().times(v.length());
    }

    private float scale() {
        int most = Math.max(Math.abs(upMove), Math.max(Math.abs(forwardMove), Math.abs(rightMove)));
        if (most == 0) {
            return 0;
        }
        double total =
                Math.sqrt(forwardMove * forwardMove + rightMove * rightMove + upMove * upMove);
        return (float) ((double) ps.speed * most / (127.0 * total));
    }

    private void accelerate(Vec3f dir, float wish, float rate) {
        float add = wish - ps.velocity.dot(dir);
        if (add > 0) {
            ps.velocity = ps.velocity.along(Math.min(rate * dt * wish, add), dir);
        }
    }

    private void accelerate(Vec3f wish, float rate) {
        accelerate(wish.normalised(), wish.length(), rate);
    }

    private void friction() {
        Vec3f v = ps.velocity;
        float speed = (walking ? v.withZ(0) : v).length();
        if (speed < 1) {
            ps.velocity = new Vec3f(0, 0, v.z());
            return;
        }
        float drop = 0;
        if (waterLevel <= 1 && walking && (groundSurface & SLICK) == 0 && !ps.has(TIME_KNOCKBACK)) {
            drop += Math.max(speed, 100) * (6 * dt);
        }
        drop += speed * waterLevel * dt;
        if (ps.flight) {
            drop += speed * (3 * dt);
        }
        if (ps.pmType == SPECTATOR) {
            drop += speed * (5 * dt);
        }
        ps.velocity = v.times(Math.max(0, speed - drop) / speed);
    }

    private Vec3f wish(Vec3f forward, Vec3f right) {
        return forward.times(forwardMove).plus(right.times(rightMove));
    }

    private boolean jumps() {
        if (ps.has(RESPAWNED) || upMove < 10) {
            return false;
        }
        if (ps.has(JUMP_HELD)) {
            upMove = 0;
            return false;
        }
        groundPlane = false;
        walking = false;
        ps.set(JUMP_HELD, true);
        ps.groundEntityNum = EntityState.NONE;
        ps.velocity = ps.velocity.withZ(JUMP_VELOCITY);
        ps.event(EntityEvents.JUMP, 0);
        animation.jump(forwardMove >= 0);
        return true;
    }

    private void walk() {
        if (waterLevel > 2 && forward.dot(groundNormal) > 0) {
            swim();
            return;
        }
        if (jumps()) {
            if (waterLevel > 1) {
                swim();
            } else {
                air();
            }
            return;
        }
        friction();
        float scale = scale();
        animation.movementDir(forwardMove, rightMove);
        forward = clip(forward.withZ(0), groundNormal).normalised();
        right = clip(right.withZ(0), groundNormal).normalised();
        Vec3f wish = wish(forward, right);
        float speed = wish.length() * scale;
        if (ps.has(DUCKED)) {
            speed = Math.min(speed, ps.speed * 0.25f);
        }
        if (waterLevel != 0) {
            speed = Math.min(speed, ps.speed * (1 - 0.5f * waterLevel / 3));
        }
        boolean slides = (groundSurface & SLICK) != 0 || ps.has(TIME_KNOCKBACK);
        accelerate(wish.normalised(), speed, slides ? 1 : 10);
        if (slides) {
            ps.velocity = ps.velocity.withZ(ps.velocity.z() - ps.gravity * dt);
        }
        ps.velocity = keepingLength(ps.velocity, groundNormal);
        if (ps.velocity.x() != 0 || ps.velocity.y() != 0) {
            stepSlide(false);
        }
    }

    private void air() {
        friction();
        float scale = scale();
        animation.movementDir(forwardMove, rightMove);
        forward = forward.withZ(0).normalised();
        right = right.withZ(0).normalised();
        Vec3f wish = wish(forward, right).withZ(0);
        accelerate(wish.normalised(), wish.length() * scale, 1);
        if (groundPlane) {
            ps.velocity = clip(ps.velocity, groundNormal);
        }
        stepSlide(true);
    }

    private void fly() {
        friction();
        float scale = scale();
        Vec3f wish = wish(forward, right).times(scale);
        accelerate(wish.withZ(wish.z() + scale * upMove), 8);
        stepSlide(false);
    }

    private void noclip() {
        ps.viewheight = 26;
        float speed = ps.velocity.length();
        ps.velocity =
                speed < 1
                        ? Vec3f.ZERO
                        : ps.velocity.times(
                                Math.max(0, speed - Math.max(speed, 100) * 9 * dt) / speed);
        Vec3f wish = wish(forward, right);
        wish = wish.withZ(wish.z() + upMove);
        accelerate(wish.normalised(), wish.length() * scale(), 10);
        ps.origin = ps.origin.along(dt, ps.velocity);
    }

    private void grapple() {
        Vec3f pull = ps.grapplePoint.minus(ps.origin.along(-16, forward));
        float distance = pull.length();
        ps.velocity = pull.normalised().times(distance <= 100 ? 10 * distance : 800);
        groundPlane = false;
    }

    private void swim() {
        if (waterJumps()) {
            waterJumpMove();
            return;
        }
        friction();
        float scale = scale();
        Vec3f wish = wish(forward, right).times(scale);
        wish = scale == 0 ? new Vec3f(0, 0, -60) : wish.withZ(wish.z() + scale * upMove);
        accelerate(wish.normalised(), Math.min(wish.length(), ps.speed * 0.5f), 4);
        if (groundPlane && ps.velocity.dot(groundNormal) < 0) {
            ps.velocity = keepingLength(ps.velocity, groundNormal);
        }
        slide(false);
    }

    private boolean waterJumps() {
        if (ps.pmTime != 0 || waterLevel != 2) {
            return false;
        }
        Vec3f spot = ps.origin.along(30, forward.withZ(0).normalised());
        spot = spot.withZ(spot.z() + 4);
        if ((world.contents(spot) & SOLID) == 0
                || (world.contents(spot.withZ(spot.z() + 16)) & MASK) != 0) {
            return false;
        }
        ps.velocity = forward.times(200).withZ(350);
        ps.set(TIME_WATERJUMP, true);
        ps.pmTime = 2000;
        return true;
    }

    private void waterJumpMove() {
        stepSlide(true);
        ps.velocity = ps.velocity.withZ(ps.velocity.z() - ps.gravity * dt);
        if (ps.velocity.z() < 0) {
            ps.set(ALL_TIMES, false);
            ps.pmTime = 0;
        }
    }

    /** Moves and slides along obstacles. Returns whether it has hit one. */
    private boolean slide(boolean gravity) {
        Vec3f v = ps.velocity;
        Vec3f primal = v;
        Vec3f end = v;
        if (gravity) {
            end = v.withZ(v.z() - ps.gravity * dt);
            v = v.withZ((v.z() + end.z()) * 0.5f);
            primal = primal.withZ(end.z());
            if (groundPlane) {
                v = clip(v, groundNormal);
            }
        }
        List<Vec3f> planes = new ArrayList<>(MAX_CLIP_PLANES);
        if (groundPlane) {
            planes.add(groundNormal);
        }
        planes.add(v.normalised());
        float left = dt;
        int bump = 0;
        for (; bump < BUMPS; bump++) {
            Trace hit = trace(ps.origin, ps.origin.along(left, v));
            if (hit.allSolid()) {
                ps.velocity = v.withZ(0);
                return true;
            }
            if (hit.fraction() > 0) {
                ps.origin = hit.end();
            }
            if (hit.fraction() == 1) {
                break;
            }
            touch(hit);
            left *= 1 - hit.fraction();
            Vec3f normal = hit.plane().normal();
            if (planes.size() >= MAX_CLIP_PLANES) {
                ps.velocity = Vec3f.ZERO;
                return true;
            }
            if (planes.stream().anyMatch(plane -> normal.dot(plane) > 0.99f)) {
                v = v.plus(normal);
                continue;
            }
            planes.add(normal);
            Vec3f[] along = along(planes, v, end);
            if (along.length == 0) {
                ps.velocity = Vec3f.ZERO;
                return true;
            }
            v = along[0];
            end = along[1];
        }
        ps.velocity = ps.pmTime != 0 ? primal : gravity ? end : v;
        return bump != 0;
    }

    /** The two velocities made parallel to all planes; empty where three planes meet. */
    private static Vec3f[] along(List<Vec3f> planes, Vec3f v, Vec3f end) {
        for (int i = 0; i < planes.size(); i++) {
            Vec3f first = planes.get(i);
            if (v.dot(first) >= 0.1f) {
                continue;
            }
            Vec3f clipped = clip(v, first);
            Vec3f clippedEnd = clip(end, first);
            for (int j = 0; j < planes.size(); j++) {
                Vec3f second = planes.get(j);
                if (j == i || clipped.dot(second) >= 0.1f) {
                    continue;
                }
                clipped = clip(clipped, second);
                clippedEnd = clip(clippedEnd, second);
                if (clipped.dot(first) >= 0) {
                    continue;
                }
                Vec3f crease = first.cross(second).normalised();
                clipped = crease.times(crease.dot(v));
                clippedEnd = crease.times(crease.dot(end));
                for (int k = 0; k < planes.size(); k++) {
                    if (k != i && k != j && clipped.dot(planes.get(k)) < 0.1f) {
                        return new Vec3f[0];
                    }
                }
            }
            return new Vec3f[] {clipped, clippedEnd};
        }
        return new Vec3f[] {v, end};
    }

    private void stepSlide(boolean gravity) {
        Vec3f origin = ps.origin;
        Vec3f velocity = ps.velocity;
        if (!slide(gravity)) {
            return;
        }
        Trace down = trace(origin, origin.withZ(origin.z() - STEP));
        if (ps.velocity.z() > 0 && (down.fraction() == 1 || down.plane().normal().z() < STEEP)) {
            return;
        }
        Trace above = trace(origin, origin.withZ(origin.z() + STEP));
        if (above.allSolid()) {
            return;
        }
        float height = above.end().z() - origin.z();
        ps.origin = above.end();
        ps.velocity = velocity;
        slide(gravity);
        down = trace(ps.origin, ps.origin.withZ(ps.origin.z() - height));
        if (!down.allSolid()) {
            ps.origin = down.end();
        }
        if (down.fraction() < 1) {
            ps.velocity = clip(ps.velocity, down.plane().normal());
        }
        animation.step(ps.origin.z() - origin.z());
    }
}
