package dev.wishdir.bedrock.client;

import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.game.BotWeapon;
import dev.wishdir.game.BotWeapon.Missile;

import java.util.Arrays;
import java.util.Optional;

/** The items with which a headless client fights, and what players know of them. */
enum WeaponItem {
    SWORD("minecraft:iron_sword", 0, 35, 0, 0),
    BOW("minecraft:bow", 20, 55, 5, 60),
    CROSSBOW("minecraft:crossbow", 25, 45, 5, 60),
    TRIDENT("minecraft:trident", 10, 40, 2.5, 30);

    /** From the eyes to the victim's body, and half of it. */
    private static final double REACH_METRES = 3;

    private static final double GRAVITY =
            0.05 * BedrockMotion.TICKS_PER_SECOND * BedrockMotion.TICKS_PER_SECOND;

    /** Of a usual connection, and two ticks until the view of a shot has arrived. */
    private static final double DELAY = 0.13;

    /** A victim of a blow can't be hurt by another one so soon. */
    private static final double BLOW_SECONDS = 0.5;

    /** From one shot to the next draw. */
    private static final double CHANGE_TICKS = 2;

    /** A loaded crossbow shoots at once. */
    private static final double LOADED_FACTOR = 2.5;

    private final String itemName;
    private final int drawTicks;
    private final double damage;
    private final double speed;
    private final double maxMetres;

    /**
     * @param speed of what it shoots, metres a tick; 0 for a blow
     */
    WeaponItem(String itemName, int drawTicks, double damage, double speed, double maxMetres) {
        this.itemName = itemName;
        this.drawTicks = drawTicks;
        this.damage = damage;
        this.speed = speed;
        this.maxMetres = maxMetres;
    }

    /** The item of a weapon's name; empty if there is none. */
    static Optional<WeaponItem> named(String name) {
        return Arrays.stream(values()).filter(item -> item.name().equals(name)).findFirst();
    }

    String itemName() {
        return itemName;
    }

    boolean needsArrow() {
        return this == BOW || this == CROSSBOW;
    }

    /** Time for which it is drawn until it is ready. */
    long drawNanos() {
        return drawTicks * BedrockMotion.TICK_NANOS;
    }

    /**
     * @param loaded whether it is a crossbow in which an arrow lies
     */
    BotWeapon weapon(boolean loaded) {
        if (speed == 0) {
            return BotWeapon.instant(name(), damage, BLOW_SECONDS, REACH_METRES, 0);
        }
        return new BotWeapon(
                name(),
                damage * (loaded ? LOADED_FACTOR : 1),
                (drawTicks + CHANGE_TICKS) / BedrockMotion.TICKS_PER_SECOND,
                0,
                maxMetres,
                0,
                new Missile(speed * BedrockMotion.TICKS_PER_SECOND, 0, GRAVITY, 0, DELAY));
    }
}
