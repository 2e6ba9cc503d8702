package dev.wishdir.arena.event;

/**
 * Receives the events of the arena: viewers, logs, the live view. Called on the arena's thread, so
 * it must not block. It may change the arena: the change is made at once, and its event is sent
 * after the current one.
 */
@FunctionalInterface
public interface ArenaListener {
    void onEvent(ArenaEvent event);
}
