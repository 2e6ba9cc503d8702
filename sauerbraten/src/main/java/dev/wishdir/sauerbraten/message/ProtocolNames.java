package dev.wishdir.sauerbraten.message;

import java.util.List;
import java.util.Set;

/** The game's names of its numbers. */
public final class ProtocolNames {
    static final List<String> PHYSSTATES =
            List.of("float", "fall", "slide", "slope", "floor", "step up", "step down", "bounce");

    static final List<String> STATES =
            List.of("alive", "dead", "spawning", "lagged", "editing", "spectator");

    static final List<String> GUNS =
            List.of(
                    "fist",
                    "shotgun",
                    "chaingun",
                    "rocket launcher",
                    "rifle",
                    "grenade launcher",
                    "pistol",
                    "fireball",
                    "iceball",
                    "slimeball",
                    "bite",
                    "barrel");

    static final List<String> ARMOURS = List.of("blue", "green", "yellow");

    /** From -3. */
    static final List<String> MODES =
            List.of(
                    "sp",
                    "dmsp",
                    "demo",
                    "ffa",
                    "coop edit",
                    "teamplay",
                    "instagib",
                    "insta team",
                    "efficiency",
                    "effic team",
                    "tactics",
                    "tac team",
                    "capture",
                    "regen capture",
                    "ctf",
                    "insta ctf",
                    "protect",
                    "insta protect",
                    "hold",
                    "insta hold",
                    "effic ctf",
                    "effic protect",
                    "effic hold",
                    "collect",
                    "insta collect",
                    "effic collect");

    static final int FIRST_MODE = -3;

    private static final Set<Integer> TEAM_MODES = Set.of(2, 4, 6, 8);

    /** The modes from this one on have bases, flags or tokens, and teams. */
    private static final int FIRST_MODE_WITH_BASES = 9;

    /** Whether a mode, by its number, has teams. */
    public static boolean hasTeams(int mode) {
        return TEAM_MODES.contains(mode) || mode >= FIRST_MODE_WITH_BASES;
    }

    /** From -1. */
    static final List<String> MASTERMODES = List.of("auth", "open", "veto", "locked", "private");

    static final int FIRST_MASTERMODE = -1;

    static final List<String> PRIVILEGES = List.of("none", "master", "auth", "admin");

    static final List<String> SOUNDS = List.of("jump", "land");

    /** From -1. */
    static final List<String> TEAM_REASONS = List.of("silent", "switched", "forced");

    static final List<String> ENTITIES =
            List.of(
                    "none",
                    "light",
                    "mapmodel",
                    "playerstart",
                    "envmap",
                    "particles",
                    "sound",
                    "spotlight",
                    "shells",
                    "bullets",
                    "rockets",
                    "rounds",
                    "grenades",
                    "cartridges",
                    "health",
                    "boost",
                    "green armour",
                    "yellow armour",
                    "quad",
                    "teleport",
                    "teledest",
                    "monster",
                    "carrot",
                    "jumppad",
                    "base",
                    "respawnpoint",
                    "box",
                    "barrel",
                    "platform",
                    "elevator",
                    "flag");

    private ProtocolNames() {}

    /** The game's name of a mode, {@code teamplay}; its number if it is unknown. */
    public static String mode(int number) {
        int index = number - FIRST_MODE;
        return index >= 0 && index < MODES.size() ? MODES.get(index) : "mode " + number;
    }
}
