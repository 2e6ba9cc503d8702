package dev.wishdir.blocks.arena;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The flags of an arena's text, and the spawn points that it gives to teams. */
final class FlagText {
    private static final String RED = "red";
    private static final String BLUE = "blue";

    /** The words of the teams. */
    static final List<String> TEAMS = List.of(RED, BLUE);

    private final Map<String, Vec3> flags = new HashMap<>();
    private final Map<String, List<Movement>> spawns =
            Map.of(RED, new ArrayList<>(), BLUE, new ArrayList<>());

    /**
     * Adds the flag of a team.
     *
     * @return false if it has one already
     */
    boolean addFlag(String team, Vec3 place) {
        return flags.putIfAbsent(team, place) == null;
    }

    /**
     * Gives a spawn point to a team.
     *
     * @return false if it is of the other team already
     */
    boolean addSpawn(String team, Movement spawn) {
        spawns.getOrDefault(team, new ArrayList<>()).add(spawn);
        return spawns.values().stream().filter(of -> of.contains(spawn)).count() == 1;
    }

    /** The problem of all lines together; empty if there is none. */
    String problem() {
        if (flags.size() == 1) {
            return "only " + flags.keySet().iterator().next() + " has a flag: write both, or none";
        }
        boolean isGiven = spawns.values().stream().anyMatch(of -> !of.isEmpty());
        return flags.isEmpty() && isGiven ? "a spawn is of a team, and the arena has no flags" : "";
    }

    /** The bases; empty without flags. */
    Optional<FlagBases> bases() {
        return flags.size() < 2
                ? Optional.empty()
                : Optional.of(new FlagBases(base(RED), base(BLUE)));
    }

    private FlagBases.Base base(String team) {
        return new FlagBases.Base(
                flags.getOrDefault(team, Vec3.ZERO), spawns.getOrDefault(team, List.of()));
    }

    /** The end of a spawn point's line: its team after a space; empty if it is of none. */
    static String ofSpawn(Optional<FlagBases> bases, Movement spawn) {
        return bases.map(it ->
                        it.red().spawns().contains(spawn)
                                ? " " + RED
                                : it.blue().spawns().contains(spawn) ? " " + BLUE : "")
                .orElse("");
    }
}
