package dev.wishdir.app.bot;

import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotWeapon;
import dev.wishdir.game.Client;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A controller that hunts the nearest player that is not in its team, as far as its client knows
 * teams, with the weapon that is best at its distance. In a known arena it shoots at players in
 * sight, finds the way to others, and gets items that it needs; elsewhere it walks straight to its
 * target, and another path where it does not get on. In a match with flags it goes where {@link
 * FlagTactics} says. What its shots do is the server's to decide; one that fights nowhere only
 * walks.
 */
public final class BotFight implements BotController {
    /** The best skill; the worst is 0. */
    public static final int MAX_SKILL = 5;

    public static final int DEFAULT_SKILL = 2;

    /** A target farther away is not shot at. */
    private static final double MAX_RANGE_METRES = 40;

    /** It comes as near as this if its weapons do not say otherwise: a sword reaches 3 m. */
    private static final double CLOSE_METRES = 2;

    /** Distances at which its weapons are compared. */
    private static final double[] DISTANCES = {CLOSE_METRES, 4, 7, 10, 14};

    /** Tolerance of the best distance. */
    private static final double DISTANCE_MARGIN_METRES = 2;

    /** Another distance must be better by this: players meet at any. */
    private static final double DISTANCE_FACTOR = 1.1;

    /** Eyes and chest of all games' bodies, above the feet: where it looks from and at. */
    private static final Vec3 EYES = new Vec3(0, 0, 1.6);

    private static final Vec3 CHEST = new Vec3(0, 0, 1);

    /** By how many degrees the worst shot misses, on average; each step of skill halves it. */
    private static final double WORST_ERROR_DEGREES = 16;

    /** Time from the sight of a target to the first shot, of the worst; each step is less. */
    private static final long WORST_REACTION_NANOS = 900_000_000;

    private static final long REACTION_STEP_NANOS = 150_000_000;

    /** The distance for which it has a weapon ready while it sees no target. */
    private static final double READY_METRES = 10;

    /** The share of its full speed at which the worst bot dodges; each step of skill adds to it. */
    private static final double WORST_DODGE = 0.25;

    private static final double DODGE_STEP = 0.15;

    /** Interval at which a hand corrects its aim. */
    private static final long AIM_INTERVAL_NANOS = 150_000_000;

    /** Interval at which it looks for a target. */
    private static final long LOOK_INTERVAL_NANOS = 200_000_000;

    /** Another target must be nearer than this part of the distance to the present one. */
    private static final double KEPT_FACTOR = 0.6;

    /** A target that is higher or lower is on another floor: no straight way leads there. */
    private static final double MAX_RISE_METRES = 1.5;

    /** Interval at which it finds the way to a target that moves. */
    private static final long HUNT_INTERVAL_NANOS = 2_500_000_000L;

    /** Share of the full speed on paths: at full speed, bodies miss corners. */
    private static final double HUNT_SPEED = 0.8;

    /**
     * The fastest that it goes to flags, metres per second: as fast as Bedrock's players, for those
     * of a game that runs twice as fast would carry them all.
     */
    private static final double MAX_PACE_METRES = 5.6;

    /** At one pace for all, the players of both Quakes brought home fewer flags than others. */
    private static final double MAX_CARRIER_PACE_METRES = 7;

    /** By how much its share of the full speed changes a step, for each metre per second. */
    private static final double PACE_GAIN = 0.02;

    private static final double MIN_PACE = 0.25;

    private static final double NEAR_SPEED = 0.5;

    /** Length of ground that it needs ahead when it strafes. */
    private static final double STRAFE_METRES = 1;

    private static final long MIN_STRAFE_NANOS = 400_000_000;
    private static final long MAX_STRAFE_NANOS = 1_400_000_000;

    /** The angle from its target at which it comes nearer, stays, or goes away. */
    private static final double NEARER_DEGREES = 35;

    private static final double AROUND_DEGREES = 90;
    private static final double AWAY_DEGREES = 140;

    /** With less health it gets items when no target is in sight. */
    private static final double LOW_HEALTH = 60;

    /**
     * With fewer weapons that reach a target at a distance, it gets items also while a target is in
     * sight.
     */
    private static final int FEW_WEAPONS = 3;

    private static final double ITEM_METRES = 40;

    /** It does not try an item again that it had no use for, for this long. */
    private static final long ITEM_PAUSE_NANOS = 15_000_000_000L;

    private static final long ITEM_TIMEOUT_NANOS = 6_000_000_000L;
    private static final double TOUCH_METRES = 1;

    /** A loss of health that is not one of the game's own, which takes a point a second. */
    private static final double HURT_HEALTH = 5;

    /** A bot that is nowhere on the paths for this long is in another arena. */
    private static final long LOST_NANOS = 5_000_000_000L;

    /** So near to the end of a path it goes straight on. */
    private static final double STRAIGHT_METRES = 2;

    /** So near to a place it is there. */
    private static final double THERE_METRES = 0.3;

    /** Another goal than this far from the last one needs another path. */
    private static final double SAME_GOAL_METRES = 3;

    private static final long STUCK_CHECK_NANOS = 500_000_000;
    private static final double STUCK_METRES = 0.4;
    private static final long DETOUR_NANOS = 1_500_000_000;

    private final Supplier<@Nullable Client> self;
    private final Supplier<Optional<NavigationGraph>> current;
    private final BotController walk;
    private final PathFollower hunt;
    private final Target target = new Target();
    private final ItemGoal item = new ItemGoal();
    private final Progress progress = new Progress();
    private final Aim aim;
    private final Dodge dodge;
    private final FlagTactics flags;
    private Vec3 lastGoal = Vec3.ZERO;

    /** The share of its full speed at which it goes to flags. */
    private double pace = HUNT_SPEED;

    private Optional<NavigationGraph> paths = Optional.empty();
    private long pathsSince;
    private double health;
    private boolean isHurt;

    /** Whether its game has a sprint, which ends where a player looks aside to shoot. */
    private boolean canSprint;

    private long nextHunt = Long.MIN_VALUE;

    /**
     * @param self the client that it steers; null until it exists
     * @param current the paths of the current arena; empty until they are known, or if it is not
     *     known
     * @param walk steers where no player is in sight, and around what stops the bot
     * @param skill 0 to {@link #MAX_SKILL}
     */
    public BotFight(
            Supplier<@Nullable Client> self,
            Supplier<Optional<NavigationGraph>> current,
            BotController walk,
            int skill,
            RandomGenerator random) {
        this.self = self;
        this.current = current;
        this.walk = walk;
        aim = new Aim(skill, random);
        dodge = new Dodge(skill, random);
        hunt = new PathFollower(random);
        flags = new FlagTactics(random);
    }

    @Override
    public PlayerInput steer(long now, Movement movement) {
        Client client = self.get();
        if (client == null || client.health().isEmpty()) {
            target.clear();
            item.clear();
            flags.clear();
            return walk.steer(now, movement);
        }
        canSprint |= movement.stance().has(Flag.SPRINTING);
        Vec3 at = movement.position();
        paths = paths(now, at);
        Optional<RemotePlayer> enemy = target.find(now, client, at, paths);
        List<BotWeapon> weapons = client.weapons();
        boolean isRace = isRace(client.health().getAsDouble());
        Optional<FlagTactics.Goal> goal = flags.find(now, client, at, paths);
        if (weapons.isEmpty() || enemy.isEmpty() || isRace) {
            return goal.isPresent() ? goTo(now, movement, goal.get()) : walk.steer(now, movement);
        }
        boolean flees = canSprint && goal.filter(FlagTactics.Goal::hasFlag).isPresent();
        if (target.isSeen && !flees) {
            aim.fire(now, client, at, weapons, enemy.get(), target.seenSince);
        } else {
            aim.ready(client, weapons);
        }
        if (goal.isPresent()) {
            boolean fights = target.isSeen && distance(enemy.get(), at) < goal.get().fightMetres();
            return fights
                    ? fight(now, movement, weapons, enemy.get())
                    : goTo(now, movement, goal.get());
        }
        long far = weapons.stream().filter(weapon -> weapon.value(READY_METRES) > 0).count();
        boolean needs = far < FEW_WEAPONS || !target.isSeen && health < LOW_HEALTH;
        boolean before = item.place.isPresent();
        Optional<Vec3> wanted = item.find(now, client, at, needs, paths.isPresent());
        if (wanted.isPresent()) {
            nextHunt = before ? nextHunt : now;
            return walkTo(now, movement, wanted.get(), HUNT_SPEED);
        }
        return target.isSeen
                ? fight(now, movement, weapons, enemy.get())
                : walkTo(now, movement, enemy.get().movement().position(), HUNT_SPEED);
    }

    /** The paths of the arena, as long as the bot is in it: its server may play another one. */
    private Optional<NavigationGraph> paths(long now, Vec3 at) {
        Optional<NavigationGraph> known = current.get();
        if (known.isEmpty() || known.get().isReached(at)) {
            pathsSince = now;
        }
        return now - pathsSince > LOST_NANOS ? Optional.empty() : known;
    }

    /** Whether players race: the arena has a course, and no player has hurt this one there. */
    private boolean isRace(double left) {
        isHurt |= target.isSeen && left <= health - HURT_HEALTH;
        health = left;
        return !isHurt && paths.flatMap(NavigationGraph::course).isPresent();
    }

    private static double distance(RemotePlayer other, Vec3 at) {
        return other.movement().position().distance(at);
    }

    /**
     * The distances between which its weapons are best.
     *
     * @param max never beyond the reach of the best weapon
     */
    private record Distances(double min, double max) {
        static Distances of(List<BotWeapon> weapons) {
            double best = CLOSE_METRES;
            double most = 0;
            double reach = CLOSE_METRES;
            for (double distance : DISTANCES) {
                Optional<BotWeapon> weapon = BotWeapon.best(weapons, "", distance);
                double value = weapon.map(it -> it.value(distance)).orElse(0.0);
                if (value > most * DISTANCE_FACTOR) {
                    most = value;
                    best = distance;
                    reach = weapon.map(BotWeapon::maxMetres).orElse(CLOSE_METRES);
                }
            }
            return new Distances(
                    best - DISTANCE_MARGIN_METRES, Math.min(best + DISTANCE_MARGIN_METRES, reach));
        }
    }

    /** Moves about in sight of its target, at the distance where its weapons are best. */
    private PlayerInput fight(
            long now, Movement movement, List<BotWeapon> weapons, RemotePlayer other) {
        Vec3 at = movement.position();
        Vec3 way = other.movement().position().minus(at);
        double distance = way.length();
        boolean isAway = Math.abs(way.z()) > MAX_RISE_METRES;
        Distances best = Distances.of(weapons);
        boolean isFar = distance > best.max;
        if (distance > CLOSE_METRES && progress.isStuck(now, at) || now < progress.detourUntil) {
            return walk.steer(now, movement);
        }
        if (isAway && isFar && paths.isPresent()) {
            return walkTo(now, movement, other.movement().position(), HUNT_SPEED);
        }
        if (isAway && paths.isEmpty()) {
            return walk.steer(now, movement);
        }
        if (paths.isEmpty()) {
            // Aside of its target there may be no ground.
            double ahead = Angles.yaw(way.x(), way.y());
            return distance < CLOSE_METRES
                    ? PlayerInput.look(ahead, 0)
                    : PlayerInput.walk(ahead, ahead, 0);
        }
        boolean isNear = distance < best.min;
        double turn = isFar ? NEARER_DEGREES : isNear ? AWAY_DEGREES : AROUND_DEGREES;
        double view = Angles.yaw(way.x(), way.y());
        dodge.advance(now);
        for (int i = 0; i < 2; i++) {
            double direction = view + dodge.side * turn;
            if (hasGround(at, direction)) {
                PlayerInput full = PlayerInput.walk(direction, view, 0);
                double speed = isFar ? 1 : dodge.speed;
                return new PlayerInput(
                        view, 0, speed * full.forward(), speed * full.left(), false, false, isFar);
            }
            dodge.side = -dodge.side;
        }
        return isFar ? PlayerInput.walk(view, view, 0) : walk.steer(now, movement);
    }

    private boolean hasGround(Vec3 at, double direction) {
        double radians = Math.toRadians(direction);
        Vec3 ahead =
                at.plus(new Vec3(Math.cos(radians), Math.sin(radians), 0).times(STRAFE_METRES));
        return paths.map(known -> known.isReached(ahead)).orElse(true);
    }

    /** Walks to a place exactly, straight at the end. */
    private PlayerInput goTo(long now, Movement movement, FlagTactics.Goal goal) {
        Vec3 to = goal.place();
        Vec3 at = movement.position();
        if (to.distance(lastGoal) > SAME_GOAL_METRES) {
            nextHunt = now;
        }
        lastGoal = to;
        Vec3 way = to.minus(at);
        boolean isNear = way.horizontal() < STRAIGHT_METRES && Math.abs(way.z()) < MAX_RISE_METRES;
        if (isNear && way.horizontal() < THERE_METRES) {
            return PlayerInput.look(movement.yaw(), 0);
        }
        if (now < progress.detourUntil || progress.isStuck(now, at)) {
            return walk.steer(now, movement);
        }
        double ahead = Angles.yaw(way.x(), way.y());
        if (isNear) {
            // At full speed it would slide on, over an edge.
            return new PlayerInput(ahead, 0, NEAR_SPEED, 0, false, false);
        }
        if (!canSprint) {
            // A sprint ends where a player does not go forward at full speed.
            double most = goal.hasFlag() ? MAX_CARRIER_PACE_METRES : MAX_PACE_METRES;
            double spare = most - movement.velocity().horizontal();
            pace = Math.clamp(pace + PACE_GAIN * spare, MIN_PACE, HUNT_SPEED);
        }
        return paths.isEmpty()
                ? PlayerInput.walk(ahead, ahead, 0)
                : walkTo(now, movement, to, pace);
    }

    /**
     * Walks on a path of the arena.
     *
     * @param speed share of the full speed
     */
    private PlayerInput walkTo(long now, Movement movement, Vec3 to, double speed) {
        Vec3 at = movement.position();
        Optional<PlayerInput> step =
                now < nextHunt || hunt.isCarried()
                        ? hunt.follow(now, movement, speed)
                        : Optional.empty();
        if (step.isEmpty() && now >= nextHunt) {
            nextHunt = now + HUNT_INTERVAL_NANOS;
            hunt.start(now, paths.map(known -> known.path(at, to)).orElse(List.of()));
            step = hunt.follow(now, movement, speed);
        }
        return step.orElseGet(() -> walk.steer(now, movement));
    }

    /** The enemy that it fights. */
    private static final class Target {
        private long player = -1;
        private boolean isSeen;
        private long seenSince;
        private long nextLook = Long.MIN_VALUE;

        void clear() {
            player = -1;
        }

        /** The nearest enemy in sight; the nearest one if none is. */
        Optional<RemotePlayer> find(
                long now, Client client, Vec3 at, Optional<NavigationGraph> paths) {
            if (now < nextLook && player >= 0) {
                Optional<RemotePlayer> before =
                        client.others().stream().filter(other -> other.id() == player).findFirst();
                if (before.isPresent()) {
                    return before;
                }
            }
            nextLook = now + LOOK_INTERVAL_NANOS;
            Map<Long, String> teams = client.teams();
            String own = teams.get(client.id());
            List<RemotePlayer> enemies =
                    client.others().stream()
                            .filter(other -> own == null || !own.equals(teams.get(other.id())))
                            .sorted(Comparator.comparingDouble(other -> preference(other, at)))
                            .toList();
            Optional<RemotePlayer> seen =
                    enemies.stream()
                            .filter(other -> distance(other, at) < MAX_RANGE_METRES)
                            .filter(other -> sees(at, other, paths))
                            .findFirst();
            Optional<RemotePlayer> found = seen.or(() -> enemies.stream().findFirst());
            long id = found.map(RemotePlayer::id).orElse(-1L);
            if (id != player || isSeen != seen.isPresent()) {
                seenSince = now;
            }
            player = id;
            isSeen = seen.isPresent();
            return found;
        }

        /** Its distance; a target is kept until another is clearly nearer. */
        private double preference(RemotePlayer other, Vec3 at) {
            return distance(other, at) * (other.id() == player ? KEPT_FACTOR : 1);
        }

        private static boolean sees(Vec3 at, RemotePlayer other, Optional<NavigationGraph> paths) {
            return paths.map(known ->
                            known.isSeen(at.plus(EYES), other.movement().position().plus(CHEST)))
                    .orElse(true);
        }
    }

    /** The weapon in hand, and how a hand misses. */
    private static final class Aim {
        private final int skill;
        private final RandomGenerator random;
        private String weapon = "";
        private Vec3 error = Vec3.ZERO;
        private long nextAim = Long.MIN_VALUE;

        Aim(int skill, RandomGenerator random) {
            this.skill = skill;
            this.random = random;
        }

        /** Takes a weapon in hand for a target that comes into sight. */
        void ready(Client client, List<BotWeapon> weapons) {
            BotWeapon.best(weapons, weapon, READY_METRES).ifPresent(client::select);
        }

        void fire(
                long now,
                Client client,
                Vec3 at,
                List<BotWeapon> weapons,
                RemotePlayer other,
                long seenSince) {
            double distance = distance(other, at);
            Optional<BotWeapon> best = BotWeapon.best(weapons, weapon, distance);
            if (best.isEmpty()) {
                return;
            }
            weapon = best.get().name();
            client.select(best.get());
            if (now - seenSince < reactionNanos()) {
                return;
            }
            if (now >= nextAim) {
                nextAim = now + AIM_INTERVAL_NANOS;
                error =
                        new Vec3(
                                        random.nextGaussian(),
                                        random.nextGaussian(),
                                        random.nextGaussian() / 2)
                                .times(Math.toRadians(WORST_ERROR_DEGREES / (1 << skill)));
            }
            client.shoot(
                    best.get()
                            .aim(at.plus(EYES), other.movement())
                            .plus(error.times(distance * best.get().errorFactor())));
        }

        private long reactionNanos() {
            return WORST_REACTION_NANOS - skill * REACTION_STEP_NANOS;
        }
    }

    /** An item that it gets. */
    private static final class ItemGoal {
        private final Map<Vec3, Long> visited = new HashMap<>();
        private Optional<Vec3> place = Optional.empty();
        private long until;

        void clear() {
            place = Optional.empty();
        }

        /** The item to get next; empty if it needs none, or sees none that it has not tried. */
        Optional<Vec3> find(long now, Client client, Vec3 at, boolean needs, boolean hasPaths) {
            place = place.filter(item -> needs && item.distance(at) > TOUCH_METRES && now < until);
            if (needs && place.isEmpty() && hasPaths) {
                visited.values().removeIf(end -> now >= end);
                place =
                        client.items().stream()
                                .filter(item -> !visited.containsKey(item))
                                .filter(item -> item.distance(at) < ITEM_METRES)
                                .min(Comparator.comparingDouble(item -> item.distance(at)));
                place.ifPresent(item -> {
                    visited.put(item, now + ITEM_PAUSE_NANOS);
                    until = now + ITEM_TIMEOUT_NANOS;
                });
            }
            return place;
        }
    }

    /** Whether it gets on. */
    private static final class Progress {
        private long nextCheck = Long.MIN_VALUE;
        private Vec3 checked = Vec3.ZERO;
        private long detourUntil = Long.MIN_VALUE;

        boolean isStuck(long now, Vec3 at) {
            if (now < nextCheck) {
                return false;
            }
            boolean isStuck = at.distance(checked) < STUCK_METRES;
            checked = at;
            nextCheck = now + STUCK_CHECK_NANOS;
            if (isStuck) {
                detourUntil = now + DETOUR_NANOS;
            }
            return isStuck;
        }
    }

    /** The side to which it moves in sight of its target, and how fast. */
    private static final class Dodge {
        private final RandomGenerator random;
        private final double speed;
        private int side = 1;
        private long nextSide = Long.MIN_VALUE;

        Dodge(int skill, RandomGenerator random) {
            this.random = random;
            speed = WORST_DODGE + skill * DODGE_STEP;
        }

        void advance(long now) {
            if (now >= nextSide) {
                nextSide = now + random.nextLong(MIN_STRAFE_NANOS, MAX_STRAFE_NANOS);
                side = random.nextBoolean() ? 1 : -1;
            }
        }
    }
}
