package dev.wishdir.app.replay;

import dev.wishdir.arena.Player;

import java.io.IOException;
import java.util.Collection;

/** A recording that grows on a web server, in a local copy that is deleted at the end. */
final class UrlSource implements ReplaySource {
    private final RangeDownload download;
    private final RecordingSource copy;

    private UrlSource(RangeDownload download, RecordingSource copy) {
        this.download = download;
        this.copy = copy;
    }

    /**
     * Fetches a recording as far as it is written.
     *
     * @param download closed with this source, or if it cannot be opened
     * @throws IOException if it cannot be fetched, or is not a recording
     */
    static UrlSource open(RangeDownload download) throws IOException {
        try {
            download.fetch();
            return new UrlSource(download, RecordingSource.follow(download.file()));
        } catch (IOException e) {
            try (download) {
                throw e;
            }
        }
    }

    @Override
    public long startNanos() {
        return copy.startNanos();
    }

    @Override
    public long endNanos() {
        return copy.endNanos();
    }

    @Override
    public boolean isComplete() {
        return copy.isComplete();
    }

    @Override
    public void refresh() throws IOException {
        if (download.fetch()) {
            copy.refresh();
        }
    }

    @Override
    public Collection<Player> stateAt(long nanos) throws IOException {
        return copy.stateAt(nanos);
    }

    @Override
    public Events eventsAfter(long nanos) throws IOException {
        return copy.eventsAfter(nanos);
    }

    @Override
    public void close() throws IOException {
        try (download) {
            copy.close();
        }
    }
}
