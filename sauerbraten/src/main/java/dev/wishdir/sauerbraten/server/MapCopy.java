package dev.wishdir.sauerbraten.server;

import dev.wishdir.enet.EnetPeer;

/** A client's own copy of the map that is played: whether it has the right one, or is to get it. */
final class MapCopy {
    /** So long after the map has come it may not say yet that it has loaded it, nanoseconds. */
    private static final long LOADS_FOR = 1_000_000_000;

    /** So much later than what was said after it a position comes at the most, nanoseconds. */
    private static final long LATE = 300_000_000;

    private final EnetPeer peer;
    private boolean spoiled;
    private long restoredAt = Long.MIN_VALUE / 2;

    /** Until when it may not have begun to fetch the map or to load it, least where it has that. */
    private long mapAwaited = Long.MIN_VALUE;

    /** Whether it has begun to fetch the map that is played. */
    private boolean begun;

    private boolean fetching;
    private long newUntil = Long.MIN_VALUE;

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

    /** It has to load what the server has for it: until then it is in no place of it. */
    void lacks(long until) {
        mapAwaited = until;
        begun = false;
    }

    /** It fetches the map. Who has it already, and fetches it once more, stays where it is. */
    void fetches() {
        fetching |= !begun;
        begun = true;
    }

    /** It has loaded the map. */
    void has(long now) {
        if (fetching || now < mapAwaited) {
            fetching = false;
            mapAwaited = Long.MIN_VALUE;
            newUntil = now + LATE;
        }
    }

    /** Whether it has loaded the map just now: where it was before may still be on its way. */
    boolean isNew(long now) {
        return now < newUntil;
    }

    /** Whether it is somewhere else yet: the map is on its way, or it has not asked for it. */
    boolean isElsewhere(long now) {
        if (fetching && peer.isSendingFile()) {
            return true;
        }
        if (fetching) {
            fetching = false;
            mapAwaited = now + LOADS_FOR;
        }
        return now < mapAwaited;
    }
}
