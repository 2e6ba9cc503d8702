package dev.wishdir.blocks.grid;

import dev.wishdir.motion.Medium;

import java.util.Locale;

/** The material of a block. Each game has its own block or texture for it. */
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
    /** Glows at a teleporter. */
    PORTAL(0xC070E8, false),
    /** Glows at a jump pad. */
    PAD(0x58E890, false),
    /** Stops bodies and is drawn as the sky. */
    SKY(0x8FB8E8, false),
    /** Does not stop bodies: they swim in it. */
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

    /** Whether there are half blocks of it. */
    public boolean hasHalf() {
        return halved;
    }

    /** Whether it is luminous: drawn at full brightness. */
    public boolean glows() {
        return this == LAMP || this == PORTAL || this == PAD;
    }

    /** Whether it lets sight and light through. */
    public boolean transparent() {
        return this == GLASS || !solid();
    }

    /** Whether it stops bodies. */
    public boolean solid() {
        return medium() == Medium.AIR;
    }

    /** The medium of a block of it; air for a solid material. */
    public Medium medium() {
        return this == WATER ? Medium.WATER : this == LADDER ? Medium.LADDER : Medium.AIR;
    }
}
