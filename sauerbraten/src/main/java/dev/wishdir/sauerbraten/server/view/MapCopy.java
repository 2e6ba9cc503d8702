package dev.wishdir.sauerbraten.server.view;

import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/**
 * One client's copy of the current map: its checksum, whether the client has modified it, and
 * whether the client is still loading it, so that its positions are of another map.
 */
public final class MapCopy {
    /** The longest time to load the map once it was sent, nanoseconds. */
    private static final long LOAD_TIMEOUT_NANOS = 10_000_000_000L;

    private enum LoadState {
        LOADED,
        /** The client may have to fetch the map, and has not started. */
        FETCH_AWAITED,
        /** The client is sent the map, and has not loaded it. */
        FETCHING
    }

    private final BooleanSupplier isSending;
    private LoadState loadState = LoadState.LOADED;

    /** Until when it may take to load the map. */
    private long loadDeadline = Long.MIN_VALUE;

    private OptionalInt crc = OptionalInt.empty();
    private boolean pushed;

    /** Whether the file on its way, if there is one, is that of an earlier map. */
    private boolean outdated;

    private boolean modified;
    private boolean items;

    /** The number of times the client has lost all entities that it was sent. */
    private int number;

    private long restoredAt = Long.MIN_VALUE / 2;

    /**
     * @param isSending whether a file is on its way to the client
     */
    public MapCopy(BooleanSupplier isSending) {
        this.isSending = isSending;
    }

    /** Another map is played: its checksum is unknown. */
    public void onMapChange() {
        crc = OptionalInt.empty();
        pushed = false;
        loseEntities();
        outdated = true;
    }

    private void loseEntities() {
        items = false;
        number++;
    }

    /** The number of the copy: another one has none of the entities that the client was sent. */
    public int number() {
        return number;
    }

    /** Whether the client was sent the items of the match since it loaded the map. */
    public boolean hasItems() {
        return items;
    }

    /** The client is sent the items of the match; returns whether it did not have them. */
    public boolean markItemsSent() {
        boolean first = !items;
        items = true;
        return first;
    }

    /** The CRC that the client has reported for the current map. */
    public OptionalInt crc() {
        return crc;
    }

    /**
     * The client has loaded a map, and has no items.
     *
     * @param reported the CRC of the current map that the client has loaded; empty for another map
     */
    public void setCrc(OptionalInt reported) {
        crc = reported;
        loseEntities();
    }

    /** Whether the client was sent the map without a request. */
    public boolean isPushed() {
        return pushed;
    }

    public void onPushed() {
        pushed = true;
    }

    /** The client has modified its copy; returns whether it was unmodified before. */
    public boolean markModified() {
        boolean first = !modified;
        modified = true;
        return first;
    }

    /** The client is sent the map again. */
    public void onRestored(long now) {
        modified = false;
        loseEntities();
        restoredAt = now;
    }

    /** Time at which the client was last sent the map again. */
    public long restoredAt() {
        return restoredAt;
    }

    /**
     * Another map is played, which the client may have to fetch. Its positions are of another map
     * meanwhile.
     *
     * @param until when it has started to fetch the map, unless it has it already
     */
    public void awaitFetch(long until) {
        if (loadState == LoadState.LOADED) {
            loadState = LoadState.FETCH_AWAITED;
        }
        loadDeadline = until;
    }

    /** The client is sent the map; it spawns again when it has loaded it. */
    public void startFetch(long now) {
        loadState = LoadState.FETCHING;
        loseEntities();
        outdated = false;
        loadDeadline = now + LOAD_TIMEOUT_NANOS;
    }

    /**
     * The client has loaded the map.
     *
     * @return whether it was sent the map, and is to spawn again in it
     */
    public boolean onLoaded() {
        boolean fetched = loadState == LoadState.FETCHING;
        loadState = LoadState.LOADED;
        loadDeadline = Long.MIN_VALUE;
        return fetched;
    }

    /** Whether the client is sent the map, or was and has not reported that it has loaded it. */
    public boolean isFetching() {
        return loadState == LoadState.FETCHING;
    }

    /** Whether a file is on its way to the client. */
    public boolean isSending() {
        return isSending.getAsBoolean();
    }

    /** Whether the file of an earlier map is on its way, which the client takes for this one's. */
    public boolean isSendingOther() {
        return outdated && isSending();
    }

    /** Whether its positions are of another map: it is fetching this one, or may have to. */
    public boolean isElsewhere(long now) {
        if (loadState == LoadState.FETCHING && isSending()) {
            loadDeadline = now + LOAD_TIMEOUT_NANOS;
        }
        return loadState != LoadState.LOADED && now < loadDeadline;
    }
}
