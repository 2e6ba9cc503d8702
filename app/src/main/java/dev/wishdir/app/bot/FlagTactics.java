package dev.wishdir.app.bot;

import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.game.Client;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.game.RemoteFlag.State;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The goals of a bot in a match with flags, by what its client shows. About a quarter of a team
 * defends its flag, half of the others attack the other one, and the rest does what is needed. A
 * carrier goes home on the shortest path, and all but defenders keep near it; the nearest player
 * returns its own flag.
 */
final class FlagTactics {
    /**
     * A place to go to.
     *
     * @param fightMetres a target that is nearer is fought on the way
     * @param hasFlag whether it carries a flag there
     */
    record Goal(Vec3 place, double fightMetres, boolean hasFlag) {}

    private enum Role {
        DEFEND,
        ATTACK,
        FREE
    }

    /** Roles are drawn of these: with more who defend hardly any flag is captured. */
    private static final List<Role> ROLES =
            List.of(
                    Role.DEFEND,
                    Role.DEFEND,
                    Role.ATTACK,
                    Role.ATTACK,
                    Role.ATTACK,
                    Role.FREE,
                    Role.FREE,
                    Role.FREE);

    /** Interval at which it looks at the flags. */
    private static final long LOOK_INTERVAL_NANOS = 200_000_000;

    /** Interval at which it draws its role again. */
    private static final long ROLE_INTERVAL_NANOS = 20_000_000_000L;

    /** A defender stays within this distance of its flag, and fights what comes so near. */
    private static final double GUARD_METRES = 12;

    /** A defender chases the carrier of its flag for so long, and then returns. */
    private static final long CHASE_NANOS = 8_000_000_000L;

    /** A defender goes to another place of its patrol after this time at most. */
    private static final long PATROL_NANOS = 6_000_000_000L;

    /** A carrier waits at this distance from its home. */
    private static final double WAIT_METRES = 5;

    /** Height above the feet from which it looks whether a place is in sight. */
    private static final Vec3 EYES = new Vec3(0, 0, 1.6);

    private final RandomGenerator random;
    private Optional<Goal> goal = Optional.empty();
    private long nextLook = Long.MIN_VALUE;
    private Role role = Role.FREE;
    private long nextRole = Long.MIN_VALUE;
    private Optional<Vec3> patrol = Optional.empty();
    private long patrolUntil;
    private Optional<Vec3> hideout = Optional.empty();
    private long chaseSince = Long.MAX_VALUE;

    /** The places around the home for which they were found. */
    private Vec3 around = Vec3.ZERO;

    private List<Vec3> places = List.of();

    FlagTactics(RandomGenerator random) {
        this.random = random;
    }

    /** A new life begins: its role may be another one. */
    void clear() {
        goal = Optional.empty();
        nextLook = Long.MIN_VALUE;
        nextRole = Long.MIN_VALUE;
        hideout = Optional.empty();
    }

    /** The place to go to; empty if there are no flags, or it may do what it likes. */
    Optional<Goal> find(long now, Client client, Vec3 at, Optional<NavigationGraph> paths) {
        if (now >= nextLook) {
            nextLook = now + LOOK_INTERVAL_NANOS;
            List<RemoteFlag> flags = client.flags();
            Map<Long, String> teams = flags.isEmpty() ? Map.of() : client.teams();
            String team = teams.get(client.id());
            Optional<RemoteFlag> own =
                    flags.stream().filter(it -> it.team().equals(team)).findFirst();
            Optional<RemoteFlag> other =
                    flags.stream().filter(it -> !it.team().equals(team)).findFirst();
            if (team == null || own.isEmpty() || other.isEmpty()) {
                goal = Optional.empty();
            } else {
                View view = new View(client, at, paths, teams, team, own.get(), other.get());
                goal = find(now, view);
            }
        }
        return goal;
    }

    /** The game as one bot sees it. */
    private record View(
            Client client,
            Vec3 at,
            Optional<NavigationGraph> paths,
            Map<Long, String> teams,
            String team,
            RemoteFlag own,
            RemoteFlag other) {
        boolean isMate(RemotePlayer player) {
            return team.equals(teams.get(player.id()));
        }

        /** Whether no team mate that it sees is nearer to a place. */
        boolean isNearest(Vec3 place) {
            return client.others().stream()
                    .filter(this::isMate)
                    .noneMatch(mate ->
                            mate.movement().position().distance(place) < at.distance(place));
        }

        boolean isCarrier() {
            return other.state() == State.CARRIED && other.carrier() == client.id();
        }
    }

    private Optional<Goal> find(long now, View view) {
        if (now >= nextRole) {
            nextRole = now + ROLE_INTERVAL_NANOS;
            role = role(view);
        }
        Optional<Vec3> dropped =
                view.own.state() == State.DROPPED ? view.own.place() : Optional.empty();
        boolean returns = dropped.filter(view::isNearest).isPresent();
        if (!view.isCarrier()) {
            hideout = Optional.empty();
        } else if (!returns) {
            return carry(view);
        }
        if (returns) {
            return to(dropped, 0);
        }
        Optional<Vec3> loot =
                view.other.state() == State.DROPPED ? view.other.place() : Optional.empty();
        return switch (role) {
            case DEFEND -> defend(now, view);
            case ATTACK -> attack(view, loot);
            case FREE ->
                    view.own.state() == State.CARRIED
                            ? to(view.own.place().or(view.other::home), 0)
                            : attack(view, loot);
        };
    }

    /** Drawn, as the clients of a team number its players differently. */
    private Role role(View view) {
        boolean isAlone = view.client.others().stream().noneMatch(view::isMate);
        return isAlone ? Role.FREE : ROLES.get(random.nextInt(ROLES.size()));
    }

    private static Optional<Goal> to(Optional<Vec3> place, double fightMetres) {
        return place.map(at -> new Goal(at, fightMetres, false));
    }

    /** Brings the flag home, or waits near it, out of its sight, until the own flag is there. */
    private Optional<Goal> carry(View view) {
        Optional<Vec3> home = view.own.home();
        if (view.own.state() == State.HOME || home.isEmpty()) {
            hideout = Optional.empty();
            return home.map(at -> new Goal(at, 0, true));
        }
        if (hideout.isEmpty()) {
            hideout = hideout(home.get(), view.paths);
        }
        return hideout.or(() -> home).map(at -> new Goal(at, 0, true));
    }

    private Optional<Vec3> hideout(Vec3 home, Optional<NavigationGraph> paths) {
        return around(home, paths).stream()
                .filter(place -> place.distance(home) >= WAIT_METRES)
                .filter(place ->
                        paths.filter(known -> known.isSeen(home.plus(EYES), place.plus(EYES)))
                                .isEmpty())
                .min(Comparator.comparingDouble(place -> place.distance(home)));
    }

    private Optional<Goal> attack(View view, Optional<Vec3> loot) {
        if (view.other.state() != State.CARRIED) {
            return to(loot.or(view.other::home), 0);
        }
        // A team mate carries it: meet what follows.
        return to(view.other.place(), GUARD_METRES);
    }

    private Optional<Goal> defend(long now, View view) {
        Optional<Vec3> home = view.own.home();
        if (home.isEmpty()) {
            return Optional.empty();
        }
        if (view.own.state() == State.CARRIED && view.own.place().isPresent()) {
            chaseSince = Math.min(chaseSince, now);
            if (now - chaseSince < CHASE_NANOS) {
                return to(view.own.place(), GUARD_METRES);
            }
        } else if (view.own.state() != State.CARRIED) {
            chaseSince = Long.MAX_VALUE;
        }
        boolean isAway = view.at.distance(home.get()) > GUARD_METRES;
        boolean isThere = patrol.filter(place -> place.distance(view.at) < 1).isPresent();
        if (patrol.isEmpty() || isThere || now >= patrolUntil || !around.equals(home.get())) {
            List<Vec3> near = around(home.get(), view.paths);
            patrolUntil = now + PATROL_NANOS;
            patrol =
                    Optional.of(
                            near.isEmpty() ? home.get() : near.get(random.nextInt(near.size())));
        }
        return to(patrol, isAway ? 0 : GUARD_METRES);
    }

    /** The places within reach of a guard of a flag's home. */
    private List<Vec3> around(Vec3 home, Optional<NavigationGraph> paths) {
        if (!around.equals(home) || places.isEmpty()) {
            around = home;
            Vec3 size = new Vec3(GUARD_METRES, GUARD_METRES, 2);
            places =
                    paths.map(known ->
                                    known.placesIn(new Bounds(home.minus(size), home.plus(size))))
                            .orElse(List.of());
        }
        return places;
    }
}
