package dev.wishdir.arena;

/**
 * Whom the arena tells what happens: viewers, logs, maps. Called on the arena's thread; it must not
 * block. It may call the arena: the change is made at once, and told after the event that is being
 * told.
 */
@FunctionalInterface
public interface ArenaListener {
    void onEvent(ArenaEvent event);
}
