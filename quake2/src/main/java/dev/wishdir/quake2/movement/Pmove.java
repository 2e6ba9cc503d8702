package dev.wishdir.quake2.movement;

import dev.wishdir.idtech.CollisionWorld;
import dev.wishdir.idtech.Obstacle;
import dev.wishdir.idtech.Plane;
import dev.wishdir.idtech.PlaneWorld;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;

import java.util.List;

/**
 * The player movement of Quake II, as its servers run it and its clients predict it: in single
 * precision, from and to the eighths of a unit on the wire, so that both get the same result to the
 * last bit. Units and seconds; not thread-safe.
 *
 * <p>One class, as in the original: its steps work on the same state, and their order decides the
 * last bit.
 *
 * <p>See docs/protocols/quake2.md, 6.
 */
public final class Pmove {
    /** Map contents that block a living player: solid, window, player clip, monsters. */
    public static final int STOPS_PLAYERS = 0x201_0003;

    /** Map contents that are climbed. */
    public static final int LADDER = 0x2000_0000;

    private static final int TIME_WATERJUMP = 8;
    private static final int TIME_LAND = 16;
    private static final int TIME_TELEPORT = 32;
    private static final int TIMES = TIME_WATERJUMP | TIME_LAND | TIME_TELEPORT;

    private static final int SOLID = 0x1;
    private static final int LIQUID = 0x38;
    private static final int SLICK = 2;
    private static final int MASK_DEAD = 0x1_0003;

    private static final float STEP_SIZE = 18;
    private static final float STOP_SPEED = 100;
    private static final float MAX_SPEED = 300;
    private static final float DUCK_SPEED = 100;
    private static final float FRICTION = 6;
    private static final float WATER_SPEED = 400;
    private static final float ACCELERATE = 10;
    private static final double MIN_STEP_NORMAL = 0.7;
    private static final double STOP_EPSILON = 0.1;
    private static final float OVERBOUNCE = 1.01f;
    private static final int MAX_CLIP_PLANES = 5;
    private static final int[] OFFSETS = {0, 4, 1, 2, 3, 5, 6, 7};
    private static final int[] NUDGES = {0, -1, 1};

    private final PlaneWorld map;
    private final float airAccelerate;

    private final float[] org = new float[3];
    private final float[] vel = new float[3];
    private final float[] mins = new float[3];
    private final float[] maxs = new float[3];
    private final float[] forward = new float[3];
    private final float[] right = new float[3];
    private final float[] angles = new float[3];
    private final int[] previous = new int[3];
    private final float[][] planes = new float[MAX_CLIP_PLANES][3];
    private CollisionWorld world;
    private Trace trace = new Trace(false, false, 1, Vec3f.ZERO, Plane.NONE, 0, 0, Trace.WORLD);
    private int type;
    private int flags;
    private int time;
    private float t;
    private float gravity;
    private float forwardMove;
    private float sideMove;
    private float upMove;
    private float eye;
    private boolean grounded;
    private int groundSurface;
    private int groundContents;
    private int waterLevel;
    private int waterType;
    private boolean ladder;

    /** Moves bodies through a map with the default air acceleration of 0. */
    public Pmove(PlaneWorld map) {
        this(map, 0);
    }

    /**
     * @param airAccelerate 0, or the server's setting
     */
    Pmove(PlaneWorld map, float airAccelerate) {
        this.map = map;
        world = map;
        this.airAccelerate = airAccelerate;
    }

    /** The map's solids, without bodies. */
    public PlaneWorld map() {
        return map;
    }

    /**
     * Sets the bodies of others as obstacles for the following commands, except those that the body
     * overlaps, so that it can leave them.
     */
    public void setObstacles(PlayerState body, List<PlayerState> others) {
        List<Obstacle> bodies = PlayerHulls.around(body, others);
        world = bodies.isEmpty() ? map : map.with(bodies);
    }

    /**
     * Runs a command.
     *
     * @param changed whether the game placed or pushed the body since the last command
     * @return the new state: origin, velocity, flags, time, view angles and view offset
     */
    public PlayerState run(PlayerState state, UserCmd cmd, boolean changed) {
        load(state, cmd);
        if (type == PlayerState.FREEZE) {
            return state;
        }
        if (type == PlayerState.SPECTATOR) {
            fly();
            snap();
            return result(state);
        }
        if (type >= PlayerState.DEAD) {
            forwardMove = 0;
            sideMove = 0;
            upMove = 0;
        }
        duck();
        if (changed) {
            initialSnap();
        }
        categorise();
        if (type == PlayerState.DEAD) {
            deadMove();
        }
        specialMovement();
        countDown(cmd.msec());
        if ((flags & TIME_TELEPORT) == 0) {
            if ((flags & TIME_WATERJUMP) != 0) {
                vel[2] -= gravity * t;
                if (vel[2] < 0) {
                    flags &= ~TIMES;
                    time = 0;
                }
                stepSlide();
            } else {
                jump();
                friction();
                if (waterLevel >= 2) {
                    waterMove();
                } else {
                    vectors(angles[0] / 3);
                    airMove();
                }
            }
        }
        categorise();
        snap();
        return result(state);
    }

    private void load(PlayerState state, UserCmd cmd) {
        type = state.pmType();
        flags = state.pmFlags();
        time = state.pmTime();
        gravity = state.gravity();
        set(previous, state.origin());
        for (int i = 0; i < 3; i++) {
            org[i] = previous[i] * 0.125f;
        }
        vel[0] = state.velocity().x() * 0.125f;
        vel[1] = state.velocity().y() * 0.125f;
        vel[2] = state.velocity().z() * 0.125f;
        t = cmd.msec() * 0.001f;
        forwardMove = cmd.forward();
        sideMove = cmd.side();
        upMove = cmd.up();
        grounded = false;
        groundSurface = 0;
        groundContents = 0;
        waterLevel = 0;
        waterType = 0;
        ladder = false;
        Triple delta = state.deltaAngles();
        if ((flags & TIME_TELEPORT) != 0) {
            angles[0] = 0;
            angles[1] = degrees(cmd.angles().y() + delta.y());
            angles[2] = 0;
        } else {
            float pitch = degrees((short) (cmd.angles().x() + delta.x()));
            angles[0] = Math.clamp(pitch, -89f, 89f);
            angles[1] = degrees((short) (cmd.angles().y() + delta.y()));
            angles[2] = degrees((short) (cmd.angles().z() + delta.z()));
        }
        vectors(angles[0]);
    }

    private static void set(int[] into, Triple from) {
        into[0] = from.x();
        into[1] = from.y();
        into[2] = from.z();
    }

    private static float degrees(int angle) {
        return (float) (angle * (360.0 / 65536));
    }

    private void vectors(float pitch) {
        float yaw = (float) (angles[1] * (Math.PI * 2 / 360));
        float sy = (float) Math.sin(yaw);
        float cy = (float) Math.cos(yaw);
        float p = (float) (pitch * (Math.PI * 2 / 360));
        float sp = (float) Math.sin(p);
        float cp = (float) Math.cos(p);
        float roll = (float) (angles[2] * (Math.PI * 2 / 360));
        float sr = (float) Math.sin(roll);
        float cr = (float) Math.cos(roll);
        forward[0] = cp * cy;
        forward[1] = cp * sy;
        forward[2] = -sp;
        right[0] = -1 * sr * sp * cy + -1 * cr * -sy;
        right[1] = -1 * sr * sp * sy + -1 * cr * cy;
        right[2] = -1 * sr * cp;
    }

    private PlayerState result(PlayerState state) {
        return new PlayerState(
                type,
                new Triple(previous[0], previous[1], previous[2]),
                new Triple((short) (vel[0] * 8), (short) (vel[1] * 8), (short) (vel[2] * 8)),
                time,
                flags,
                state.gravity(),
                state.deltaAngles(),
                new Triple(0, 0, (int) (eye * 4)),
                new Triple(
                        (short) (int) (angles[0] * 65536 / 360),
                        (short) (int) (angles[1] * 65536 / 360),
                        (short) (int) (angles[2] * 65536 / 360)),
                state.kickAngles(),
                state.gunIndex(),
                state.gunFrame(),
                state.gunOffset(),
                state.gunAngles(),
                state.blend(),
                state.fov(),
                waterLevel == 3 ? PlayerState.UNDER_WATER : 0,
                state.stats());
    }

    private void trace(float[] from, float[] to) {
        int mask = type == PlayerState.DEAD || type == PlayerState.GIB ? MASK_DEAD : STOPS_PLAYERS;
        trace = world.trace(vector(from), vector(mins), vector(maxs), vector(to), mask);
    }

    private static Vec3f vector(float[] v) {
        return new Vec3f(v[0], v[1], v[2]);
    }

    private void duck() {
        mins[0] = -16;
        mins[1] = -16;
        maxs[0] = 16;
        maxs[1] = 16;
        if (type == PlayerState.GIB) {
            mins[2] = 0;
            maxs[2] = 16;
            eye = 8;
            return;
        }
        mins[2] = -24;
        if (type == PlayerState.DEAD) {
            flags |= PlayerState.DUCKED;
        } else if (upMove < 0 && (flags & PlayerState.ON_GROUND) != 0) {
            flags |= PlayerState.DUCKED;
        } else if ((flags & PlayerState.DUCKED) != 0) {
            maxs[2] = 32;
            trace(org, org);
            if (!trace.allSolid()) {
                flags &= ~PlayerState.DUCKED;
            }
        }
        boolean ducked = (flags & PlayerState.DUCKED) != 0;
        maxs[2] = ducked ? 4 : 32;
        eye = ducked ? -2 : 22;
    }

    private boolean isGood(int[] at) {
        float[] place = {at[0] * 0.125f, at[1] * 0.125f, at[2] * 0.125f};
        trace(place, place);
        return !trace.allSolid();
    }

    private void initialSnap() {
        int[] base = previous.clone();
        int[] at = new int[3];
        for (int dz : NUDGES) {
            at[2] = base[2] + dz;
            for (int dy : NUDGES) {
                at[1] = base[1] + dy;
                for (int dx : NUDGES) {
                    at[0] = base[0] + dx;
                    if (isGood(at)) {
                        for (int i = 0; i < 3; i++) {
                            org[i] = at[i] * 0.125f;
                            previous[i] = at[i];
                        }
                        return;
                    }
                }
            }
        }
    }

    private void snap() {
        int[] base = new int[3];
        int[] sign = new int[3];
        for (int i = 0; i < 3; i++) {
            sign[i] = org[i] >= 0 ? 1 : -1;
            base[i] = (int) (org[i] * 8);
            if (base[i] * 0.125f == org[i]) {
                sign[i] = 0;
            }
        }
        int[] at = new int[3];
        for (int offset : OFFSETS) {
            for (int i = 0; i < 3; i++) {
                at[i] = (short) ((offset >> i & 1) == 0 ? base[i] : base[i] + sign[i]);
            }
            if (type == PlayerState.SPECTATOR || isGood(at)) {
                System.arraycopy(at, 0, previous, 0, 3);
                return;
            }
        }
    }

    private void categorise() {
        if (vel[2] > 180) {
            grounded = false;
            flags &= ~PlayerState.ON_GROUND;
        } else {
            trace(org, new float[] {org[0], org[1], org[2] - 0.25f});
            groundSurface = trace.surface();
            groundContents = trace.contents();
            if (trace.plane().normal().z() < MIN_STEP_NORMAL && !trace.startSolid()) {
                grounded = false;
                flags &= ~PlayerState.ON_GROUND;
            } else {
                land();
            }
        }
        water();
    }

    private void land() {
        grounded = true;
        if ((flags & TIME_WATERJUMP) != 0) {
            flags &= ~TIMES;
            time = 0;
        }
        if ((flags & PlayerState.ON_GROUND) == 0) {
            flags |= PlayerState.ON_GROUND;
            if (vel[2] < -200) {
                flags |= TIME_LAND;
                time = vel[2] < -400 ? 25 : 18;
            }
        }
    }

    private int contents(float x, float y, float z) {
        return world.contents(new Vec3f(x, y, z));
    }

    private void water() {
        waterLevel = 0;
        waterType = 0;
        float height = eye - mins[2];
        int contents = contents(org[0], org[1], org[2] + mins[2] + 1);
        if ((contents & LIQUID) == 0) {
            return;
        }
        waterType = contents;
        waterLevel = 1;
        if ((contents(org[0], org[1], org[2] + mins[2] + height / 2) & LIQUID) == 0) {
            return;
        }
        waterLevel = 2;
        if ((contents(org[0], org[1], org[2] + mins[2] + height) & LIQUID) != 0) {
            waterLevel = 3;
        }
    }

    private void deadMove() {
        if (!grounded) {
            return;
        }
        float speed = length(vel) - 20;
        if (speed <= 0) {
            clearVelocity();
        } else {
            normalise(vel);
            scale(vel, speed);
        }
    }

    private void clearVelocity() {
        vel[0] = 0;
        vel[1] = 0;
        vel[2] = 0;
    }

    private void specialMovement() {
        if (time != 0) {
            return;
        }
        float[] flat = {forward[0], forward[1], 0};
        normalise(flat);
        trace(org, new float[] {org[0] + flat[0], org[1] + flat[1], org[2] + flat[2]});
        ladder = trace.fraction() < 1 && (trace.contents() & LADDER) != 0;
        if (waterLevel != 2) {
            return;
        }
        float x = org[0] + 30 * flat[0];
        float y = org[1] + 30 * flat[1];
        float z = org[2] + 30 * flat[2] + 4;
        if ((contents(x, y, z) & SOLID) == 0 || contents(x, y, z + 16) != 0) {
            return;
        }
        vel[0] = flat[0] * 50;
        vel[1] = flat[1] * 50;
        vel[2] = 350;
        flags |= TIME_WATERJUMP;
        time = 255;
    }

    private void countDown(int msec) {
        if (time == 0) {
            return;
        }
        int passed = Math.max(1, msec >> 3);
        if (passed >= time) {
            flags &= ~TIMES;
            time = 0;
        } else {
            time -= passed;
        }
    }

    private void jump() {
        if ((flags & TIME_LAND) != 0) {
            return;
        }
        if (upMove < 10) {
            flags &= ~PlayerState.JUMP_HELD;
            return;
        }
        if ((flags & PlayerState.JUMP_HELD) != 0 || type == PlayerState.DEAD) {
            return;
        }
        if (waterLevel >= 2) {
            grounded = false;
            if (vel[2] > -300) {
                // On a server the player's own box is in the contents there, so they never equal
                // plain water.
                vel[2] = 50;
            }
            return;
        }
        if (!grounded) {
            return;
        }
        flags |= PlayerState.JUMP_HELD;
        grounded = false;
        vel[2] = Math.max(vel[2] + 270, 270);
    }

    private void friction() {
        float speed = length(vel);
        if (speed < 1) {
            vel[0] = 0;
            vel[1] = 0;
            return;
        }
        float drop = 0;
        if (grounded && (groundSurface & SLICK) == 0 || ladder) {
            drop += Math.max(speed, STOP_SPEED) * FRICTION * t;
        }
        if (waterLevel != 0 && !ladder) {
            drop += speed * 1 * waterLevel * t;
        }
        scale(vel, Math.max(speed - drop, 0) / speed);
    }

    private void accelerate(float[] wishDir, float wishSpeed, float rate) {
        float add = wishSpeed - dot(vel, wishDir);
        if (add <= 0) {
            return;
        }
        push(wishDir, Math.min(rate * t * wishSpeed, add));
    }

    private void airAccelerate(float[] wishDir, float wishSpeed) {
        float add = Math.min(wishSpeed, 30) - dot(vel, wishDir);
        if (add <= 0) {
            return;
        }
        push(wishDir, Math.min(10 * wishSpeed * t, add));
    }

    private void push(float[] wishDir, float speed) {
        for (int i = 0; i < 3; i++) {
            vel[i] += speed * wishDir[i];
        }
    }

    private void airMove() {
        float[] wishVel = new float[3];
        wishVel[0] = forward[0] * forwardMove + right[0] * sideMove;
        wishVel[1] = forward[1] * forwardMove + right[1] * sideMove;
        currents(wishVel);
        float[] wishDir = wishVel.clone();
        float wishSpeed = normalise(wishDir);
        float maxSpeed = (flags & PlayerState.DUCKED) != 0 ? DUCK_SPEED : MAX_SPEED;
        if (wishSpeed > maxSpeed) {
            scale(wishVel, maxSpeed / wishSpeed);
            wishSpeed = maxSpeed;
        }
        if (ladder) {
            accelerate(wishDir, wishSpeed, ACCELERATE);
            if (wishVel[2] == 0) {
                vel[2] =
                        vel[2] > 0
                                ? Math.max(vel[2] - gravity * t, 0)
                                : Math.min(vel[2] + gravity * t, 0);
            }
            stepSlide();
        } else if (grounded) {
            vel[2] = 0;
            accelerate(wishDir, wishSpeed, ACCELERATE);
            vel[2] = gravity > 0 ? 0 : vel[2] - gravity * t;
            if (vel[0] != 0 || vel[1] != 0) {
                stepSlide();
            }
        } else {
            if (airAccelerate != 0) {
                airAccelerate(wishDir, wishSpeed);
            } else {
                accelerate(wishDir, wishSpeed, 1);
            }
            vel[2] -= gravity * t;
            stepSlide();
        }
    }

    private void waterMove() {
        float[] wishVel = new float[3];
        for (int i = 0; i < 3; i++) {
            wishVel[i] = forward[i] * forwardMove + right[i] * sideMove;
        }
        if (forwardMove == 0 && sideMove == 0 && upMove == 0) {
            wishVel[2] -= 60;
        } else {
            wishVel[2] += upMove;
        }
        currents(wishVel);
        float wishSpeed = normalise(wishVel);
        wishSpeed = Math.min(wishSpeed, MAX_SPEED) * 0.5f;
        accelerate(wishVel, wishSpeed, ACCELERATE);
        stepSlide();
    }

    private void currents(float[] wishVel) {
        if (ladder && Math.abs(vel[2]) <= 200) {
            if (angles[0] <= -15 && forwardMove > 0) {
                wishVel[2] = 200;
            } else if (angles[0] >= 15 && forwardMove > 0) {
                wishVel[2] = -200;
            } else {
                wishVel[2] = upMove > 0 ? 200 : upMove < 0 ? -200 : 0;
            }
            wishVel[0] = Math.clamp(wishVel[0], -25f, 25f);
            wishVel[1] = Math.clamp(wishVel[1], -25f, 25f);
        }
        if (waterLevel != 0) {
            drift(wishVel, waterType, waterLevel == 1 && grounded ? WATER_SPEED / 2 : WATER_SPEED);
        }
        if (grounded) {
            drift(wishVel, groundContents, 100);
        }
    }

    private static void drift(float[] wishVel, int contents, float speed) {
        wishVel[0] += speed * (bit(contents, 0x4_0000) - bit(contents, 0x10_0000));
        wishVel[1] += speed * (bit(contents, 0x8_0000) - bit(contents, 0x20_0000));
        wishVel[2] += speed * (bit(contents, 0x40_0000) - bit(contents, 0x80_0000));
    }

    private static int bit(int contents, int bit) {
        return (contents & bit) == 0 ? 0 : 1;
    }

    private void fly() {
        eye = 22;
        float speed = length(vel);
        if (speed < 1) {
            clearVelocity();
        } else {
            float drop = Math.max(speed, STOP_SPEED) * (FRICTION * 1.5f) * t;
            scale(vel, Math.max(speed - drop, 0) / speed);
        }
        float[] wishVel = new float[3];
        normalise(forward);
        normalise(right);
        for (int i = 0; i < 3; i++) {
            wishVel[i] = forward[i] * forwardMove + right[i] * sideMove;
        }
        wishVel[2] += upMove;
        float wishSpeed = Math.min(normalise(wishVel), MAX_SPEED);
        float add = wishSpeed - dot(vel, wishVel);
        if (add <= 0) {
            return;
        }
        push(wishVel, Math.min(ACCELERATE * t * wishSpeed, add));
        for (int i = 0; i < 3; i++) {
            org[i] += t * vel[i];
        }
    }

    private void stepSlide() {
        float[] startOrg = org.clone();
        float[] startVel = vel.clone();
        slide();
        float[] downOrg = org.clone();
        float[] downVel = vel.clone();
        float[] up = {startOrg[0], startOrg[1], startOrg[2] + STEP_SIZE};
        trace(up, up);
        if (trace.allSolid()) {
            return;
        }
        copy(up, org);
        copy(startVel, vel);
        slide();
        trace(org, new float[] {org[0], org[1], org[2] - STEP_SIZE});
        if (!trace.allSolid()) {
            copy(trace.end(), org);
        }
        float down = flatSquare(downOrg, startOrg);
        float stepped = flatSquare(org, startOrg);
        if (down > stepped || trace.plane().normal().z() < MIN_STEP_NORMAL) {
            copy(downOrg, org);
            copy(downVel, vel);
        } else {
            vel[2] = downVel[2];
        }
    }

    private static float flatSquare(float[] a, float[] b) {
        return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
    }

    private void slide() {
        float[] primal = vel.clone();
        int count = 0;
        float left = t;
        for (int bump = 0; bump < 4; bump++) {
            float[] end = new float[3];
            for (int i = 0; i < 3; i++) {
                end[i] = org[i] + left * vel[i];
            }
            trace(org, end);
            if (trace.allSolid()) {
                vel[2] = 0;
                return;
            }
            if (trace.fraction() > 0) {
                copy(trace.end(), org);
                count = 0;
            }
            if (trace.fraction() == 1) {
                break;
            }
            left -= left * trace.fraction();
            if (count == MAX_CLIP_PLANES) {
                clearVelocity();
                break;
            }
            copy(trace.plane().normal(), planes[count++]);
            if (!clipToPlanes(count) || dot(vel, primal) <= 0) {
                clearVelocity();
                break;
            }
        }
        if (time != 0) {
            copy(primal, vel);
        }
    }

    /** Turns the velocity along the planes that were hit; false if it can't move. */
    private boolean clipToPlanes(int count) {
        for (int i = 0; i < count; i++) {
            clip(planes[i]);
            boolean free = true;
            for (int j = 0; j < count && free; j++) {
                free = j == i || dot(vel, planes[j]) >= 0;
            }
            if (free) {
                return true;
            }
        }
        if (count != 2) {
            return false;
        }
        float[] a = planes[0];
        float[] b = planes[1];
        float[] crease = {
            a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
        };
        float speed = dot(crease, vel);
        for (int i = 0; i < 3; i++) {
            vel[i] = crease[i] * speed;
        }
        return true;
    }

    private void clip(float[] normal) {
        float into = dot(vel, normal) * OVERBOUNCE;
        for (int i = 0; i < 3; i++) {
            vel[i] -= normal[i] * into;
            if (vel[i] > -STOP_EPSILON && vel[i] < STOP_EPSILON) {
                vel[i] = 0;
            }
        }
    }

    private static void copy(Vec3f from, float[] to) {
        to[0] = from.x();
        to[1] = from.y();
        to[2] = from.z();
    }

    private static void copy(float[] from, float[] to) {
        System.arraycopy(from, 0, to, 0, 3);
    }

    private static float dot(float[] a, float[] b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }

    private static float length(float[] v) {
        return (float) Math.sqrt(dot(v, v));
    }

    private static void scale(float[] v, float factor) {
        v[0] *= factor;
        v[1] *= factor;
        v[2] *= factor;
    }

    private static float normalise(float[] v) {
        float length = length(v);
        if (length != 0) {
            scale(v, 1 / length);
        }
        return length;
    }
}
