package dev.wishdir.bedrock.server;

import dev.wishdir.arena.Level;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.Space;
import dev.wishdir.world.blocks.Body;

import org.jspecify.annotations.Nullable;

/**
 * Where the server believes a player to be: Bedrock, movement authority. Each movement is held
 * against how a body of the game walks, jumps and falls in the level, from where the server put it
 * on.
 *
 * <p>A body gets ahead by what its inputs allow, one a tick, and may be {@value #SLACK} m ahead of
 * that: a jump's steps are uneven. Of inputs that were held up on the way, those of {@link #LAG}
 * count at once; a movement without inputs may lead as far as a body gets in the time since the
 * last, up to the same. So others never see more than that much too much.
 */
final class Whereabouts {
    /**
     * What a movement broke.
     *
     * @param rule in words
     * @param measured what it did
     * @param allowed what it may do, in the same unit
     * @param place where a body would be that keeps to the rule
     * @param outside whether it leads out of the arena, which no client may decide
     */
    record Breach(String rule, double measured, double allowed, Vec3 place, boolean outside) {}

    /** So long what a client sends may be held up, and then come at once, nanoseconds: 2 s. */
    static final long LAG = 2_000_000_000L;

    /** How near to where it was put a client is when it has gone there, metres. */
    static final double NEAR = 1;

    /** Sprinting and jumping gets a body ahead by 7.13 m/s; and what clocks differ. */
    static final double FASTEST = 7.5;

    /**
     * How high the feet come above the ground: a step of 0.5625 m leads onto an edge that is not
     * seen as ground, and a jump 1.2522 m up from there; and some slack.
     */
    private static final double HIGHEST = 1.9;

    /** A jump is over after 12 ticks; and some slack. */
    private static final int LONGEST_JUMP = 16;

    private static final double SLACK = 1.5;
    private static final double UNDERGROUND = 0.25;
    private static final double IN_THE_AIR = 0.1;
    private static final double OUTSIDE = 0.75;
    private static final double TICK = 1.0 / BedrockMotion.TICKS;

    /** How much less than its own a body has to fit in: it is told with little precision. */
    private static final double SQUEEZE = 0.2;

    /**
     * How much less than its own it stands on: an edge holds it, and a wall at its side does not.
     */
    private static final double EDGE = 0.02;

    private static final double DEEP = 200;

    /** A tick's fall that is no hovering, metres. */
    private static final double FALLS = 0.2;

    private final Bounds bounds;
    private final Space space;
    private Vec3 position;

    /** How high the ground is that it last stood on. */
    private double ground;

    private double budget = SLACK;
    private long movedAt;
    private boolean awaited;
    private int airborneTicks;
    private long airborneSince;
    private boolean airborne;

    /**
     * @param start where the player was put, now
     */
    Whereabouts(long now, Level level, Vec3 start) {
        bounds = level.bounds();
        space = level.space();
        position = start;
        ground = start.z();
        movedAt = now;
    }

    /** The feet, where they were last believed to be or were put. */
    Vec3 position() {
        return position;
    }

    /** The player was put somewhere; nothing is believed until it {@link #arrived}. */
    void put(long now, Vec3 at) {
        position = at;
        ground = at.z();
        movedAt = now;
        airborne = false;
        awaited = true;
    }

    /** Whether the player was put somewhere and has not arrived. */
    boolean isAwaited() {
        return awaited;
    }

    /** The client has gone where it was put; meanwhile it could have walked, and stood. */
    void arrived(long now) {
        awaited = false;
        budget = Math.min(SLACK, budget + FASTEST * (now - movedAt) / 1e9);
        movedAt = now;
    }

    /** Believes what was broken: the client decides. */
    void believe(long now, Vec3 at) {
        position = at;
        ground = at.z();
        budget = SLACK;
        movedAt = now;
        airborne = false;
    }

    /**
     * Judges where a client says that it is; where nothing is broken, it is believed.
     *
     * @param input whether it says so by the input of one tick
     * @return what it broke, or null
     */
    @Nullable Breach judge(long now, Vec3 at, boolean input) {
        double seconds = Math.max(0, now - movedAt) / 1e9;
        double gained = FASTEST * (input ? TICK : seconds);
        double most = SLACK + FASTEST * (input ? TICK : LAG / 1e9);
        double reach = Math.min(budget + gained, most);
        double step = Math.hypot(at.x() - position.x(), at.y() - position.y());
        if (step > reach) {
            return new Breach("metres at once", step, reach, position, false);
        }
        Vec3 inside = bounds.clamp(at);
        double outside = Math.hypot(at.x() - inside.x(), at.y() - inside.y());
        if (outside > OUTSIDE) {
            return new Breach("metres outside", outside, OUTSIDE, inside, true);
        }
        double below = bounds.min().z() - at.z();
        if (below > UNDERGROUND) {
            return new Breach("metres underground", below, UNDERGROUND, below(inside), true);
        }
        if (!fits(at.plus(new Vec3(0, 0, UNDERGROUND)))) {
            return new Breach("metres into something solid", step, 0, position, true);
        }
        double risen = at.z() - ground;
        if (risen > HIGHEST) {
            boolean over = at.z() > bounds.max().z();
            return new Breach("metres high", risen, HIGHEST, below(inside), over);
        }
        Breach hovers = hovers(now, at, input);
        if (hovers == null) {
            budget = reach - step;
            position = at;
            movedAt = now;
        }
        return hovers;
    }

    /** A jump is over after a dozen ticks, held up on the way or not. */
    private @Nullable Breach hovers(long now, Vec3 at, boolean input) {
        if (!space.fits(
                at.minus(new Vec3(0, 0, IN_THE_AIR)),
                BedrockBody.SIZE.width() - EDGE,
                2 * IN_THE_AIR)) {
            airborne = false;
            ground = at.z();
            return null;
        }
        if (!airborne) {
            airborne = true;
            airborneSince = now;
            airborneTicks = 0;
        }
        airborneTicks += input && position.z() - at.z() < FALLS ? 1 : 0;
        double ticks = (now - airborneSince) / (double) BedrockMotion.TICK;
        double held = LONGEST_JUMP + LAG / (double) BedrockMotion.TICK;
        if (airborneTicks > LONGEST_JUMP) {
            return new Breach("ticks in the air", airborneTicks, LONGEST_JUMP, below(at), false);
        }
        return ticks > held ? new Breach("ticks in the air", ticks, held, below(at), false) : null;
    }

    private boolean fits(Vec3 feet) {
        Body body = BedrockBody.SIZE;
        return space.fits(feet, body.width() - SQUEEZE, body.height() - SQUEEZE - UNDERGROUND);
    }

    /** Where a body comes down. */
    private Vec3 below(Vec3 at) {
        Vec3 from = new Vec3(at.x(), at.y(), Math.max(at.z(), bounds.min().z()));
        Body body = BedrockBody.SIZE;
        double free =
                space.free(
                        from,
                        from.minus(new Vec3(0, 0, DEEP)),
                        body.width() - SQUEEZE,
                        body.height());
        return from.minus(new Vec3(0, 0, DEEP * free));
    }
}
