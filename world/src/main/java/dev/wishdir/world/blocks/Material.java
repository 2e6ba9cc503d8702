package dev.wishdir.world.blocks;

import dev.wishdir.world.Medium;

import java.util.Locale;

/** What a block is made of. Each game has a block or a texture of its own for it. */
public enum Material {
    STONE(0xA0A0A0, true),
    COBBLE(0x7C7C7A, true),
    SLATE(0x5A5B62, true),
    TILE(0x3E3F45, true),
    BRICK(0x9C5F4C, true),
    WOOD(0xB08A54, true),
    PLANK(0x735331, true),
    SAND(0xD6CD9C, true),
    MARBLE(0xDEDCD4, true),
    COPPER(0xC06C50, true),
    EARTH(0x87694F, true),
    GRASS(0x6A9440, true),
    METAL(0xC8CBD0, false),
    GLASS(0xBFDDE8, false),
    LAMP(0xFFDFA0, false),
    /** Glows where a teleporter is. */
    PORTAL(0xC070E8, false),
    /** Glows where a jump pad is. */
    PAD(0x58E890, false),
    /** Stops bodies and is drawn as the sky. */
    SKY(0x8FB8E8, false),
    /** Stops nobody: bodies swim in it. */
    WATER(0x4A7EC0, false),
    /** Does not stop bodies: they climb in it, and it is drawn on the walls next to it. */
    LADDER(0xA07C48, false);

    private final int colour;
    private final boolean halved;

    Material(int colour, boolean halved) {
        this.colour = colour;
        this.halved = halved;
    }

    /** Its name in an arena's text. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its usual colour, 0xRRGGBB. */
    public int colour() {
        return colour;
    }

    /** Whether there are lower halves of it. */
    public boolean hasHalf() {
        return halved;
    }

    /** Whether it is as bright as it is painted. */
    public boolean glows() {
        return this == LAMP || this == PORTAL || this == PAD;
    }

    /** Whether what is behind it is seen, and lit. */
    public boolean transparent() {
        return this == GLASS || !solid();
    }

    /** Whether it stops bodies. */
    public boolean solid() {
        return medium() == Medium.AIR;
    }

    /** In what bodies move where it is; air for what stops them. */
    public Medium medium() {
        return this == WATER ? Medium.WATER : this == LADDER ? Medium.LADDER : Medium.AIR;
    }
}
