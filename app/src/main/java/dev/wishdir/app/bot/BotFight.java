package dev.wishdir.app.bot;

import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A controller that hunts the nearest player that is not in its team, as far as its client knows
 * teams, and shoots at it with its game's weapon. It walks straight to its target, and another path
 * where it does not get on or sees no player. What its shots do is the server's to decide; one that
 * fights nowhere only walks.
 */
public final class BotFight implements BotController {
    /** The best skill; the worst is 0. */
    public static final int MAX_SKILL = 5;

    public static final int DEFAULT_SKILL = 2;

    /** A target farther away is not shot at. */
    private static final double MAX_RANGE_METRES = 40;

    /** It comes as near as this: a sword reaches 3 m. */
    private static final double CLOSE_METRES = 2;

    /** Where it aims, above the feet: the chest of all games' bodies. */
    private static final double CHEST_METRES = 1;

    /** By how many degrees the worst shot misses, on average; each step of skill halves it. */
    private static final double WORST_ERROR_DEGREES = 16;

    /** Time from the sight of a target to the first shot, of the worst; each step is less. */
    private static final long WORST_REACTION_NANOS = 900_000_000;

    private static final long REACTION_STEP_NANOS = 150_000_000;

    /** Weapons decide how often they fire; a trigger is pulled this often. */
    private static final long TRIGGER_INTERVAL_NANOS = 100_000_000;

    /** A target that is higher or lower is on another floor: no straight way leads there. */
    private static final double MAX_RISE_METRES = 2;

    private static final long STUCK_CHECK_NANOS = 500_000_000;
    private static final double STUCK_METRES = 0.4;
    private static final long DETOUR_NANOS = 1_500_000_000;

    private final Supplier<@Nullable Client> self;
    private final BotController walk;
    private final int skill;
    private final RandomGenerator random;
    private long target = -1;
    private long targetSince;
    private long nextShot;
    private long nextCheck;
    private Vec3 checked = Vec3.ZERO;
    private long detourUntil;

    /**
     * @param self the client that it steers; null until it exists
     * @param walk steers where no player is in sight, and around what stops the bot
     * @param skill 0 to {@link #MAX_SKILL}
     */
    public BotFight(
            Supplier<@Nullable Client> self,
            BotController walk,
            int skill,
            RandomGenerator random) {
        this.self = self;
        this.walk = walk;
        this.skill = skill;
        this.random = random;
    }

    @Override
    public PlayerInput steer(long now, Movement movement) {
        PlayerInput walking = walk.steer(now, movement);
        Client client = self.get();
        if (client == null || client.health().isEmpty()) {
            target = -1;
            return walking;
        }
        Vec3 at = movement.position();
        Map<Long, String> teams = client.teams();
        String own = teams.get(client.id());
        Optional<RemotePlayer> nearest =
                client.others().stream()
                        .filter(other -> own == null || !own.equals(teams.get(other.id())))
                        .filter(other -> distance(other, at) < MAX_RANGE_METRES)
                        .min(Comparator.comparingDouble(other -> distance(other, at)));
        if (nearest.isEmpty()) {
            target = -1;
            return walking;
        }
        RemotePlayer other = nearest.get();
        if (other.id() != target) {
            target = other.id();
            targetSince = now;
        }
        Vec3 chest = other.movement().position().plus(new Vec3(0, 0, CHEST_METRES));
        if (now >= nextShot && now - targetSince >= reactionNanos()) {
            nextShot = now + TRIGGER_INTERVAL_NANOS;
            client.shoot(missed(chest, distance(other, at)));
        }
        boolean isAway = Math.abs(other.movement().position().z() - at.z()) > MAX_RISE_METRES;
        return isAway || now < detourUntil ? walking : approach(now, at, other);
    }

    private static double distance(RemotePlayer other, Vec3 at) {
        return other.movement().position().distance(at);
    }

    private long reactionNanos() {
        return WORST_REACTION_NANOS - skill * REACTION_STEP_NANOS;
    }

    /** A point next to the target, as near as the skill aims. */
    private Vec3 missed(Vec3 aim, double distance) {
        double error = Math.toRadians(WORST_ERROR_DEGREES / (1 << skill)) * distance;
        return aim.plus(
                new Vec3(
                        random.nextGaussian() * error,
                        random.nextGaussian() * error,
                        random.nextGaussian() * error / 2));
    }

    private PlayerInput approach(long now, Vec3 at, RemotePlayer other) {
        Vec3 way = other.movement().position().minus(at);
        double direction = Angles.yaw(way.x(), way.y());
        boolean isClose = way.length() < CLOSE_METRES;
        if (now >= nextCheck) {
            if (!isClose && at.distance(checked) < STUCK_METRES) {
                detourUntil = now + DETOUR_NANOS;
            }
            checked = at;
            nextCheck = now + STUCK_CHECK_NANOS;
        }
        return isClose ? PlayerInput.look(direction, 0) : PlayerInput.walk(direction, direction, 0);
    }
}
