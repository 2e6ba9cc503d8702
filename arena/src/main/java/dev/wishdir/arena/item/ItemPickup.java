package dev.wishdir.arena.item;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.blocks.arena.PlacedItem;

import java.time.Duration;
import java.util.Optional;

/**
 * A pickup of an item, as servers of one arena report it to each other.
 *
 * @param player that took it; empty if it is not here any more
 * @param number of the item in the level of the player's game
 * @param left time until the item returns
 */
public record ItemPickup(Optional<PlayerId> player, int number, PlacedItem item, Duration left) {}
