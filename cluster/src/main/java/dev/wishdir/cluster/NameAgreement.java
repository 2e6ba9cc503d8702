package dev.wishdir.cluster;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.net.TokenBucket;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Queue;

/**
 * Names that are unique in the whole arena, by a rule that each node applies without asking: of two
 * players with confusable names the one with the lower (node, number) keeps its name, and the
 * other's own node renames it. Until that is reported, both are shown with their names.
 */
final class NameAgreement {
    private static final Comparator<PlayerId> ORDER =
            Comparator.comparingInt(PlayerId::node).thenComparingInt(PlayerId::number);

    private static final double RENAME_BURST = 256;
    private static final double RENAMES_PER_SECOND = 20;

    /** Maximum number of players whose names are compared in one turn. */
    private static final int MAX_PER_TURN = 64;

    private final Queue<MirroredPlayer> named = new ArrayDeque<>();
    private final TokenBucket renames = new TokenBucket(RENAME_BURST, RENAMES_PER_SECOND);

    /** A player of another node has joined the arena, or has another name. */
    void onNamed(MirroredPlayer player) {
        named.add(player);
    }

    /** Whether names wait to be compared. */
    boolean isDue() {
        return !named.isEmpty();
    }

    /** Renames own players whose names belong to others by the rule. */
    void advance(long now, long nanos, int ownNode) {
        for (int i = 0; i < MAX_PER_TURN && !named.isEmpty(); i++) {
            if (!settle(now, nanos, ownNode, named.element())) {
                return;
            }
            named.remove();
        }
    }

    private boolean settle(long now, long nanos, int ownNode, MirroredPlayer player) {
        ArenaPlayer handle = player.handle();
        if (handle == null) {
            return true;
        }
        for (ArenaPlayer namesake : handle.namesakes()) {
            PlayerId own = new PlayerId(ownNode, namesake.id().number());
            if (namesake.id().node() == 0 && ORDER.compare(own, player.id()) > 0) {
                if (!renames.tryAcquire(nanos)) {
                    return false;
                }
                // To its own name, which is taken: the arena finds one that is not.
                namesake.forceRename(now, namesake.name());
            }
        }
        return true;
    }
}
