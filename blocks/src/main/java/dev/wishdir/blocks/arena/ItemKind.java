package dev.wishdir.blocks.arena;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of items that the games have in common; each game gives and shows its own. */
public enum ItemKind {
    SMALL_HEALTH(20),
    HEALTH(20),
    LARGE_HEALTH(20),
    MEGA_HEALTH(60),
    ARMOUR_SHARD(20),
    LIGHT_ARMOUR(20),
    HEAVY_ARMOUR(30),
    WEAPON_SHOTGUN(10),
    WEAPON_MACHINE_GUN(10),
    WEAPON_RIFLE(10),
    WEAPON_ROCKET(10),
    WEAPON_GRENADE(10),
    AMMO_SHOTGUN(20),
    AMMO_MACHINE_GUN(20),
    AMMO_RIFLE(20),
    AMMO_ROCKET(20),
    AMMO_GRENADE(20),
    /** For a time its player's hits count more, by the law of the player's game. */
    QUAD(90, 45);

    private final Duration returnTime;
    private final Duration firstTime;

    ItemKind(int returnSeconds) {
        this(returnSeconds, 0);
    }

    ItemKind(int returnSeconds, int firstSeconds) {
        returnTime = Duration.ofSeconds(returnSeconds);
        firstTime = Duration.ofSeconds(firstSeconds);
    }

    /** Time after which a taken item returns if its arena says nothing else. */
    public Duration returnTime() {
        return returnTime;
    }

    /** Time after the start of a round at which it first lies there; zero for most. */
    public Duration firstTime() {
        return firstTime;
    }

    /** The kind of a name as in arena files; empty if there is none. */
    public static Optional<ItemKind> of(String text) {
        return Arrays.stream(values()).filter(kind -> kind.toString().equals(text)).findFirst();
    }

    /** As in arena files, events and recordings: {@code mega-health}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
