package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.ArenaPlayer;

import java.util.BitSet;
import java.util.Optional;

/**
 * The numbers of the entities that one client sees: its own, and those of its interest set.
 * Computed only after a change of either.
 */
public final class VisibleEntities {
    private final PlayerEntityTable entityTable;
    private final int own;

    /** As of the two versions below. */
    private final BitSet numbers = new BitSet(FrameEntities.MAX_PLAYERS + 1);

    /** With bodies of the dead and missiles. */
    private final BitSet withOthers = new BitSet(FrameEntities.MAX_NUMBER + 1);

    private int visibilityVersion = -1;
    private int slotVersion;

    /**
     * @param own number of the client's own entity
     */
    public VisibleEntities(PlayerEntityTable entityTable, int own) {
        this.entityTable = entityTable;
        this.own = own;
    }

    /** The numbers as of the client's last frame. */
    public BitSet last() {
        return numbers;
    }

    /**
     * The numbers. Valid until the next call.
     *
     * @param player of the client; empty until it has entered
     */
    public BitSet of(Optional<ArenaPlayer> player) {
        int visibility = player.map(ArenaPlayer::visibilityVersion).orElse(-1);
        int slotChanges = entityTable.changes();
        if (visibility < 0 || visibility != visibilityVersion || slotChanges != slotVersion) {
            visibilityVersion = visibility;
            slotVersion = slotChanges;
            numbers.clear();
            numbers.set(own);
            player.ifPresent(here -> entityTable.mark(here.visiblePlayers(), numbers));
        }
        BitSet others = entityTable.others();
        if (others.isEmpty()) {
            return numbers;
        }
        withOthers.clear();
        withOthers.or(numbers);
        int left = FrameDeltaEncoder.MAX_ENTITIES - numbers.cardinality();
        for (int i = others.nextSetBit(0); i >= 0 && left > 0; i = others.nextSetBit(i + 1)) {
            left -= withOthers.get(i) ? 0 : 1;
            withOthers.set(i);
        }
        return withOthers;
    }
}
