package dev.wishdir.quake3.combat;

import dev.wishdir.arena.event.Team;

import java.util.Arrays;
import java.util.Optional;

/**
 * The flags of capture the flag as items and powerups, which all clients of the family know:
 * docs/protocols/quake3.md#flags.
 */
public enum FlagItem {
    RED(Team.RED, 34, 7),
    BLUE(Team.BLUE, 35, 8);

    /** The powerup of a carrier never ends. */
    public static final int ENDLESS = Integer.MAX_VALUE;

    private static final FlagItem[] ALL = values();

    private final Team team;
    private final int number;
    private final int powerup;

    FlagItem(Team team, int number, int powerup) {
        this.team = team;
        this.number = number;
        this.powerup = powerup;
    }

    public static FlagItem of(Team team) {
        return ALL[team.ordinal()];
    }

    /** The flag with an item number; empty if it is another item. */
    public static Optional<FlagItem> of(int number) {
        return Arrays.stream(ALL).filter(flag -> flag.number == number).findFirst();
    }

    /** The team that it belongs to. */
    public Team team() {
        return team;
    }

    /** Its item number, which is the model of its entity and the parameter of its events. */
    public int number() {
        return number;
    }

    /** Its index among the powerups of its carrier's player state. */
    public int powerup() {
        return powerup;
    }

    /** Its bit in the entity of its carrier. */
    public int powerupBit() {
        return 1 << powerup;
    }
}
