package dev.wishdir.quake3.server.view;

/**
 * Events of entities of their own, which all clients of the family know: a client ends at any other
 * number.
 */
public enum TempEvent {
    GLOBAL_ITEM_PICKUP(20),
    TELEPORT_IN(42),
    GRENADE_BOUNCE(44),
    GLOBAL_SOUND(46),
    GLOBAL_TEAM_SOUND(47),
    BULLET_HIT_FLESH(48),
    BULLET_HIT_WALL(49),
    MISSILE_HIT(50),
    MISSILE_MISS(51),
    MISSILE_MISS_METAL(52),
    RAIL_TRAIL(53),
    SHOTGUN(54),
    OBITUARY(60),
    GIB(64),
    SCORE_PLUM(65);

    private final int number;

    TempEvent(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
