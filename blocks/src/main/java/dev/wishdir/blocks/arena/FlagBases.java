package dev.wishdir.blocks.arena;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** The bases of the two teams in a level with flags. */
public record FlagBases(Base red, Base blue) {
    /**
     * The base of a team.
     *
     * @param flag the foot of its flag, metres
     * @param spawns the spawn points that only this team uses, each once; empty if it uses those
     *     nearer to its flag than to the other's
     */
    public record Base(Vec3 flag, List<Movement> spawns) {
        public Base {
            Objects.requireNonNull(flag, "flag");
            spawns = Objects.requireNonNull(spawns, "spawns").stream().distinct().toList();
        }
    }

    /**
     * @throws IllegalArgumentException if a spawn point is of both teams
     */
    public FlagBases {
        if (!Collections.disjoint(red.spawns(), blue.spawns())) {
            throw new IllegalArgumentException("a spawn point is of both teams");
        }
    }

    /**
     * The bases of a game's own map; a spawn point that it gives to both teams is the red one's.
     */
    public static FlagBases ofMap(Base red, Base blue) {
        List<Movement> others =
                blue.spawns().stream().filter(spawn -> !red.spawns().contains(spawn)).toList();
        return new FlagBases(red, new Base(blue.flag(), others));
    }
}
