package dev.wishdir.quake2.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.PlayerId;

import java.util.BitSet;
import java.util.Optional;

/**
 * The numbers of the entities that one client sees: its own, and those of its interest set.
 * Computed only after a change of either.
 */
final class VisibleEntities {
    private final Arena arena;
    private final PlayerEntityTable entityTable;
    private final int own;

    /** As of the two versions below. */
    private final BitSet numbers = new BitSet(FrameEntities.MAX_PLAYERS + 1);

    private int visibilityVersion = -1;
    private int slotVersion;

    /**
     * @param own number of the client's own entity
     */
    VisibleEntities(Arena arena, PlayerEntityTable entityTable, int own) {
        this.arena = arena;
        this.entityTable = entityTable;
        this.own = own;
    }

    /**
     * The numbers. Valid until the next call.
     *
     * @param player of the client; empty until it has entered
     */
    BitSet of(Optional<PlayerId> player) {
        int visibility = player.map(arena::visibilityVersion).orElse(-1);
        int slotChanges = entityTable.changes();
        if (visibility < 0 || visibility != visibilityVersion || slotChanges != slotVersion) {
            visibilityVersion = visibility;
            slotVersion = slotChanges;
            numbers.clear();
            numbers.set(own);
            player.ifPresent(id -> entityTable.mark(arena.visiblePlayers(id), numbers));
        }
        return numbers;
    }
}
