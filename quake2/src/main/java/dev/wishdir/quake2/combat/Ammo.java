package dev.wishdir.quake2.combat;

/** A kind of ammunition. */
public enum Ammo {
    SHELLS(18, "Shells", "a_shells", 100),
    BULLETS(19, "Bullets", "a_bullets", 200),
    CELLS(20, "Cells", "a_cells", 200),
    ROCKETS(21, "Rockets", "a_rockets", 50),
    SLUGS(22, "Slugs", "a_slugs", 50),
    GRENADES(12, "Grenades", "a_grenades", 50);

    private final int item;
    private final String title;
    private final String icon;
    private final int max;

    Ammo(int item, String title, String icon, int max) {
        this.item = item;
        this.title = title;
        this.icon = icon;
        this.max = max;
    }

    /** Its number in the inventory. */
    public int item() {
        return item;
    }

    /** As the game's clients read it. */
    public String title() {
        return title;
    }

    /** Name of its picture. */
    public String icon() {
        return icon;
    }

    /** The most that a player carries. */
    public int max() {
        return max;
    }
}
