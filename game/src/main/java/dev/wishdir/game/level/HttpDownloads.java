package dev.wishdir.game.level;

import dev.wishdir.arena.event.Level;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.EvictingMap;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Map files of the current levels for HTTP downloads, which take moments instead of many round
 * trips in band.
 *
 * <p>Endpoints offer files and send clients the URL; a web server serves them. Used by the threads
 * of both.
 *
 * <p>HTTP can fail for a client: a firewall may block the web server's port, and a game gives up if
 * it can't fetch a file from the URL. So after a client left without its files, its address gets no
 * URL for {@link #FALLBACK_NANOS}, and downloads in band. An address that fetched nothing because
 * it needed nothing (a bot, a client that has the files) gets the URL again.
 */
public final class HttpDownloads {
    /** Provides the base URL. */
    @FunctionalInterface
    public interface UrlProvider {
        /** The base URL as a client at this address reaches it; empty if it can't. */
        Optional<String> url(InetAddress client);
    }

    private static final int MAX_ADDRESSES = 1024;
    private static final long FALLBACK_NANOS = 600_000_000_000L;

    private record Offer(long time, Optional<String> url, boolean fetched) {}

    private record LevelFiles(List<Level.File> current, List<Level.File> previous) {}

    private final Map<String, LevelFiles> levelFiles = new ConcurrentHashMap<>();

    /** Guarded by {@link #offers}, like it. */
    private UrlProvider urlProvider = _ -> Optional.empty();

    /** The last offer to each address, and whether it fetched a file; oldest first. */
    private final Map<InetAddress, Offer> offers = new EvictingMap<>(MAX_ADDRESSES);

    /** Sets the web server that serves the files. */
    public void setUrlProvider(UrlProvider urlProvider) {
        synchronized (offers) {
            this.urlProvider = urlProvider;
            offers.clear();
        }
    }

    /**
     * Sets the files of a game's new level; those of the previous level stay, as clients may be
     * downloading them.
     *
     * @param files with paths as the game's clients request them
     */
    public void offer(String game, List<Level.File> files) {
        levelFiles.compute(
                game,
                (_, old) ->
                        new LevelFiles(List.copyOf(files), old == null ? List.of() : old.current));
    }

    /** A file that a client requests. */
    public Optional<Bytes> file(String game, String path, InetAddress client) {
        LevelFiles files = levelFiles.getOrDefault(game, new LevelFiles(List.of(), List.of()));
        Optional<Bytes> file =
                Stream.concat(files.current.stream(), files.previous.stream())
                        .filter(each -> each.path().equals(path))
                        .map(Level.File::content)
                        .findFirst();
        if (file.isPresent()) {
            synchronized (offers) {
                offers.computeIfPresent(
                        client,
                        (_, offer) ->
                                offer.url.isEmpty()
                                        ? null
                                        : new Offer(offer.time, offer.url, true));
            }
        }
        return file;
    }

    /**
     * The URL for a client that joins.
     *
     * @param now nanoseconds
     * @return to which it adds a file's path; empty if it must download in band
     */
    public Optional<String> url(long now, String game, InetAddress client) {
        LevelFiles files = levelFiles.get(game);
        if (files == null || files.current.isEmpty()) {
            return Optional.empty();
        }
        synchronized (offers) {
            Offer last = offers.get(client);
            Offer offer =
                    last == null || now - last.time >= FALLBACK_NANOS
                            ? new Offer(now, urlProvider.url(client), false)
                            : new Offer(last.time, last.url, false);
            remember(client, offer);
            return offer.url.map(base -> base + "/" + game);
        }
    }

    /**
     * Records that a client left without the files of its level. If its address has fetched nothing
     * over HTTP since it got the URL, its next clients download in band.
     *
     * @param now nanoseconds
     */
    public void reportFailure(long now, InetAddress client) {
        synchronized (offers) {
            Offer last = offers.get(client);
            if (last != null && !last.fetched) {
                remember(client, new Offer(now, Optional.empty(), false));
            }
        }
    }

    private void remember(InetAddress client, Offer offer) {
        offers.remove(client);
        offers.put(client, offer);
    }
}
