package dev.wishdir.cluster.agreement;

import dev.wishdir.cluster.v1.PlayedLevel;
import dev.wishdir.net.limit.TokenBucket;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Agreement about the level that all nodes play: the one with the highest (count, node), as each
 * node reports what it plays. The count grows with each change by an operator, so the newest change
 * wins everywhere, and after a split that of the half with more changes.
 *
 * <p>A node begins with count 0, which never wins, and counts its level as chosen once it has been
 * connected for a second without another node that has one. So a node that joins late changes
 * nothing.
 *
 * <p>A node announces a level before it plays it. The others prepare it, report that they have it
 * ready, and follow when the first one plays it. So all change together, unless a node needs longer
 * than {@link #MAX_PREPARE_NANOS}.
 */
public final class LevelAgreement {
    /** A count that is higher than the own by more is not believed. */
    static final long MAX_STEP = 1_000_000;

    /**
     * Longest time for which a server may prepare a level: until then it keeps the nodes waiting
     * that are to begin it with it, or its own match if others have begun the level.
     */
    public static final long MAX_PREPARE_NANOS = 30_000_000_000L;

    /** Maximum number of levels that a node reports as ready. */
    public static final int MAX_READY = 8;

    /** Number of reports of ready levels that go out at once, and not with the next batch. */
    private static final double REPORT_BURST = 10;

    private static final double REPORTS_PER_SECOND = 2;

    private static final double CHANGE_BURST = 5;
    private static final double CHANGES_PER_SECOND = 0.5;

    private final TokenBucket changes = new TokenBucket(CHANGE_BURST, CHANGES_PER_SECOND);
    private final TokenBucket reports = new TokenBucket(REPORT_BURST, REPORTS_PER_SECOND);
    private PlayedLevel played;
    private long highest;

    /** The level that is to be played and is not yet; null for none. */
    private @Nullable PlayedLevel wanted;

    private long preparedUntil;

    /** The level that this node announces; empty for none. */
    private String next = "";

    private long awaitedUntil;

    /** The levels of other nodes that are ready here. */
    private List<String> ready = List.of();

    public LevelAgreement(String name) {
        played = PlayedLevel.newBuilder().setName(name).build();
    }

    /** Level that this node plays. */
    public PlayedLevel played() {
        return played;
    }

    /** Whether no level was chosen yet, by this node or another. */
    public boolean isUndecided() {
        return highest == 0;
    }

    /** The level of this node counts as chosen, as there is no other. */
    public void choose(int node) {
        highest = 1;
        played = played.toBuilder().setCount(1).setNode(node).build();
    }

    /**
     * Another node plays a level.
     *
     * @return whether the server is to prepare this level now
     */
    public boolean offer(long nanos, PlayedLevel level) {
        if (level.getCount() > highest + MAX_STEP) {
            return false;
        }
        PlayedLevel best = wanted == null ? played : wanted;
        if (compare(level, best) <= 0 || !changes.tryAcquire(nanos)) {
            return false;
        }
        highest = Math.max(highest, level.getCount());
        // An operator chose the level that is played, to start it again.
        boolean isRestart = played.getCount() > 0 && level.getCount() > played.getCount();
        if (level.getName().equals(played.getName()) && !isRestart) {
            played = level;
            wanted = null;
            return false;
        }
        wanted = level;
        preparedUntil = nanos + MAX_PREPARE_NANOS;
        return true;
    }

    /** The server does not have the level that is wanted. */
    public void refuse(long nanos) {
        preparedUntil = nanos;
    }

    /** Whether the server prepares a level that another node plays already. */
    boolean isPreparing(long nanos) {
        return wanted != null && nanos < preparedUntil;
    }

    /**
     * This server prepares a level to begin it for all.
     *
     * @param name empty for none
     * @return whether that is new
     */
    public boolean announce(long nanos, String name) {
        if (name.equals(next)) {
            return false;
        }
        next = name;
        awaitedUntil = nanos + MAX_PREPARE_NANOS;
        return true;
    }

    /** The level that this server prepares to begin; empty for none. */
    public String next() {
        return next;
    }

    /** Whether other nodes still have time to prepare the level that was announced. */
    public boolean isAwaiting(long nanos) {
        return nanos < awaitedUntil;
    }

    /**
     * Sets which levels that other nodes announce are ready here, or can't be had.
     *
     * @return whether to report it at once
     */
    public boolean setReady(long nanos, List<String> names) {
        if (names.equals(ready)) {
            return false;
        }
        ready = names;
        return reports.tryAcquire(nanos);
    }

    /** Levels that other nodes announce, and this one is ready for. */
    public List<String> ready() {
        return ready;
    }

    /** The operator of this server chose a level, which it plays: all others are to play it. */
    public void change(int node, String name) {
        highest++;
        played = PlayedLevel.newBuilder().setCount(highest).setNode(node).setName(name).build();
        wanted = null;
    }

    /** The server plays a level that was wanted, or one that is not wanted any more. */
    public void start(String name) {
        PlayedLevel awaited = wanted;
        if (awaited != null && awaited.getName().equals(name)) {
            played = awaited;
            wanted = null;
        } else if (!played.getName().equals(name)) {
            // It counts for nothing: the next message of another node leads to the right one.
            played = PlayedLevel.newBuilder().setName(name).build();
            wanted = null;
        }
    }

    /** By count, then by node. */
    static int compare(PlayedLevel a, PlayedLevel b) {
        int byCount = Long.compare(a.getCount(), b.getCount());
        return byCount != 0 ? byCount : Integer.compare(a.getNode(), b.getNode());
    }
}
