package dev.wishdir.cluster.remote;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.cluster.message.FaultLog;
import dev.wishdir.cluster.message.MessageReader;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.net.limit.TokenBucket;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SequencedSet;

/**
 * Names that are unique in the whole arena, by a rule that each node applies without asking: of two
 * players with confusable names the one with the lower (node, number) keeps its name, and the
 * other's own node renames it. Until that is reported, both are shown with their names.
 *
 * <p>A node that does not rename its player, or that has two players with one name, lies or is of
 * another version. The other nodes then show the player with its number after its name; as that
 * depends only on what all players are called, each node shows the same.
 */
public final class NameAgreement {
    private static final Comparator<PlayerId> ORDER =
            Comparator.comparingInt(PlayerId::node).thenComparingInt(PlayerId::number);

    private static final double RENAME_BURST = 256;
    private static final double RENAMES_PER_SECOND = 20;

    /** Of players of other nodes, as this server shows them. */
    private static final double SHOWN_BURST = MessageReader.MAX_PLAYERS;

    private static final double SHOWN_PER_SECOND = 256;

    /** Maximum number of names that are compared in one turn. */
    private static final int MAX_PER_TURN = 64;

    /** The time in which a node is to rename its player that has the name of another node's. */
    private static final long GRACE_NANOS = 2_000_000_000L;

    /** Maximum number of players, each second, that may have their reported names again. */
    private static final int MAX_RECHECKED = 64;

    private static final long RECHECK_INTERVAL_NANOS = 1_000_000_000L;

    /** End of the grace of a player. */
    private record Deadline(MirroredPlayer player, long nanos) {}

    private final FaultLog faults;
    private final Map<PlayerId, MirroredPlayer> players = new HashMap<>();

    /** Players whose names wait to be compared. */
    private final SequencedSet<MirroredPlayer> named = new LinkedHashSet<>();

    /** Players that have the name of another node's player, and since when that is too long. */
    private final Map<MirroredPlayer, Long> graces = new HashMap<>();

    private final Queue<Deadline> deadlines = new ArrayDeque<>();

    /** Players that are not shown with the names that their nodes report, or should not be. */
    private final SequencedSet<MirroredPlayer> renamed = new LinkedHashSet<>();

    private final TokenBucket renames = new TokenBucket(RENAME_BURST, RENAMES_PER_SECOND);
    private final TokenBucket shown = new TokenBucket(SHOWN_BURST, SHOWN_PER_SECOND);
    private long rechecked;

    /** The first of those that wait, and how many of its names were in use. */
    private @Nullable MirroredPlayer current;

    private int attempt;

    public NameAgreement(FaultLog faults, long nanos) {
        this.faults = faults;
        rechecked = nanos;
    }

    /** A player of another node has joined the arena, or has another name. */
    void onNamed(MirroredPlayer player) {
        if (player.handle() != null) {
            forget(player);
            players.put(player.id(), player);
            named.add(player);
        }
    }

    /** A player of another node has left the arena. */
    void onLeft(MirroredPlayer player) {
        players.remove(player.id(), player);
        forget(player);
    }

    private void forget(MirroredPlayer player) {
        named.remove(player);
        graces.remove(player);
        renamed.remove(player);
        if (current == player) {
            current = null;
        }
    }

    /** Whether names wait to be compared. */
    public boolean isDue() {
        return !named.isEmpty();
    }

    /** Renames players whose names belong to others by the rule. */
    public void advance(long now, long nanos, int ownNode) {
        for (Deadline next = deadlines.peek();
                next != null && next.nanos() <= nanos;
                next = deadlines.peek()) {
            deadlines.remove();
            Long grace = graces.get(next.player());
            if (grace != null && grace == next.nanos()) {
                named.add(next.player());
            }
        }
        if (nanos - rechecked >= RECHECK_INTERVAL_NANOS) {
            rechecked = nanos;
            // Those that stay renamed go to the end of the set.
            for (int i = Math.min(MAX_RECHECKED, renamed.size()); i > 0; i--) {
                MirroredPlayer player = renamed.removeFirst();
                renamed.add(player);
                named.add(player);
            }
        }
        for (int i = 0; i < MAX_PER_TURN && !named.isEmpty(); i++) {
            if (!settle(now, nanos, ownNode, named.getFirst())) {
                return;
            }
        }
    }

    /**
     * Compares one name that a player may get.
     *
     * @return false if an own player must be renamed, and the rate limit does not allow it yet
     */
    private boolean settle(long now, long nanos, int ownNode, MirroredPlayer player) {
        ArenaPlayer handle = player.handle();
        if (handle == null) {
            forget(player);
            return true;
        }
        if (player != current) {
            current = player;
            attempt = 0;
        }
        String name = player.name(attempt);
        if (isTaken(nanos, ownNode, player, handle.namesakes(name))) {
            attempt++;
            return true;
        }
        if (attempt > 0) {
            renamed.add(player);
        }
        if (!name.equals(handle.name())) {
            if (!shown.tryAcquire(nanos)) {
                renamed.add(player);
                finish(player);
                return true;
            }
            if (attempt > 0) {
                faults.add(nanos, player.id().node(), NodeFault.NAME_TAKEN);
            }
            handle.forceRename(now, name);
        }
        for (ArenaPlayer namesake : handle.namesakes()) {
            MirroredPlayer other = players.get(namesake.id());
            if (other != null && isBefore(ownNode, player.id(), namesake.id())) {
                named.add(other);
            } else if (other == null && isBefore(ownNode, player.id(), namesake.id())) {
                if (!renames.tryAcquire(nanos)) {
                    return false;
                }
                // To its own name, which is taken: the arena finds one that is not.
                namesake.forceRename(now, namesake.name());
            }
        }
        if (attempt == 0) {
            renamed.remove(player);
        }
        finish(player);
        return true;
    }

    private void finish(MirroredPlayer player) {
        named.remove(player);
        current = null;
    }

    /** Whether the first player keeps its name before the second; ghosts have the last choice. */
    private static boolean isBefore(int ownNode, PlayerId first, PlayerId second) {
        return second.isGhost()
                || ORDER.compare(global(ownNode, first), global(ownNode, second)) < 0;
    }

    private static PlayerId global(int ownNode, PlayerId id) {
        return id.node() == 0 ? new PlayerId(ownNode, id.number()) : id;
    }

    /** Whether the name that a player may get belongs to another one by the rule. */
    private boolean isTaken(
            long nanos, int ownNode, MirroredPlayer player, List<ArenaPlayer> namesakes) {
        boolean isOfOtherNode = false;
        for (ArenaPlayer namesake : namesakes) {
            if (!isBefore(ownNode, player.id(), namesake.id())) {
                boolean isOfSameNode = namesake.id().node() == player.id().node();
                if (attempt > 0 || isOfSameNode || renamed.contains(player)) {
                    return true;
                }
                isOfOtherNode = true;
            }
        }
        if (!isOfOtherNode) {
            return false;
        }
        Long grace = graces.get(player);
        if (grace == null) {
            grace = nanos + GRACE_NANOS;
            graces.put(player, grace);
            deadlines.add(new Deadline(player, grace));
        }
        return nanos >= grace;
    }
}
