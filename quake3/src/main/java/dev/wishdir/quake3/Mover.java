package dev.wishdir.quake3;

import dev.wishdir.quake3.Brushes.Trace;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.Usercmd;

/**
 * Moves a player as its client predicts it: Quake III, player movement. A server that differs by a
 * thousandth of a unit makes the player's view jitter.
 *
 * <p>Not thread-safe; one moves many bodies, one after the other.
 */
final class Mover {
    static final int DUCKED = 1;
    static final int JUMP_HELD = 2;
    static final int BACKWARDS_JUMP = 8;
    static final int BACKWARDS_RUN = 16;
    static final int TIME_LAND = 32;
    static final int TIME_KNOCKBACK = 64;
    static final int TIME_WATERJUMP = 256;
    static final int RESPAWNED = 512;
    private static final int ALL_TIMES = TIME_LAND | TIME_KNOCKBACK | TIME_WATERJUMP;

    static final int NOCLIP = 1;
    static final int SPECTATOR = 2;
    static final int DEAD = 3;
    private static final int FREEZE = 4;

    private static final int ATTACK = 1;
    private static final int TALK = 2;
    private static final int USE = 4;
    private static final int GESTURE = 8;
    private static final int WALKING = 16;

    private static final int EF_FIRING = 256;
    private static final int EF_TALK = 4096;

    private static final int SLICK = 2;

    private static final double OVERBOUNCE = 1.001;
    private static final double STEP = 18;
    private static final double STEEPEST = 0.7;
    private static final double JUMP_VELOCITY = 270;
    private static final int MOST_MILLIS = 66;

    private final Brushes world;
    private final boolean exact;
    private final MoverAnimation animation = new MoverAnimation();
    private final double[] mins = new double[3];
    private final double[] maxs = new double[3];
    private final double[] forward = new double[3];
    private final double[] right = new double[3];
    private final double[] groundNormal = new double[3];
    private final double[] previousVelocity = new double[3];
    private double previousZ;
    private Body b = new Body();
    private int f;
    private int r;
    private int u;
    private int buttons;
    private int msec;
    private double dt;
    private boolean walking;
    private boolean groundPlane;
    private int groundFlags;
    private int waterlevel;

    /**
     * @param exact OpenArena's {@code pmove_float}: velocity is not rounded after each step
     */
    Mover(Brushes world, boolean exact) {
        this.world = world;
        this.exact = exact;
    }

    /** Executes a command in slices of at most 66 milliseconds, a second's worth at the most. */
    void move(Body body, Usercmd command) {
        int last = command.serverTime();
        if (last < body.commandTime) {
            return;
        }
        if (last > body.commandTime + 1000) {
            body.commandTime = last - 1000;
        }
        int up = command.up();
        while (body.commandTime != last) {
            int time = body.commandTime + Math.min(MOST_MILLIS, last - body.commandTime);
            slice(body, command, time, up);
            if ((body.flags & JUMP_HELD) != 0) {
                up = 20;
            }
        }
    }

    private void slice(Body body, Usercmd command, int time, int up) {
        b = body;
        f = command.forward();
        r = command.right();
        u = up;
        buttons = command.buttons();
        flags();
        msec = Math.clamp(time - b.commandTime, 1, 200);
        b.commandTime = time;
        dt = msec / 1000.0;
        previousZ = b.origin[2];
        System.arraycopy(b.velocity, 0, previousVelocity, 0, 3);
        walking = false;
        groundPlane = false;
        waterlevel = 0;
        view(command);
        if (u < 10) {
            b.flags &= ~JUMP_HELD;
        }
        if (f < 0) {
            b.flags |= BACKWARDS_RUN;
        } else if (f > 0 || r != 0) {
            b.flags &= ~BACKWARDS_RUN;
        }
        if (b.type >= DEAD) {
            f = 0;
            r = 0;
            u = 0;
        }
        if (b.type == SPECTATOR) {
            duck();
            fly();
            timers();
            return;
        }
        if (b.type == NOCLIP) {
            hull();
            noclip();
            timers();
            return;
        }
        if (b.type >= FREEZE) {
            return;
        }
        water();
        int oldWaterlevel = waterlevel;
        duck();
        ground();
        if (b.type == DEAD && walking) {
            double speed = length(b.velocity) - 20;
            scale(b.velocity, speed <= 0 ? 0 : speed / length(b.velocity));
        }
        timers();
        if ((b.flags & TIME_WATERJUMP) != 0) {
            waterJump();
        } else if (waterlevel > 1) {
            swim();
        } else if (walking) {
            walk();
        } else {
            air();
        }
        if ((buttons & GESTURE) != 0) {
            animation.gesture(b);
        }
        ground();
        water();
        animation.weapon(b, command.weapon(), msec);
        animation.torso(b);
        animation.legs(b, f, r, (buttons & WALKING) != 0, msec, waterlevel, groundFlags);
        animation.water(b, oldWaterlevel, waterlevel);
        if (!exact || (groundFlags & SLICK) != 0 && groundPlane) {
            for (int i = 0; i < 3; i++) {
                b.velocity[i] = Math.rint(b.velocity[i]);
            }
        }
    }

    private void flags() {
        if (Math.abs(f) > 64 || Math.abs(r) > 64) {
            buttons &= ~WALKING;
        }
        boolean talking = (buttons & TALK) != 0;
        b.eFlags = talking ? b.eFlags | EF_TALK : b.eFlags & ~EF_TALK;
        boolean firing =
                (buttons & ATTACK) != 0
                        && (b.flags & RESPAWNED) == 0
                        && b.type != NOCLIP
                        && b.type <= FREEZE;
        b.eFlags = firing ? b.eFlags | EF_FIRING : b.eFlags & ~EF_FIRING;
        if (b.health > 0 && (buttons & (ATTACK | USE)) == 0) {
            b.flags &= ~RESPAWNED;
        }
        if (talking) {
            f = 0;
            r = 0;
            u = 0;
            buttons = TALK;
        }
    }

    private void view(Usercmd command) {
        if (b.type < FREEZE && (b.type == SPECTATOR || b.health > 0)) {
            int[] angles = {command.pitch(), command.yaw(), command.roll()};
            for (int i = 0; i < 3; i++) {
                int angle = (short) (angles[i] + b.deltaAngles[i]);
                if (i == 0 && Math.abs(angle) > 16_000) {
                    angle = angle > 0 ? 16_000 : -16_000;
                    b.deltaAngles[0] = angle - angles[0] & 0xFFFF;
                }
                b.viewangles[i] = Quake3Motion.degrees(angle);
            }
        }
        double pitch = Math.toRadians(b.viewangles[0]);
        double yaw = Math.toRadians(b.viewangles[1]);
        double roll = Math.toRadians(b.viewangles[2]);
        double sp = Math.sin(pitch);
        double cp = Math.cos(pitch);
        double sy = Math.sin(yaw);
        double cy = Math.cos(yaw);
        double sr = Math.sin(roll);
        double cr = Math.cos(roll);
        forward[0] = cp * cy;
        forward[1] = cp * sy;
        forward[2] = -sp;
        right[0] = -sr * sp * cy + cr * sy;
        right[1] = -sr * sp * sy - cr * cy;
        right[2] = -sr * cp;
    }

    private void timers() {
        if (b.time != 0) {
            if (msec >= b.time) {
                b.flags &= ~ALL_TIMES;
                b.time = 0;
            } else {
                b.time -= msec;
            }
        }
        b.legsTimer = Math.max(0, b.legsTimer - msec);
        b.torsoTimer = Math.max(0, b.torsoTimer - msec);
    }

    private void hull() {
        mins[0] = -15;
        mins[1] = -15;
        mins[2] = -24;
        maxs[0] = 15;
        maxs[1] = 15;
        maxs[2] = 32;
        b.viewheight = 26;
    }

    private void duck() {
        hull();
        if (b.type == DEAD) {
            maxs[2] = -8;
            b.viewheight = -16;
            return;
        }
        if (u < 0) {
            b.flags |= DUCKED;
        } else if ((b.flags & DUCKED) != 0 && !trace(b.origin, b.origin).allSolid) {
            b.flags &= ~DUCKED;
        }
        if ((b.flags & DUCKED) != 0) {
            maxs[2] = 16;
            b.viewheight = 12;
        }
    }

    private Trace trace(double[] from, double[] to) {
        int mask = b.type == SPECTATOR || b.type == DEAD ? 0x10001 : Brushes.PLAYER_MASK;
        return world.trace(from, mins, maxs, to, mask);
    }

    private static double[] at(double[] v, double dx, double dy, double dz) {
        return new double[] {v[0] + dx, v[1] + dy, v[2] + dz};
    }

    private void water() {
        waterlevel = 0;
        int half = (b.viewheight + 24) / 2;
        if (isWater(-23)) {
            waterlevel = 1;
            if (isWater(-24 + half)) {
                waterlevel = 2;
                if (isWater(b.viewheight)) {
                    waterlevel = 3;
                }
            }
        }
    }

    private boolean isWater(double dz) {
        return (world.contents(b.origin[0], b.origin[1], b.origin[2] + dz) & Brushes.WATER) != 0;
    }

    private void ground() {
        Trace trace = trace(b.origin, at(b.origin, 0, 0, -0.25));
        if (trace.allSolid && !freed()) {
            airborne();
            return;
        }
        groundFlags = trace.surfaceFlags;
        if (trace.fraction == 1) {
            if (b.ground != EntityState.NONE
                    && trace(b.origin, at(b.origin, 0, 0, -64)).fraction == 1) {
                animation.jump(b, f);
            }
            airborne();
            return;
        }
        if (b.velocity[2] > 0 && dot(b.velocity, trace.normal) > 10) {
            animation.jump(b, f);
            airborne();
            return;
        }
        System.arraycopy(trace.normal, 0, groundNormal, 0, 3);
        groundPlane = true;
        if (trace.normal[2] < STEEPEST) {
            walking = false;
            b.ground = EntityState.NONE;
            return;
        }
        walking = true;
        if ((b.flags & TIME_WATERJUMP) != 0) {
            b.flags &= ~(TIME_WATERJUMP | TIME_LAND);
            b.time = 0;
        }
        if (b.ground == EntityState.NONE) {
            animation.land(b, previousZ, previousVelocity[2], waterlevel, groundFlags);
            if (previousVelocity[2] < -200) {
                b.flags |= TIME_LAND;
                b.time = 250;
            }
        }
        b.ground = EntityState.WORLD;
    }

    private void airborne() {
        b.ground = EntityState.NONE;
        groundPlane = false;
        walking = false;
    }

    /** Whether a body that is stuck is free one unit away. */
    private boolean freed() {
        for (int x = -1; x <= 1; x++) {
            for (int y = -1; y <= 1; y++) {
                for (int z = -1; z <= 1; z++) {
                    double[] point = at(b.origin, x, y, z);
                    if (!trace(point, point).allSolid) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private double commandScale() {
        int most = Math.max(Math.abs(f), Math.max(Math.abs(r), Math.abs(u)));
        return most == 0 ? 0 : b.speed * most / (127.0 * Math.sqrt(f * f + r * r + u * u));
    }

    private void accelerate(double[] direction, double wish, double acceleration) {
        double add = wish - dot(b.velocity, direction);
        if (add > 0) {
            double k = Math.min(acceleration * dt * wish, add);
            for (int i = 0; i < 3; i++) {
                b.velocity[i] += k * direction[i];
            }
        }
    }

    private void friction() {
        double[] v = b.velocity;
        double speed = walking ? Math.hypot(v[0], v[1]) : length(v);
        if (speed < 1) {
            v[0] = 0;
            v[1] = 0;
            return;
        }
        double drop = 0;
        if (waterlevel <= 1
                && walking
                && (groundFlags & SLICK) == 0
                && (b.flags & TIME_KNOCKBACK) == 0) {
            drop += Math.max(speed, 100) * 6 * dt;
        }
        drop += speed * waterlevel * dt;
        if (b.type == SPECTATOR) {
            drop += speed * 5 * dt;
        }
        scale(v, Math.max(0, speed - drop) / speed);
    }

    /** Jumps, unless the key has been held since the last time. */
    private boolean jump() {
        if ((b.flags & RESPAWNED) != 0 || u < 10) {
            return false;
        }
        if ((b.flags & JUMP_HELD) != 0) {
            u = 0;
            return false;
        }
        groundPlane = false;
        walking = false;
        b.flags |= JUMP_HELD;
        b.ground = EntityState.NONE;
        b.velocity[2] = JUMP_VELOCITY;
        animation.event(b, MoverAnimation.EV_JUMP);
        animation.jump(b, f);
        return true;
    }

    private void walk() {
        if (waterlevel > 2 && dot(forward, groundNormal) > 0) {
            swim();
            return;
        }
        if (jump()) {
            if (waterlevel > 1) {
                swim();
            } else {
                air();
            }
            return;
        }
        friction();
        double scale = commandScale();
        animation.direction(b, f, r);
        forward[2] = 0;
        right[2] = 0;
        clip(forward, groundNormal);
        clip(right, groundNormal);
        normalize(forward);
        normalize(right);
        double[] wish = new double[3];
        for (int i = 0; i < 3; i++) {
            wish[i] = forward[i] * f + right[i] * r;
        }
        double wishSpeed = normalize(wish) * scale;
        if ((b.flags & DUCKED) != 0) {
            wishSpeed = Math.min(wishSpeed, b.speed * 0.25);
        }
        if (waterlevel > 0) {
            wishSpeed = Math.min(wishSpeed, b.speed * (1 - 0.5 * waterlevel / 3.0));
        }
        boolean sliding = (groundFlags & SLICK) != 0 || (b.flags & TIME_KNOCKBACK) != 0;
        accelerate(wish, wishSpeed, sliding ? 1 : 10);
        if (sliding) {
            b.velocity[2] -= b.gravity * dt;
        }
        clipKeepingLength(b.velocity, groundNormal);
        if (b.velocity[0] != 0 || b.velocity[1] != 0) {
            stepSlide(false);
        }
    }

    private void air() {
        friction();
        double scale = commandScale();
        animation.direction(b, f, r);
        forward[2] = 0;
        right[2] = 0;
        normalize(forward);
        normalize(right);
        double[] wish = {forward[0] * f + right[0] * r, forward[1] * f + right[1] * r, 0};
        accelerate(wish, normalize(wish) * scale, 1);
        if (groundPlane) {
            clip(b.velocity, groundNormal);
        }
        stepSlide(true);
    }

    private double[] wish3(double scale) {
        double[] wish = new double[3];
        for (int i = 0; i < 3; i++) {
            wish[i] = scale * (forward[i] * f + right[i] * r);
        }
        wish[2] += scale * u;
        return wish;
    }

    private void fly() {
        friction();
        double[] wish = wish3(commandScale());
        accelerate(wish, normalize(wish), 8);
        stepSlide(false);
    }

    private void noclip() {
        double speed = length(b.velocity);
        if (speed < 1) {
            scale(b.velocity, 0);
        } else {
            scale(b.velocity, Math.max(0, speed - Math.max(speed, 100) * 9 * dt) / speed);
        }
        double[] wish = wish3(1);
        accelerate(wish, normalize(wish) * commandScale(), 10);
        for (int i = 0; i < 3; i++) {
            b.origin[i] += b.velocity[i] * dt;
        }
    }

    private void swim() {
        if (leaveWater()) {
            waterJump();
            return;
        }
        friction();
        double scale = commandScale();
        double[] wish = scale == 0 ? new double[] {0, 0, -60} : wish3(scale);
        double wishSpeed = Math.min(normalize(wish), b.speed * 0.5);
        accelerate(wish, wishSpeed, 4);
        if (groundPlane && dot(b.velocity, groundNormal) < 0) {
            clipKeepingLength(b.velocity, groundNormal);
        }
        slide(false);
    }

    private boolean leaveWater() {
        if (b.time != 0 || waterlevel != 2) {
            return false;
        }
        double[] flat = {forward[0], forward[1], 0};
        normalize(flat);
        double x = b.origin[0] + 30 * flat[0];
        double y = b.origin[1] + 30 * flat[1];
        double z = b.origin[2] + 4;
        if ((world.contents(x, y, z) & Brushes.SOLID) == 0
                || (world.contents(x, y, z + 16) & Brushes.PLAYER_MASK) != 0) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            b.velocity[i] = 200 * forward[i];
        }
        b.velocity[2] = 350;
        b.flags |= TIME_WATERJUMP;
        b.time = 2000;
        return true;
    }

    private void waterJump() {
        stepSlide(true);
        b.velocity[2] -= b.gravity * dt;
        if (b.velocity[2] < 0) {
            b.flags &= ~ALL_TIMES;
            b.time = 0;
        }
    }

    /** Moves along what stands in the way. Returns whether anything did. */
    private boolean slide(boolean falls) {
        double[] v = b.velocity;
        double[] primal = v.clone();
        double[] end = v.clone();
        if (falls) {
            end[2] -= b.gravity * dt;
            v[2] = (v[2] + end[2]) * 0.5;
            primal[2] = end[2];
            if (groundPlane) {
                clip(v, groundNormal);
            }
        }
        double[][] planes = new double[5][];
        int count = 0;
        if (groundPlane) {
            planes[count++] = groundNormal.clone();
        }
        double[] heading = v.clone();
        normalize(heading);
        planes[count++] = heading;
        double left = dt;
        int bumps = 0;
        for (; bumps < 4; bumps++) {
            Trace trace = trace(b.origin, at(b.origin, v[0] * left, v[1] * left, v[2] * left));
            if (trace.allSolid) {
                v[2] = 0;
                return true;
            }
            if (trace.fraction > 0) {
                System.arraycopy(trace.end, 0, b.origin, 0, 3);
            }
            if (trace.fraction == 1) {
                break;
            }
            left -= left * trace.fraction;
            if (count >= planes.length) {
                scale(v, 0);
                return true;
            }
            if (nearly(trace.normal, planes, count)) {
                for (int i = 0; i < 3; i++) {
                    v[i] += trace.normal[i];
                }
                continue;
            }
            planes[count++] = trace.normal;
            if (!along(planes, count, v, end)) {
                scale(v, 0);
                return true;
            }
        }
        if (falls) {
            System.arraycopy(end, 0, v, 0, 3);
        }
        if (b.time != 0) {
            System.arraycopy(primal, 0, v, 0, 3);
        }
        return bumps != 0;
    }

    private static boolean nearly(double[] normal, double[][] planes, int count) {
        for (int i = 0; i < count; i++) {
            if (dot(normal, planes[i]) > 0.99) {
                return true;
            }
        }
        return false;
    }

    /** Turns velocities along the planes. Returns false where three of them leave no way. */
    private static boolean along(double[][] planes, int count, double[] v, double[] end) {
        for (int i = 0; i < count; i++) {
            if (dot(v, planes[i]) >= 0.1) {
                continue;
            }
            double[] c = v.clone();
            double[] e = end.clone();
            clip(c, planes[i]);
            clip(e, planes[i]);
            for (int j = 0; j < count; j++) {
                if (j == i || dot(c, planes[j]) >= 0.1) {
                    continue;
                }
                clip(c, planes[j]);
                clip(e, planes[j]);
                if (dot(c, planes[i]) >= 0) {
                    continue;
                }
                double[] crease = cross(planes[i], planes[j]);
                normalize(crease);
                double toV = dot(crease, v);
                double toEnd = dot(crease, end);
                for (int k = 0; k < 3; k++) {
                    c[k] = crease[k] * toV;
                    e[k] = crease[k] * toEnd;
                }
                for (int k = 0; k < count; k++) {
                    if (k != i && k != j && dot(c, planes[k]) < 0.1) {
                        return false;
                    }
                }
            }
            System.arraycopy(c, 0, v, 0, 3);
            System.arraycopy(e, 0, end, 0, 3);
            return true;
        }
        return true;
    }

    private void stepSlide(boolean falls) {
        double[] startOrigin = b.origin.clone();
        double[] startVelocity = b.velocity.clone();
        if (!slide(falls)) {
            return;
        }
        Trace below = trace(startOrigin, at(startOrigin, 0, 0, -STEP));
        if (b.velocity[2] > 0 && (below.fraction == 1 || below.normal[2] < STEEPEST)) {
            return;
        }
        Trace above = trace(startOrigin, at(startOrigin, 0, 0, STEP));
        if (above.allSolid) {
            return;
        }
        double height = above.end[2] - startOrigin[2];
        System.arraycopy(above.end, 0, b.origin, 0, 3);
        System.arraycopy(startVelocity, 0, b.velocity, 0, 3);
        slide(falls);
        Trace down = trace(b.origin, at(b.origin, 0, 0, -height));
        if (!down.allSolid) {
            System.arraycopy(down.end, 0, b.origin, 0, 3);
        }
        if (down.fraction < 1) {
            clip(b.velocity, down.normal);
        }
        animation.step(b, b.origin[2] - startOrigin[2]);
    }

    private static void clip(double[] v, double[] normal) {
        double back = dot(v, normal);
        back = back < 0 ? back * OVERBOUNCE : back / OVERBOUNCE;
        for (int i = 0; i < 3; i++) {
            v[i] -= normal[i] * back;
        }
    }

    private static void clipKeepingLength(double[] v, double[] normal) {
        double length = length(v);
        clip(v, normal);
        normalize(v);
        scale(v, length);
    }

    private static double dot(double[] a, double[] b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }

    private static double[] cross(double[] a, double[] b) {
        return new double[] {
            a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
        };
    }

    private static double length(double[] v) {
        return Math.sqrt(dot(v, v));
    }

    private static void scale(double[] v, double factor) {
        for (int i = 0; i < 3; i++) {
            v[i] *= factor;
        }
    }

    /** Makes a vector one long; returns how long it was. */
    private static double normalize(double[] v) {
        double length = length(v);
        if (length != 0) {
            scale(v, 1 / length);
        }
        return length;
    }
}
