package dev.wishdir.app.analysis;

import dev.wishdir.arena.event.DamageMeans;

import java.util.Map;

/** The names of weapons, as each game calls them. */
final class WeaponNames {
    /** The means that a game has one weapon for, or several of one name. */
    private static final Map<String, Map<DamageMeans, String>> NAMES =
            Map.of(
                    "sauerbraten",
                    Map.of(
                            DamageMeans.MELEE, "fist",
                            DamageMeans.PISTOL, "pistol",
                            DamageMeans.MACHINE_GUN, "chaingun",
                            DamageMeans.RIFLE, "rifle",
                            DamageMeans.ROCKET, "rocket launcher",
                            DamageMeans.GRENADE, "grenade launcher"),
                    "quake2",
                    Map.of(
                            DamageMeans.PISTOL, "blaster",
                            DamageMeans.RIFLE, "railgun",
                            DamageMeans.ROCKET, "rocket launcher",
                            DamageMeans.BFG, "BFG10K"),
                    "quake3",
                    Map.of(
                            DamageMeans.MELEE, "gauntlet",
                            DamageMeans.RIFLE, "railgun",
                            DamageMeans.ROCKET, "rocket launcher",
                            DamageMeans.GRENADE, "grenade launcher",
                            DamageMeans.BFG, "BFG10K"),
                    "bedrock",
                    Map.of(
                            DamageMeans.MELEE, "sword or hand",
                            DamageMeans.PISTOL, "bow",
                            DamageMeans.MACHINE_GUN, "snowball",
                            DamageMeans.RIFLE, "trident"));

    private WeaponNames() {}

    /** The name of a game's weapon; the kind of the weapons if it has several. */
    static String of(String game, DamageMeans means) {
        return NAMES.getOrDefault(game, Map.of())
                .getOrDefault(means, means.toString().replace('-', ' '));
    }
}
