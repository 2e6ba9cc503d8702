package dev.wishdir.sauerbraten.server;

import dev.wishdir.enet.EnetPeer;

/** A client's own copy of the map that is played: whether it has the right one, or is to get it. */
final class MapCopy {
    /** The longest time to load the map once it was sent, nanoseconds. */
    private static final long LOAD_TIMEOUT_NANOS = 10_000_000_000L;

    private final EnetPeer peer;
    private boolean spoiled;
    private long restoredAt = Long.MIN_VALUE / 2;

    /** Until when its positions are of another map. */
    private long elsewhereUntil = Long.MIN_VALUE;

    private boolean fetched;

    MapCopy(EnetPeer peer) {
        this.peer = peer;
    }

    /** It has changed its own copy of the map; returns whether that was as it should be before. */
    boolean spoil() {
        boolean first = !spoiled;
        spoiled = true;
        return first;
    }

    /** It gets the map again. */
    void restored(long now) {
        spoiled = false;
        restoredAt = now;
    }

    /** When it got the map again last. */
    long restoredAt() {
        return restoredAt;
    }

    /**
     * It has to load what the server has for it: until then it is in no place of it.
     *
     * @param until when it has begun to fetch the map, unless it has that already
     */
    void lacks(long until) {
        elsewhereUntil = until;
    }

    /** The server sends it the map, in which it is to appear when it has loaded it. */
    void fetches(long now) {
        fetched = true;
        elsewhereUntil = now + LOAD_TIMEOUT_NANOS;
    }

    /** It has loaded the map. */
    void loaded() {
        elsewhereUntil = Long.MIN_VALUE;
    }

    /** Whether it has fetched the map since this was asked last. */
    boolean takeFetched() {
        boolean was = fetched;
        fetched = false;
        return was;
    }

    /** Whether it is somewhere else yet: the map is on its way, or it has not asked for it. */
    boolean isElsewhere(long now) {
        if (fetched && peer.isSendingFile()) {
            elsewhereUntil = now + LOAD_TIMEOUT_NANOS;
        }
        return now < elsewhereUntil;
    }
}
