package dev.wishdir.sauerbraten.server;

import dev.wishdir.enet.EnetPeer;

/** The state of a client's copy of the current map: modified, fetched, loaded. */
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

    /** The client has modified its copy; returns whether it was unmodified before. */
    boolean markModified() {
        boolean first = !spoiled;
        spoiled = true;
        return first;
    }

    /** The client is sent the map again. */
    void onRestored(long now) {
        spoiled = false;
        restoredAt = now;
    }

    /** When the client was last sent the map again. */
    long restoredAt() {
        return restoredAt;
    }

    /**
     * Another map is played, which the client may have to fetch. Its positions are of another map
     * meanwhile.
     *
     * @param until when it has started to fetch the map, unless it has it already
     */
    void awaitFetch(long until) {
        elsewhereUntil = until;
    }

    /** The client is sent the map; it spawns again when it has loaded it. */
    void startFetch(long now) {
        fetched = true;
        elsewhereUntil = now + LOAD_TIMEOUT_NANOS;
    }

    /** The client has loaded the map. */
    void onLoaded() {
        elsewhereUntil = Long.MIN_VALUE;
    }

    /** Whether the client was sent the map since the last call. */
    boolean takeFetched() {
        boolean was = fetched;
        fetched = false;
        return was;
    }

    /** Whether its positions are of another map: it is fetching this one, or may have to. */
    boolean isElsewhere(long now) {
        if (fetched && peer.isSendingFile()) {
            elsewhereUntil = now + LOAD_TIMEOUT_NANOS;
        }
        return now < elsewhereUntil;
    }
}
