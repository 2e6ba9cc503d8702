package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Team;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The spawn points of the teams in a match with flags: those that the level gives a team, else
 * those nearer to its flag than to the other's.
 */
final class TeamSpawns {
    /** No player appears this near to a flag, metres. */
    private static final double FLAG_METRES = 3;

    /** A place this near to a spawn point of the level is that spawn point, metres. */
    private static final double SAME_METRES = 1;

    private final List<Flag> flags;
    private final Level level;

    TeamSpawns(List<Flag> flags, Level level) {
        this.flags = flags;
        this.level = level;
    }

    /** The places of a team, as indices; all if none fits. */
    List<Integer> of(Team team, List<Vec3> places) {
        List<Integer> all = IntStream.range(0, places.size()).boxed().toList();
        List<Integer> clear = all.stream().filter(i -> isClear(places.get(i))).toList();
        List<Integer> given =
                clear.stream()
                        .filter(i -> teamOf(places.get(i)).equals(Optional.of(team)))
                        .toList();
        if (!given.isEmpty()) {
            return given;
        }
        List<Integer> near =
                clear.stream()
                        .filter(i -> teamOf(places.get(i)).isEmpty())
                        .filter(i -> isNearer(places.get(i), team))
                        .toList();
        return near.isEmpty() ? all : near;
    }

    private boolean isClear(Vec3 place) {
        return flags.stream().allMatch(flag -> flag.home().distance(place) >= FLAG_METRES);
    }

    private boolean isNearer(Vec3 place, Team team) {
        return home(team).distance(place) < home(team.other()).distance(place);
    }

    private Vec3 home(Team team) {
        return flags.get(team.ordinal()).home();
    }

    /** The team that the level gives a place to; empty if it gives it to none. */
    private Optional<Team> teamOf(Vec3 place) {
        return level.bases()
                .flatMap(bases ->
                        isAmong(place, bases.red())
                                ? Optional.of(Team.RED)
                                : isAmong(place, bases.blue())
                                        ? Optional.of(Team.BLUE)
                                        : Optional.empty());
    }

    private boolean isAmong(Vec3 place, FlagBases.Base base) {
        return base.spawns().stream()
                .anyMatch(spawn -> spawn.position().distance(place) < SAME_METRES);
    }
}
