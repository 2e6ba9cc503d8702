package dev.wishdir.arena;

/**
 * Sees all that happens in the arena as it happens, without coalescing: event logs, maps. Called on
 * the arena's thread; it must not block.
 */
public interface Observer {
    default void joined(Player player) {}

    default void left(Player player) {}

    default void spawned(Player player) {}

    default void despawned(Player player) {}

    default void moved(Player player) {}

    default void said(Player player, String text) {}

    default void renamed(Player player, String oldName) {}
}
