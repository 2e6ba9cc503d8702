package dev.wishdir.sauerbraten.server;

import dev.wishdir.enet.EnetPeer;

/** A client's own copy of the map that is played: whether it has the right one, or is to get it. */
final class MapCopy {
    /** So long it may take to fetch and to load the map, nanoseconds. */
    private static final long LOAD_TIMEOUT_NANOS = 10_000_000_000L;

    /** So much later than what was said after it a position comes at the most, nanoseconds. */
    private static final long MAX_POSITION_DELAY_NANOS = 300_000_000;

    private final EnetPeer peer;
    private boolean spoiled;
    private long restoredAt = Long.MIN_VALUE / 2;

    /** Until when it may not have begun to fetch the map, or least where it has that. */
    private long mapAwaited = Long.MIN_VALUE;

    private boolean fetched;

    /** Whether it has begun to fetch the map that is played. */
    private boolean begun;

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

    /** It fetches the map. Who fetches it once more has it already. */
    void fetches(long now) {
        if (!begun) {
            begun = true;
            newUntil = now + LOAD_TIMEOUT_NANOS;
        }
    }

    /** It has loaded the map. */
    void has(long now) {
        mapAwaited = Long.MIN_VALUE;
        newUntil = Math.min(newUntil, now + MAX_POSITION_DELAY_NANOS);
    }

    /** Whether it may say yet where it is in another map, as it fetches this one. */
    boolean isNew(long now) {
        return now < newUntil;
    }

    /** Whether it is somewhere else yet: the map is on its way, or it has not asked for it. */
    boolean isElsewhere(long now) {
        if (mapAwaited == Long.MIN_VALUE) {
            return false;
        }
        boolean fetches = peer.isSendingFile();
        fetched |= fetches;
        if (fetches || !fetched && now < mapAwaited) {
            return true;
        }
        fetched = false;
        mapAwaited = Long.MIN_VALUE;
        return false;
    }
}
