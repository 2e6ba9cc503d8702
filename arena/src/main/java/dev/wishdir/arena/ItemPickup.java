package dev.wishdir.arena;

import dev.wishdir.blocks.PlacedItem;

import java.time.Duration;

/**
 * A pickup of an item, as servers of one arena report it to each other.
 *
 * @param player that took it
 * @param number of the item in the level of the player's game
 * @param left time until the item returns
 */
public record ItemPickup(PlayerId player, int number, PlacedItem item, Duration left) {}
