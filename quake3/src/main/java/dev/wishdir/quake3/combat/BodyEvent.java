package dev.wishdir.quake3.combat;

/** Events of a player's body that its client does not predict. All clients know them. */
public enum BodyEvent {
    ITEM_PICKUP(19),
    PAIN(56),
    DEATH_1(57),
    DEATH_2(58),
    DEATH_3(59),
    /** A blow of the gauntlet with quad damage; clients hear it of other weapons by themselves. */
    QUAD(61),
    GIB(64);

    private final int number;

    BodyEvent(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
