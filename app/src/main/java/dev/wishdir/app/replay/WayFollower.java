package dev.wishdir.app.replay;

import dev.wishdir.game.BotController;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.Locale;

/**
 * Steers a bot along a recorded way: first to its start, then at the pace of the recording, with
 * its view. The bot's own physics decides how near it comes; {@link #report} says so.
 */
public final class WayFollower implements BotController {
    /** Distance at which the start is reached. */
    private static final double REACHED_METRES = 0.4;

    /** A bot that has not reached the start by then begins where it is. */
    private static final long APPROACH_TIMEOUT_NANOS = 20_000_000_000L;

    /**
     * How far ahead of the recording's time the pace is taken, as bodies need time for a change.
     */
    private static final long AHEAD_NANOS = 100_000_000;

    /** Part of the distance to the way that is made up for in a second. */
    private static final double CORRECTION_PER_SECOND = 4;

    /** Part of the difference to the own velocity that is added on the ground. */
    private static final double LEAD = 0.5;

    /** Least difference to the own velocity, m/s, that is corrected in the air. */
    private static final double MIN_AIR_CHANGE = 0.5;

    private static final double MIN_SPEED = 1;
    private static final double MAX_SPEED = 25;
    private static final double FIRST_SPEED = 6;

    /** Weight of one observation in the estimate of the body's full speed. */
    private static final double LEARNED_SHARE = 0.05;

    /** Weight of one observation in the estimate of the control in the air. */
    private static final double LEARNED_AIR_SHARE = 0.3;

    private static final double HALF = 0.5;

    /** Minimum share of the full speed from which it is estimated. */
    private static final double MIN_LEARNED_INPUT = 0.3;

    /** Upward speed of a jump. */
    private static final double JUMP_METRES_PER_SECOND = 1.5;

    private final RecordedWay way;
    private double fullSpeed = FIRST_SPEED;
    private double lastInput;
    private Vec3 lastWish = Vec3.ZERO;
    private Vec3 lastVelocity = Vec3.ZERO;

    /** Share of an asked change of velocity that the body makes in the air within a step. */
    private double airControl;

    private boolean started;
    private long startedAt;
    private boolean following;
    private long begun;
    private long last;
    private long steps;
    private double sum;
    private double greatest;
    private volatile boolean ended;

    public WayFollower(RecordedWay way) {
        this.way = way;
    }

    /** Whether the way is at its end. */
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public PlayerInput steer(long now, Movement self) {
        if (!started) {
            started = true;
            startedAt = now;
        }
        learn(self);
        if (!following) {
            Vec3 out = way.at(0).position().minus(self.position());
            if (out.horizontal() > REACHED_METRES && now - startedAt < APPROACH_TIMEOUT_NANOS) {
                return walk(out.times(2), way.at(0), self, out.z() > REACHED_METRES);
            }
            following = true;
            begun = now;
        }
        long time = now - begun;
        last = Math.min(time, way.durationNanos());
        if (time > way.durationNanos()) {
            ended = true;
            Movement end = way.at(time);
            return PlayerInput.look(end.yaw(), end.pitch());
        }
        Movement here = way.at(time);
        double distance = here.position().distance(self.position());
        steps++;
        sum += distance;
        greatest = Math.max(greatest, distance);
        Vec3 pace = way.velocity(time + AHEAD_NANOS);
        Vec3 correction = here.position().minus(self.position()).times(CORRECTION_PER_SECOND);
        boolean jumps =
                pace.z() > JUMP_METRES_PER_SECOND
                        && !way.at(time + AHEAD_NANOS).stance().onGround();
        return walk(wish(pace.plus(correction), self), here, self, jumps);
    }

    /**
     * The velocity to ask for, so that the body gets the given one. In the air a body of most games
     * keeps its velocity, and an input changes it only a little: it goes where the change is
     * needed.
     */
    private Vec3 wish(Vec3 velocity, Movement self) {
        Vec3 change = velocity.minus(self.velocity());
        if (self.stance().onGround()) {
            return velocity.plus(change.times(LEAD));
        }
        double size = change.horizontal();
        return size < MIN_AIR_CHANGE || airControl > HALF
                ? velocity
                : change.times(fullSpeed / size);
    }

    /** Estimates the speed of a full input, and the control in the air, from the last input. */
    private void learn(Movement self) {
        Vec3 asked = lastWish.minus(lastVelocity);
        if (!self.stance().onGround() && asked.horizontal() > 1) {
            Vec3 got = self.velocity().minus(lastVelocity);
            double share =
                    (got.x() * asked.x() + got.y() * asked.y())
                            / (asked.horizontal() * asked.horizontal());
            airControl += LEARNED_AIR_SHARE * (Math.clamp(share, 0, 1) - airControl);
        }
        lastVelocity = self.velocity();
        if (lastInput >= MIN_LEARNED_INPUT && self.stance().onGround()) {
            double speed = self.velocity().horizontal() / lastInput;
            fullSpeed =
                    Math.clamp(
                            fullSpeed + LEARNED_SHARE * (speed - fullSpeed), MIN_SPEED, MAX_SPEED);
        }
    }

    private PlayerInput walk(Vec3 velocity, Movement view, Movement self, boolean jumps) {
        double speed = velocity.horizontal();
        lastInput = Math.min(1, speed / fullSpeed);
        double direction = Angles.yaw(velocity.x(), velocity.y());
        lastWish = speed == 0 ? Vec3.ZERO : velocity.times(lastInput * fullSpeed / speed);
        PlayerInput full = PlayerInput.walk(direction, view.yaw(), view.pitch());
        return new PlayerInput(
                full.yaw(),
                full.pitch(),
                lastInput * full.forward(),
                lastInput * full.left(),
                jumps && self.stance().onGround(),
                view.stance().crouched());
    }

    /** The mean distance from where the recorded player was at the same time, metres. */
    public double meanErrorMetres() {
        return steps == 0 ? 0 : sum / steps;
    }

    /** The greatest distance from where the recorded player was at the same time, metres. */
    public double maxErrorMetres() {
        return greatest;
    }

    /** How near the bot came to the way, for people. */
    public String report() {
        return steps == 0
                ? "the bot did not reach the start of the way"
                : String.format(
                        Locale.ROOT,
                        "followed %.1f s of %.1f s: off the way by %.2f m on average, at most %.2f"
                                + " m",
                        last / 1e9,
                        way.durationNanos() / 1e9,
                        meanErrorMetres(),
                        greatest);
    }
}
